import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import Synchronization

extension HTTPServerBuilder {
    /// HTTP/1.1, also for clients that connect while the server stops.
    public static func guarded(
        idleLimit: TimeAmount? = nil, limits: ConnectionLimits? = nil,
        headLimit: TimeAmount = HeadTimer.limit
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            HouseChannel(
                base: HTTP1Channel(
                    responder: responder, configuration: .init(idleTimeout: idleLimit)),
                limits: limits, headLimit: headLimit)
        }
    }
}

/// Closes connections that nobody serves, that are beyond the limit, or whose request does not arrive.
///
/// A stopping server drops connections that it has accepted but not yet begun to serve. NIO treats the loss of an
/// open connection's writer as a programming error and ends the process, so we keep the writer until the connection
/// is closed.
struct HouseChannel: ServerChildChannel {
    let base: HTTP1Channel
    let limits: ConnectionLimits?
    let headLimit: TimeAmount

    func setup(
        channel: any Channel, logger: Logger
    ) -> EventLoopFuture<Accepted<HTTP1Channel.Value>> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            try HeadTimer.add(to: channel, limit: headLimit)
            channel.closeFuture.whenComplete { _ in withExtendedLifetime(value) {} }
            // Close it rather than throw: an error here would end the whole server.
            if let limits, !limits.admit(channel) { channel.close(promise: nil) }
            return Accepted(value)
        }
    }

    func handle(value: Accepted<HTTP1Channel.Value>, logger: Logger) async {
        value.isServed.store(true, ordering: .relaxed)
        await base.handle(value: value.value, logger: logger)
    }
}

/// A connection from its acceptance to its end.
final class Accepted<Value: ServerChildChannelValue>: ServerChildChannelValue {
    let value: Value
    let isServed = Atomic(false)
    var channel: any Channel { value.channel }

    init(_ value: Value) { self.value = value }

    deinit {
        if !isServed.load(ordering: .relaxed) { channel.close(promise: nil) }
    }
}

/// Limits open connections, in total and per address, so that no host can keep others out.
public final class ConnectionLimits: Sendable {
    private struct State {
        var all = 0
        var byAddress: [String: Int] = [:]
    }

    private let all: Int
    private let perAddress: Int
    private let network: @Sendable (String) -> String?
    private let state = Mutex(State())

    /// `network` maps an address to what it is counted as; nil exempts it from the limit per
    /// address, for example for our proxies.
    public init(
        all: Int, perAddress: Int, network: @escaping @Sendable (String) -> String? = { $0 }
    ) {
        self.all = all
        self.perAddress = perAddress
        self.network = network
    }

    /// Connections that are open now.
    public var count: Int { state.withLock(\.all) }

    /// Counts the connection until it is closed. False if it exceeds a limit.
    func admit(_ channel: any Channel) -> Bool {
        let network = channel.remoteAddress?.ipAddress.flatMap(network)
        guard take(network) else { return false }
        channel.closeFuture.whenComplete { [self] _ in giveBack(network) }
        return true
    }

    private func take(_ network: String?) -> Bool {
        state.withLock { state in
            guard state.all < all else { return false }
            if let network {
                guard state.byAddress[network, default: 0] < perAddress else { return false }
                state.byAddress[network, default: 0] += 1
            }
            state.all += 1
            return true
        }
    }

    private func giveBack(_ network: String?) {
        state.withLock { state in
            state.all -= 1
            guard let network, let count = state.byAddress[network] else { return }
            state.byAddress[network] = count == 1 ? nil : count - 1
        }
    }
}

/// Closes a connection if the head of a request is not complete in time, counted from its first byte. The idle limit
/// covers a connection that sends nothing, before the first request or between two. That limit is longer than our
/// clients keep a spare connection, so none of them sends a request while it is being closed.
public final class HeadTimer: ChannelInboundHandler {
    public typealias InboundIn = ByteBuffer
    public static let limit: TimeAmount = .seconds(10)

    private let limit: TimeAmount
    private var deadline: Scheduled<Void>?
    private var isInsideRequest = false

    private init(limit: TimeAmount) { self.limit = limit }

    /// The handler for bytes comes first, the one for requests just before they are handled.
    static func add(to channel: any Channel, limit: TimeAmount) throws {
        let pipeline = channel.pipeline.syncOperations
        let timer = HeadTimer(limit: limit)
        try pipeline.addHandler(timer, position: .first)
        let states = try pipeline.handler(type: HTTPConnectionStateHandler.self)
        try pipeline.addHandler(HeadWatch(timer), position: .before(states))
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isInsideRequest { start(context) }
        context.fireChannelRead(data)
    }

    public func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    fileprivate func headIsComplete() {
        stop()
        isInsideRequest = true
    }

    fileprivate func requestIsComplete() { isInsideRequest = false }

    private func start(_ context: ChannelHandlerContext) {
        guard deadline == nil else { return }
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
    }

    private func stop() {
        deadline?.cancel()
        deadline = nil
    }
}

/// Reports to the timer what the bytes were.
private final class HeadWatch: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let timer: HeadTimer

    init(_ timer: HeadTimer) { self.timer = timer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: timer.headIsComplete()
        case .body: break
        case .end: timer.requestIsComplete()
        }
        context.fireChannelRead(data)
    }
}
