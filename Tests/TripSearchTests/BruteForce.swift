import Foundation
import Geo

@testable import TripSearch

/// What fits by asking every trip on every day that can matter.
func bruteForce(_ trips: [Trip], _ query: TripQuery) -> [Fit] {
    var fits: [Fit] = []
    for trip in trips {
        let first = trip.schedule.day(at: query.departAfter) - 4
        let last = trip.schedule.day(at: query.departBefore) + 1
        for day in first...last where trip.runs(on: day) {
            if let fit = trip.fit(query, on: day) { fits.append(fit) }
        }
    }
    return Array(fits.sorted(by: Fit.isBetter).prefix(query.limit))
}

/// The rules once more, as they read: every segment for the pick-up with every one for the drop-off.
struct NaiveFit {
    struct Stop {
        /// Counted in segments.
        var place: Double
        var meters: Double
        var seconds: Double
    }

    let trip: Trip
    let query: TripQuery
    let day: Day

    /// Walk and detour of the best pair in seconds, with when it is driven.
    func best() -> (cost: Double, pickUp: Double, dropOff: Double)? {
        guard trip.runs(on: day), !query.excludedDrivers.contains(trip.driver) else { return nil }
        let departure = trip.schedule.departure(on: day)
        let walk = query.maxWalkMeters
        let most = min(trip.maxDetourSeconds, query.maxDetourSeconds ?? .max)
        var best: (cost: Double, pickUp: Double, dropOff: Double)?
        for pickUp in stops(query.from) {
            let at = departure.addingTimeInterval(pickUp.seconds)
            guard at >= query.departAfter, at <= query.departBefore else { continue }
            for dropOff in stops(query.to) where pickUp.place < dropOff.place {
                let off = max(0, pickUp.meters - walk) + max(0, dropOff.meters - walk)
                let walked = min(pickUp.meters, walk) + min(dropOff.meters, walk)
                guard 2 * off / 8.3 <= Double(most),
                    walked < Geo.distanceMeters(query.from, query.to),
                    trip.seatsLeft(
                        on: day, from: Int(pickUp.seconds.rounded(.down)),
                        to: Int(dropOff.seconds.rounded(.up))) >= query.seats
                else { continue }
                let cost = walked / 1.4 + 2 * off / 8.3
                if cost < best?.cost ?? .infinity {
                    best = (cost, pickUp.seconds, dropOff.seconds)
                }
            }
        }
        return best
    }

    func stops(_ point: Coordinate) -> [Stop] {
        let degree = 6_371_008.8 * Double.pi / 180
        let narrow = cos(point.latitude * .pi / 180)
        func turned(_ degrees: Double) -> Double { degrees - 360 * (degrees / 360).rounded() }
        var stops: [Stop] = []
        for (a, b) in zip(trip.way.vertices, trip.way.vertices.dropFirst()) {
            let (first, second) = (a.coordinate, b.coordinate)
            guard first != second else { continue }
            let ax = turned(first.longitude - point.longitude)
            let bx = ax + turned(second.longitude - first.longitude)
            let (ay, by) = (first.latitude - point.latitude, second.latitude - point.latitude)
            let (dx, dy) = ((bx - ax) * narrow, by - ay)
            let part = min(max(-(ax * narrow * dx + ay * dy) / (dx * dx + dy * dy), 0), 1)
            stops.append(
                Stop(
                    place: Double(stops.count) + part,
                    meters: degree * hypot(ax * narrow + part * dx, ay + part * dy),
                    seconds: Double(a.seconds) + part * Double(b.seconds - a.seconds)))
        }
        return stops
    }
}
