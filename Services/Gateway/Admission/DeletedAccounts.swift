import Contracts
import Foundation
import ServiceKit
import Synchronization

/// Accounts that were deleted while their access tokens may still be valid. Their tokens are refused here, since a
/// service can't revoke a token that is checked by its signature.
///
/// A gateway that starts after a deletion doesn't know it: the tokens may then read until they expire. Services
/// remember deletions, and refuse each action.
final class DeletedAccounts: Sendable {
    /// How long a deletion is remembered, in seconds: as long as a token that was made just before it.
    static let kept = TimeInterval(AccessClaims.life)

    private let clock: ServiceClock
    private let deletions = Mutex<[PersonID: Date]>([:])

    init(clock: ServiceClock) { self.clock = clock }

    /// An old deletion, which may be replayed, is not kept: its tokens have expired.
    func add(_ person: PersonID, at deletion: Date) {
        let now = clock.now
        guard now.timeIntervalSince(deletion) < Self.kept else { return }
        deletions.withLock { deletions in
            deletions = deletions.filter { now.timeIntervalSince($0.value) < Self.kept }
            deletions[person] = deletion
        }
    }

    func contains(_ person: PersonID) -> Bool {
        let at = deletions.withLock { $0[person] }
        return at.map { clock.now.timeIntervalSince($0) < Self.kept } ?? false
    }
}
