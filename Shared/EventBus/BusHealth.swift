import Foundation
import Store

/// How a service and the bus get on: for `/health/ready` and for people.
public struct BusHealth: Sendable {
    public struct Report: Codable, Sendable, Hashable {
        /// Every consumer has its partitions.
        public var isAssigned: Bool
        /// Records that wait to be read, of all consumers; nil while that is unknown.
        public var lag: Int64?
        /// Events that wait to be sent.
        public var outboxPending: Int
        public var oldestPending: Date?
        /// The last try to send succeeded.
        public var isSending: Bool
    }

    private let database: Database?
    private let relay: RelayStatus?
    private let consumers: [ConsumerStatus]

    public init(database: Database?, relay: RelayStatus?, consumers: [ConsumerStatus]) {
        self.database = database
        self.relay = relay
        self.consumers = consumers
    }

    public func report() async throws -> Report {
        var pending = Outbox.Pending(count: 0, oldest: nil)
        if let database { pending = try await Outbox.pending(in: database) }
        let lags = consumers.map(\.lag)
        return Report(
            isAssigned: consumers.allSatisfy(\.isAssigned),
            lag: lags.contains(nil) ? nil : lags.reduce(0) { $0 + ($1 ?? 0) },
            outboxPending: pending.count, oldestPending: pending.oldest,
            isSending: relay.map { !$0.isFailing } ?? true)
    }
}
