import Contracts
import Kafka
import Store

/// An error that may mean that a dependency is unavailable for now.
///
/// A reaction that fails with it is retried until it succeeds: the event is not at fault.
public protocol Retriable: Error {
    var isRetriable: Bool { get }
}

extension Refusal: Retriable {
    public var isRetriable: Bool { Refusal.unavailable ~= self }
}

extension StoreError: Retriable {
    public var isRetriable: Bool {
        switch kind {
        case .conflict, .busy, .unavailable, .outcomeUnknown, .full: true
        case .uniqueViolation, .foreignKeyViolation, .checkViolation, .decoding, .other: false
        }
    }
}

extension LostRace: Retriable {
    public var isRetriable: Bool { true }
}

extension KafkaError: Retriable {
    public var isRetriable: Bool {
        switch kind {
        case .retriable: true
        case .fatal, .configuration, .permanent: false
        }
    }
}

/// An error in the use of the bus.
public enum BusError: Error, Sendable, Hashable {
    /// No broker would accept the event.
    case eventTooLarge(type: String, bytes: Int)
    /// The inbox would hide each event from the second reaction.
    case severalReactions(type: String)
}
