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

    /// A line of the feed: how its subject is, under the name of the subject's kind, and what is
    /// told. The id stands on its last event, so that a client that was cut off between two asks
    /// for both again.
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
