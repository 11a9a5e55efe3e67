import Contracts
import DequeModule
import NIOCore
import OrderedCollections
import Synchronization

/// What waits to be written to one client of the live stream. Bounded: a client that does not read
/// is cut off and catches up by `Last-Event-ID`, while of positions only the latest of each person
/// waits.
final class StreamConnection: Sendable {
    /// Lines of the feed that wait.
    static let mostItems = 256
    /// People whose latest position waits.
    static let mostPositions = 2_000
    /// Time between two positions of one person.
    static let positionInterval: Duration = .milliseconds(250)

    enum End: Sendable, Equatable {
        /// The client has gone, its token ended, or the server stops.
        case finished
        /// More came than the client read.
        case overflow
    }

    /// What is to be written now.
    struct Batch: Sendable {
        var items: [FeedItem] = []
        var positions: [ByteBuffer] = []
        /// Where the feed ends at least, when that was looked up.
        var head = 0
        var keepAlive = false
        var end: End?
        /// Positions wait for their interval to pass.
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
    /// Where from, for the limit of an address.
    let household: IPAddress?
    /// Something is to be written, or the end has come.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let cutOff: @Sendable () -> Void
    private let state = Mutex(State())

    /// `cutOff` breaks the connection, which a blocked write can't do for itself.
    init(
        recipient: Recipient, person: PersonID, household: IPAddress? = nil,
        cutOff: @escaping @Sendable () -> Void
    ) {
        self.recipient = recipient
        self.person = person
        self.household = household
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

    /// Says where the feed ends at least, whatever the bus has brought.
    func offer(head sequence: Int) {
        state.withLock { $0.head = max($0.head, sequence) }
        signal.yield()
    }

    /// False when the position was dropped: too many people move at once.
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

    /// Looks again at what is held back.
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
