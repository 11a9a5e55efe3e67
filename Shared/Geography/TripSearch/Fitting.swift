import Foundation
import Geo

extension Trip {
    /// Whether, and how, the trip takes the passenger along on that day. This defines what fits; an index only saves
    /// calls.
    ///
    /// It considers, on each segment, the nearest place to the passenger's start and to their end, on the plane at
    /// either point. The passenger walks up to their limit; for the rest the driver makes a detour there and back, as
    /// far as driver and passenger allow. The trip fits if the driver is at the pick-up within the window, the
    /// drop-off is farther along the line, there are seats from one to the other, and the passenger would walk
    /// farther without it. The pair that costs least in walking and detour counts, the first of equals.
    public func fit(_ query: TripQuery, on day: Day) -> Fit? {
        fit(
            Probe(query), on: day,
            departure: schedule.zone.instant(
                on: day, secondOfDay: schedule.secondOfDay))
    }

    /// `departure` is the day's, in seconds since 1970.
    func fit(_ probe: Probe, on day: Day, departure: Int) -> Fit? {
        match(probe, on: day, departure: departure).map {
            fit($0, probe, on: day, departure: departure)
        }
    }

    /// The same without the values that people see; nil for most trips.
    func match(_ probe: Probe, on day: Day, departure: Int) -> Match? {
        let window = Window(
            first: probe.after - Double(departure), last: probe.before - Double(departure))
        guard seats >= probe.seats, window.last >= Double(way.first.seconds),
            window.first <= Double(way.durationSeconds), runs(on: day),
            probe.excluded.isEmpty || !probe.excluded.contains(driver)
        else { return nil }
        let full = taken.isEmpty ? [] : fullStretches(on: day, needing: probe.seats)
        let detour = min(Double(maxDetourSeconds), probe.maxDetour)
        return way.vertices.withUnsafeBufferPointer {
            Matching.run($0, probe, window, full, detour)
        }
    }

    /// The result for the pair.
    func fit(_ match: Match, _ probe: Probe, on day: Day, departure: Int) -> Fit {
        let from = meeting(match.pickUp, probe.from, probe.walk, departure, .down)
        let to = meeting(match.dropOff, probe.to, probe.walk, departure, .up)
        let wait = Double(departure) + match.pickUp.seconds - probe.after
        return Fit(
            trip: id, version: version, driver: driver, day: day, pickUp: from, dropOff: to,
            totalWalkMeters: from.walkMeters + to.walkMeters,
            detourSeconds: match.detour(probe.walk),
            rideSeconds: match.dropOff.seconds - match.pickUp.seconds, waitSeconds: wait,
            seatsLeft: seatsLeft(on: day, from: from.secondsAlong, to: to.secondsAlong),
            score: match.score(probe, departure: departure))
    }

    private func meeting(
        _ stop: Match.Stop, _ plane: Plane, _ walk: Double, _ departure: Int,
        _ rounding: FloatingPointRoundingRule
    ) -> Fit.Meeting {
        let (a, b) = (way.vertices[stop.segment], way.vertices[stop.segment + 1])
        var point = Plane.point(a, b, part: stop.part)
        if stop.meters > walk {
            point = plane.point(toward: point, share: walk / stop.meters)
        }
        return Fit.Meeting(
            point: point, at: Date(timeIntervalSince1970: Double(departure) + stop.seconds),
            walkMeters: min(stop.meters, walk), secondsAlong: Int(stop.seconds.rounded(rounding)))
    }
}

/// A query, prepared for many trips.
struct Probe {
    let from: Plane
    let to: Plane
    let walk: Double
    /// The passenger's limit in seconds; infinite for all that a driver offers.
    let maxDetour: Double
    /// Seconds since 1970.
    let after: Double
    let before: Double
    let seats: Int
    let excluded: Set<UUID>
    /// Metres that the passenger would walk without a car.
    let straight: Double

    init(_ query: TripQuery) {
        from = Plane(at: query.from)
        to = Plane(at: query.to)
        walk = query.maxWalkMeters
        maxDetour = query.maxDetourSeconds.map(Double.init) ?? .infinity
        after = query.departAfter.timeIntervalSince1970
        before = query.departBefore.timeIntervalSince1970
        seats = query.seats
        excluded = query.excludedDrivers
        straight = Geo.distanceMeters(query.from, query.to)
    }
}

/// Seconds along a route, both ends included.
struct Window {
    let first: Double
    let last: Double
}

/// The best pair of places of one trip.
struct Match {
    struct Stop {
        var segment: Int
        var part: Double
        /// Metres from the passenger's end to the line.
        var meters: Double
        /// Seconds since the departure.
        var seconds: Double
    }

    let pickUp: Stop
    let dropOff: Stop

    func detour(_ walk: Double) -> Double {
        2 * (max(0, pickUp.meters - walk) + max(0, dropOff.meters - walk))
            / TripRules.drivingMetersPerSecond
    }

    func score(_ probe: Probe, departure: Int) -> Double {
        TripRules.cost(meters: pickUp.meters, walk: probe.walk)
            + TripRules.cost(meters: dropOff.meters, walk: probe.walk)
            + TripRules.waitingWeight * (Double(departure) + pickUp.seconds - probe.after)
    }
}

/// One pass along a line, in O(n).
///
/// Costs grow with the distance, and so do walk and detour. For a drop-off, the nearest of all earlier pick-ups is
/// therefore the best, and if it isn't possible no other is. So only the nearest pick-up so far is stored; it is
/// dropped where seats are full.
private struct Matching {
    private let probe: Probe
    private let window: Window
    private let full: [Range<Int>]
    private let detour: Double
    private let reach: Double
    private let reachSquared: Double

    /// The nearest pick-up before the end of the previous segment.
    private var behind: Match.Stop?
    /// A pick-up exactly at that end; it can't be combined with a drop-off at the same place.
    private var atVertex: Match.Stop?
    /// The index of the first range in `full` that no drop-off has passed yet.
    private var nextFull = 0
    private var best: Match?
    private var bestCost = Double.infinity

    static func run(
        _ vertices: UnsafeBufferPointer<Way.Vertex>, _ probe: Probe, _ window: Window,
        _ full: [Range<Int>], _ detour: Double
    ) -> Match? {
        var matching = Matching(probe, window, full, detour)
        matching.run(vertices)
        return matching.best
    }

    private init(_ probe: Probe, _ window: Window, _ full: [Range<Int>], _ detour: Double) {
        self.probe = probe
        self.window = window
        self.full = full
        self.detour = detour
        reach = probe.walk + detour * TripRules.drivingMetersPerSecond / 2
        reachSquared = reach * reach
    }

    private mutating func run(_ vertices: UnsafeBufferPointer<Way.Vertex>) {
        var last = vertices[0]
        var from = probe.from.place(last)
        for index in 1..<vertices.count {
            let vertex = vertices[index]
            let nextFrom = probe.from.place(vertex)
            defer { (last, from) = (vertex, nextFrom) }
            // A car that only stands makes no line.
            if vertex.latitude == last.latitude && vertex.longitude == last.longitude { continue }
            let times = (Double(last.seconds), Double(vertex.seconds))
            var pickUp: Match.Stop?
            if times.0 <= window.last, times.1 >= window.first,
                let stop = stop(index - 1, probe.from, from, nextFrom, times),
                stop.seconds >= window.first, stop.seconds <= window.last
            {
                pickUp = stop
            }
            let canDrop = behind != nil || atVertex != nil || pickUp != nil
            let dropOff =
                canDrop
                ? stop(
                    index - 1, probe.to, probe.to.place(last), probe.to.place(vertex), times)
                : nil
            if let first = pickUp, let second = dropOff, first.part < second.part {
                add(first)
                pickUp = nil
            }
            if let dropOff { finish(at: dropOff) }
            if let stop = atVertex {
                atVertex = nil
                keep(stop)
            }
            if let pickUp { add(pickUp) }
            if times.0 > window.last, behind == nil, atVertex == nil { return }
        }
    }

    /// The nearest place of the segment to a point; nil if it is out of reach.
    @inline(__always)
    private func stop(
        _ segment: Int, _ plane: Plane, _ a: Plane.Place, _ b: Plane.Place,
        _ times: (Double, Double)
    ) -> Match.Stop? {
        if min(a.x, b.x) > reach || max(a.x, b.x) < -reach { return nil }
        if min(a.y, b.y) > reach || max(a.y, b.y) < -reach { return nil }
        let near = Plane.nearest(a, b)
        guard near.squared <= reachSquared, !plane.isFar(a, b) else { return nil }
        return Match.Stop(
            segment: segment, part: near.part, meters: near.squared.squareRoot(),
            seconds: times.0 + near.part * (times.1 - times.0))
    }

    /// Drops pick-ups that are ruled out by full stretches beginning before this time, in seconds: a passenger who
    /// boarded before the end of such a stretch would still be in the car on it.
    private mutating func pass(_ seconds: Double) {
        while nextFull < full.count, Double(full[nextFull].lowerBound) < seconds {
            let end = Double(full[nextFull].upperBound)
            if let stop = behind, stop.seconds < end { behind = nil }
            if let stop = atVertex, stop.seconds < end { atVertex = nil }
            nextFull += 1
        }
    }

    private mutating func add(_ stop: Match.Stop) {
        pass(stop.seconds)
        if nextFull > 0, stop.seconds < Double(full[nextFull - 1].upperBound) { return }
        if stop.part == 1 { atVertex = stop } else { keep(stop) }
    }

    private mutating func keep(_ stop: Match.Stop) {
        if stop.meters < behind?.meters ?? .infinity { behind = stop }
    }

    private mutating func finish(at dropOff: Match.Stop) {
        pass(dropOff.seconds)
        var pickUp = behind
        if dropOff.part > 0, let stop = atVertex, stop.meters < pickUp?.meters ?? .infinity {
            pickUp = stop
        }
        guard let pickUp else { return }
        let walk = probe.walk
        let cost =
            TripRules.cost(meters: pickUp.meters, walk: walk)
            + TripRules.cost(meters: dropOff.meters, walk: walk)
        let match = Match(pickUp: pickUp, dropOff: dropOff)
        guard cost < bestCost, match.detour(walk) <= detour,
            min(pickUp.meters, walk) + min(dropOff.meters, walk) < probe.straight
        else { return }
        bestCost = cost
        best = match
    }
}
