import Contracts
import Foundation
import NIOCore

/// The wire format of Server-Sent Events (WHATWG HTML §9.2).
enum ServerSentEvents {
    /// How long a client waits before it reconnects, in milliseconds.
    static let retryMilliseconds = 2_000

    /// The first bytes of a stream: the reconnection time, the last id, and a comment for people.
    ///
    /// An id without data is not an event, but clients send it when they reconnect. So nothing is missed if the
    /// connection breaks before the first event.
    static func preamble(after sequence: Int) -> ByteBuffer {
        ByteBuffer(string: "retry: \(retryMilliseconds)\nid: \(sequence)\n: connected\n\n")
    }

    /// A comment that keeps the connection alive and shows that it works.
    static let keepAlive = ByteBuffer(string: ": keep-alive\n\n")

    /// Appends one event. `data` is JSON on one line; without it, only the client's last id changes.
    static func append(
        to buffer: inout ByteBuffer, event: String?, id: Int? = nil, data: Data?
    ) {
        if let event { buffer.writeString("event: \(event)\n") }
        if let id { buffer.writeString("id: \(id)\n") }
        if let data {
            buffer.writeString("data: ")
            buffer.writeBytes(data)
            buffer.writeString("\n")
        }
        buffer.writeString("\n")
    }

    /// Appends a line of the feed: the state of its subject, in an event named by the subject's kind, and the
    /// notification. Only the last event has the id, so that a client cut off between the two gets both again.
    static func append(_ item: FeedItem, to buffer: inout ByteBuffer) throws {
        let data = try Wire.encode(item)
        let kind = item.data == nil ? nil : item.subject?.kind.description
        switch (kind, item.text != nil) {
        case (let kind?, true):
            append(to: &buffer, event: kind, data: data)
            append(to: &buffer, event: "notification", id: item.sequence, data: data)
        case (let kind?, false):
            append(to: &buffer, event: kind, id: item.sequence, data: data)
        case (nil, true):
            append(to: &buffer, event: "notification", id: item.sequence, data: data)
        case (nil, false):
            append(to: &buffer, event: nil, id: item.sequence, data: nil)
        }
    }

    static func frame(_ position: LivePosition) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        append(to: &buffer, event: "position", data: try Wire.encode(position))
        return buffer
    }
}
