import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

enum Disputes {
    /// How often an open dispute is looked at, in case that no event tells of its end.
    static let lookPause: TimeInterval = 86_400

    static let table = DocumentTable<DisputeRecord>("disputes")

    static let migrations = [
        Migration.addition(
            "disputes-1",
            """
            CREATE TABLE disputes (
                id TEXT NOT NULL PRIMARY KEY,
                reference TEXT NOT NULL UNIQUE,
                payment_id TEXT NOT NULL REFERENCES payments (id),
                is_open BIGINT NOT NULL,
                version BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX disputes_of_payment ON disputes (payment_id, id)"),
        WaitingReturns.migration,
    ]
}

extension PaymentUseCases {
    func disputes(
        isOpen: Bool?, of payment: PaymentID?, _ page: PageRequest
    ) async throws -> Page<Dispute> {
        var conditions = Conditions()
        conditions.require("is_open = ?", ifPresent: isOpen)
        conditions.require("payment_id = ?", ifPresent: payment)
        return try await database.read { [conditions] transaction in
            try transaction.page(page, of: "disputes", where: conditions) {
                try $0.json(as: DisputeRecord.self).view
            }
        }
    }

    /// Asks the provider how a dispute stands, and enters what has changed.
    func follow(dispute reference: String) async throws {
        let askedAt = clock.now
        let report = try await asking { try await provider.dispute(reference) }
        guard let report, try await hasSucceeded(report.payment) else { return }
        let now = clock.now
        try await database.write { transaction in
            guard var charge = try transaction.attempts.find(report.payment),
                let bill = try transaction.bills.find(charge.payment.bill)?.bill
            else { return }
            let known = try transaction.disputes.find(reference)
            var record =
                known ?? DisputeRecord(.new(at: report.createdAt), report, of: charge, askedAt)
            let (before, unchanged) = (known?.status, charge)
            guard
                let lines = record.take(report, askedAt: askedAt, of: &charge, for: bill)
            else { return }
            for entry in try LedgerEntry.disputed(record, lines) {
                try transaction.ledger.enter(entry, at: now)
            }
            try transaction.disputes.keep(&record, isNew: known == nil)
            // Most daily looks find nothing new.
            if charge != unchanged { try transaction.attempts.update(&charge) }
            if before != record.status {
                try PaymentNotices.announce(
                    PaymentDisputed(
                        dispute: record.view, product: record.product, payer: record.payer),
                    at: now, in: transaction)
            }
            if record.status.isOpen {
                try transaction.schedule(
                    PaymentWork.dispute, reference, at: now.addingTimeInterval(Disputes.lookPause))
            } else {
                try transaction.unschedule(PaymentWork.dispute, reference)
                try transaction.refunds.giveBack(
                    transaction.waitingReturns.take(of: report.payment), of: report.payment,
                    at: now)
            }
        }
    }

    /// Records the disputes that began within a span, if no event has told of them.
    func followDisputes(in span: Range<Date>) async throws {
        var after: String?
        repeat {
            let last = after
            let page = try await provider.disputes(in: span, after: last)
            for reference in page.references { try await follow(dispute: reference) }
            after = page.next
        } while after != nil
    }

    /// Whether the payment has succeeded here. Throws while that is not known yet, so that the event comes again.
    func hasSucceeded(_ payment: PaymentID) async throws -> Bool {
        func find() async throws -> Attempt? {
            try await database.read { try $0.attempts.find(payment) }
        }
        guard var attempt = try await find() else { return false }
        if !attempt.isSettled {
            guard try await resolve(attempt) != nil, let settled = try await find(),
                settled.isSettled
            else { throw Refusal.paymentInProgress }
            attempt = settled
        }
        return attempt.status == .succeeded
    }
}

extension Transaction {
    var disputes: DisputeStore { DisputeStore(transaction: self) }
}

/// Disputes of payments.
struct DisputeStore {
    let transaction: Transaction

    /// By the provider's id.
    func find(_ reference: String) throws -> DisputeRecord? {
        try transaction.row("SELECT body FROM disputes WHERE reference = ?", reference)?.json()
    }

    /// Whether a bank may still decide on money of the payment.
    func hasOpen(of payment: PaymentID) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM disputes WHERE payment_id = ? AND is_open = ?", payment, true)
            != nil
    }

    fileprivate func keep(_ record: inout DisputeRecord, isNew: Bool) throws {
        guard !isNew else { return try Disputes.table.insert(record, in: transaction) }
        record.version.advance()
        try Disputes.table.update(&record, in: transaction)
    }
}
