import Contracts
import Foundation
import ServiceKit
import Synchronization

/// Makes and checks password hashes on its own threads. The work is slow and uses much memory, so only a few hashes run
/// at once, and excess requests are refused rather than queued. One address can use only part of the queue, so that
/// others are still served.
final class PasswordHasher: Sendable {
    /// The most hashes that run at once; each uses 32 MiB.
    static let mostRunning = 2
    /// The most hashes that wait; beyond it the answer is 503.
    static let mostWaiting = 64
    /// The most hashes of one address that run or wait.
    static let mostOfAddress = 16
    /// The longest wait. After it a hash is not begun, since the gateway is about to time out, and the unneeded work
    /// would only delay others.
    static let longestWait: Duration = .seconds(8)

    let cost: PasswordCost
    private let patience: Duration
    private let decoy: PasswordHash
    private let threads: OperationQueue
    private let pending = Mutex((all: 0, of: [String: Int]()))

    init(cost: PasswordCost, patience: Duration = PasswordHasher.longestWait) {
        self.cost = cost
        self.patience = patience
        decoy = .decoy(cost: cost)
        threads = OperationQueue()
        threads.name = "accounts.passwords"
        threads.maxConcurrentOperationCount = Self.mostRunning
    }

    /// The number of hashes that run or wait.
    var pendingCount: Int { pending.withLock { $0.all } }

    func hash(
        _ password: String, for address: ClientAddress = ClientAddress(nil)
    ) async throws -> PasswordHash {
        let cost = cost
        return try await run(for: address) { try PasswordHash(password, cost: cost) }
    }

    /// Returns false for a wrong password and, after the same work, if there is no hash to check.
    func fits(
        _ password: String, _ hash: PasswordHash?,
        for address: ClientAddress = ClientAddress(nil)
    ) async throws -> Bool {
        let isKnown = hash != nil
        let hash = hash ?? decoy
        return try await run(for: address) { try hash.fits(password) } && isKnown
    }

    func run<Result: Sendable>(
        for address: ClientAddress = ClientAddress(nil),
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try enter(address)
        defer { leave(address) }
        let (begun, patience) = (ContinuousClock.now, patience)
        return try await withCheckedThrowingContinuation { continuation in
            threads.addOperation {
                continuation.resume(
                    with: Swift.Result {
                        guard ContinuousClock.now - begun < patience else {
                            throw Self.crowded
                        }
                        return try work()
                    })
            }
        }
    }

    private static let crowded = Refusal.unavailable(
        "Too many people are signing in at the moment.")

    private func enter(_ address: ClientAddress) throws {
        try pending.withLock { pending in
            let mine = address.text.map { pending.of[$0] ?? 0 } ?? 0
            guard pending.all < Self.mostRunning + Self.mostWaiting, mine < Self.mostOfAddress
            else { throw Self.crowded }
            pending.all += 1
            if let address = address.text { pending.of[address] = mine + 1 }
        }
    }

    private func leave(_ address: ClientAddress) {
        pending.withLock { pending in
            pending.all -= 1
            guard let address = address.text, let mine = pending.of[address] else { return }
            pending.of[address] = mine == 1 ? nil : mine - 1
        }
    }
}
