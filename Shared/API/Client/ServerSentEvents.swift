/// One event of a `text/event-stream`.
struct ServerSentEvent: Sendable, Hashable {
    /// `message` if the stream gives none.
    var name: String
    var data: String
    /// The last id of the stream, from this event or an earlier one.
    var lastEventID: String
}

enum ServerSentEventError: Error, Equatable {
    case lineTooLong
    case eventTooLong
}

/// Reads a `text/event-stream` in pieces of any size, as the WHATWG HTML standard says (section
/// 9.2.6, "Interpreting an event stream").
struct ServerSentEventParser: Sendable {
    static let lineLimitBytes = 256 * 1_024
    static let eventLimitBytes = 1_024 * 1_024

    /// The id to resume from after a disconnection; the id of an unfinished event does not count.
    private(set) var lastEventID: String
    /// Pause that the stream asks for before a reconnection.
    private(set) var retryMilliseconds: Int?

    private var line: [UInt8] = []
    private var nextEventID: String
    private var name = ""
    private var data = ""
    private var isFirstLine = true
    /// A carriage return ended the last line: a line feed right after it belongs to it.
    private var skipsLineFeed = false

    init(lastEventID: String = "") {
        self.lastEventID = lastEventID
        nextEventID = lastEventID
    }

    /// Starts a new connection: drops the unfinished event, and keeps the last id and the pause.
    mutating func restart() {
        let retry = retryMilliseconds
        self = ServerSentEventParser(lastEventID: lastEventID)
        retryMilliseconds = retry
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The events that end within these bytes.
    mutating func feed(
        _ bytes: some Sequence<UInt8>
    ) throws(ServerSentEventError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let skips = skipsLineFeed
            skipsLineFeed = false
            switch byte {
            case Self.lineFeed where skips:
                continue
            case Self.lineFeed, Self.carriageReturn:
                skipsLineFeed = byte == Self.carriageReturn
                if let event = try endLine() { events.append(event) }
            default:
                guard line.count < Self.lineLimitBytes else { throw .lineTooLong }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() throws(ServerSentEventError) -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: Self.byteOrderMark) { line.removeFirst(3) }
        }
        guard let first = line.first else { return dispatch() }
        guard first != UInt8(ascii: ":") else { return nil }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        try take(
            field: String(decoding: line[..<colon], as: UTF8.self),
            value: String(decoding: value, as: UTF8.self))
        return nil
    }

    private mutating func take(field: String, value: String) throws(ServerSentEventError) {
        switch field {
        case "event":
            name = value
        case "data":
            guard data.utf8.count + value.utf8.count < Self.eventLimitBytes else {
                throw .eventTooLong
            }
            data += value
            data += "\n"
        case "id":
            if !value.utf8.contains(0) { nextEventID = value }
        case "retry":
            let isNumber = !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
            if isNumber, let number = Int(value) { retryMilliseconds = number }
        default:
            break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer { (name, data) = ("", "") }
        lastEventID = nextEventID
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            name: name.isEmpty ? "message" : name, data: String(data.dropLast()),
            lastEventID: lastEventID)
    }
}
