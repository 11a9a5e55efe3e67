import Contracts
import DequeModule
import NIOCore
import OrderedCollections
import Synchronization

/// The data waiting for one client of the live stream. It is bounded: a client that does not read is disconnected and
/// catches up with `Last-Event-ID`. Only the latest position of each person waits.
final class StreamConnection: Sendable {
    /// The most lines of the feed that wait.
    static let mostItems = 256
    /// The most people whose latest position waits.
    static let mostPositions = 2_000
    /// The minimum time between two positions of one person.
    static let positionInterval: Duration = .milliseconds(250)

    enum End: Sendable, Equatable {
        /// The client has disconnected, its token expired, or the server is stopping.
        case finished
        /// The client reads too slowly.
        case overflow
    }

    /// The data to write now.
    struct Batch: Sendable {
        var items: [FeedItem] = []
        var positions: [ByteBuffer] = []
        /// The end of the feed, if it was looked up.
        var head = 0
        var keepAlive = false
        var end: End?
        /// Whether positions are held back until their interval has passed.
        var isHolding = false
    }

    private struct State {
        var items: Deque<FeedItem> = []
        var positions: OrderedDictionary<PersonID, ByteBuffer> = [:]
        var sentAt: [PersonID: ContinuousClock.Instant] = [:]
        var head = 0
        var keepAlive = false
        var end: End?
    }

    let recipient: Recipient
    let person: PersonID
    /// The client's address, for its limit.
    let network: IPAddress?
    /// Signals that there is something to write, or that the stream has ended.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let cutOff: @Sendable () -> Void
    private let state = Mutex(State())

    /// `cutOff` breaks the connection, which a blocked write can't do itself.
    init(
        recipient: Recipient, person: PersonID, network: IPAddress? = nil,
        cutOff: @escaping @Sendable () -> Void
    ) {
        self.recipient = recipient
        self.person = person
        self.network = network
        self.cutOff = cutOff
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func offer(_ item: FeedItem) {
        let fits = state.withLock { state in
            guard state.end == nil else { return true }
            guard state.items.count < Self.mostItems else {
                state.end = .overflow
                state.items = []
                state.positions = [:]
                return false
            }
            state.items.append(item)
            return true
        }
        signal.yield()
        if !fits { cutOff() }
    }

    /// Sets the end of the feed, whatever the bus has delivered.
    func offer(head sequence: Int) {
        state.withLock { $0.head = max($0.head, sequence) }
        signal.yield()
    }

    /// Returns false if the position is dropped because too many people are moving.
    @discardableResult
    func offer(_ position: ByteBuffer, of person: PersonID) -> Bool {
        let fits = state.withLock { state in
            guard state.end == nil else { return true }
            guard state.positions.count < Self.mostPositions || state.positions[person] != nil
            else { return false }
            state.positions[person] = position
            return true
        }
        if fits { signal.yield() }
        return fits
    }

    func keepAlive() {
        state.withLock { $0.keepAlive = true }
        signal.yield()
    }

    func end(_ end: End = .finished) {
        state.withLock { state in state.end = state.end ?? end }
        signal.yield()
    }

    /// Checks again for positions held back.
    func wake() { signal.yield() }

    func take(at now: ContinuousClock.Instant = .now) -> Batch {
        state.withLock { state in
            var batch = Batch()
            batch.items = Array(state.items)
            batch.head = state.head
            batch.keepAlive = state.keepAlive
            batch.end = state.end
            state.items.removeAll(keepingCapacity: true)
            state.keepAlive = false
            batch.positions = Self.duePositions(&state, now)
            batch.isHolding = !state.positions.isEmpty
            return batch
        }
    }

    private static func duePositions(
        _ state: inout State, _ now: ContinuousClock.Instant
    ) -> [ByteBuffer] {
        guard !state.positions.isEmpty else { return [] }
        if state.sentAt.count > mostPositions {
            state.sentAt = state.sentAt.filter { now - $0.value < positionInterval }
        }
        var due: [ByteBuffer] = []
        var held: OrderedDictionary<PersonID, ByteBuffer> = [:]
        for (person, frame) in state.positions {
            if let sent = state.sentAt[person], now - sent < positionInterval {
                held[person] = frame
            } else {
                state.sentAt[person] = now
                due.append(frame)
            }
        }
        state.positions = held
        return due
    }
}
