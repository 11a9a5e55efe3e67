import Contracts
import Hummingbird
import NIOCore
import ServiceKit

/// Reads the feed of notifications.
struct FeedSource: Sendable {
    /// Items per request.
    static let pageSize = PageLimit.most

    private let notifications: Peer

    init(_ notifications: Peer) { self.notifications = notifications }

    /// Items after a sequence number, oldest first.
    func page(_ recipient: Recipient, after sequence: Int) async throws -> [FeedItem] {
        let query = FeedQuery(of: recipient).page(after: "\(sequence)", limit: Self.pageSize)
        return try await notifications(InternalEndpoints.feed(asks: query)).items
    }

    /// The sequence number of the newest item.
    func head(_ recipient: Recipient) async throws -> Int {
        let query = FeedQuery(of: recipient)
        return try await notifications(InternalEndpoints.feedHead(asks: query)).sequence
    }

    /// The sequence number of each feed's newest item.
    func heads(_ recipients: [Recipient]) async throws -> [Recipient: Int] {
        let heads = try await notifications(
            InternalEndpoints.feedHeads(body: FeedHeadsBody(recipients: recipients)))
        return Dictionary(zip(recipients, heads.sequences)) { max($0, $1) }
    }
}

/// Writes one client's stream: missed lines first, then new ones, each exactly once and in order.
struct StreamSession: Sendable {
    /// The most pages read for one gap. A client that missed more reloads its lists.
    static let mostPages = 50

    let connection: StreamConnection
    let feed: FeedSource
    let pacer: PositionPacer
    /// The sequence number of the last line that the client has.
    private(set) var seen: Int

    init(
        _ connection: StreamConnection, feed: FeedSource, pacer: PositionPacer, after seen: Int
    ) {
        self.connection = connection
        self.feed = feed
        self.pacer = pacer
        self.seen = seen
    }

    /// Ends with the connection. `missed` is the first page of missed items.
    mutating func run(
        _ missed: [FeedItem], to writer: inout any ResponseBodyWriter
    ) async throws {
        var head = ServerSentEvents.preamble(after: seen)
        try append(missed, to: &head)
        try await writer.write(head)
        if missed.count == FeedSource.pageSize { try await catchUp(to: &writer) }
        for await _ in connection.signals {
            let batch = connection.take()
            if batch.end == .overflow { return }
            try await write(batch, to: &writer)
            if batch.isHolding { pacer.hold(connection) }
            if batch.end != nil { return }
        }
    }

    private mutating func write(
        _ batch: StreamConnection.Batch, to writer: inout any ResponseBodyWriter
    ) async throws {
        var buffer = ByteBuffer()
        for item in batch.items {
            // A gap means that the bus did not deliver to us for a while; the feed has the missing lines.
            if item.sequence > seen + 1 { try await catchUp(to: &writer) }
            try append([item], to: &buffer)
            if buffer.readableBytes > 0 { try await writer.write(buffer) }
            buffer.clear()
        }
        // Lines that the bus did not deliver.
        if batch.head > seen { try await catchUp(to: &writer) }
        for position in batch.positions { buffer.writeImmutableBuffer(position) }
        if batch.keepAlive { buffer.writeImmutableBuffer(ServerSentEvents.keepAlive) }
        if buffer.readableBytes > 0 { try await writer.write(buffer) }
    }

    private mutating func catchUp(to writer: inout any ResponseBodyWriter) async throws {
        for _ in 0..<Self.mostPages {
            let after = seen
            let items = try await feed.page(connection.recipient, after: after)
            var buffer = ByteBuffer()
            try append(items, to: &buffer)
            if buffer.readableBytes > 0 { try await writer.write(buffer) }
            if items.count < FeedSource.pageSize || seen == after { return }
        }
    }

    private mutating func append(_ items: [FeedItem], to buffer: inout ByteBuffer) throws {
        for item in items where item.sequence > seen {
            try ServerSentEvents.append(item, to: &buffer)
            seen = item.sequence
        }
    }
}
