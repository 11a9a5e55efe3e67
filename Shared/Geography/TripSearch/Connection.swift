import Foundation
import Geo

extension TripRules {
    /// On foot from one lift to the next.
    public static let mostTransferMeters = 500.0
    /// Seconds that one stands there: no car comes to the minute, and nobody waits for ever.
    public static let transferWait = 120.0...1_800.0
    /// One arrives at most so many seconds after the window.
    public static let longestConnection = 10_800.0
    /// One gets out for the next lift where such a distance along the way ends, in metres, or at the way's end; of a
    /// long way at so many places.
    static let transferStep = 200.0
    static let mostTransferPlaces = 256
    /// First lifts that are held against second ones: the cheapest of each, in walking and in waiting for them.
    static let mostHalves = 300
}

/// Two trips in a row that take a passenger along: one gets out of the first where the second passes.
public struct Connection: Hashable, Sendable {
    /// Nobody walks from its drop-off.
    public let first: Fit
    /// Its walk to the pick-up is that from the first, and its waiting the time that one stands there.
    public let second: Fit
    /// Seconds: walking, riding, waiting by its weight. Lower is better.
    public let score: Double

    public var totalWalkMeters: Double { first.totalWalkMeters + second.totalWalkMeters }

    static func isBetter(_ a: Connection, _ b: Connection) -> Bool {
        a.score != b.score ? a.score < b.score : Fit.isBetter(a.first, b.first)
    }
}

/// What two lifts in a row have to do.
struct ConnectionProbe {
    /// For trips that take the passenger all the way: they are no part of a connection.
    let direct: Probe
    /// Around the beginning, in the window.
    let from: Probe
    /// Around the end, until one has to be there.
    let to: Probe
    /// Metres at each end, and between the two lifts: three of these are not farther than the way itself.
    let walk: Double
    let transfer: Double

    /// Nobody makes a detour for half a way.
    init?(_ query: TripQuery) {
        let walk = min(query.maxWalkMeters, Geo.distanceMeters(query.from, query.to) / 3)
        func probe(_ place: Coordinate, _ other: Coordinate, _ latest: Date) -> Probe? {
            TripQuery(
                from: place, to: other, departAfter: query.departAfter, departBefore: latest,
                seats: query.seats, maxWalkMeters: walk, maxDetourSeconds: 0,
                excludedDrivers: query.excludedDrivers
            ).map(Probe.init)
        }
        let arrival = query.departBefore.addingTimeInterval(TripRules.longestConnection)
        guard let from = probe(query.from, query.to, query.departBefore),
            let to = probe(query.to, query.from, arrival), walk > 0
        else { return nil }
        (direct, self.from, self.to, self.walk) = (Probe(query), from, to, walk)
        transfer = min(TripRules.mostTransferMeters, walk)
    }
}

/// A trip on one day, with where one may get in, or out, near an end of the search.
struct Half {
    struct Stop {
        let segment: Int
        let part: Double
        /// Between the passenger's end and the line.
        let walk: Double
        /// Since the departure.
        let seconds: Double
        /// Along the way.
        let meters: Double
    }

    let trip: Trip
    let day: Day
    let departure: Int
    /// Seconds from the beginning of the window to the departure.
    let begins: Double
    /// Along the way to each vertex.
    let meters: [Double]
    /// In their order along the way.
    let stops: [Stop]

    init(_ trip: Trip, on day: Day, departure: Int, _ probe: Probe) {
        (self.trip, self.day, self.departure) = (trip, day, departure)
        begins = Double(departure) - probe.after
        var meters = [0.0]
        let points = trip.way.coordinates
        for (a, b) in zip(points, points.dropFirst()) {
            meters.append(meters[meters.count - 1] + Geo.distanceMeters(a, b))
        }
        var stops: [Stop] = []
        trip.way.forEachPlace(near: probe.from, within: probe.walk) {
            segment, part, away, seconds in
            let at = Double(departure) + seconds
            guard at >= probe.after, at <= probe.before else { return }
            let along = meters[segment] + part * (meters[segment + 1] - meters[segment])
            stops.append(
                Stop(segment: segment, part: part, walk: away, seconds: seconds, meters: along))
        }
        (self.meters, self.stops) = (meters, stops)
    }

    /// Since the beginning of the window.
    func moment(_ stop: Stop) -> Double { begins + stop.seconds }

    func hasSeats(_ count: Int, from start: Double, to end: Double) -> Bool {
        trip.taken.isEmpty
            || trip.seatsLeft(
                on: day, from: Int(start.rounded(.down)), to: Int(end.rounded(.up))) >= count
    }

    /// Where one may get out for the next lift.
    func places() -> [Stop] {
        let length = meters[meters.count - 1]
        let step = max(TripRules.transferStep, length / Double(TripRules.mostTransferPlaces))
        var places: [Stop] = []
        var next = step
        var last = 0
        for segment in 0..<(meters.count - 1) where meters[segment] < meters[segment + 1] {
            let (start, end) = (meters[segment], meters[segment + 1])
            while next < end {
                places.append(stop(segment, (next - start) / (end - start)))
                next += step
            }
            last = segment
        }
        return places + [stop(last, 1)]
    }

    private func stop(_ segment: Int, _ part: Double) -> Stop {
        let (a, b) = (trip.way.vertices[segment], trip.way.vertices[segment + 1])
        return Stop(
            segment: segment, part: part, walk: 0,
            seconds: Double(a.seconds) + part * Double(b.seconds - a.seconds),
            meters: meters[segment] + part * (meters[segment + 1] - meters[segment]))
    }

    func fit(from start: Stop, to end: Stop, waitSeconds: Double) -> Fit {
        func meeting(_ stop: Stop, _ rounding: FloatingPointRoundingRule) -> Fit.Meeting {
            Fit.Meeting(
                point: Plane.point(
                    trip.way.vertices[stop.segment], trip.way.vertices[stop.segment + 1],
                    part: stop.part),
                at: Date(timeIntervalSince1970: Double(departure) + stop.seconds),
                walkMeters: stop.walk, secondsAlong: Int(stop.seconds.rounded(rounding)))
        }
        let (pickUp, dropOff) = (meeting(start, .down), meeting(end, .up))
        let walk = start.walk + end.walk
        return Fit(
            trip: trip.id, version: trip.version, driver: trip.driver, day: day, pickUp: pickUp,
            dropOff: dropOff, totalWalkMeters: walk, detourSeconds: 0,
            rideSeconds: end.seconds - start.seconds, waitSeconds: waitSeconds,
            seatsLeft: trip.seatsLeft(
                on: day, from: pickUp.secondsAlong, to: dropOff.secondsAlong),
            score: walk / TripRules.walkingMetersPerSecond
                + TripRules.waitingWeight * waitSeconds)
    }
}

extension Way {
    /// At each segment the place nearest to a point, where that is within reach; not where a car only stands.
    @inline(__always)
    func forEachPlace(
        near plane: Plane, within reach: Double,
        _ body: (_ segment: Int, _ part: Double, _ meters: Double, _ seconds: Double) -> Void
    ) {
        vertices.withUnsafeBufferPointer { vertices in
            var (last, a) = (vertices[0], plane.place(vertices[0]))
            for index in 1..<vertices.count {
                let vertex = vertices[index]
                let b = plane.place(vertex)
                defer { (last, a) = (vertex, b) }
                if vertex.latitude == last.latitude && vertex.longitude == last.longitude {
                    continue
                }
                if min(a.x, b.x) > reach || max(a.x, b.x) < -reach { continue }
                if min(a.y, b.y) > reach || max(a.y, b.y) < -reach { continue }
                let near = Plane.nearest(a, b)
                guard near.squared <= reach * reach, !plane.isFar(a, b) else { continue }
                let seconds =
                    Double(last.seconds) + near.part * Double(vertex.seconds - last.seconds)
                body(index - 1, near.part, near.squared.squareRoot(), seconds)
            }
        }
    }
}
