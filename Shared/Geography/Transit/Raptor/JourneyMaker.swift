import Foundation
import Geo

/// Builds journeys from the labels of a search.
struct JourneyMaker {
    let timetable: Timetable
    let query: TransitQuery
    var search: RaptorSearch
    /// Seconds since 1970 of the search's moment.
    let origin: Int
    let isBackwards: Bool

    /// The ridden part of a run, forwards.
    private struct Part {
        let layer: Timetable.Layer
        /// Indices of the layer and the pattern in the timetable.
        let place: (layer: Int, pattern: Int)
        /// Seconds since 1970.
        let dayStart: Int
        let pattern: PatternSet.Pattern
        let run: Int
        let board: Int
        let alight: Int
        /// Whether passengers stay seated from the part before it.
        let isSeated: Bool

        func stop(_ position: Int) -> Int {
            Int(layer.patterns.stops[Int(pattern.firstStop) + position])
        }

        private func time(_ position: Int) -> Int {
            pattern.firstTime + run * Int(pattern.length) + position
        }

        func arrival(_ position: Int) -> Int {
            dayStart + Int(layer.patterns.arrivals[time(position)])
        }

        func departure(_ position: Int) -> Int {
            dayStart + Int(layer.patterns.departures[time(position)])
        }

        func isCall(_ position: Int) -> Bool {
            position == board || position == alight
                || layer.patterns.flags[Int(pattern.firstStop) + position] != 0
        }
    }

    func journey(_ arrival: RaptorLabels.Arrival, _ labels: RaptorLabels) -> Journey {
        let parts = parts(arrival, labels)
        guard let first = parts.first, let last = parts.last else {
            return Journey(legs: [], departsAt: .distantPast, arrivesAt: .distantPast)
        }
        let (start, end) = (first.stop(first.board), last.stop(last.alight))
        let departs = first.departure(first.board) - Self.seconds(query.access, start)
        let arrives = last.arrival(last.alight) + Self.seconds(query.egress, end)
        var legs = ends(nil, start, departs, first.departure(first.board))
        for (place, part) in parts.enumerated() {
            legs.append(.ride(ride(part)))
            guard place + 1 < parts.count else { continue }
            let next = parts[place + 1]
            let (from, to) = (part.stop(part.alight), next.stop(next.board))
            guard from != to, !next.isSeated else { continue }
            let begun = part.arrival(part.alight)
            let seconds = timetable.footpaths.seconds(from: from, to: to) ?? 0
            // Passengers walk to the other stop, even if the vehicle there waits for them.
            legs.append(.walk(Self.walk(from, to, begun, begun + seconds)))
        }
        legs += ends(end, nil, last.arrival(last.alight), arrives)
        return Journey(legs: legs, departsAt: Self.date(departs), arrivesAt: Self.date(arrives))
    }

    private static func date(_ seconds: Int) -> Date {
        Date(timeIntervalSince1970: Double(seconds))
    }

    private static func seconds(_ access: [StopAccess], _ stop: Int) -> Int {
        access.lazy.filter { $0.stop == stop && $0.seconds >= 0 }.map(\.seconds).min() ?? 0
    }

    private static func walk(
        _ from: Int?, _ to: Int?, _ departs: Int, _ arrives: Int
    ) -> JourneyWalk {
        .init(from: from, to: to, departsAt: date(departs), arrivesAt: date(arrives))
    }

    /// A walk at an end of the journey; empty if it takes no time.
    private func ends(_ from: Int?, _ to: Int?, _ departs: Int, _ arrives: Int) -> [JourneyLeg] {
        departs < arrives ? [.walk(Self.walk(from, to, departs, arrives))] : []
    }

    /// In the order of riding.
    private func parts(_ arrival: RaptorLabels.Arrival, _ labels: RaptorLabels) -> [Part] {
        var (parts, stop): ([Part], Int) = ([], arrival.stop)
        for round in stride(from: arrival.round, through: 1, by: -1) {
            var (label, isLast) = (labels.ride(round, stop), true)
            while true {
                let before = labels.seat(before: label)
                parts.append(part(label, isSeated: isBackwards ? !isLast : before != nil))
                guard let before else { break }
                (label, isLast) = (before, false)
            }
            let patterns = search.layers[Int(label.layer)].patterns
            let first = patterns.patterns[Int(label.pattern)].firstStop
            stop = Int(labels.ready(round - 1, Int(patterns.stops[Int(first + label.board)])).from)
        }
        return isBackwards ? parts : parts.reversed()
    }

    private func part(_ label: RaptorLabels.Ride, isSeated: Bool) -> Part {
        let searched = search.layers[Int(label.layer)]
        let pattern = searched.patterns.patterns[Int(label.pattern)]
        let (last, lastRun) = (Int(pattern.length) - 1, Int(pattern.runCount) - 1)
        // Seated passengers are there from the first stop.
        let (board, alight) = (max(0, Int(label.board)), Int(label.alight))
        return Part(
            layer: timetable.layers[searched.number],
            place: (searched.number, Int(label.pattern)),
            dayStart: isBackwards ? -searched.trips.start : searched.trips.start,
            pattern: pattern,
            run: isBackwards ? lastRun - Int(label.run) : Int(label.run),
            board: isBackwards ? last - alight : board, alight: isBackwards ? last - board : alight,
            isSeated: isSeated)
    }

    private func ride(_ part: Part) -> JourneyRide {
        let feed = timetable.feeds[part.layer.feed]
        let run = part.layer.patterns.runs[Int(part.pattern.firstRun) + part.run]
        let trip = feed.trips[Int(run.trip)]
        let route = feed.routes[trip.route]
        let positions = (part.board...part.alight).filter(part.isCall)
        let noon = part.dayStart + ServiceDay.seconds / 2
        return JourneyRide(
            feed: part.layer.feed, tripID: trip.id, day: ServiceDay(at: noon, in: feed.timeZone),
            line: .init(
                routeID: route.id, shortName: route.shortName, longName: route.longName,
                color: route.color, agency: feed.agencies[route.agency].name, mode: route.mode),
            headsign: trip.headsign, calls: positions.map { call(part, $0) },
            geometry: geometry(part, trip.shape),
            wheelchair: trip.wheelchair, isRealtime: part.layer.day != nil,
            isSeated: part.isSeated)
    }

    /// Straight lines between stops if there is no shape, or if the stops aren't on it.
    private func geometry(_ part: Part, _ shape: Int?) -> [Coordinate] {
        func points(_ positions: Range<Int>) -> [Coordinate] {
            positions.map { timetable.stops[part.stop($0)].at }
        }
        let straight = { points(part.board..<(part.alight + 1)) }
        guard let shape else { return straight() }
        let line = timetable.feeds[part.layer.feed].shapes[shape]
        let key = ShapeShelf.Key(
            layer: part.place.layer, pattern: part.place.pattern, shape: shape)
        let places = timetable.shapes.places(key) {
            ShapeCut.places(of: points(0..<Int(part.pattern.length)), on: line)
        }
        return places.flatMap {
            ShapeCut.part(of: line, $0, from: part.board, to: part.alight)
        } ?? straight()
    }

    private func call(_ part: Part, _ position: Int) -> JourneyRide.Call {
        let number = part.stop(position)
        let stop = timetable.stops[number]
        return .init(
            stop: number, name: stop.name, at: stop.at, platformCode: stop.platformCode,
            arrivesAt: Self.date(part.arrival(position)),
            departsAt: Self.date(part.departure(position)))
    }
}
