import Kafka
import Synchronization

/// Tracks which records are being handled, and up to where each partition is done without a gap.
final class RecordProgress: Sendable {
    struct Ticket: Sendable {
        let record: ReceivedRecord
        fileprivate let number: Int
        fileprivate var partition: Partition {
            Partition(topic: record.topic, number: record.partition)
        }
    }

    fileprivate struct Partition: Hashable {
        let topic: String
        let number: Int32
    }

    private struct Entry {
        let ticket: Ticket
        var isDone = false
    }

    private struct State {
        var entries: [Partition: [Entry]] = [:]
        var count = 0
        var handled = 0
        var nextNumber = 0
        var hasFinished = false
        var waiter: AsyncStream<Void>.Continuation?
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Number of records that were read but not marked as done.
    var open: Int { state.withLock { $0.count } }

    /// No record is being handled, and some can be marked.
    var isAllDone: Bool { state.withLock { $0.handled > 0 && $0.handled == $0.count } }

    var isFull: Bool { state.withLock { $0.count >= limit } }

    func begin(_ record: ReceivedRecord) -> Ticket {
        state.withLock { state in
            state.nextNumber += 1
            state.count += 1
            let ticket = Ticket(record: record, number: state.nextNumber)
            state.entries[ticket.partition, default: []].append(Entry(ticket: ticket))
            return ticket
        }
    }

    func finish(_ ticket: Ticket) {
        state.withLock { state in
            let entries = state.entries[ticket.partition] ?? []
            guard let index = entries.firstIndex(where: { $0.ticket.number == ticket.number })
            else { return }
            state.entries[ticket.partition]?[index].isDone = true
            state.handled += 1
            state.hasFinished = true
            state.waiter?.finish()
        }
    }

    /// The last record of each partition up to which all are done, if the partition has advanced since the last call.
    func takeDone() -> [ReceivedRecord] {
        state.withLock { state in
            var done: [ReceivedRecord] = []
            for (partition, entries) in state.entries {
                let finished = entries.prefix { $0.isDone }
                guard let last = finished.last else { continue }
                done.append(last.ticket.record)
                state.count -= finished.count
                state.handled -= finished.count
                state.entries[partition] = Array(entries.dropFirst(finished.count))
            }
            return done
        }
    }

    /// Returns when a record was finished since the last call, or the task was cancelled; for one task.
    func waitForFinished() async {
        // A stream for each wait, since a cancelled one ends its stream for ever.
        let (stream, waiter) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            state.waiter = waiter
            if state.hasFinished { waiter.finish() }
        }
        for await _ in stream {}
        state.withLock { $0.hasFinished = false }
    }

    /// Returns when every record is finished, or the task was cancelled; for one task.
    func waitUntilAllFinished() async {
        while state.withLock({ $0.handled < $0.count }), !Task.isCancelled {
            await waitForFinished()
        }
    }
}
