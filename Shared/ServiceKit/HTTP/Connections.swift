import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

extension HTTPServerBuilder {
    /// HTTP/1.1, also for whoever connects while the server stops.
    public static func house(idleLimit: TimeAmount? = nil) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            HouseChannel(
                base: HTTP1Channel(
                    responder: responder, configuration: .init(idleTimeout: idleLimit)))
        }
    }
}

/// Closes a connection that nobody serves.
///
/// A server that stops drops connections that it has accepted and not yet begun to serve. NIO takes
/// the loss of an open connection's writer for a mistake and ends the process, so the writer is kept
/// until the connection is closed.
struct HouseChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base

    func setup(
        channel: any Channel, logger: Logger
    ) -> EventLoopFuture<Accepted<Base.Value>> {
        base.setup(channel: channel, logger: logger).map { value in
            channel.closeFuture.whenComplete { _ in withExtendedLifetime(value) {} }
            return Accepted(value)
        }
    }

    func handle(value: Accepted<Base.Value>, logger: Logger) async {
        value.isServed.store(true, ordering: .relaxed)
        await base.handle(value: value.value, logger: logger)
    }
}

/// A connection between its acceptance and its end.
final class Accepted<Value: ServerChildChannelValue>: ServerChildChannelValue {
    let value: Value
    let isServed = Atomic(false)
    var channel: any Channel { value.channel }

    init(_ value: Value) { self.value = value }

    deinit {
        if !isServed.load(ordering: .relaxed) { channel.close(promise: nil) }
    }
}
