import Foundation
import Geo

extension Timetable {
    /// One journey for each number of rides that arrives earlier, or departs later, than with fewer rides; fewest
    /// rides first.
    public func journeys(
        _ query: TransitQuery, using scratch: inout RaptorScratch
    ) -> [Journey] {
        let search: RaptorSearch
        let origin: Int
        let isBackwards: Bool
        switch query.time {
        case .departAt(let date):
            (origin, isBackwards) = (Self.second(date, .up), false)
            search = self.search(
                query.access, query.egress, origin, query.maxSeconds, query.rules)
        case .arriveBy(let date):
            (origin, isBackwards) = (Self.second(date, .down), true)
            search = self.search(
                query.egress, query.access, origin, query.maxSeconds, query.rules,
                isBackwards: true)
        }
        scratch.run(search)
        let maker = JourneyMaker(
            timetable: self, query: query, search: search, isBackwards: isBackwards)
        return scratch.arrivals.map { maker.journey($0, scratch) }
    }

    public func journeys(_ query: TransitQuery) -> [Journey] {
        var scratch = RaptorScratch()
        return journeys(query, using: &scratch)
    }

    /// All stops that can be reached by a ride in time, in the timetable's order. The caller, who knows the streets,
    /// adds what is within walking distance of the start and of these stops.
    public func reach(_ query: ReachQuery, using scratch: inout RaptorScratch) -> [StopReach] {
        let origin = Self.second(query.departAt, .up)
        let search = search(query.access, [], origin, query.maxSeconds, query.rules)
        scratch.run(search)
        return scratch.reached.sorted().compactMap { stop in
            scratch.earliest(stop, rounds: search.rounds).map {
                let way = way(to: stop, rides: $0.rides, search, scratch)
                return StopReach(
                    stop: stop, seconds: Int($0.seconds), transfers: $0.rides - 1,
                    start: way.start, meters: way.meters)
            }
        }
    }

    /// The legs, read backwards from the labels of a forward search.
    private func way(
        to end: Int, rides: Int, _ search: RaptorSearch, _ scratch: RaptorScratch
    ) -> (start: Int, meters: Double) {
        var (stop, meters) = (end, 0.0)
        for round in stride(from: rides, through: 1, by: -1) {
            let ride = scratch.ride(round, stop)
            let layer = search.layers[Int(ride.layer)]
            let first = Int(layer.patterns.patterns[Int(ride.pattern)].firstStop)
            let (board, alight) = (first + Int(ride.board), first + Int(ride.alight))
            let along = layers[layer.number].meters
            meters += Double(along[alight] - along[board])
            stop = Int(layer.patterns.stops[board])
            guard round > 1 else { break }
            let before = Int(scratch.ready(round - 1, stop).from)
            meters += Geo.distanceMeters(stops[before].at, stops[stop].at) * rules.detourFactor
            stop = before
        }
        return (stop, meters)
    }

    public func reach(_ query: ReachQuery) -> [StopReach] {
        var scratch = RaptorScratch()
        return reach(query, using: &scratch)
    }

    private static func second(_ date: Date, _ rule: FloatingPointRoundingRule) -> Int {
        Int(date.timeIntervalSince1970.rounded(rule))
    }

    private func search(
        _ access: [StopAccess], _ egress: [StopAccess], _ origin: Int, _ maxSeconds: Int,
        _ rules: RideRules, isBackwards: Bool = false
    ) -> RaptorSearch {
        let window = isBackwards ? (origin - maxSeconds)...origin : origin...(origin + maxSeconds)
        let isUsable = { (access: StopAccess) in
            self.stops.indices.contains(access.stop) && access.seconds >= 0
        }
        return RaptorSearch(
            layers: layers.indices.flatMap { number in
                days(of: number, in: window).compactMap { day in
                    layer(number, day, window, rules.onlyWheelchair, isBackwards)
                }
            }, footpaths: isBackwards ? reversedFootpaths : footpaths,
            access: access.filter(isUsable), egress: egress.filter(isUsable),
            bound: Int32(maxSeconds + 1), rounds: rules.rounds, modes: ModeMask(rules.modes),
            isAllowed: rules.onlyWheelchair ? isWheelchairStop : nil, stopCount: stops.count)
    }

    /// Days of service that may have a trip under way in the window: noon minus twelve hours is within fifteen hours
    /// of the date's midnight in Greenwich.
    private func days(of number: Int, in window: ClosedRange<Int>) -> [ServiceDay] {
        let layer = layers[number]
        guard !layer.patterns.isEmpty else { return [] }
        if let day = layer.day { return [day] }
        let slack = 54_000
        let first = window.lowerBound - Int(layer.patterns.times.upperBound) - slack
        let last = window.upperBound - Int(layer.patterns.times.lowerBound) + slack
        let length = ServiceDay.seconds
        return (first.floored(by: length)...last.floored(by: length)).map(ServiceDay.init(number:))
    }

    private func layer(
        _ number: Int, _ day: ServiceDay, _ window: ClosedRange<Int>, _ onlyWheelchair: Bool,
        _ isBackwards: Bool
    ) -> RaptorSearch.Layer? {
        let trips = trips(of: number, on: day, onlyWheelchair)
        let (start, times) = (trips.forward.start, layers[number].patterns.times)
        guard !trips.forward.runs.isEmpty, start + Int(times.upperBound) >= window.lowerBound,
            start + Int(times.lowerBound) <= window.upperBound
        else { return nil }
        return isBackwards
            ? RaptorSearch.Layer(
                number: number, patterns: layers[number].reversed, trips: trips.reversed,
                start: Int32(window.upperBound - start))
            : RaptorSearch.Layer(
                number: number, patterns: layers[number].patterns, trips: trips.forward,
                start: Int32(start - window.lowerBound))
    }
}
