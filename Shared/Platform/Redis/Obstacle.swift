/// A refusal that has nothing to do with the command, which has not run.
enum Obstacle {
    /// The slot has another server; nil if the one that says so does not know where it is.
    case moved(slot: Int, RedisAddress?)
    /// The slot is on its way to another server, which has this key already.
    case ask(RedisAddress?)
    /// Another server may have become the master.
    case notMaster
    /// The server will be ready.
    case passing

    /// Nil for any other error reply.
    init?(_ message: String, from server: RedisAddress?) {
        let words = message.split(separator: " ")
        switch words.first {
        case "MOVED", "ASK":
            guard words.count >= 3, let slot = Int(words[1]), (0..<KeySlot.count).contains(slot),
                let server
            else { return nil }
            let target = RedisAddress(redirection: words[2], from: server)
            self = words[0] == "ASK" ? .ask(target) : .moved(slot: slot, target)
        case "CLUSTERDOWN", "MASTERDOWN", "READONLY": self = .notMaster
        case "BUSY", "LOADING", "TRYAGAIN": self = .passing
        default: return nil
        }
    }
}
