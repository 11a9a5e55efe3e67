/// Computes which slot of a Redis Cluster has a key (Redis Cluster specification, "Key distribution model").
enum KeySlot {
    static let count = 16_384

    /// Commands that are about a server or its scripts, and name no key.
    private static let keyless: Set = [
        "ACL", "CLIENT", "CLUSTER", "CONFIG", "DBSIZE", "ECHO", "FLUSHALL", "FLUSHDB", "INFO",
        "PING", "ROLE", "SCRIPT", "SELECT", "SENTINEL", "TIME",
    ]

    /// Nil for a command without keys, which any server can run.
    static func slot(of command: [String]) -> Int? { key(of: command).map(slot) }

    /// The first key of a command. All others must be in the same slot, or the server refuses it.
    static func key(of command: [String]) -> String? {
        guard let name = command.first?.uppercased(), !keyless.contains(name) else { return nil }
        switch name {
        case "EVAL", "EVALSHA":
            // The name, the script and the number of keys come before them.
            guard command.count > 3, let keys = Int(command[2]), keys > 0 else { return nil }
            return command[3]
        default:
            return command.dropFirst().first
        }
    }

    /// The slot of a key, or of its hash tag if it has one: the text between the first `{` and the next `}`, unless
    /// that is empty.
    static func slot(of key: String) -> Int {
        let bytes = key.utf8
        guard let open = bytes.firstIndex(of: UInt8(ascii: "{")) else {
            return slot(hashing: bytes[...])
        }
        let rest = bytes[bytes.index(after: open)...]
        guard let close = rest.firstIndex(of: UInt8(ascii: "}")), close > rest.startIndex else {
            return slot(hashing: bytes[...])
        }
        return slot(hashing: rest[..<close])
    }

    private static func slot(hashing bytes: Substring.UTF8View) -> Int {
        Int(crc16(bytes)) % count
    }

    /// CRC-16/XMODEM: polynomial 0x1021, from zero, without reflection.
    static func crc16(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0) { sum, byte in (sum << 8) ^ table[Int(UInt8(sum >> 8) ^ byte)] }
    }

    private static let table: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { sum, _ in
            sum & 0x8000 == 0 ? sum << 1 : (sum << 1) ^ 0x1021
        }
    }
}
