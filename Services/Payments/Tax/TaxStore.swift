import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

extension Transaction {
    var taxes: TaxStore { TaxStore(transaction: self) }
}

/// The versions of the tax rates. None is ever changed, so those of a past time stay the same.
struct TaxStore {
    let transaction: Transaction

    static let migrations = [
        Migration.addition(
            "taxes-1",
            """
            CREATE TABLE tax_settings (
                version BIGINT NOT NULL PRIMARY KEY,
                valid_from BIGINT NOT NULL,
                changed_at BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX tax_settings_by_time ON tax_settings (valid_from, version)")
    ]

    func newestVersion() throws -> Int {
        try transaction.row(
            "SELECT version FROM tax_settings ORDER BY version DESC LIMIT 1")?.get("version") ?? 0
    }

    /// The settings that are valid at a time, as far as they were entered by then.
    func settings(at time: Date) throws -> TaxSettings? {
        try transaction.row(
            """
            SELECT body FROM tax_settings WHERE valid_from <= ?
            ORDER BY valid_from DESC, version DESC LIMIT 1
            """, time)?.json()
    }

    /// Settings that become valid later, the first one first; of those for the same time, the newest.
    func planned(after time: Date) throws -> [TaxSettings] {
        let all: [TaxSettings] = try transaction.rows(
            "SELECT body FROM tax_settings WHERE valid_from > ? ORDER BY valid_from, version DESC",
            time
        ).map { try $0.json() }
        var known: Set<Date> = []
        return all.filter { known.insert($0.validFrom).inserted }
    }

    func insert(_ settings: TaxSettings) throws {
        try transaction.execute(
            """
            INSERT INTO tax_settings (version, valid_from, changed_at, body) VALUES (?, ?, ?, ?)
            """, settings.version, settings.validFrom, settings.changedAt, Wire.json(settings))
    }

    func page(_ page: PageRequest) throws -> Page<TaxSettings> {
        let before: Int = try page.cursor() ?? Int.max
        let rows = try transaction.rows(
            """
            SELECT version, body FROM tax_settings WHERE version < ?
            ORDER BY version DESC LIMIT ?
            """, before, page.rows)
        return try page.page(of: rows, cursor: { try $0.get("version", as: Int.self) }) {
            try $0.json()
        }
    }

    /// The tax of a bill whose price was told at a time; nil for none.
    func tax(of bill: Bill, toldAt time: Date) throws -> BillTax? {
        guard bill.total.amount > 0, let settings = try settings(at: time) else { return nil }
        return BillTax(
            bill, by: settings, country: try transaction.company.place(at: time)?.country)
    }

    /// What would be charged for a bill if it were published now.
    func charge(of bill: Bill, at now: Date) throws -> BillCharge {
        var known = Receivable(bill)
        _ = try known.apply(bill, at: now) { try tax(of: $0, toldAt: $1) }
        return BillCharge(known.charge, tax: known.addedTax)
    }
}
