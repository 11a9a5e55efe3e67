import Foundation
import Geo
import Transit

/// The Connection Scan Algorithm (Dibbelt, Pajor, Strasser and Wagner, SEA 2013): a linear scan of all connections by
/// their departures, for the earliest arrival alone. The baseline of RAPTOR.
struct ConnectionScan {
    private struct Connection {
        let departure: Int
        let arrival: Int
        let from: Int32
        let to: Int32
        let run: Int32
        let canBoard: Bool
        let canAlight: Bool
    }

    private let connections: [Connection]
    private let footpaths: [[(stop: Int, seconds: Int)]]
    private let runCount: Int

    /// - Parameter days: Starts of days with those on which services run.
    init(_ feed: Feed, _ timetable: Timetable, days: [(day: ServiceDay, start: Int)]) {
        let frequencies = Dictionary(grouping: feed.frequencies, by: \.trip)
        var (connections, run): ([Connection], Int32) = ([], 0)
        for (number, trip) in feed.trips.enumerated() {
            let stops = feed.stopTimes[trip.stopTimes]
            let shifts = feed.shifts(ofTrip: number, frequencies)
            for day in days where feed.services[trip.service].runs(on: day.day) {
                for shift in shifts {
                    run += 1
                    for (a, b) in zip(stops, stops.dropFirst()) {
                        connections.append(
                            Connection(
                                departure: day.start + shift + Int(a.departure),
                                arrival: day.start + shift + Int(b.arrival), from: a.stop,
                                to: b.stop, run: run, canBoard: a.canBoard,
                                canAlight: b.canAlight))
                    }
                }
            }
        }
        self.connections = connections.sorted { $0.departure < $1.departure }
        runCount = Int(run) + 1
        let rules = timetable.rules
        footpaths = timetable.stops.map { stop in
            timetable.stops(near: stop.at, within: rules.maxMeters).map { near in
                (near.stop, rules.seconds(meters: near.meters))
            }
        }
    }

    var count: Int { connections.count }

    /// Nil when one does not get there. Times are seconds since 1970.
    func earliestArrival(
        from access: [StopAccess], to egress: [StopAccess], at time: Int
    ) -> Int? {
        var ready = [Int](repeating: .max, count: footpaths.count)
        var walks = [Int](repeating: .max, count: footpaths.count)
        var out = [Int](repeating: .max, count: footpaths.count)
        var isRiding = [Bool](repeating: false, count: runCount)
        for access in access { ready[access.stop] = min(ready[access.stop], time + access.seconds) }
        for egress in egress { walks[egress.stop] = min(walks[egress.stop], egress.seconds) }
        var best = Int.max
        var (low, high) = (0, connections.count)
        while low < high {
            let middle = (low + high) / 2
            if connections[middle].departure < time { low = middle + 1 } else { high = middle }
        }
        for connection in connections[low...] {
            if connection.departure >= best { break }
            let (run, from, to) = (
                Int(connection.run), Int(connection.from), Int(connection.to)
            )
            if !isRiding[run] {
                guard connection.canBoard, ready[from] <= connection.departure else { continue }
                isRiding[run] = true
            }
            guard connection.canAlight, connection.arrival < out[to] else { continue }
            out[to] = connection.arrival
            if walks[to] < .max { best = min(best, connection.arrival + walks[to]) }
            for path in footpaths[to] {
                ready[path.stop] = min(ready[path.stop], connection.arrival + path.seconds)
            }
        }
        return best == .max ? nil : best
    }
}
