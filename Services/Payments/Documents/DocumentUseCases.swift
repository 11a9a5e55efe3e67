import Contracts
import Foundation
import ServiceKit
import Store

extension PaymentUseCases {
    /// A document for its payer; for operators, anyone's.
    func document(_ id: DocumentID, for payer: PersonID?) async throws -> PaymentDocument {
        try await database.read { transaction in
            guard let document = try transaction.documents.find(id),
                payer == nil || payer == document.payer
            else { throw Refusal.documentUnknown }
            return try transaction.documents.withNotes(document)
        }
    }

    /// The receipt of a guest's bill. That of somebody with an account names them.
    func guestReceipt(of bill: BillID) async throws -> PaymentDocument {
        try await database.read { transaction in
            guard let known = try transaction.bills.find(bill), known.bill.isGuest == true,
                let payment = known.paidBy,
                let document = try transaction.documents.receipt(of: payment)
            else { throw Refusal.documentUnknown }
            return try transaction.documents.withNotes(document)
        }
    }

    /// The documents of one payer, newest first.
    func documents(of payer: PersonID, _ page: PageRequest) async throws -> Page<DocumentEntry> {
        try await database.read { transaction in
            try transaction.documents.page(
                page, where: Conditions("payer = ?", payer),
                in: knownLanguage(of: payer, in: transaction))
        }
    }

    /// All documents that match, newest first, in the operator's language.
    func documents(
        _ query: DocumentsQuery, for person: PersonID
    ) async throws -> Page<DocumentEntry> {
        try await database.read { transaction in
            let zone = try transaction.company.timeZone()
            var conditions = Conditions()
            if let number = query.number, !number.isEmpty {
                // By bytes, as both engines compare texts: whatever begins with it.
                conditions.require("number >= ? AND number < ?", number, "\(number)\u{10FFFF}")
            }
            conditions.require("kind = ?", ifPresent: query.kind?.rawValue)
            conditions.require("bill_id = ?", ifPresent: query.bill)
            let from = try query.fromDay.map { try Day($0, of: "fromDay", in: zone) }
            let until = try query.untilDay.map { try Day($0, of: "untilDay", in: zone) }
            conditions.require("issued_at >= ?", ifPresent: from?.span.lowerBound)
            conditions.require("issued_at < ?", ifPresent: until?.span.upperBound)
            return try transaction.documents.page(
                query.page, where: conditions, in: knownLanguage(of: person, in: transaction))
        }
    }
}

extension Day {
    /// The day that a field names.
    fileprivate init(_ text: String, of field: String, in zone: TimeZone) throws(Refusal) {
        guard let day = try? Day(text, in: zone) else {
            throw .invalid(field, "Use a day, for example 2026-11-21.")
        }
        self = day
    }
}
