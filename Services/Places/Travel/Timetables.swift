import AsyncHTTPClient
import EventBus
import Foundation
import Logging
import Maps
import ServiceKit
import Synchronization
import Threads
import Transit

/// A timetable is public.
extension FeedRefusal: Loggable {}

/// The timetables of all maps as one. The last one stays in use while a new one is read or delays are unavailable.
final class Timetables: Sendable {
    /// How often the maps folder is checked; this takes a few system calls.
    static let interval: Duration = .seconds(2)
    /// How often delays are requested.
    static let realtimeInterval: Duration = .seconds(30)
    private static let longestTime: Duration = .seconds(10)
    private static let longestReading = DispatchTimeInterval.seconds(600)

    /// Timetables with a number that changes whenever they, or the roads, are replaced.
    struct Edition: Sendable {
        let timetable: Timetable
        let number: Int
    }

    /// The feed last read from a map.
    private struct Read {
        let version: String
        let feed: Feed
    }

    private struct State {
        var versions: [String] = []
        var roads: String?
        var edition = 0
        /// By map name.
        var feeds: [String: Read] = [:]
        var planned: Timetable?
        var current: Timetable?
        /// When the delays in use were made, by their own clock.
        var heardAt: Date?
        /// The hash of the last answer without a time in the past, and when we first saw it.
        var undated: (answer: Int, seenAt: Date)?

        /// When a feed was made. One without a time, or whose clock is ahead, was made when we first saw it.
        mutating func madeAt(_ feed: RealtimeFeed, of answer: Data, now: Date) -> Date {
            if let madeAt = feed.madeAt, madeAt <= now { return madeAt }
            // `Data` hashes only its first bytes.
            let hash = [UInt8](answer).hashValue
            if undated?.answer != hash { undated = (hash, now) }
            return undated?.seenAt ?? now
        }
    }

    private let folder: MapFolder?
    private let realtime: HTTPPeer?
    private let clock: ServiceClock
    private let logger: Logger
    private let executor = BlockingExecutor(label: "places.timetables")
    private let state = Mutex(State())

    /// - Parameter realtime: URL of a GTFS Realtime feed for the first map that has a timetable.
    init(
        _ folder: MapFolder?, realtime: URL? = nil, client: HTTPClient, clock: ServiceClock,
        logger: Logger
    ) {
        (self.folder, self.clock, self.logger) = (folder, clock, logger)
        self.realtime = realtime.map {
            HTTPPeer(
                $0, client: client,
                .init(time: Self.longestTime, largestAnswer: RealtimeFeed.mostBytes))
        }
    }

    /// Nil if no map has one.
    var current: Timetable? { state.withLock { $0.current } }

    /// `current` with its number.
    var edition: Edition? {
        state.withLock { state in
            state.current.map { Edition(timetable: $0, number: state.edition) }
        }
    }

    /// Reads the timetables of changed maps. If one can't be read, the map's previous one stays.
    func follow() async throws {
        let roads = folder?.roads
        state.withLock { state in
            if state.roads != roads { (state.roads, state.edition) = (roads, state.edition + 1) }
        }
        let maps =
            folder?.maps().filter { FileManager.default.fileExists(atPath: $0.transit) } ?? []
        guard maps.map(\.version) != state.withLock({ $0.versions }) else { return }
        let (logger, known) = (logger, state.withLock { $0.feeds })
        let (feeds, timetable) = try await executor.run(within: Self.longestReading) {
            () -> ([String: Read], Timetable?) in
            var feeds: [String: Read] = [:]
            for map in maps {
                feeds[map.name] = known[map.name]
                guard known[map.name]?.version != map.version else { continue }
                do {
                    feeds[map.name] = Read(
                        version: map.version, feed: try Feed.read(map.transit).feed)
                } catch {
                    logger.error(
                        "a timetable could not be read",
                        metadata: ["map": "\(map.name)", "reason": "\(loggable(error))"])
                }
            }
            let inOrder = maps.compactMap { feeds[$0.name]?.feed }
            return (feeds, inOrder.isEmpty ? nil : Timetable(inOrder))
        }
        state.withLock { state in
            (state.versions, state.edition) = (maps.map(\.version), state.edition + 1)
            state.feeds = feeds
            (state.planned, state.current, state.heardAt) = (timetable, timetable, nil)
        }
    }

    private static func isOld(_ madeAt: Date, at now: Date) -> Bool {
        now.timeIntervalSince(madeAt) > TimeInterval(RealtimeFeed.mostSeconds)
    }

    /// Requests the delays once.
    func hear() async {
        let (versions, known) = state.withLock { ($0.versions, $0.planned) }
        guard let realtime, let planned = known else { return }
        let now = clock.now
        do {
            let answer = try await realtime.call(
                realtime.request(.GET, "", [("accept", "application/x-protobuf")]))
            guard answer.status == 200 else { throw NoDelays() }
            let feed = try RealtimeFeed(answer.body)
            let madeAt = state.withLock { $0.madeAt(feed, of: answer.body, now: now) }
            guard !Self.isOld(madeAt, at: now) else { throw OldDelays() }
            let (timetable, report) = planned.applying(feed, now: now)
            logger.debug("the feed of delays was read", metadata: report.metadata)
            state.withLock { state in
                // Maps have changed meanwhile, so the delays may not fit; or newer ones are known.
                guard state.versions == versions, madeAt >= state.heardAt ?? madeAt else { return }
                (state.current, state.heardAt) = (timetable, madeAt)
            }
        } catch {
            logger.warning(
                "the feed of delays could not be read", metadata: ["reason": "\(loggable(error))"])
            state.withLock { state in
                guard let heardAt = state.heardAt, Self.isOld(heardAt, at: now) else { return }
                (state.current, state.heardAt) = (state.planned, nil)
            }
        }
    }
}

/// The answer is not a feed.
private struct NoDelays: Error {}

/// The feed was made long ago: it is a file that nobody replaces, or its producer is stuck.
private struct OldDelays: Error {}

extension RealtimeReport {
    fileprivate var metadata: Logger.Metadata {
        [
            "changed": "\(changed)", "canceled": "\(canceled)", "unknown": "\(unknown)",
            "unsupported": "\(unsupported)", "outdated": "\(outdated)",
            "conflicting": "\(conflicting)",
        ]
    }
}
