/// Why a consumer believes that the broker has lost records which it had read.
public enum KafkaLoss: Sendable, Hashable, CustomStringConvertible {
    /// Another cluster answers.
    case otherCluster
    /// A partition ends before the next record to read, or has begun anew.
    case partition(topic: String, number: Int32)
    /// The group had committed offsets, and has none any more.
    case offsets

    public var description: String {
        switch self {
        case .otherCluster: "another cluster answers"
        case .partition(let topic, let number): "\(topic)/\(number) ends before what was read"
        case .offsets: "the group's offsets are missing"
        }
    }
}

/// How far a consumer has read its partitions since they were assigned.
struct ReadPositions {
    struct Partition: Hashable {
        let topic: String
        let number: Int32

        var loss: KafkaLoss { .partition(topic: topic, number: number) }
    }

    private var next: [Partition: Int64] = [:]
    /// Partitions that ended before the next record at the last look: an end may be old news for a moment.
    private var short: Set<Partition> = []
    private var restarted: Partition?
    private var hadCommitted = false

    /// Offset of the next record; nil if nothing was read or committed.
    subscript(partition: Partition) -> Int64? { next[partition] }

    mutating func read(_ record: ReceivedRecord) {
        let partition = Partition(topic: record.topic, number: record.partition)
        if let expected = next[partition], record.offset < expected { restarted = partition }
        next[partition] = record.offset + 1
    }

    /// Where the group starts in partitions of which nothing was read yet.
    mutating func start(at committed: [Partition: Int64]) {
        next.merge(committed) { read, _ in read }
    }

    /// - Parameter ends: The offset after the last record, where it is known.
    mutating func look(ends: [Partition: Int64]) -> KafkaLoss? {
        if let restarted { return restarted.loss }
        let before = short
        short = Set(
            ends.filter { partition, end in next[partition].map { $0 > end } ?? false }.keys)
        return short.intersection(before).first?.loss
    }

    /// - Parameter committed: What the group has committed now.
    mutating func look(committed: [Partition: Int64]) -> KafkaLoss? {
        if !committed.isEmpty { hadCommitted = true }
        return hadCommitted && committed.isEmpty ? .offsets : nil
    }
}
