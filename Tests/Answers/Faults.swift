import Contracts
import Hummingbird
import ServiceKit
import Synchronization

/// Another service that dies before it has done what it is asked, or afterwards, before it has said so; and what
/// happens while it is asked.
public final class Faults: Sendable {
    private let percent = Mutex(0)
    private let onlyAfterwards = Mutex(false)
    private let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)

    public init() {}

    /// Of so many of a hundred requests; with `onlyAfterwards`, all are done and only their answers are lost.
    public func happen(inPercent percent: Int, onlyAfterwards: Bool = false) {
        self.percent.withLock { $0 = percent }
        self.onlyAfterwards.withLock { $0 = onlyAfterwards }
    }

    /// Done once, by the next request before it is answered; a `Refusal` that it throws is the answer.
    public func meanwhile(_ body: @escaping @Sendable () async throws -> Void) {
        meanwhile.withLock { $0 = body }
    }

    public func around(
        _ router: any HTTPResponder<ServiceKit.Context>
    ) -> CallbackResponder<ServiceKit.Context> {
        CallbackResponder { request, context in
            let meanwhile = self.meanwhile.withLock { body in
                defer { body = nil }
                return body
            }
            do {
                try await meanwhile?()
            } catch let refusal as Refusal {
                return refusal.problem.response()
            }
            let percent = self.percent.withLock { $0 }
            let diesBefore = !self.onlyAfterwards.withLock { $0 }
            if diesBefore, Int.random(in: 0..<100) < percent {
                throw Refusal.unavailable("It died before.")
            }
            let answer = try await router.respond(to: request, context: context)
            if Int.random(in: 0..<100) < percent {
                throw Refusal.unavailable("It died afterwards.")
            }
            return answer
        }
    }
}
