import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit
import ServiceLifecycle

/// `GET /v1/stream`: Server-Sent Events of orders, positions and notifications.
struct StreamRoutes: Sendable {
    /// The longest time without a write; a comment is sent then.
    static let keepAliveInterval: Duration = .seconds(15)

    let streams: LiveStreams
    let feed: FeedSource
    let pacer: PositionPacer
    let verifier: TokenVerifier
    let clock: ServiceClock

    /// Subscribes before it reads the feed, so that nothing is missed in between.
    func open(
        _ request: Request, _ context: Context, from address: IPAddress?
    ) async throws -> Response {
        let identity = try context.person()
        let after = try Self.lastEventID(request)
        let expiry = try await expiry(request)
        let channel = context.channel
        let connection = try streams.open(identity, from: address) { channel.close(promise: nil) }
        do {
            let (seen, missed) = try await beginning(of: connection, after: after)
            let session = StreamSession(connection, feed: feed, pacer: pacer, after: seen)
            return response(session, missed, until: expiry, request)
        } catch {
            streams.close(connection)
            throw error
        }
    }

    /// Where a stream begins. A client that reconnects gets what it missed, of which this is the first page; a new
    /// client begins at the end of the feed.
    private func beginning(
        of connection: StreamConnection, after last: Int?
    ) async throws -> (seen: Int, missed: [FeedItem]) {
        guard let last else { return (try await feed.head(connection.recipient), []) }
        return (last, try await feed.page(connection.recipient, after: last))
    }

    private func response(
        _ session: StreamSession, _ missed: [FeedItem], until expiry: Date, _ request: Request
    ) -> Response {
        let connection = session.connection
        let lease = StreamLease(connection, streams)
        let body = ResponseBody { writer in
            defer { lease.end() }
            var session = session
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await keepAlive(connection, until: expiry) }
                try await withGracefulShutdownHandler {
                    try await request.body.consumeWithInboundCloseHandler { _ in
                        try await session.run(missed, to: &writer)
                    } onInboundClosed: {
                        connection.end()
                    }
                } onGracefulShutdown: {
                    connection.end()
                }
                group.cancelAll()
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store",
                .accelBuffering: "no",
            ], body: body)
    }

    /// Keeps the connection alive until its token expires; the client then reconnects with a new one.
    private func keepAlive(_ connection: StreamConnection, until expiry: Date) async throws {
        while true {
            let left = Duration.seconds(expiry.timeIntervalSince(clock.now))
            guard left > .zero else { return connection.end() }
            try await Task.sleep(for: min(left, Self.keepAliveInterval))
            connection.keepAlive()
        }
    }

    private func expiry(_ request: Request) async throws -> Date {
        guard let header = request.headers[.authorization] else { throw Refusal.tokenMissing }
        return try await verifier.expiry(of: String(header.dropFirst("Bearer ".count)))
    }

    /// The header that browsers send when they reconnect, or the same as a query for other clients.
    static func lastEventID(_ request: Request) throws -> Int? {
        guard let text = request.headers[.lastEventID], !text.isEmpty else {
            return try request.query(StreamQuery.self).lastEventId
        }
        guard let id = Int(text), (0...StreamQuery.largestEventID).contains(id) else {
            throw Refusal.invalid("Last-Event-ID", "Use the id of an event of this stream.")
        }
        return id
    }
}

/// Releases a connection's place in the limit, even if its response is dropped before it starts.
private final class StreamLease: Sendable {
    private let connection: StreamConnection
    private let streams: LiveStreams

    init(_ connection: StreamConnection, _ streams: LiveStreams) {
        self.connection = connection
        self.streams = streams
    }

    func end() { streams.close(connection) }

    deinit { streams.close(connection) }
}

extension HTTPField.Name {
    static let lastEventID = Self("Last-Event-ID")!
    static let accelBuffering = Self("X-Accel-Buffering")!
    static let forwardedFor = Self("X-Forwarded-For")!
}
