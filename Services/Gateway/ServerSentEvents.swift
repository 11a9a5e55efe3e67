import Contracts
import Foundation
import NIOCore

/// The text of Server-Sent Events (WHATWG HTML §9.2).
enum ServerSentEvents {
    /// How long a client waits before it connects again, in milliseconds.
    static let retryMilliseconds = 2_000

    /// First bytes of a stream: how soon to come back and after what, and a comment for people.
    ///
    /// An id without data is no event to a client, but what it comes back with: so nothing is
    /// missed when the connection is cut before the first event.
    static func preamble(after sequence: Int) -> ByteBuffer {
        ByteBuffer(string: "retry: \(retryMilliseconds)\nid: \(sequence)\n: connected\n\n")
    }

    /// A comment: says that the connection lives, to both ends.
    static let keepAlive = ByteBuffer(string: ": keep-alive\n\n")

    /// Appends one event. `data` is JSON on one line; without it only the client's last id moves
    /// on.
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

    /// A line of the feed. The id stands on its last event, so that a client that was cut off
    /// between two asks for both again.
    static func append(_ item: FeedItem, to buffer: inout ByteBuffer) throws {
        let data = try Wire.encode(item)
        switch (item.order != nil, item.text != nil) {
        case (true, true):
            append(to: &buffer, event: "order", data: data)
            append(to: &buffer, event: "notification", id: item.sequence, data: data)
        case (true, false):
            append(to: &buffer, event: "order", id: item.sequence, data: data)
        case (false, true):
            append(to: &buffer, event: "notification", id: item.sequence, data: data)
        case (false, false):
            append(to: &buffer, event: nil, id: item.sequence, data: nil)
        }
    }

    static func frame(_ position: LivePosition) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        append(to: &buffer, event: "position", data: try Wire.encode(position))
        return buffer
    }
}
