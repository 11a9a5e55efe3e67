/// Why a consumer believes that the broker has lost records which it had read.
public enum KafkaLoss: Sendable, Hashable, CustomStringConvertible {
    /// Another cluster answers.
    case otherCluster
    /// A partition ends before the next record to read, or has begun anew.
    case partition(topic: String, number: Int32)
    /// The group's committed offsets are missing, or lower than they were.
    case offsets

    public var description: String {
        switch self {
        case .otherCluster: "another cluster answers"
        case .partition(let topic, let number): "\(topic)/\(number) ends before what was read"
        case .offsets: "the group's offsets are missing"
        }
    }
}

/// How far a consumer has read its partitions since they were assigned, and what its group has committed.
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
    /// The group's offsets at earlier looks, also of partitions that were taken away.
    private var committed: [Partition: Int64] = [:]

    /// Offset of the next record; nil if nothing was read or committed.
    subscript(partition: Partition) -> Int64? { next[partition] }

    mutating func read(_ record: ReceivedRecord) {
        let partition = Partition(topic: record.topic, number: record.partition)
        if let expected = next[partition], record.offset < expected { restarted = partition }
        next[partition] = record.offset + 1
    }

    /// Forgets how far it has read: another member may have read on meanwhile.
    mutating func reassign() {
        (next, short, restarted) = ([:], [], nil)
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

    /// - Parameters:
    ///   - now: What the group has committed.
    ///   - isRereading: Whether lower offsets than before are right.
    ///   - mayExpire: Whether offsets of idle partitions expire: those of a group that has members don't
    ///     (KIP-211, Kafka 2.1).
    mutating func look(
        committed now: [Partition: Int64], of assigned: [Partition], isRereading: Bool,
        mayExpire: Bool
    ) -> KafkaLoss? {
        let known = assigned.filter { committed[$0] != nil }
        let missing = known.filter { now[$0] == nil }
        let isLower = known.contains { partition in
            now[partition].map { $0 < committed[partition] ?? 0 } ?? false
        }
        committed.merge(now) { _, now in now }
        // A busy partition may have new offsets already, which are no lower than the lost ones.
        let areMissing = !missing.isEmpty && (!mayExpire || missing.count == known.count)
        return areMissing || (isLower && !isRereading) ? .offsets : nil
    }
}
