import Foundation

/// The outcome of applying a realtime feed.
public struct RealtimeReport: Sendable, Hashable {
    /// Trips with changed times or stops.
    public var changed = 0
    public var canceled = 0
    /// Trips that aren't in the timetable or not on that day, and stops that they don't have.
    public var unknown = 0
    /// Unsupported kinds: added trips, and trips without a schedule.
    public var unsupported = 0
    /// Trips whose vehicle was last observed long before the feed was made.
    public var outdated = 0
    /// Updates of stops, left out, whose stop_sequence and stop_id name different stops.
    public var conflicting = 0
}

extension Timetable {
    /// A new timetable with the feed's changes, while searches continue in this one. Changes from earlier feeds are
    /// dropped, as the specification requires.
    /// - Parameter now: Determines the day if the feed does not contain it.
    public func applying(
        _ realtime: RealtimeFeed, toFeed feed: Int = 0, now: Date
    ) -> (timetable: Timetable, report: RealtimeReport) {
        guard feeds.indices.contains(feed) else {
            return (self, RealtimeReport(unknown: realtime.trips.count))
        }
        var overlay = RealtimeOverlay(
            feed: feeds[feed], patterns: layers[feed].patterns, groups: vehicleLinks[feed].groups,
            now: Int((realtime.madeAt ?? now).timeIntervalSince1970))
        for update in realtime.trips { overlay.apply(update) }
        var layers = layers.filter { $0.day == nil || $0.feed != feed }
        layers[feed].removed = overlay.removed
        layers += overlay.drafts.sorted { $0.key < $1.key }.map { day, drafts in
            Layer(
                feed: feed, day: day,
                PatternSet(drafts, stopOffset: firstStops[feed], stopCount: stops.count), stops)
        }
        return (Timetable(self, layers: layers), overlay.report)
    }
}

/// Collects one feed's changes to the timetable.
struct RealtimeOverlay {
    /// A larger delay or lead, in seconds, is an error.
    private static let mostDeviation = 86_400

    let feed: Feed
    private let groups: [Int: Int32]
    private let runs: [Int: [PatternSet.Run]]
    private let trips: [String: Int]
    private let stops: [String: Int]
    private let now: Int
    private(set) var removed: [ServiceDay: Set<Timetable.RunKey>] = [:]
    private(set) var drafts: [ServiceDay: [PatternSet.Draft]] = [:]
    private(set) var report = RealtimeReport()

    /// - Parameter groups: Those of `VehicleLinks`.
    init(feed: Feed, patterns: PatternSet, groups: [Int: Int32], now: Int) {
        (self.feed, self.groups, self.now) = (feed, groups, now)
        runs = Dictionary(grouping: patterns.runs) { Int($0.trip) }
        trips = Dictionary(
            uniqueKeysWithValues: feed.trips.enumerated().map { ($0.element.id, $0.offset) })
        stops = Dictionary(
            uniqueKeysWithValues: feed.stops.enumerated().map { ($0.element.id, $0.offset) })
    }

    mutating func apply(_ update: RealtimeFeed.TripUpdate) {
        guard update.relationship != .unsupported else {
            report.unsupported += 1
            return
        }
        guard let trip = trips[update.tripID], let run = run(of: trip, update),
            let day = day(of: trip, run, update)
        else {
            report.unknown += 1
            return
        }
        let key = Timetable.RunKey(trip: run.trip, shift: run.shift)
        // The first update of a trip counts.
        guard removed[day]?.contains(key) != true else { return }
        if update.relationship == .canceled {
            removed[day, default: []].insert(key)
            report.canceled += 1
            return
        }
        guard update.timestamp.map({ $0 >= now - RealtimeFeed.mostSeconds }) != false else {
            report.outdated += 1
            return
        }
        guard let stops = stopTimes(of: trip, run, on: day, update) else {
            report.unknown += 1
            return
        }
        removed[day, default: []].insert(key)
        drafts[day, default: []].append(
            .init(
                run: run, mode: feed.routes[feed.trips[trip].route].mode.rawValue, stops: stops,
                group: groups[trip] ?? 0))
        report.changed += 1
    }

    /// For a trip with frequencies, the run that starts at the update's time.
    private func run(of trip: Int, _ update: RealtimeFeed.TripUpdate) -> PatternSet.Run? {
        let all = runs[trip] ?? []
        guard let start = update.startTime else { return all.count == 1 ? all.first : nil }
        let first = Int(feed.stopTimes[feed.trips[trip].stopTimes.lowerBound].departure)
        return all.count == 1 ? all.first : all.first { first + Int($0.shift) == start }
    }

    /// Nil if it does not run then.
    private func day(
        of trip: Int, _ run: PatternSet.Run, _ update: RealtimeFeed.TripUpdate
    ) -> ServiceDay? {
        let service = feed.services[feed.trips[trip].service]
        let times = feed.stopTimes[feed.trips[trip].stopTimes]
        let first = Int((times.first?.departure ?? 0) + run.shift)
        let last = Int((times.last?.arrival ?? 0) + run.shift)
        if let stated = update.day {
            // If a trip starts at 24:10, some feeds say that it starts at 00:10 on the next date.
            let (days, rest) = (first - (update.startTime ?? first))
                .quotientAndRemainder(dividingBy: ServiceDay.seconds)
            let day = rest == 0 ? stated + -days : stated
            return service.runs(on: day) ? day : nil
        }
        let moment = moment(of: update)
        /// Seconds since its end, or until its start; 0 while it runs.
        func distance(_ day: ServiceDay) -> Int {
            let start = day.start(in: feed.timeZone)
            return max(0, start + first - moment, moment - start - last)
        }
        let today = ServiceDay(at: moment, in: feed.timeZone)
        return ((-last / ServiceDay.seconds - 1)...1).map { today + $0 }.filter(service.runs)
            .min { distance($0) < distance($1) }
    }

    /// When the trip is under way: the first time that the update states, or now.
    private func moment(of update: RealtimeFeed.TripUpdate) -> Int {
        let stated = update.stops.lazy.compactMap { $0.arrival?.time ?? $0.departure?.time }.first
        let week = (now - 7 * ServiceDay.seconds)...(now + 7 * ServiceDay.seconds)
        return stated.flatMap { week.contains($0) ? $0 : nil } ?? now
    }

    /// Unshifted; nil if no update concerns a stop of the trip.
    private mutating func stopTimes(
        of trip: Int, _ run: PatternSet.Run, on day: ServiceDay,
        _ update: RealtimeFeed.TripUpdate
    ) -> ArraySlice<Feed.StopTime>? {
        let scheduled = Array(feed.stopTimes[feed.trips[trip].stopTimes])
        let start = day.start(in: feed.timeZone) + Int(run.shift)
        let matcher = StopMatcher(feed: feed, known: self.stops, calls: scheduled, start: start)
        let places = matcher.places(of: update.stops)
        report.conflicting += update.stops.filter(matcher.isConflicting).count
        var updates: [Int: RealtimeFeed.StopUpdate] = [:]
        for (stop, place) in zip(update.stops, places) {
            // The first update of a stop counts.
            if let place, updates[place] == nil { updates[place] = stop }
        }
        guard update.delay != nil || !updates.isEmpty else { return nil }
        var (stops, times) = (scheduled, PredictedTimes())
        var delay = Self.limited(update.delay ?? 0)
        for (place, stop) in scheduled.enumerated() {
            var (arrival, departure): (Int?, Int?)
            if let update = updates[place] {
                switch update.relationship {
                case .skipped:
                    (stops[place].canBoard, stops[place].canAlight) = (false, false)
                case .noData: delay = 0
                case .scheduled:
                    arrival = Self.delay(update.arrival, start + Int(stop.arrival))
                    departure = Self.delay(update.departure, start + Int(stop.departure))
                }
            }
            let departs = departure ?? arrival ?? delay
            // A vehicle that left on time was not late at the stop, whatever was reported before.
            let arrives = arrival ?? min(delay, departs + Int(stop.departure - stop.arrival))
            times.add(stop.arrival + Int32(arrives), isStated: arrival != nil)
            times.add(stop.departure + Int32(departs), isStated: departure != nil)
            delay = departs
        }
        for (place, time) in times.ordered().enumerated() {
            if place % 2 == 0 {
                stops[place / 2].arrival = time
            } else {
                stops[place / 2].departure = time
            }
        }
        return stops[...]
    }

    /// The delay of an event, in seconds; nil if the feed says nothing of it.
    private static func delay(_ event: RealtimeFeed.Event?, _ scheduled: Int) -> Int? {
        guard let event else { return nil }
        let delay =
            event.time.map { $0.subtractingReportingOverflow(scheduled) }
            .map { $0.overflow ? Int.max : $0.partialValue } ?? event.delay
        guard let delay else { return nil }
        return limited(delay)
    }

    private static func limited(_ delay: Int) -> Int {
        min(max(delay, -mostDeviation), mostDeviation)
    }
}

/// Arrivals and departures of a trip with delays, in the order of its stops.
///
/// Times must never decrease along a trip. The times that the feed states take precedence over those that are derived
/// from other stops or from the timetable; of stated times, the earlier stop's does.
private struct PredictedTimes {
    private var times: [Int32] = []
    private var isStated: [Bool] = []

    mutating func add(_ time: Int32, isStated stated: Bool) {
        times.append(time)
        isStated.append(stated)
    }

    /// The times, none before the one that precedes it.
    func ordered() -> [Int32] {
        var times = times
        var latest = Int32.min
        for place in times.indices where isStated[place] {
            latest = max(latest, times[place])
            times[place] = latest
        }
        var next = Int32.max
        for place in times.indices.reversed() {
            if isStated[place] { next = times[place] }
            times[place] = min(next, times[place])
        }
        latest = .min
        for place in times.indices {
            latest = max(latest, times[place])
            times[place] = latest
        }
        return times
    }
}
