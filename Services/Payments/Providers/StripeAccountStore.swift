import Contracts
import Foundation
import Store

// Connected accounts that we opened for people.

extension StripeStore {
    struct KnownAccount: Sendable {
        /// Nil until Stripe's answer is stored.
        let stripeID: String?
        /// As first asked for, so that a repeat is the same request.
        let country: String?
        let begunAt: Date
        /// Whether an earlier call began it.
        let isRepeat: Bool
    }

    /// The known account of a person, or one that begins now.
    func beginAccount(
        of person: PersonID, in country: String?, at now: Date
    ) async throws -> KnownAccount {
        try await database.write { transaction in
            let row = try transaction.row("SELECT * FROM stripe_accounts WHERE person = ?", person)
            if let row {
                return KnownAccount(
                    stripeID: try row.getIfPresent("stripe_id"),
                    country: try row.getIfPresent("country"), begunAt: try row.get("begun_at"),
                    isRepeat: true)
            }
            try transaction.execute(
                "INSERT INTO stripe_accounts (person, country, begun_at) VALUES (?, ?, ?)",
                person, country, now)
            return KnownAccount(stripeID: nil, country: country, begunAt: now, isRepeat: false)
        }
    }

    func account(of person: PersonID) async throws -> String? {
        try await database.read { transaction in
            try transaction.row("SELECT stripe_id FROM stripe_accounts WHERE person = ?", person)?
                .getIfPresent("stripe_id")
        }
    }

    func keepAccount(_ stripeID: String, of person: PersonID) async throws {
        _ = try await database.write {
            try $0.execute(
                "UPDATE stripe_accounts SET stripe_id = ? WHERE person = ?", stripeID, person)
        }
    }

    func removeAccount(of person: PersonID) async throws {
        _ = try await database.write {
            try $0.execute("DELETE FROM stripe_accounts WHERE person = ?", person)
        }
    }

    /// An account that Stripe refused to open, or that exists no more: the next one begins anew.
    func removeAccount(_ stripeID: String) async throws {
        _ = try await database.write {
            try $0.execute("DELETE FROM stripe_accounts WHERE stripe_id = ?", stripeID)
        }
    }
}
