import CRdKafka

/// Sole owner of one `rd_kafka_topic_partition_list_t`.
struct Partitions: ~Copyable {
    /// Means every partition of a topic.
    static let any: Int32 = -1

    let pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

    init() {
        pointer = rd_kafka_topic_partition_list_new(1)
    }

    private init(owning pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>) {
        self.pointer = pointer
    }

    /// Nil if the client does not know them.
    init?(assignedTo client: OpaquePointer) {
        var list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?
        guard rd_kafka_assignment(client, &list) == RD_KAFKA_RESP_ERR_NO_ERROR, let list else {
            return nil
        }
        self.init(owning: list)
    }

    deinit { rd_kafka_topic_partition_list_destroy(pointer) }

    func add(_ topic: String, _ partition: Int32, offset: Int64? = nil) {
        let entry = rd_kafka_topic_partition_list_add(pointer, topic, partition)
        if let offset { entry?.pointee.offset = offset }
    }

    /// The topic names live as long as the list.
    var all: UnsafeMutableBufferPointer<rd_kafka_topic_partition_t> {
        UnsafeMutableBufferPointer(start: pointer.pointee.elems, count: Int(pointer.pointee.cnt))
    }

    var isEmpty: Bool { pointer.pointee.cnt == 0 }
}
