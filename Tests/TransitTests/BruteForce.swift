import Foundation
import Geo

@testable import Transit

/// The earliest arrivals and latest departures by trying, round after round, every place to get in and every one to get
/// out of every trip of every day: without patterns, without pruning.
struct BruteForce {
    /// One trip on one day, in seconds since 1970.
    struct Run {
        let trip: Int
        let shift: Int
        let day: Int
        var calls: [Network.Call]
    }

    let network: Network
    var runs: [Run] = []
    /// By stops from and to.
    private(set) var footpaths: [[Int?]] = []

    init(_ network: Network, _ rules: TransferRules, days: ClosedRange<Int>) {
        self.network = network
        for (number, trip) in network.trips.enumerated() {
            for day in days where network.services[trip.service].runs(day) {
                let start = Self.start(day, network.zone)
                for shift in trip.shifts {
                    let calls = trip.calls.map { call in
                        var call = call
                        call.arrival += start + shift
                        call.departure += start + shift
                        return call
                    }
                    runs.append(Run(trip: number, shift: shift, day: day, calls: calls))
                }
            }
        }
        let served = Set(network.trips.flatMap { $0.calls.map(\.stop) })
        footpaths = network.stops.indices.map { from in
            network.stops.indices.map { to in
                guard served.contains(from), served.contains(to) else { return nil }
                let meters = Geo.distanceMeters(network.stops[from].at, network.stops[to].at)
                let walk = Int((meters * rules.detourFactor / rules.metersPerSecond).rounded(.up))
                let straight = from == to ? rules.minSeconds : max(rules.minSeconds, walk)
                var seconds = meters <= rules.maxMeters ? straight : nil
                for transfer in network.transfers where transfer.from == from && transfer.to == to {
                    switch transfer.type {
                    case 3: seconds = nil
                    case 2: seconds = transfer.seconds
                    case 1: seconds = 0
                    default: seconds = seconds ?? straight
                    }
                }
                return seconds
            }
        }
    }

    /// Noon minus twelve hours, by Foundation's calendar.
    static func start(_ day: Int, _ zone: TimeZone) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Network.date(day)
        let noon = calendar.date(
            from: DateComponents(
                year: Int(date.prefix(4)), month: Int(date.dropFirst(4).prefix(2)),
                day: Int(date.suffix(2)), hour: 12))
        return Int(noon?.timeIntervalSince1970 ?? 0) - 43_200
    }

    struct Label: Hashable {
        /// In seconds since 1970.
        let time: Int
        let rides: Int
    }

    private func isUsable(_ run: Run, _ rules: RideRules) -> Bool {
        let trip = network.trips[run.trip]
        return (!rules.onlyWheelchair || trip.wheelchair == 1)
            && rules.modes?.contains(trip.mode == 0 ? .tram : .bus) != false
    }

    private func isUsable(_ stop: Int, _ rules: RideRules) -> Bool {
        !rules.onlyWheelchair || network.stops[stop].wheelchair == 1
    }

    /// By number of rides, the earliest time of getting out at each stop; nil where one doesn't.
    func arrivals(
        _ access: [StopAccess], at time: Int, within seconds: Int, _ rules: RideRules
    ) -> [[Int?]] {
        var ready = [Int?](repeating: nil, count: network.stops.count)
        for access in access {
            ready[access.stop] = min(ready[access.stop] ?? .max, time + access.seconds)
        }
        var rounds: [[Int?]] = []
        for _ in 0...rules.maxTransfers {
            var out = [Int?](repeating: nil, count: network.stops.count)
            for run in runs where isUsable(run, rules) {
                for (place, call) in run.calls.enumerated()
                where call.canBoard && isUsable(call.stop, rules) {
                    guard let since = ready[call.stop], since <= call.departure else { continue }
                    for later in run.calls[(place + 1)...]
                    where later.canAlight && later.arrival <= time + seconds
                        && isUsable(later.stop, rules)
                    {
                        out[later.stop] = min(out[later.stop] ?? .max, later.arrival)
                    }
                }
            }
            rounds.append(out)
            ready = network.stops.indices.map { to in
                network.stops.indices.compactMap { from in
                    guard let out = out[from], let walk = footpaths[from][to] else { return nil }
                    return out + walk
                }.min()
            }
        }
        return rounds
    }

    /// By number of rides, the latest time of getting in at each stop.
    func departures(
        _ egress: [StopAccess], by time: Int, within seconds: Int, _ rules: RideRules
    ) -> [[Int?]] {
        var until = [Int?](repeating: nil, count: network.stops.count)
        for egress in egress {
            until[egress.stop] = max(until[egress.stop] ?? .min, time - egress.seconds)
        }
        var rounds: [[Int?]] = []
        for _ in 0...rules.maxTransfers {
            var into = [Int?](repeating: nil, count: network.stops.count)
            for run in runs where isUsable(run, rules) {
                for (place, call) in run.calls.enumerated()
                where call.canAlight && isUsable(call.stop, rules) {
                    guard let until = until[call.stop], until >= call.arrival else { continue }
                    for earlier in run.calls[..<place]
                    where earlier.canBoard && earlier.departure >= time - seconds
                        && isUsable(earlier.stop, rules)
                    {
                        into[earlier.stop] = max(into[earlier.stop] ?? .min, earlier.departure)
                    }
                }
            }
            rounds.append(into)
            until = network.stops.indices.map { from in
                network.stops.indices.compactMap { to in
                    guard let into = into[to], let walk = footpaths[from][to] else { return nil }
                    return into - walk
                }.max()
            }
        }
        return rounds
    }

    /// Those that no other beats in both; what comes later than `latest` is none.
    static func best(
        _ rounds: [[Int?]], _ ends: [StopAccess], latest: Int, isBackwards: Bool = false
    ) -> [Label] {
        var labels: [Label] = []
        let sign = isBackwards ? -1 : 1
        for (round, times) in rounds.enumerated() {
            let best = ends.compactMap { end in
                times[end.stop].map { sign * $0 + end.seconds }
            }.min()
            guard let best, best <= sign * latest,
                best < labels.last.map({ sign * $0.time }) ?? .max
            else { continue }
            labels.append(Label(time: sign * best, rides: round + 1))
        }
        return labels
    }
}
