import Foundation
import ServiceKit
import Synchronization

/// Makes and checks password hashes on threads of its own: the work blocks for long and takes much
/// memory, so only a few run at once, and a crowd is sent away rather than kept waiting.
final class PasswordHasher: Sendable {
    /// Hashes that run at once; each holds 32 MiB.
    static let mostRunning = 2
    /// Hashes that wait for their turn at most; beyond it the answer is 503.
    static let mostWaiting = 64

    let cost: PasswordCost
    private let decoy: PasswordHash
    private let threads: OperationQueue
    private let pending = Mutex(0)

    init(cost: PasswordCost = .standard) {
        self.cost = cost
        decoy = .decoy(cost: cost)
        threads = OperationQueue()
        threads.name = "accounts.passwords"
        threads.maxConcurrentOperationCount = Self.mostRunning
    }

    /// Hashes that run or wait.
    var pendingCount: Int { pending.withLock { $0 } }

    func hash(_ password: String) async throws -> PasswordHash {
        let cost = cost
        return try await run { try PasswordHash(password, cost: cost) }
    }

    /// False for a wrong password and, after the same work, where there is no hash to check.
    func fits(_ password: String, _ hash: PasswordHash?) async throws -> Bool {
        let isKnown = hash != nil
        let hash = hash ?? decoy
        return try await run { try hash.fits(password) } && isKnown
    }

    func run<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try enter()
        defer { pending.withLock { $0 -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            threads.addOperation { continuation.resume(with: Swift.Result(catching: work)) }
        }
    }

    private func enter() throws {
        try pending.withLock { pending in
            guard pending < Self.mostRunning + Self.mostWaiting else {
                throw Unavailable("Too many people are signing in at this moment.")
            }
            pending += 1
        }
    }
}
