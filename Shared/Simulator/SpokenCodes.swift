import Contracts
import Synchronization

/// Codes that simulated customers read out to simulated valets when they meet; a code never crosses the network.
final class SpokenCodes: Sendable {
    private struct Meeting: Hashable {
        let order: OrderID
        let leg: OrderLeg
    }

    private let codes = Mutex<[Meeting: String]>([:])

    /// The customer is there and reads the code out.
    func tell(_ code: String, _ order: OrderID, _ leg: OrderLeg) {
        codes.withLock { $0[Meeting(order: order, leg: leg)] = code }
    }

    /// Nil while the customer has not come.
    func code(_ order: OrderID, _ leg: OrderLeg) -> String? {
        codes.withLock { $0[Meeting(order: order, leg: leg)] }
    }

    func forget(_ order: OrderID) {
        codes.withLock { codes in
            for leg in OrderLeg.allCases { codes[Meeting(order: order, leg: leg)] = nil }
        }
    }
}

/// Where people sign up and in: a password costs the server a processor's time on purpose, so they
/// come one after the other. More at once would only be sent away.
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
            // The place goes to the next one, or is free again.
            if waiting.isEmpty { served -= 1 } else { waiting.removeFirst().resume() }
        }
        try Task.checkCancellation()
        return try await body()
    }
}
