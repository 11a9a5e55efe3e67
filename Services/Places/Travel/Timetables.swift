import AsyncHTTPClient
import Foundation
import Logging
import Maps
import ServiceKit
import Synchronization
import Threads
import Transit

/// The timetables of all maps as one. While another is read, or what is known of delays is away, the last one answers.
final class Timetables: Sendable {
    /// How often the folder of maps is looked at: a few system calls.
    static let interval: Duration = .seconds(2)
    /// How often delays are asked for, and for how long they count while nobody answers.
    static let realtimeInterval: Duration = .seconds(30)
    private static let realtimeSeconds: TimeInterval = 300
    private static let longestTime: Duration = .seconds(10)
    private static let longestReading = DispatchTimeInterval.seconds(600)

    /// Timetables with a number that is another whenever they, or the roads, were replaced.
    struct Edition: Sendable {
        let timetable: Timetable
        let number: Int
    }

    /// A feed as it was read last of a map.
    private struct Read {
        let version: String
        let feed: Feed
    }

    private struct State {
        var versions: [String] = []
        var roads: String?
        var edition = 0
        /// By the map's name.
        var feeds: [String: Read] = [:]
        var planned: Timetable?
        var current: Timetable?
        /// When delays were heard of last.
        var heardAt: Date?
    }

    private let folder: MapFolder?
    private let realtime: HTTPPeer?
    private let clock: ServiceClock
    private let logger: Logger
    private let executor = BlockingExecutor(label: "places.timetables")
    private let state = Mutex(State())

    /// - Parameter realtime: Where a feed of GTFS Realtime is, about the first map that has a timetable.
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

    /// Nil where no map has one.
    var current: Timetable? { state.withLock { $0.current } }

    /// `current`, by its number.
    var edition: Edition? {
        state.withLock { state in
            state.current.map { Edition(timetable: $0, number: state.edition) }
        }
    }

    /// Reads the timetables of maps that are others than before. Where one can't be read, the map's last one stays.
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
                        "a timetable can't be read",
                        metadata: ["map": "\(map.name)", "reason": "\(error)"])
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

    /// Asks for delays once.
    func hear() async {
        let (versions, known) = state.withLock { ($0.versions, $0.planned) }
        guard let realtime, let planned = known else { return }
        let now = clock.now
        do {
            let answer = try await realtime.call(
                realtime.request(.GET, "", [("accept", "application/x-protobuf")]))
            guard answer.status == 200 else { throw NoDelays() }
            let (timetable, _) = planned.applying(try RealtimeFeed(answer.body), now: now)
            state.withLock { state in
                // What was read meanwhile is of other maps.
                guard state.versions == versions else { return }
                (state.current, state.heardAt) = (timetable, now)
            }
        } catch {
            logger.warning(
                "delays are not known", metadata: ["reason": "\(type(of: error))"])
            state.withLock { state in
                guard let heardAt = state.heardAt,
                    now.timeIntervalSince(heardAt) > Self.realtimeSeconds
                else { return }
                (state.current, state.heardAt) = (state.planned, nil)
            }
        }
    }
}

/// Another answer than a feed.
private struct NoDelays: Error {}
