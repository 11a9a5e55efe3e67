import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// Payments as operators see them: with what was paid for, and the payer's name.

extension PaymentUseCases {
    /// For operators, filtered.
    func entries(
        _ filters: PaymentsQuery, _ page: PageRequest, in language: Language
    ) async throws -> Page<PaymentEntry> {
        try await database.read { transaction in
            let rows = try transaction.paymentSearch.page(filters, page)
            let entries = try transaction.paymentSearch.entries(rows, in: language)
            return try page.page(of: rows, cursor: { try $0.get("id", as: String.self) }) { row in
                guard let entry = entries[try row.get("id")] else {
                    throw StoreError(.other, "no such payment")
                }
                return entry
            }
        }
    }

    func totals(_ filters: PaymentSumsQuery) async throws -> PaymentTotals {
        try await database.read { try $0.paymentSearch.totals(filters) }
    }
}

extension PaymentSearch {
    /// The payments and refunds of these rows, by id.
    func entries(_ rows: [Row], in language: Language) throws -> [String: PaymentEntry] {
        let ids = try rows.map { try $0.get("id", as: String.self) }
        guard !ids.isEmpty else { return [:] }
        var found: [String: Found] = [:]
        for (id, attempt) in try bodies(ids, "payments", Attempt.self) {
            var payment = attempt.payment
            payment.clientSecret = nil
            found[id] = Found(
                entry: PaymentEntry(payment: payment), payer: attempt.payer, bill: payment.bill,
                isEntered: payment.status == .succeeded)
        }
        for (id, attempt) in try bodies(ids, "refunds", RefundAttempt.self) {
            var entry = PaymentEntry(refund: attempt.refund)
            (entry.refundState, entry.refundFailure) = (attempt.state.told, attempt.failure)
            found[id] = Found(
                entry: entry, payer: attempt.payer, bill: attempt.refund.bill,
                isEntered: attempt.state == .succeeded)
        }
        let bills = try bodies(
            Set(found.values.map(\.bill.description)).sorted(), "bills", Receivable.self)
        let names = try transaction.books.names(of: Set(found.values.map(\.payer)))
        var entries: [String: PaymentEntry] = [:]
        for row in rows {
            let id: String = try row.get("id")
            guard var one = found[id] else { continue }
            if one.isEntered { one.entry.enteredAt = try row.get("entered_at") }
            (one.entry.payer, one.entry.payerName) = (one.payer, names[one.payer])
            if let known = bills[one.bill.description] {
                one.entry.tell(of: known.bill, in: language)
            }
            entries[id] = one.entry
        }
        return entries
    }

    private struct Found {
        var entry: PaymentEntry
        let payer: PersonID
        let bill: BillID
        /// Whether money has moved.
        let isEntered: Bool
    }

    private func bodies<Value: Codable & Sendable>(
        _ ids: [String], _ table: String, _ type: Value.Type
    ) throws -> [String: Value] {
        guard !ids.isEmpty else { return [:] }
        let rows = try transaction.rows(
            "SELECT id, body FROM \(table) WHERE id IN (\(transaction.marks(ids.count)))",
            arguments: ids)
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.get("id"), try $0.json()) })
    }
}

extension RefundAttempt.State {
    fileprivate var told: RefundState {
        switch self {
        case .processing: .processing
        case .succeeded: .succeeded
        case .failed: .failed
        }
    }
}

extension PaymentEntry {
    fileprivate mutating func tell(of bill: Bill, in language: Language) {
        (title, reference) = (bill.facts.title[language], bill.facts.reference)
        product = bill.product
        (site, siteName) = (bill.facts.site?.id, bill.facts.site?.name)
    }
}
