import CSV
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit
import Store

/// A file of comma-separated values that is read and sent page by page, so that one with any number of rows needs the
/// memory of one page.
struct RowFile: Sendable {
    /// Entries per page.
    static let pageSize = 500

    /// The rows of a page, and the place after which the next one begins; nil after the last page.
    typealias Part = (rows: [[CSVCell]], next: String?)

    /// Without its ending.
    let name: String
    let header: [String]
    /// Reads the page after a place; the first one after nil.
    let page: @Sendable (String?) async throws -> Part

    /// Writes all pages in order, each before the next is read.
    func write(to send: (String) async throws -> Void) async throws {
        try await send(csvByteOrderMark + csvLine(header.map(CSVCell.text)))
        var place: String?
        repeat {
            let part = try await page(place)
            if !part.rows.isEmpty { try await send(part.rows.map(csvLine).joined()) }
            place = part.next
        } while place != nil
    }

    /// A file that can't be read to its end breaks off, so that nobody takes it for whole.
    var response: Response {
        Response(
            status: .ok, headers: Self.headers(name),
            body: ResponseBody { writer in
                try await write { try await writer.write(ByteBuffer(string: $0)) }
                try await writer.finish(nil)
            })
    }

    static func headers(_ name: String) -> HTTPFields {
        [
            .contentType: "text/csv; charset=utf-8; header=present",
            .contentDisposition: "attachment; filename=\"\(name).csv\"",
            .cacheControl: "private, no-store", .vary: "Accept",
        ]
    }
}

/// Writes values of the books into cells.
struct CellText: Sendable {
    let zone: TimeZone
    let language: Language

    /// Local time with its offset from UTC, for example `2026-11-30T14:05:00+01:00`.
    func time(_ date: Date) -> CSVCell {
        .plain(
            date.formatted(Date.ISO8601FormatStyle(timeZoneSeparator: .colon, timeZone: zone)))
    }

    func text(_ text: String?) -> CSVCell { text.map(CSVCell.text) ?? .empty }
    func amount(_ money: Money?) -> CSVCell { money.map { .plain($0.decimal) } ?? .empty }
}

// MARK: - Files

extension PaymentUseCases {
    /// Payments and refunds, oldest first. What is entered after the request is not in the file.
    func paymentsFile(_ filters: PaymentSumsQuery, in language: Language) async throws -> RowFile {
        let (cells, name) = try await beginFile("payments", in: language)
        try await database.read { _ = try $0.paymentSearch.conditions(filters) }
        let end = clock.now
        return RowFile(
            name: name,
            header: [
                "time", "created", "kind", "state", "id", "payment", "bill", "reference", "title",
                "product", "site", "payer", "means", "card", "currency", "amount", "tip", "tax",
                "reason",
            ]
        ) { place in
            try await database.read { transaction in
                var conditions = try transaction.paymentSearch.conditions(filters)
                conditions.require("id > ? AND entered_at <= ?", place ?? "", end)
                let rows = try transaction.rows(
                    """
                    SELECT id, kind, payment, bill_id, state, means, tax, entered_at
                    FROM payment_search \(conditions.where) ORDER BY id LIMIT ?
                    """, arguments: conditions.arguments + [RowFile.pageSize])
                let entries = try transaction.paymentSearch.entries(rows, in: language)
                return (
                    try rows.compactMap { row in
                        try entries[row.get("id")].map { try $0.cells(row, cells) }
                    },
                    rows.count < RowFile.pageSize ? nil : try rows.last?.get("id")
                )
            }
        }
    }

    /// A row for each posting, oldest first.
    func ledgerFile(_ filters: LedgerFileQuery, in language: Language) async throws -> RowFile {
        let (cells, name) = try await beginFile("ledger", in: language)
        let none = LedgerPosition.end
        try await database.read {
            _ = try $0.ledger.records(filters, after: none, until: .distantPast, limit: 1)
        }
        let end = clock.now
        return RowFile(
            name: name,
            header: [
                "time", "entry", "kind", "bill", "account", "name", "currency", "debit", "credit",
            ]
        ) { place in
            try await database.read { transaction in
                let found = try transaction.ledger.records(
                    filters, after: place.flatMap(LedgerPosition.init),
                    until: end, limit: RowFile.pageSize)
                let accounts = found.records.flatMap { $0.postings.map(\.account) }
                let names = try AccountNames(accounts, in: language, transaction)
                return (
                    found.records.flatMap { $0.cells(cells, names) }, found.last?.description
                )
            }
        }
    }

    /// A row for each person and currency.
    func balancesFile(_ text: String?, in language: Language) async throws -> RowFile {
        let (cells, name) = try await beginFile("balances", in: language)
        return RowFile(
            name: name,
            header: [
                "person", "name", "currency", "available", "pending", "held back", "processing",
                "paid out", "last payout",
            ]
        ) { place in
            let page = PageRequest(after: place, limit: RowFile.pageSize)
            let found = try await balances(text, page)
            return (found.items.flatMap { $0.cells(cells) }, found.next)
        }
    }

    /// Closed days, a row for each of their numbers.
    func daysFile(_ query: PeriodQuery, in language: Language) async throws -> RowFile {
        let (cells, name) = try await beginFile("days", in: language)
        let span = try BookSpan(query.from, query.to, in: cells.zone)
        return RowFile(name: name, header: ["day"] + BookPeriod.header) { place in
            let days = try await database.read {
                try $0.closings.list(span, after: place ?? "", limit: Self.daysAtOnce)
            }
            let rows = days.flatMap { day in
                day.books.rows(in: language).map { [.plain(day.day)] + $0 }
            }
            return (rows, days.count < Self.daysAtOnce ? nil : days.last?.day)
        }
    }

    /// Closed days per page of a file: each has dozens of rows.
    private static let daysAtOnce = 20

    /// How values are written, and the file's name with the company's day.
    func beginFile(
        _ name: String, in language: Language
    ) async throws -> (cells: CellText, name: String) {
        let zone = try await database.read { try $0.company.timeZone() }
        return (
            CellText(zone: zone, language: language), "\(name)-\(Day(clock.now, in: zone).text)"
        )
    }
}

extension PaymentEntry {
    fileprivate func cells(_ row: Row, _ cells: CellText) throws -> [CSVCell] {
        let amount =
            payment?.amount
            ?? refund.map {
                Money(amount: -$0.amount.amount, currency: $0.amount.currency)
            }
        let tax = try row.get("tax", as: Int.self) * (refund == nil ? 1 : -1)
        return [
            enteredAt.map(cells.time) ?? .empty, cells.time(createdAt), .plain(kind.rawValue),
            .plain(try row.get("state")), .plain(try row.get("id")),
            .plain(try row.get("payment")), .plain(try row.get("bill_id")),
            cells.text(reference), cells.text(title),
            cells.text(product.map { AccountNames.product($0, in: cells.language) }),
            cells.text(siteName), cells.text(payerName), .plain(try row.get("means")),
            cells.text(payment?.last4), cells.text(amount?.currency), cells.amount(amount),
            cells.amount(payment?.tip),
            tax == 0
                ? .empty : cells.amount(amount.map { Money(amount: tax, currency: $0.currency) }),
            cells.text(refund?.reason ?? payment?.declineReason),
        ]
    }
}

extension LedgerRecord {
    fileprivate func cells(_ cells: CellText, _ names: AccountNames) -> [[CSVCell]] {
        postings.map { posting in
            let money = Money(amount: abs(posting.amount), currency: posting.currency)
            return [
                cells.time(enteredAt), .plain(id), .plain(kind),
                bill.map { .plain($0.description) } ?? .empty, cells.text(posting.account),
                cells.text(names.name(posting.account)), .plain(posting.currency),
                posting.amount > 0 ? cells.amount(money) : .empty,
                posting.amount < 0 ? cells.amount(money) : .empty,
            ]
        }
    }
}

extension PersonBalance {
    fileprivate func cells(_ cells: CellText) -> [[CSVCell]] {
        currencies.map { sum in
            [
                .plain(person.description), cells.text(name), .plain(sum.available.currency),
                cells.amount(sum.available), cells.amount(sum.pending),
                cells.amount(sum.frozen), cells.amount(sum.processing), cells.amount(sum.paidOut),
                lastPayout.map { cells.time($0.createdAt) } ?? .empty,
            ]
        }
    }
}
