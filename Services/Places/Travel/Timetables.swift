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

    private struct State {
        var versions: [String] = []
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

    /// Reads the timetables anew where maps are others than before.
    func follow() async throws {
        let maps =
            folder?.maps().filter { FileManager.default.fileExists(atPath: $0.transit) } ?? []
        guard maps.map(\.version) != state.withLock({ $0.versions }) else { return }
        let logger = logger
        let timetable = try await executor.run(within: Self.longestReading) { () -> Timetable? in
            let feeds = maps.compactMap { map in
                do {
                    return try Feed.read(map.transit).feed
                } catch {
                    logger.error(
                        "a timetable can't be read",
                        metadata: ["map": "\(map.name)", "reason": "\(error)"])
                    return nil
                }
            }
            return feeds.isEmpty ? nil : Timetable(feeds)
        }
        state.withLock { state in
            state.versions = maps.map(\.version)
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
