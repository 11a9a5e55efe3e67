import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

extension Transaction {
    var documents: DocumentStore { DocumentStore(transaction: self) }
}

/// Receipts, credit notes and cancellations, and the series of their numbers.
///
/// A number is taken in the transaction that enters the money. The row of the series is locked until
/// that commits, and a transaction that rolls back gives its number back, so there are no gaps.
struct DocumentStore {
    let transaction: Transaction

    static let migrations = [
        Migration.addition(
            "documents-1",
            """
            CREATE TABLE document_series (
                kind TEXT NOT NULL,
                year BIGINT NOT NULL,
                last BIGINT NOT NULL,
                PRIMARY KEY (kind, year)
            )
            """,
            """
            CREATE TABLE document_prefixes (
                prefix TEXT NOT NULL PRIMARY KEY,
                kind TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE documents (
                id TEXT NOT NULL PRIMARY KEY,
                number TEXT NOT NULL,
                kind TEXT NOT NULL,
                year BIGINT NOT NULL,
                sequence BIGINT NOT NULL,
                bill_id TEXT NOT NULL,
                payment_id TEXT NOT NULL,
                refund_id TEXT,
                payer TEXT NOT NULL,
                total BIGINT NOT NULL,
                tax BIGINT NOT NULL,
                currency TEXT NOT NULL,
                issued_at BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE UNIQUE INDEX documents_by_sequence ON documents (kind, year, sequence)",
            "CREATE UNIQUE INDEX documents_by_number ON documents (number)",
            """
            CREATE UNIQUE INDEX documents_receipts ON documents (payment_id)
                WHERE kind = 'receipt'
            """,
            """
            CREATE UNIQUE INDEX documents_of_refund ON documents (refund_id, kind)
                WHERE refund_id IS NOT NULL
            """,
            "CREATE INDEX documents_of_bill ON documents (bill_id, id)",
            "CREATE INDEX documents_of_payer ON documents (payer, id)",
            "CREATE INDEX documents_by_time ON documents (issued_at, id)")
    ]

    // MARK: Numbers

    /// The next number of a series.
    private func nextNumber(
        of kind: PaymentDocument.Kind, _ year: Int
    ) throws -> Int {
        let row = try transaction.row(
            """
            INSERT INTO document_series (kind, year, last) VALUES (?, ?, 1)
            ON CONFLICT (kind, year) DO UPDATE SET last = document_series.last + 1
            RETURNING last
            """, kind.rawValue, year)
        guard let row else { throw StoreError(.other, "the series gave no number") }
        return try row.get("last")
    }

    /// A prefix belongs to one kind of documents for ever, so that no number is there twice.
    func keepPrefixes(of company: CompanyBody) throws {
        for kind in PaymentDocument.Kind.allCases {
            let prefix = company.prefix(of: kind)
            let usual = PaymentDocument.Kind.allCases.first { $0.usualPrefix == prefix }
            try transaction.execute(
                """
                INSERT INTO document_prefixes (prefix, kind) VALUES (?, ?) ON CONFLICT DO NOTHING
                """, prefix, (usual ?? kind).rawValue)
            let owner: String? = try transaction.row(
                "SELECT kind FROM document_prefixes WHERE prefix = ?", prefix)?.get("kind")
            guard owner == kind.rawValue else { throw Refusal.prefixTaken(kind) }
        }
    }

    // MARK: Documents

    /// Numbers a document and stores it. What tells of a payer whose account is gone is left out.
    @discardableResult
    func issue(_ draft: DocumentDraft, at now: Date) throws -> PaymentDocument {
        // As its entry, a document belongs to no day that is closed.
        let now = try transaction.ledger.entryTime(now)
        let company = try transaction.company.newest()
        let zone = company.flatMap { TimeZone(identifier: $0.body.timeZone) } ?? .gmt
        let year = Calendar.gregorian(in: zone).component(.year, from: now)
        let sequence = try nextNumber(of: draft.kind, year)
        let prefix = company?.body.prefix(of: draft.kind) ?? draft.kind.usualPrefix
        let digits = String(sequence)
        let padding = String(repeating: "0", count: max(0, Self.digits - digits.count))
        var document = draft.document(
            number: "\(prefix)\(year)-\(padding)\(digits)", seller: company?.seller ?? Company(),
            timeZone: zone.identifier, at: now)
        if try people.isForgotten(document.payer, in: transaction) {
            document.forgetPayer()
        } else {
            document.buyer = try payers.value(of: document.payer, in: transaction)?.name
        }
        try insert(document, draft.kind, year, sequence)
        try book(document)
        try transaction.documentMails.scheduleIfWanted(document, at: now)
        return document
    }

    /// Digits of a number, at least.
    private static let digits = 6

    private func insert(
        _ document: PaymentDocument, _ kind: PaymentDocument.Kind, _ year: Int, _ sequence: Int
    ) throws {
        try transaction.execute(
            """
            INSERT INTO documents
                (id, number, kind, year, sequence, bill_id, payment_id, refund_id, payer, total,
                tax, currency, issued_at, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, document.id, document.number, kind.rawValue, year, sequence, document.bill,
            document.payment, document.refund, document.payer, document.total.amount,
            document.tax.amount, document.total.currency, document.issuedAt, Wire.json(document))
    }

    func find(_ id: DocumentID) throws -> PaymentDocument? {
        try transaction.row("SELECT body FROM documents WHERE id = ?", id)?.json()
    }

    /// The receipt of a payment; nil if an earlier release received it.
    func receipt(of payment: PaymentID) throws -> PaymentDocument? {
        try transaction.row(
            "SELECT body FROM documents WHERE payment_id = ? AND kind = 'receipt'", payment)?
            .json()
    }

    /// The credit note of a refund, or what cancelled it.
    func document(
        _ kind: PaymentDocument.Kind, of refund: RefundID
    ) throws -> PaymentDocument? {
        try transaction.row(
            "SELECT body FROM documents WHERE refund_id = ? AND kind = ?", refund, kind.rawValue)?
            .json()
    }

    /// Credit notes and cancellations, in the order in which they were issued.
    func creditNotes(of payment: PaymentID) throws -> [PaymentDocument] {
        try transaction.rows(
            """
            SELECT body FROM documents WHERE payment_id = ? AND kind <> 'receipt'
            ORDER BY issued_at, id
            """, payment
        ).map { try $0.json() }
    }

    /// A receipt with the credit notes that it has by now; another document as it is.
    func withNotes(_ document: PaymentDocument) throws -> PaymentDocument {
        guard document.kind.known == .receipt else { return document }
        let notes = try creditNotes(of: document.payment).map(\.asReference)
        var document = document
        document.creditNotes = notes.isEmpty ? nil : notes
        return document
    }

    func page(
        _ page: PageRequest, where conditions: Conditions, in language: Language
    ) throws -> Page<DocumentEntry> {
        try transaction.page(page, of: "documents", where: conditions) { row in
            DocumentEntry(try row.json(), in: language)
        }
    }

    /// Removes what tells who the payer was from a page of their documents; the last id, if there may be more.
    func forgetPayer(_ person: PersonID, after: String?, limit: Int) throws -> String? {
        let rows = try transaction.rows(
            "SELECT id, body FROM documents WHERE payer = ? AND id > ? ORDER BY id LIMIT ?",
            person, after ?? "", limit)
        for row in rows {
            var document: PaymentDocument = try row.json()
            document.forgetPayer()
            try transaction.execute(
                "UPDATE documents SET body = ? WHERE id = ?", Wire.json(document), document.id)
        }
        return rows.count == limit ? try rows.last?.get("id") : nil
    }
}

extension Calendar {
    /// The calendar of the years in document numbers.
    static func gregorian(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}
