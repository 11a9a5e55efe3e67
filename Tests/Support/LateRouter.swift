import Contracts
import Hummingbird
import ServiceKit
import Synchronization

/// A server whose router is made after it has got its port.
public final class LateRouter: Sendable {
    private let router = Mutex<(any HTTPResponder<Context>)?>(nil)

    public init() {}

    public func set(_ responder: any HTTPResponder<Context>) {
        router.withLock { $0 = responder }
    }

    public var responder: CallbackResponder<Context> {
        CallbackResponder { request, context in
            guard let router = self.router.withLock({ $0 }) else { throw Refusal.notFound }
            return try await router.respond(to: request, context: context)
        }
    }
}
