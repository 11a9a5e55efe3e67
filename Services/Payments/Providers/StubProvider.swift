import Contracts
import Foundation
import ServiceKit
import Store

/// A payment provider that moves no money and stores all calls, so that it survives restarts.
///
/// It accepts the names of Stripe's test cards. `pm_card_authenticationRequired` needs a further
/// step; paying again with the same token counts as the payer's confirmation.
struct StubProvider: PaymentProvider {
    private static let cards = Dictionary(
        uniqueKeysWithValues: TestCards.all.map { ($0.token, $0) })

    /// Nothing else uses these tables.
    static let migrations = [
        Migration(
            "stub-provider-1",
            """
            CREATE TABLE stub_charges (
                id TEXT NOT NULL PRIMARY KEY,
                bill_id TEXT,
                amount BIGINT NOT NULL,
                currency TEXT NOT NULL,
                refunded BIGINT NOT NULL,
                state TEXT NOT NULL,
                reason TEXT,
                moved_at BIGINT NOT NULL
            )
            """,
            """
            CREATE TABLE stub_refunds (
                id TEXT NOT NULL PRIMARY KEY,
                charge_id TEXT NOT NULL,
                amount BIGINT NOT NULL,
                currency TEXT NOT NULL,
                failure TEXT,
                moved_at BIGINT NOT NULL
            )
            """,
            """
            CREATE TABLE stub_payouts (
                id TEXT NOT NULL PRIMARY KEY,
                account TEXT,
                amount BIGINT NOT NULL,
                currency TEXT NOT NULL,
                failure TEXT
            )
            """),
        Migration.addition(
            "stub-provider-2",
            """
            CREATE TABLE stub_accounts (
                name TEXT NOT NULL PRIMARY KEY,
                country TEXT,
                bank TEXT,
                identify_by BIGINT
            )
            """),
    ]
    /// Movements per page.
    static let page = 100

    let database: Database
    let clock: ServiceClock

    func instrument(for token: PaymentToken) async throws -> Instrument? {
        Self.instrument(token.text)
    }

    /// A card's token may end with the expiry date that was typed: `pm_card_visa_exp_0129`. Without it, the card
    /// does not expire soon.
    private static func instrument(_ token: String) -> Instrument? {
        let parts = token.split(separator: "_exp_", maxSplits: 1).map(String.init)
        guard let name = parts.first, let card = cards[name] else { return nil }
        guard parts.count > 1 else {
            return Instrument(
                reference: token, brand: card.brand, last4: card.last4,
                expiry: CardExpiry(month: 12, year: 2_049))
        }
        guard parts[1].utf8.count == 4, let number = Int(parts[1]),
            let expiry = CardExpiry(month: number / 100, year: 2_000 + number % 100)
        else { return nil }
        return Instrument(
            reference: token, brand: card.brand, last4: card.last4, expiry: expiry)
    }

    private static func card(_ reference: String) -> PaymentProviderInfo.TestMethod? {
        reference.split(separator: "_exp_", maxSplits: 1).first.flatMap { cards[String($0)] }
    }

    func beginSetup(for payer: PersonID) async throws -> String { "stub_setup_\(UUID())_secret" }

    func saved(_ reference: String) async throws -> Instrument? { Self.instrument(reference) }

    func keep(_ token: PaymentToken, for payer: PersonID) async throws -> KeepOutcome {
        try await instrument(for: token).map { .kept($0) } ?? .unknown
    }

    func release(_ reference: String) async throws {}

    func forget(_ payer: PersonID) async throws {}

    func charge(_ charge: Charge) async throws -> ChargeOutcome {
        let now = clock.now
        return try await database.write { transaction in
            if let known = try Self.outcome(of: charge.id, transaction) { return known }
            let outcome: ChargeOutcome =
                switch Self.card(charge.reference)?.outcome {
                case _ where Self.instrument(charge.reference)?.expiry?.isPast(at: now) == true:
                    .declined("expired_card")
                case .succeeds: charge.isHold ? .authorized : .succeeded
                case .declined: .declined(TestCards.declineReason(of: charge.reference))
                case .requiresAction: .requiresAction(clientSecret: Self.secret(charge.id))
                case nil: .declined("resource_missing")
                }
            let (state, reason) = Self.columns(outcome)
            try transaction.execute(
                """
                INSERT INTO stub_charges
                    (id, bill_id, amount, currency, refunded, state, reason, moved_at)
                VALUES (?, ?, ?, ?, 0, ?, ?, ?)
                """, charge.id, charge.bill, charge.amount.amount, charge.amount.currency, state,
                reason, now)
            return outcome
        }
    }

    func resume(_ payment: PaymentID, isHold: Bool) async throws -> ChargeOutcome {
        let now = clock.now
        return try await database.write { transaction in
            try transaction.execute(
                """
                UPDATE stub_charges SET state = ?, moved_at = ?
                WHERE id = ? AND state = 'requiresAction'
                """, isHold ? "authorized" : "succeeded", now, payment)
            return try Self.outcome(of: payment, transaction) ?? .declined("resource_missing")
        }
    }

    /// Records a failed confirmation, after which the card is declined. A successful one needs no record, because
    /// paying again counts as one. False if no payment waits for a confirmation with this secret.
    func record(_ confirmation: TestConfirmation) async throws -> Bool {
        let secret = confirmation.clientSecret
        guard secret.hasPrefix("stub_"), secret.hasSuffix("_secret"),
            let payment = PaymentID(String(secret.dropFirst(5).dropLast(7)))
        else { return false }
        return try await database.write { transaction in
            guard case .requiresAction = try Self.outcome(of: payment, transaction) else {
                return false
            }
            guard !confirmation.isConfirmed else { return true }
            try transaction.execute(
                "UPDATE stub_charges SET state = 'declined', reason = ? WHERE id = ?",
                Self.authenticationFailed, payment)
            return true
        }
    }

    /// Stripe's name for a confirmation that failed.
    static let authenticationFailed = "payment_intent_authentication_failure"

    func capture(_ payment: PaymentID, _ amount: Money) async throws -> ChargeOutcome {
        let now = clock.now
        return try await database.write { transaction in
            try transaction.execute(
                """
                UPDATE stub_charges SET state = 'succeeded', amount = ?, moved_at = ?
                WHERE id = ? AND state = 'authorized' AND amount >= ?
                """, amount.amount, now, payment, amount.amount)
            return try Self.outcome(of: payment, transaction) ?? .declined("resource_missing")
        }
    }

    func status(of payment: PaymentID) async throws -> ChargeOutcome? {
        try await database.read { try Self.outcome(of: payment, $0) }
    }

    func cancel(_ payment: PaymentID, because reason: CancelReason) async throws -> ChargeOutcome {
        try await database.write { transaction in
            // The id is used up for a charge that arrives later.
            try transaction.execute(
                """
                INSERT INTO stub_charges
                    (id, amount, currency, refunded, state, reason, moved_at)
                VALUES (?, 0, '', 0, 'cancelled', ?, 0)
                ON CONFLICT (id) DO UPDATE SET state = 'cancelled', reason = excluded.reason
                    WHERE stub_charges.state IN ('requiresAction', 'authorized')
                """, payment, reason.rawValue)
            return try Self.outcome(of: payment, transaction) ?? .cancelled(reason.rawValue)
        }
    }

    func refund(_ refund: Refund) async throws -> RefundOutcome {
        let now = clock.now
        return try await database.write { transaction in
            if let row = try transaction.row(
                "SELECT failure FROM stub_refunds WHERE id = ?", refund.id)
            {
                let failure: String? = try row.getIfPresent("failure")
                return failure.map { .failed($0) } ?? .succeeded
            }
            let changed = try transaction.execute(
                """
                UPDATE stub_charges SET refunded = refunded + ?
                WHERE id = ? AND state = 'succeeded' AND refunded + ? <= amount
                """, refund.amount.amount, refund.payment, refund.amount.amount)
            let failure = changed == 1 ? nil : "charge_already_refunded"
            try transaction.execute(
                """
                INSERT INTO stub_refunds (id, charge_id, amount, currency, failure, moved_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """, refund.id, refund.payment, refund.amount.amount, refund.amount.currency,
                failure, now)
            return failure.map { .failed($0) } ?? .succeeded
        }
    }

    func movements(in span: Range<Date>, after: String?) async throws -> MovementPage {
        try await database.read { transaction in
            let rows = try transaction.rows(
                """
                SELECT id, 'payment' AS kind, amount, currency FROM stub_charges
                WHERE state = 'succeeded' AND moved_at >= ? AND moved_at < ? AND id > ?
                UNION ALL
                SELECT id, 'refund' AS kind, amount, currency FROM stub_refunds
                WHERE failure IS NULL AND moved_at >= ? AND moved_at < ? AND id > ?
                ORDER BY id LIMIT ?
                """, span.lowerBound, span.upperBound, after ?? "", span.lowerBound,
                span.upperBound, after ?? "", Self.page)
            return MovementPage(
                items: try rows.map(Self.movement),
                next: rows.count == Self.page ? try rows.last?.get("id") : nil)
        }
    }

    func movement(of cause: Movement.Cause) async throws -> Movement? {
        try await database.read { transaction in
            switch cause {
            case .payment(let id):
                try transaction.row(
                    """
                    SELECT id, 'payment' AS kind, amount, currency FROM stub_charges
                    WHERE id = ? AND state = 'succeeded'
                    """, id
                ).map(Self.movement)
            case .refund(let id):
                try transaction.row(
                    """
                    SELECT id, 'refund' AS kind, amount, currency FROM stub_refunds
                    WHERE id = ? AND failure IS NULL
                    """, id
                ).map(Self.movement)
            case .payout(let id):
                try transaction.row(
                    """
                    SELECT amount, currency FROM stub_payouts WHERE id = ? AND failure IS NULL
                    """, id
                ).map {
                    Movement(
                        cause: cause, reference: id.description,
                        amount: Money(
                            amount: try $0.get("amount"), currency: try $0.get("currency")))
                }
            case .dispute: nil
            }
        }
    }

    // Nobody but us moves its money: there are no disputes, and no refunds that are not ours.

    func refunds(of payment: PaymentID) async throws -> [ReportedRefund] {
        try await database.read { transaction in
            try transaction.rows(
                """
                SELECT id, amount, currency, failure FROM stub_refunds WHERE charge_id = ?
                ORDER BY id
                """, payment
            ).map { row in
                let failure: String? = try row.getIfPresent("failure")
                return ReportedRefund(
                    reference: try row.get("id"), refund: try row.get("id"),
                    amount: Money(amount: try row.get("amount"), currency: try row.get("currency")),
                    outcome: failure.map { .failed($0) } ?? .succeeded)
            }
        }
    }

    func adopt(_ refund: String) async throws -> RefundID {
        guard let id = RefundID(refund) else {
            throw ProviderUnavailable(detail: "stub: no such refund")
        }
        return id
    }

    func dispute(_ reference: String) async throws -> ReportedDispute? { nil }

    func disputes(in span: Range<Date>, after: String?) async throws -> DisputePage {
        DisputePage(references: [], next: nil)
    }

    func failedPayout(_ reference: String) async throws -> FailedPayout? { nil }

    private static func movement(_ row: Row) throws -> Movement {
        let id: String = try row.get("id")
        let isPayment = try row.get("kind", as: String.self) == "payment"
        return Movement(
            cause: isPayment
                ? PaymentID(id).map { .payment($0) } : RefundID(id).map { .refund($0) },
            reference: id,
            amount: Money(amount: try row.get("amount"), currency: try row.get("currency")))
    }

    private static func secret(_ payment: PaymentID) -> String { "stub_\(payment)_secret" }

    private static func columns(_ outcome: ChargeOutcome) -> (state: String, reason: String?) {
        switch outcome {
        case .succeeded: ("succeeded", nil)
        case .declined(let reason): ("declined", reason)
        case .requiresAction: ("requiresAction", nil)
        case .cancelled(let reason): ("cancelled", reason)
        case .authorized: ("authorized", nil)
        case .pending: ("pending", nil)
        }
    }

    private static func outcome(
        of payment: PaymentID, _ transaction: Transaction
    ) throws -> ChargeOutcome? {
        guard
            let row = try transaction.row(
                "SELECT state, reason FROM stub_charges WHERE id = ?", payment)
        else { return nil }
        let reason = try row.getIfPresent("reason", as: String.self) ?? ""
        switch try row.get("state", as: String.self) {
        case "succeeded": return .succeeded
        case "declined": return .declined(reason)
        case "requiresAction": return .requiresAction(clientSecret: secret(payment))
        case "authorized": return .authorized
        case "cancelled": return .cancelled(reason)
        default: return .pending
        }
    }
}
