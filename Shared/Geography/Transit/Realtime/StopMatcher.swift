/// Finds the stops of a trip that updates are meant for.
///
/// Updates are in the order of the stops, and an update of a stop that the trip serves twice has its stop_sequence
/// (GTFS Realtime reference, StopTimeUpdate). Feeds often leave it out; then the order decides.
struct StopMatcher {
    private let feed: Feed
    /// The feed's stops by id.
    private let known: [String: Int]
    private let calls: [Feed.StopTime]
    /// Seconds since 1970 from which the calls' times count.
    private let start: Int
    private let bySequence: [Int: Int]
    private let byStop: [Int: [Int]]
    private let byStation: [Int: [Int]]

    init(feed: Feed, known: [String: Int], calls: [Feed.StopTime], start: Int) {
        (self.feed, self.known, self.calls, self.start) = (feed, known, calls, start)
        bySequence = Dictionary(calls.enumerated().map { (Int($1.sequence), $0) }) { one, _ in one }
        byStop = Dictionary(grouping: calls.indices) { Int(calls[$0].stop) }
        byStation = Dictionary(grouping: calls.indices) { feed.station(of: Int(calls[$0].stop)) }
    }

    /// The index of each update's call; nil if the trip has none, or if the update contradicts itself.
    func places(of updates: [RealtimeFeed.StopUpdate]) -> [Int?] {
        var places = updates.map(place)
        // By update: the first of the calls that are certain and that later updates are meant for.
        var (before, first) = ([Int](repeating: 0, count: updates.count), calls.count)
        for number in updates.indices.reversed() {
            before[number] = first
            first = min(first, places[number] ?? first)
        }
        var after = -1
        for (number, update) in updates.enumerated() {
            if places[number] == nil {
                places[number] = nearest(
                    to: update,
                    of: candidates(update).filter { after < $0 && $0 < before[number] })
            }
            after = max(after, places[number] ?? after)
        }
        return places
    }

    /// Whether its stop_sequence and its stop_id name different stops. The platforms of a station count as one stop.
    func isConflicting(_ update: RealtimeFeed.StopUpdate) -> Bool {
        guard let sequence = update.sequence, let id = update.stopID, !id.isEmpty else {
            return false
        }
        guard let place = bySequence[sequence], let named = known[id] else { return true }
        return feed.station(of: Int(calls[place].stop)) != feed.station(of: named)
    }

    /// The call with its stop_sequence, or the only call at its stop.
    private func place(of update: RealtimeFeed.StopUpdate) -> Int? {
        if let sequence = update.sequence {
            return isConflicting(update) ? nil : bySequence[sequence]
        }
        let candidates = candidates(update)
        return candidates.count == 1 ? candidates.first : nil
    }

    /// The calls at its stop, if it has no stop_sequence; else those at another platform of its station.
    private func candidates(_ update: RealtimeFeed.StopUpdate) -> [Int] {
        guard update.sequence == nil, let stop = update.stopID.flatMap({ known[$0] }) else {
            return []
        }
        return byStop[stop] ?? byStation[feed.station(of: stop)] ?? []
    }

    /// The call whose scheduled time is nearest to the update's; the first one if it has no time.
    private func nearest(to update: RealtimeFeed.StopUpdate, of candidates: [Int]) -> Int? {
        guard let time = update.arrival?.time ?? update.departure?.time else {
            return candidates.first
        }
        func distance(_ place: Int) -> Double {
            abs(Double(start + Int(calls[place].arrival)) - Double(time))
        }
        return candidates.min { distance($0) < distance($1) }
    }
}

extension Feed {
    /// The stop's station, or itself if it has none.
    fileprivate func station(of stop: Int) -> Int { stops[stop].parent ?? stop }
}
