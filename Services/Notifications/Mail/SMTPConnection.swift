import EventBus
import NIOCore
import NIOPosix
import NIOSSL

/// A mail server's reply: one code and the text of each line.
struct SMTPReply: Sendable, Hashable {
    var code: Int
    var lines: [String]
}

/// A connection to a mail server: commands and replies, one at a time.
struct SMTPConnection: Sendable {
    static let connectTime: TimeAmount = .seconds(5)
    /// Longest duration of a connection: shorter than the lease of a message.
    static let wholeTime: TimeAmount = .seconds(20)

    private let channel: any Channel
    private let greeted: EventLoopFuture<SMTPReply>
    /// The error that ended the connection.
    private let ended: EventLoopFuture<any Error>

    static func open(
        _ server: MailServer, _ encryption: NIOSSLContext
    ) async throws -> SMTPConnection {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let greeting = loop.makePromise(of: SMTPReply.self)
        let end = loop.makePromise(of: (any Error).self)
        do {
            let channel = try await ClientBootstrap(group: loop)
                .connectTimeout(connectTime)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if server.security == .tls {
                            try pipeline.addHandler(encryption.handler(for: server.host))
                        }
                        try pipeline.addHandler(ReplyHandler(greeting, end))
                    }
                }
                .connect(host: server.host, port: server.port).get()
            let limit = loop.scheduleTask(in: wholeTime) { channel.close(promise: nil) }
            channel.closeFuture.whenComplete { _ in limit.cancel() }
            return SMTPConnection(
                channel: channel, greeted: greeting.futureResult, ended: end.futureResult)
        } catch {
            greeting.fail(error)
            end.succeed(error)
            throw Self.trouble(error)
        }
    }

    func greeting() async throws -> SMTPReply {
        do { return try await greeted.get() } catch { throw Self.trouble(error) }
    }

    func exchange(_ text: String) async throws -> SMTPReply {
        let reply = channel.eventLoop.makePromise(of: SMTPReply.self)
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenFailure(reply.fail)
        channel.writeAndFlush(ReplyHandler.Command(text: text, reply: reply), promise: written)
        do {
            return try await reply.futureResult.get()
        } catch is ChannelError {
            // The cause says more than the fact that it is closed.
            throw Self.trouble(try await ended.get())
        } catch {
            throw Self.trouble(error)
        }
    }

    /// The handshake begins with the next command. A certificate that is not trusted or belongs to another host ends
    /// the connection before anything is sent.
    func encrypt(with encryption: NIOSSLContext, as host: String) async throws {
        try await channel.eventLoop.submit { [channel] in
            try channel.pipeline.syncOperations.addHandler(
                encryption.handler(for: host), position: .first)
        }.get()
    }

    func close() async { try? await channel.close() }

    /// Only the kind of the error.
    private static func trouble(_ error: any Error) -> MessageError {
        switch error {
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            .passing("the server's certificate or encryption is refused", afterSeconds: nil)
        case let error as MessageError: error
        default: .passing(loggable(error), afterSeconds: nil)
        }
    }
}

extension NIOSSLContext {
    /// Checks that the certificate belongs to the host; SNI does not allow an IP address.
    fileprivate func handler(for host: String) throws -> NIOSSLClientHandler {
        let isName = (try? SocketAddress(ipAddress: host, port: 0)) == nil
        return try NIOSSLClientHandler(context: self, serverHostname: isName ? host : nil)
    }
}

/// Pairs each command with its reply. An unsolicited reply ends the connection, so that text injected before the
/// encryption can't pass for an answer after it.
private final class ReplyHandler: ChannelDuplexHandler {
    struct Command: Sendable {
        let text: String
        let reply: EventLoopPromise<SMTPReply>
    }

    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Command
    typealias OutboundOut = ByteBuffer

    /// Largest reply, in octets.
    private static let longestReply = 16 * 1_024

    private var unread = ByteBuffer()
    private var lines: [String] = []
    private var awaited: EventLoopPromise<SMTPReply>?
    private let ended: EventLoopPromise<any Error>

    init(_ greeting: EventLoopPromise<SMTPReply>, _ ended: EventLoopPromise<any Error>) {
        (awaited, self.ended) = (greeting, ended)
    }

    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        let command = unwrapOutboundIn(data)
        guard awaited == nil, context.channel.isActive else {
            promise?.fail(ChannelError.alreadyClosed)
            return
        }
        awaited = command.reply
        context.write(wrapOutboundOut(ByteBuffer(string: command.text)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        unread.writeBuffer(&bytes)
        while let line = nextLine() {
            guard let code = Int(line.prefix(3)), (200...599).contains(code) else {
                return end(context, MessageError.passing("no SMTP reply", afterSeconds: nil))
            }
            lines.append(String(line.dropFirst(4)))
            guard line.dropFirst(3).first != "-" else { continue }
            let reply = SMTPReply(code: code, lines: lines)
            lines = []
            guard let awaited, unread.readableBytes == 0 else {
                return end(context, MessageError.passing("a reply unasked", afterSeconds: nil))
            }
            self.awaited = nil
            awaited.succeed(reply)
        }
        let size = unread.readableBytes + lines.reduce(0) { $0 + $1.utf8.count }
        if size > Self.longestReply || (awaited == nil && size > 0) {
            end(context, MessageError.passing("a reply that is none", afterSeconds: nil))
        }
    }

    private func nextLine() -> String? {
        guard let end = unread.readableBytesView.firstIndex(of: 0x0A) else { return nil }
        let line = unread.readString(length: end + 1 - unread.readerIndex)
        return line.map { String($0.prefix { !$0.isNewline }) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(context, error) }

    func channelInactive(context: ChannelHandlerContext) {
        end(context, ChannelError.eof)
        context.fireChannelInactive()
    }

    private func end(_ context: ChannelHandlerContext, _ error: any Error) {
        ended.succeed(error)
        awaited?.fail(error)
        awaited = nil
        context.close(promise: nil)
    }
}
