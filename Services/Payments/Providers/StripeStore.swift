import Contracts
import EventBus
import Foundation
import Store

/// Stripe's ids of our customers, payments and refunds: nothing else uses these tables.
struct StripeStore: Sendable {
    static let migrations = [
        Migration(
            "stripe-1",
            """
            CREATE TABLE stripe_customers (
                payer TEXT NOT NULL PRIMARY KEY,
                stripe_id TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE stripe_intents (
                payment_id TEXT NOT NULL PRIMARY KEY,
                payer TEXT,
                stripe_id TEXT UNIQUE,
                given_up TEXT,
                created_at BIGINT NOT NULL
            )
            """,
            """
            CREATE TABLE stripe_refunds (
                refund_id TEXT NOT NULL PRIMARY KEY,
                stripe_id TEXT UNIQUE,
                created_at BIGINT NOT NULL
            )
            """),
        Migration.addition(
            "stripe-2",
            """
            CREATE TABLE stripe_accounts (
                person TEXT NOT NULL PRIMARY KEY,
                stripe_id TEXT,
                country TEXT,
                begun_at BIGINT NOT NULL
            )
            """),
    ]

    let database: Database

    struct Intent: Sendable {
        let payment: PaymentID
        let payer: PersonID?
        /// Nil until Stripe's answer is stored; nothing is confirmed before that.
        let stripeID: String?
        /// Why this payment was given up; nil if it wasn't.
        let givenUp: String?
        let createdAt: Date
    }

    func customer(_ id: PersonID) async throws -> String? {
        try await database.read { transaction in
            try transaction.row(
                "SELECT stripe_id FROM stripe_customers WHERE payer = ?", id)?
                .get("stripe_id")
        }
    }

    /// Keeps the first id, so that each customer has one at Stripe.
    func keep(_ stripeID: String, for customer: PersonID) async throws -> String {
        try await database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO stripe_customers (payer, stripe_id) VALUES (?, ?)
                ON CONFLICT DO NOTHING
                """, customer, stripeID)
            return try transaction.row(
                "SELECT stripe_id FROM stripe_customers WHERE payer = ?", customer)?
                .get("stripe_id") ?? stripeID
        }
    }

    func remove(_ customer: PersonID) async throws {
        _ = try await database.write {
            try $0.execute("DELETE FROM stripe_customers WHERE payer = ?", customer)
        }
    }

    func intent(_ payment: PaymentID) async throws -> Intent? {
        try await database.read { try Self.intent(payment, $0) }
    }

    private static func intent(_ payment: PaymentID, _ transaction: Transaction) throws -> Intent? {
        try transaction.row("SELECT * FROM stripe_intents WHERE payment_id = ?", payment).map {
            Intent(
                payment: payment, payer: try $0.getIfPresent("payer"),
                stripeID: try $0.getIfPresent("stripe_id"),
                givenUp: try $0.getIfPresent("given_up"), createdAt: try $0.get("created_at"))
        }
    }

    /// The known intent of a payment; nil if it begins now.
    func begin(_ charge: Charge, at now: Date) async throws -> Intent? {
        try await database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO stripe_intents (payment_id, payer, created_at) VALUES (?, ?, ?)
                ON CONFLICT DO NOTHING
                """, charge.id, charge.payer, now)
            return try Self.intent(charge.id, transaction)
        }
    }

    /// False if the payment was given up meanwhile: then it must not be confirmed.
    func keep(_ stripeID: String, for payment: PaymentID) async throws -> Bool {
        try await database.write { transaction in
            try transaction.execute(
                "UPDATE stripe_intents SET stripe_id = ? WHERE payment_id = ?", stripeID, payment)
            return try Self.intent(payment, transaction)?.givenUp == nil
        }
    }

    /// Ensures that nothing is confirmed under this id any more.
    func giveUp(
        _ payment: PaymentID, because reason: String, at now: Date
    ) async throws -> Intent? {
        try await database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO stripe_intents (payment_id, given_up, created_at) VALUES (?, ?, ?)
                ON CONFLICT (payment_id) DO UPDATE
                    SET given_up = COALESCE(stripe_intents.given_up, excluded.given_up)
                """, payment, reason, now)
            return try Self.intent(payment, transaction)
        }
    }

    func payment(_ stripeID: String) async throws -> PaymentID? {
        try await database.read { transaction in
            try transaction.row(
                "SELECT payment_id FROM stripe_intents WHERE stripe_id = ?", stripeID)?
                .get("payment_id")
        }
    }

    func refund(_ stripeID: String) async throws -> RefundID? {
        try await database.read { transaction in
            try transaction.row(
                "SELECT refund_id FROM stripe_refunds WHERE stripe_id = ?", stripeID)?
                .get("refund_id")
        }
    }

    struct KnownRefund: Sendable {
        let stripeID: String?
        /// Nil if it begins now.
        let begunAt: Date?
    }

    func begin(_ refund: RefundID, at now: Date) async throws -> KnownRefund {
        try await database.write { transaction in
            let row = try transaction.row(
                "SELECT stripe_id, created_at FROM stripe_refunds WHERE refund_id = ?", refund)
            if let row {
                return KnownRefund(
                    stripeID: try row.getIfPresent("stripe_id"),
                    begunAt: try row.get("created_at"))
            }
            try transaction.execute(
                "INSERT INTO stripe_refunds (refund_id, created_at) VALUES (?, ?)", refund, now)
            return KnownRefund(stripeID: nil, begunAt: nil)
        }
    }

    func known(_ refund: RefundID) async throws -> String? {
        try await database.read { transaction in
            try transaction.row(
                "SELECT stripe_id FROM stripe_refunds WHERE refund_id = ?", refund)?
                .getIfPresent("stripe_id")
        }
    }

    /// Our id of a refund that was made at Stripe; the first one stays.
    func adopt(_ stripeID: String, at now: Date) async throws -> RefundID {
        let new = RefundID.new(at: now)
        return try await database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO stripe_refunds (refund_id, stripe_id, created_at) VALUES (?, ?, ?)
                ON CONFLICT (stripe_id) DO NOTHING
                """, new, stripeID, now)
            return try transaction.row(
                "SELECT refund_id FROM stripe_refunds WHERE stripe_id = ?", stripeID)?
                .get("refund_id") ?? new
        }
    }

    /// Whether we have asked for this refund, and know no other id of it.
    func awaits(_ refund: RefundID) async throws -> Bool {
        try await database.read { transaction in
            try transaction.row(
                "SELECT 1 AS one FROM stripe_refunds WHERE refund_id = ? AND stripe_id IS NULL",
                refund) != nil
        }
    }

    func keep(_ stripeID: String, for refund: RefundID) async throws {
        _ = try await database.write {
            try $0.execute(
                "UPDATE stripe_refunds SET stripe_id = ? WHERE refund_id = ?", stripeID, refund)
        }
    }
}
