import Foundation
import Geo

extension Timetable {
    /// One journey for each number of rides that arrives earlier, or departs later, than with fewer rides; fewest
    /// rides first. Of several that arrive then it is the one that departs last, and of several that depart then the
    /// one that arrives first.
    public func journeys(
        _ query: TransitQuery, using scratch: inout RaptorScratch
    ) -> [Journey] {
        let pass = pass(query)
        scratch.first.run(pass.search)
        let arrivals = scratch.first.arrivals
        return arrivals.map { arrival in
            let journey = pass.journey(arrival, scratch.first)
            return shortened(journey, arrival.round, pass, &scratch)
        }
    }

    /// The search for each number of rides' earliest arrival, or latest departure.
    func pass(_ query: TransitQuery) -> JourneyMaker {
        switch query.time {
        case .departAt(let date):
            maker(query, Self.second(date, .up), query.maxSeconds, isBackwards: false)
        case .arriveBy(let date):
            maker(query, Self.second(date, .down), query.maxSeconds, isBackwards: true)
        }
    }

    private func maker(
        _ query: TransitQuery, _ origin: Int, _ maxSeconds: Int, isBackwards: Bool
    ) -> JourneyMaker {
        let (access, egress) =
            isBackwards ? (query.egress, query.access) : (query.access, query.egress)
        return JourneyMaker(
            timetable: self, query: query,
            search: search(
                access, egress, origin, maxSeconds, query.rules, isBackwards: isBackwards),
            origin: origin, isBackwards: isBackwards)
    }

    /// The journey with as many rides that takes the least time: a second pass goes back from the end of the journey.
    /// It changes as late as possible. A third pass, forth again, changes as early as possible, in case of delays.
    private func shortened(
        _ journey: Journey, _ rides: Int, _ pass: JourneyMaker, _ scratch: inout RaptorScratch
    ) -> Journey {
        guard
            let (back, shorter) = again(
                journey, rides, pass, scratch.first, within: journey.seconds - 1, &scratch.second)
        else { return journey }
        // The first change is as early as the first ride allows, so that only later ones can be.
        guard rides > 2, back.isBackwards else { return shorter }
        return again(
            shorter, rides, back, scratch.second, within: shorter.seconds, &scratch.third
        )?.journey ?? shorter
    }

    /// Searches for a journey in the other direction, only over what the pass reached in time.
    /// - Parameter seconds: It takes no longer.
    private func again(
        _ journey: Journey, _ rides: Int, _ pass: JourneyMaker, _ found: RaptorLabels,
        within seconds: Int, _ labels: inout RaptorLabels
    ) -> (pass: JourneyMaker, journey: Journey)? {
        guard seconds >= 0 else { return nil }
        let end = pass.isBackwards ? journey.departsAt : journey.arrivesAt
        let origin = Self.second(end, .toNearestOrEven)
        let slack = RaptorSlack(found, rides: rides, arrival: Int32(abs(origin - pass.origin)))
        var other = maker(pass.query, origin, seconds, isBackwards: !pass.isBackwards)
        other.search.access = other.search.access.filter(slack.isEnd)
        other.search.rounds = rides
        other.search.slack = slack
        labels.run(other.search)
        return labels.arrivals.last.map { (other, other.journey($0, labels)) }
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
        scratch.first.run(search)
        let labels = scratch.first
        return labels.reached.sorted().compactMap { stop in
            labels.earliest(stop, rounds: search.rounds).map {
                let way = way(to: stop, rides: $0.rides, search, labels)
                return StopReach(
                    stop: stop, seconds: Int($0.seconds), transfers: $0.rides - 1,
                    start: way.start, meters: way.meters)
            }
        }
    }

    /// The legs, read backwards from the labels of a forward search.
    private func way(
        to end: Int, rides: Int, _ search: RaptorSearch, _ labels: RaptorLabels
    ) -> (start: Int, meters: Double) {
        var (stop, meters) = (end, 0.0)
        for round in stride(from: rides, through: 1, by: -1) {
            var ride: RaptorLabels.Ride? = labels.ride(round, stop)
            while let ridden = ride {
                let layer = search.layers[Int(ridden.layer)]
                let first = Int(layer.patterns.patterns[Int(ridden.pattern)].firstStop)
                let board = first + max(0, Int(ridden.board))
                let along = layers[layer.number].meters
                meters += Double(along[first + Int(ridden.alight)] - along[board])
                stop = Int(layer.patterns.stops[board])
                ride = labels.seat(before: ridden)
            }
            guard round > 1 else { break }
            let before = Int(labels.ready(round - 1, stop).from)
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
                number: number, day: day, patterns: layers[number].reversed, trips: trips.reversed,
                start: Int32(window.upperBound - start), links: trips.links.reversed)
            : RaptorSearch.Layer(
                number: number, day: day, patterns: layers[number].patterns, trips: trips.forward,
                start: Int32(start - window.lowerBound), links: trips.links.forward)
    }
}
