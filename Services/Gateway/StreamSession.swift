import Contracts
import Foundation
import Hummingbird
import NIOCore
import ServiceKit

/// Reads notifications' feed from a sequence on, oldest first.
struct FeedSource: Sendable {
    /// Items asked for at once.
    static let pageSize = PageLimit.most

    let page: @Sendable (Recipient, _ after: Int) async throws -> [FeedItem]

    init(page: @escaping @Sendable (Recipient, _ after: Int) async throws -> [FeedItem]) {
        self.page = page
    }

    init(_ notifications: Peer) {
        page = { recipient, after in
            let path =
                "/internal/feed?recipient=\(recipient)&after=\(after)&limit=\(Self.pageSize)"
            return try await notifications.get(path, as: Page<FeedItem>.self).items
        }
    }
}

/// Writes one client's stream: what it missed, then what happens, each line of the feed exactly
/// once and in order.
struct StreamSession: Sendable {
    /// Pages of the feed that are read for one gap; who missed more than that starts from the
    /// lists.
    static let mostPages = 50
    /// Difference between two machines' clocks that is tolerated, in seconds.
    static let clockDifference: TimeInterval = 5

    let connection: StreamConnection
    let feed: FeedSource
    let pacer: PositionPacer
    /// Sequence of the last line that the client has; nil starts with the first that happens.
    private(set) var seen: Int?
    /// Older lines are no news: without a sequence to compare with, a replay would show all of them
    /// again.
    private let earliest: Date

    init(
        _ connection: StreamConnection, feed: FeedSource, pacer: PositionPacer, after seen: Int?,
        openedAt: Date
    ) {
        self.connection = connection
        self.feed = feed
        self.pacer = pacer
        self.seen = seen
        earliest = seen == nil ? openedAt.addingTimeInterval(-Self.clockDifference) : .distantPast
    }

    /// Ends when the connection does. `missed` is the first page of what the client missed.
    mutating func run(
        _ missed: [FeedItem], to writer: inout any ResponseBodyWriter
    ) async throws {
        var head = ServerSentEvents.preamble
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
            // A gap means that the bus lost sight of us for a while; the feed has what we missed.
            if let seen, item.sequence > seen + 1 { try await catchUp(to: &writer) }
            try append([item], to: &buffer)
            if buffer.readableBytes > 0 { try await writer.write(buffer) }
            buffer.clear()
        }
        for position in batch.positions { buffer.writeImmutableBuffer(position) }
        if batch.keepAlive { buffer.writeImmutableBuffer(ServerSentEvents.keepAlive) }
        if buffer.readableBytes > 0 { try await writer.write(buffer) }
    }

    private mutating func catchUp(to writer: inout any ResponseBodyWriter) async throws {
        for _ in 0..<Self.mostPages {
            guard let after = seen else { return }
            let items = try await feed.page(connection.recipient, after)
            var buffer = ByteBuffer()
            try append(items, to: &buffer)
            if buffer.readableBytes > 0 { try await writer.write(buffer) }
            if items.count < FeedSource.pageSize || seen == after { return }
        }
    }

    private mutating func append(_ items: [FeedItem], to buffer: inout ByteBuffer) throws {
        for item in items where item.sequence > seen ?? .min {
            guard seen != nil || item.createdAt >= earliest else { continue }
            try ServerSentEvents.append(item, to: &buffer)
            seen = item.sequence
        }
    }
}
