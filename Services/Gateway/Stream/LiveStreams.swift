import Contracts
import Metrics
import NIOCore
import ServiceKit
import ServiceLifecycle
import Synchronization

/// The live streams of everybody who is connected to this gateway.
final class LiveStreams: Sendable {
    struct Limits: Sendable {
        var perPerson: Int
        var all: Int
        var perAddress: Int
    }

    private struct State {
        var byRecipient: [Recipient: [ObjectIdentifier: StreamConnection]] = [:]
        var perPerson: [PersonID: Int] = [:]
        var perAddress: [IPAddress: Int] = [:]
        var count = 0
    }

    private let limits: Limits
    private let state = Mutex(State())
    private let dropped = Counter(label: "gateway_stream_positions_dropped_total")
    private let connected = Gauge(label: "gateway_streams")

    init(_ limits: Limits) { self.limits = limits }

    /// The feed of a person: operators share one.
    static func recipient(_ identity: Identity) -> Recipient {
        identity.isOperator ? .operators : .person(identity.person)
    }

    /// Registers a connection, which then receives its feed and positions.
    func open(
        _ identity: Identity, from address: IPAddress?, cutOff: @escaping @Sendable () -> Void
    ) throws -> StreamConnection {
        let connection = StreamConnection(
            recipient: Self.recipient(identity), person: identity.person,
            network: address?.network, cutOff: cutOff)
        let count = try state.withLock { state in
            guard state.count < limits.all else {
                throw Refusal.unavailable("Too many streams are open.", retryAfterSeconds: 5)
            }
            guard state.perPerson[identity.person, default: 0] < limits.perPerson else {
                throw Refusal.tooManyStreams.retrying(after: 5)
            }
            if let network = connection.network {
                guard state.perAddress[network, default: 0] < limits.perAddress else {
                    throw Refusal.tooManyStreams
                        .because("This network address has too many.").retrying(after: 5)
                }
                state.perAddress[network, default: 0] += 1
            }
            state.count += 1
            state.perPerson[identity.person, default: 0] += 1
            state.byRecipient[connection.recipient, default: [:]][ObjectIdentifier(connection)] =
                connection
            return state.count
        }
        connected.record(count)
        return connection
    }

    func close(_ connection: StreamConnection) {
        let count = state.withLock { state in
            let id = ObjectIdentifier(connection)
            guard state.byRecipient[connection.recipient]?.removeValue(forKey: id) != nil else {
                return state.count
            }
            if state.byRecipient[connection.recipient]?.isEmpty == true {
                state.byRecipient[connection.recipient] = nil
            }
            let left = state.perPerson[connection.person, default: 1] - 1
            state.perPerson[connection.person] = left == 0 ? nil : left
            if let network = connection.network {
                let left = state.perAddress[network, default: 1] - 1
                state.perAddress[network] = left == 0 ? nil : left
            }
            state.count -= 1
            return state.count
        }
        connected.record(count)
    }

    /// Ends all streams of a person.
    func end(of person: PersonID) {
        let connections = state.withLock { state in
            state.byRecipient.values.flatMap(\.values).filter { $0.person == person }
        }
        for connection in connections { connection.end() }
    }

    var count: Int { state.withLock { $0.count } }

    /// Whether somebody connected to this gateway receives the feed.
    func reach(_ recipient: Recipient) -> Bool {
        state.withLock { $0.byRecipient[recipient] != nil }
    }

    /// The feeds that somebody connected to this gateway receives.
    var recipients: [Recipient] { state.withLock { Array($0.byRecipient.keys) } }

    /// Passes on the current end of a feed. Streams that have written less read what is missing.
    func deliver(head sequence: Int, of recipient: Recipient) {
        for connection in connections(of: [recipient]) { connection.offer(head: sequence) }
    }

    func deliver(_ created: NotificationCreated) {
        for connection in connections(of: [created.recipient]) { connection.offer(created.item) }
    }

    /// Passes a position to its viewers and to operators. It is encoded once for all.
    func deliver(_ recorded: PositionRecorded) throws {
        let watching = connections(of: recorded.viewers.map(Recipient.person) + [.operators])
        guard !watching.isEmpty else { return }
        let frame = try ServerSentEvents.frame(recorded.position)
        for connection in watching where !connection.offer(frame, of: recorded.position.person) {
            dropped.increment()
        }
    }

    private func connections(of recipients: [Recipient]) -> [StreamConnection] {
        state.withLock { state in
            recipients.flatMap { state.byRecipient[$0].map { Array($0.values) } ?? [] }
        }
    }
}

/// Wakes connections that hold back positions when the first interval may have passed.
///
/// One timer serves all, and runs only while something is held back.
final class PositionPacer: Service {
    /// The precision of the interval between two positions.
    static let step: Duration = .milliseconds(50)

    private let holding = Mutex<[ObjectIdentifier: StreamConnection]>([:])
    private let signals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    func hold(_ connection: StreamConnection) {
        holding.withLock { $0[ObjectIdentifier(connection)] = connection }
        signals.continuation.yield()
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            for await _ in self.signals.stream {
                try? await Task.sleep(for: Self.step)
                self.wakeAll()
            }
        }
    }

    private func wakeAll() {
        let connections = holding.withLock { holding in
            defer { holding = [:] }
            return holding
        }
        for connection in connections.values { connection.wake() }
    }
}
