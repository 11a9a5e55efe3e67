import Contracts
import Synchronization

/// Codes that simulated customers tell simulated valets when they meet. The codes never cross the network.
final class SpokenCodes: Sendable {
    private struct Meeting: Hashable {
        let order: OrderID
        let leg: OrderLeg
    }

    private let codes = Mutex<[Meeting: String]>([:])

    /// The customer is there and tells the valet the code.
    func tell(_ code: String, _ order: OrderID, _ leg: OrderLeg) {
        codes.withLock { $0[Meeting(order: order, leg: leg)] = code }
    }

    /// Nil until the customer has come.
    func code(_ order: OrderID, _ leg: OrderLeg) -> String? {
        codes.withLock { $0[Meeting(order: order, leg: leg)] }
    }

    func forget(_ order: OrderID) {
        codes.withLock { codes in
            for leg in OrderLeg.allCases { codes[Meeting(order: order, leg: leg)] = nil }
        }
    }
}

/// Limits concurrent sign-ins: a password deliberately costs the server processor time, so people queue. More at once
/// would only be refused.
actor Desk {
    private static let mostAtOnce = 1
    private var served = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func serve<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        if served < Self.mostAtOnce {
            served += 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        defer {
            // Passes the place to the next one, or frees it.
            if waiting.isEmpty { served -= 1 } else { waiting.removeFirst().resume() }
        }
        try Task.checkCancellation()
        return try await body()
    }
}
