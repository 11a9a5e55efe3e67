/// Which server has which slot. A single server has them all.
struct SlotMap: Sendable, Hashable {
    /// Those that have slots.
    private(set) var servers: [RedisAddress] = []
    /// The index of its server by slot; negative where nobody serves it.
    private var owners: [Int16]
    /// Number of slots that nobody serves.
    private var orphans: Int

    init(single server: RedisAddress) {
        servers = [server]
        owners = Array(repeating: 0, count: KeySlot.count)
        orphans = 0
    }

    /// Reads an answer to `CLUSTER SLOTS`: ranges with their master, then its replicas. Nil if it is another answer.
    init?(_ reply: RedisValue, from server: RedisAddress) {
        guard let ranges = reply.array else { return nil }
        owners = Array(repeating: -1, count: KeySlot.count)
        orphans = KeySlot.count
        for range in ranges {
            guard let range = range.array, range.count >= 3, let first = range[0].int,
                let last = range[1].int, first >= 0, first <= last, last < KeySlot.count
            else { return nil }
            // A server that has not yet learnt its own host does not name it.
            guard let master = RedisAddress(member: range[2], from: server) else { continue }
            for slot in first...last { move(slot, to: master) }
        }
    }

    var isComplete: Bool { orphans == 0 }

    subscript(slot: Int) -> RedisAddress? {
        let index = Int(owners[slot])
        return index < 0 ? nil : servers[index]
    }

    mutating func move(_ slot: Int, to server: RedisAddress) {
        if owners[slot] < 0 { orphans -= 1 }
        owners[slot] = index(of: server)
    }

    private mutating func index(of server: RedisAddress) -> Int16 {
        if let index = servers.firstIndex(of: server) { return Int16(index) }
        servers.append(server)
        return Int16(servers.count - 1)
    }

    /// All members in an answer to `CLUSTER SLOTS`, replicas included.
    static func members(_ reply: RedisValue, from server: RedisAddress) -> [RedisAddress] {
        (reply.array ?? []).flatMap { range in
            (range.array ?? []).dropFirst(2).compactMap { RedisAddress(member: $0, from: server) }
        }
    }
}

extension RedisAddress {
    /// A member in an answer to `CLUSTER SLOTS`: host, port and more. Without a host, it is the host of the server that
    /// answers.
    fileprivate init?(member reply: RedisValue, from server: RedisAddress) {
        guard let parts = reply.array, parts.count >= 2, let port = parts[1].int,
            (1...Int(UInt16.max)).contains(port), parts[0].string != "?"
        else { return nil }
        let host = parts[0].string ?? ""
        self.init(host: host.isEmpty ? server.host : host, port: port)
    }
}
