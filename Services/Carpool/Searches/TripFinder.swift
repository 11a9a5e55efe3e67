import Contracts
import EventBus
import Foundation
import Logging
import ServiceKit
import ServiceLifecycle
import Store
import TripSearch

/// The search: an index in memory of all open trips. It is read from the store at the start and then follows changes
/// there, so that any number of replicas can answer.
///
/// Each change of a trip signals. The finder then reads all changes since shortly before its last read, and ignores
/// versions that it has. So it misses nothing while the broker is down, nor after an absence of its own.
actor TripFinder: Service {
    /// Rows per read.
    private static let batch = 2_000
    /// The longest time between two reads.
    private static let interval: Duration = .seconds(5)
    /// How much later than its own time a change may become visible, in seconds: commits take a while, and clocks
    /// differ.
    private static let overlap: TimeInterval = 10

    private let database: Database
    private let clock: ServiceClock
    private let logger: Logger
    private var index = TripIndex()
    private var seen: Date?

    init(database: Database, clock: ServiceClock, logger: Logger) {
        (self.database, self.clock, self.logger) = (database, clock, logger)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let signals = await self.signals()
                do {
                    try await self.follow()
                } catch {
                    self.logger.warning(
                        "the search could not read changes",
                        metadata: ["error": "\(loggable(error))"])
                }
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { try? await Task.sleep(for: Self.interval) }
                    group.addTask { for await _ in signals { return } }
                    await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    private func signals() -> AsyncStream<Void> { database.signals(TripStore.signal) }

    var isReady: Bool { seen != nil }

    /// A digest of the whole index, which equals the store's.
    var digest: UInt64 { index.digest }

    var count: Int { index.count }

    /// Some of the indexed trips, oldest first.
    func trips(most: Int) throws -> [IndexedTrip] {
        guard isReady else { throw Refusal.unavailable("The service is still loading its trips.") }
        return index.ids.sorted { $0.uuidString < $1.uuidString }.prefix(most)
            .compactMap { index.trip($0) }
    }

    func search(_ query: TripQuery) throws -> [Fit] {
        guard isReady else { throw Refusal.unavailable("The service is still loading its trips.") }
        return index.search(query)
    }

    func connections(_ query: TripQuery) throws -> [Connection] {
        guard isReady else { throw Refusal.unavailable("The service is still loading its trips.") }
        return index.connections(query)
    }

    /// Reads the changes; at the start, everything.
    func follow() async throws {
        let now = clock.now
        guard let seen else {
            try await load()
            self.seen = now
            return
        }
        let since = seen.addingTimeInterval(-Self.overlap)
        apply(try await database.read { try $0.trips.entries(changedSince: since) })
        self.seen = max(seen, now)
    }

    /// Rebuilds the index.
    func load() async throws {
        let fresh = TripIndex()
        var last: TripID?
        while true {
            let after = last
            let rows = try await database.read {
                try $0.trips.openEntries(after: after, limit: Self.batch)
            }
            fresh.insert(contentsOf: rows.compactMap(\.trip))
            guard rows.count == Self.batch else { break }
            last = rows.last?.id
        }
        index = fresh
    }

    private func apply(_ entries: [TripEntry]) {
        for entry in entries where index.trip(entry.id.uuid)?.version != entry.version {
            if let trip = entry.trip {
                index.insert(trip)
            } else {
                index.remove(entry.id.uuid)
            }
        }
    }
}

extension TripEntry {
    var trip: IndexedTrip? { entry.flatMap { IndexedTrip(encoded: [UInt8]($0)) } }
}
