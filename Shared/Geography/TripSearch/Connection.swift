import Foundation
import Geo

extension TripRules {
    /// Maximum walk from one lift to the next, in metres.
    public static let mostTransferMeters = 500.0
    /// Waiting time between two lifts, in seconds: cars are not on time to the minute, and nobody waits for ever.
    public static let transferWait = 120.0...1_800.0
    /// Latest arrival, in seconds after the end of the window.
    public static let longestConnection = 10_800.0
    /// Distance in metres between the places along the route where a passenger may change, besides its end; and the
    /// maximum number of these places.
    static let transferStep = 200.0
    static let mostTransferPlaces = 256
    /// Maximum number of first lifts and of second lifts that are combined: those with the lowest cost of walking and
    /// waiting.
    static let mostHalves = 300
}

/// Two trips in a row that take a passenger along. The passenger changes where the second passes.
public struct Connection: Hashable, Sendable {
    /// Its drop-off is without a walk.
    public let first: Fit
    /// Its walk is the one from the first lift, and its wait the time until the second.
    public let second: Fit
    /// Seconds: walking, riding, and weighted waiting. Lower is better.
    public let score: Double

    public var totalWalkMeters: Double { first.totalWalkMeters + second.totalWalkMeters }

    static func isBetter(_ a: Connection, _ b: Connection) -> Bool {
        a.score != b.score ? a.score < b.score : Fit.isBetter(a.first, b.first)
    }
}

/// The conditions for two lifts in a row.
struct ConnectionProbe {
    /// Trips that take the passenger all the way are excluded from connections.
    let direct: Probe
    /// Around the start, within the window.
    let from: Probe
    /// Around the end, until the latest arrival.
    let to: Probe
    /// Maximum walk in metres at each end and between the lifts: at most a third of the distance.
    let walk: Double
    let transfer: Double

    /// Without detours: no driver makes one for a part of the passenger's way.
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

/// A trip on one day, with the places near an end of the search where the passenger may board or alight.
struct Half {
    struct Stop {
        let segment: Int
        let part: Double
        /// Metres between the passenger's end and the line.
        let walk: Double
        /// Seconds since the departure.
        let seconds: Double
        /// Metres along the route.
        let meters: Double
    }

    let trip: Trip
    let day: Day
    let departure: Int
    /// Seconds from the beginning of the window to the departure.
    let begins: Double
    /// Metres along the route to each vertex.
    let meters: [Double]
    /// In order along the route.
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

    /// Seconds since the beginning of the window.
    func moment(_ stop: Stop) -> Double { begins + stop.seconds }

    func hasSeats(_ count: Int, from start: Double, to end: Double) -> Bool {
        trip.taken.isEmpty
            || trip.seatsLeft(
                on: day, from: Int(start.rounded(.down)), to: Int(end.rounded(.up))) >= count
    }

    /// Places where the passenger may change to the next lift.
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
    /// The nearest place to a point on each segment within reach; skips segments where the car only stands.
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
