import CSV
import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// Facts that the books take from the company, people and documents.

extension PaymentUseCases {
    func companyName() async throws -> String? {
        try await database.read { try $0.company.newest()?.body.name }
    }

    /// Receipts, credit notes and cancellations, oldest first; a row for each rate of tax, or one for none.
    func documentsFile(_ query: PeriodQuery, in language: Language) async throws -> RowFile {
        let (cells, name) = try await beginFile("documents", in: language)
        let span = try BookSpan(query.from, query.to, in: cells.zone)
        let end = min(span.until ?? .distantFuture, clock.now)
        return RowFile(
            name: name,
            header: [
                "issued", "number", "kind", "refers to", "bill", "payment", "reference", "product",
                "site", "buyer", "means", "currency", "total", "tip", "country", "rate", "net",
                "tax",
            ]
        ) { place in
            try await database.read { transaction in
                let found = try transaction.documents.list(
                    from: span.from, until: end, after: place, limit: RowFile.pageSize)
                return (found.documents.flatMap { $0.cells(cells) }, found.last)
            }
        }
    }
}

extension Transaction {
    var books: BookStore { BookStore(transaction: self) }
}

/// The stores that the books read.
struct BookStore {
    let transaction: Transaction

    /// Names of people whose accounts exist.
    func names(of persons: Set<PersonID>) throws -> [PersonID: String] {
        let known = try payers.values(of: persons, in: transaction)
        return Dictionary(
            uniqueKeysWithValues: persons.compactMap { person in
                known[person.description]?.name.map { (person, $0) }
            })
    }

    /// Numbers of the documents about a payment.
    func numbers(of payment: PaymentID) throws -> [String] {
        try transaction.rows("SELECT number FROM documents WHERE payment_id = ?", payment)
            .map { try $0.get("number") }
    }

    /// The first and the last number of each series in a span.
    func documents(in span: Range<Date>) throws -> [DocumentRange] {
        try transaction.rows(
            """
            SELECT first.number AS first_number, last.number AS last_number, ends.n AS n
            FROM (SELECT kind, year, MIN(sequence) AS low, MAX(sequence) AS high, COUNT(*) AS n
                FROM documents WHERE issued_at >= ? AND issued_at < ? GROUP BY kind, year) AS ends
            JOIN documents AS first ON first.kind = ends.kind AND first.year = ends.year
                AND first.sequence = ends.low
            JOIN documents AS last ON last.kind = ends.kind AND last.year = ends.year
                AND last.sequence = ends.high
            ORDER BY first.number
            """, span.lowerBound, span.upperBound
        ).map {
            DocumentRange(
                first: try $0.get("first_number"), last: try $0.get("last_number"),
                count: try $0.get("n"))
        }
    }

    /// Tax by its rate, on the documents of a span.
    func taxes(in span: Range<Date>) throws -> [TaxOfRate] {
        try transaction.rows(
            """
            SELECT country, percent, currency, CAST(COALESCE(SUM(net), 0) AS BIGINT) AS net,
                CAST(COALESCE(SUM(tax), 0) AS BIGINT) AS tax
            FROM document_taxes WHERE issued_at >= ? AND issued_at < ?
            GROUP BY country, percent, currency ORDER BY country, percent, currency
            """, span.lowerBound, span.upperBound
        ).map { row in
            let currency: String = try row.get("currency")
            return TaxOfRate(
                country: try row.get("country"), percentThousandths: try row.get("percent"),
                net: Money(amount: try row.get("net"), currency: currency),
                tax: Money(amount: try row.get("tax"), currency: currency))
        }
    }
}

extension DocumentStore {
    static let bookMigrations = [
        Migration.addition(
            "document-taxes-1",
            """
            CREATE TABLE document_taxes (
                document TEXT NOT NULL,
                place BIGINT NOT NULL,
                country TEXT NOT NULL,
                percent BIGINT NOT NULL,
                net BIGINT NOT NULL,
                tax BIGINT NOT NULL,
                currency TEXT NOT NULL,
                issued_at BIGINT NOT NULL,
                PRIMARY KEY (document, place)
            )
            """,
            "CREATE INDEX document_taxes_by_time ON document_taxes (issued_at)")
    ]

    /// Adds a document that was issued to the sums of taxes, and its number to the search.
    func book(_ document: PaymentDocument) throws {
        for (place, row) in document.taxes.enumerated() {
            try transaction.execute(
                """
                INSERT INTO document_taxes
                    (document, place, country, percent, net, tax, currency, issued_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, document.id, place, row.country, row.percentThousandths, row.net.amount,
                row.tax.amount, row.tax.currency, document.issuedAt)
        }
        try transaction.paymentSearch.add(document.number, to: document.payment)
    }

    /// Documents of a span after a place, in the order in which they were issued.
    fileprivate func list(
        from start: Date?, until end: Date, after place: String?, limit: Int
    ) throws -> (documents: [PaymentDocument], last: String?) {
        var conditions = Conditions("issued_at < ?", end)
        conditions.require("issued_at >= ?", ifPresent: start)
        if let last = place.flatMap(LedgerPosition.init) {
            conditions.require(
                "(issued_at > ? OR (issued_at = ? AND id > ?))", last.enteredAt, last.enteredAt,
                last.entry)
        }
        let rows = try transaction.rows(
            """
            SELECT issued_at AS created_at, id AS entry_id, body FROM documents \(conditions.where)
            ORDER BY issued_at, id LIMIT ?
            """, arguments: conditions.arguments + [limit])
        return (
            try rows.map { try $0.json() },
            rows.count < limit ? nil : try rows.last.map { try LedgerPosition($0).description }
        )
    }
}

extension PaymentDocument {
    fileprivate func cells(_ cells: CellText) -> [[CSVCell]] {
        let head: [CSVCell] = [
            cells.time(issuedAt), cells.text(number), .plain(kind.rawValue),
            cells.text(refersTo?.number), .plain(bill.description), .plain(payment.description),
            cells.text(reference),
            cells.text(AccountNames.product(product, in: cells.language)), cells.text(site?.name),
            cells.text(buyer), .plain(means.rawValue), .plain(total.currency),
        ]
        // A sum of a column counts each document once.
        let amounts = [cells.amount(total), cells.amount(tip)]
        guard !taxes.isEmpty else { return [head + amounts + [.empty, .empty, .empty, .empty]] }
        return taxes.enumerated().map { index, tax in
            head + (index == 0 ? amounts : [.empty, .empty]) + [
                .plain(tax.country), .plain(BookPeriod.percent(tax.percentThousandths)),
                cells.amount(tax.net), cells.amount(tax.tax),
            ]
        }
    }
}

extension SiteStore {
    func names(of ids: Set<String>) throws -> [String: String] {
        guard !ids.isEmpty else { return [:] }
        let rows = try transaction.rows(
            "SELECT id, name FROM sites WHERE id IN (\(transaction.marks(ids.count)))",
            arguments: ids.sorted())
        return Dictionary(
            uniqueKeysWithValues: try rows.map { (try $0.get("id"), try $0.get("name")) })
    }
}
