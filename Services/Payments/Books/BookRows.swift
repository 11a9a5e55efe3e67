import CSV
import Contracts
import Foundation
import ServiceKit

/// The numbers of a period one by one, for files and printed pages.
struct BookRow: Sendable, Hashable {
    /// The part of the books, a key of the texts, for example `sold`.
    let part: String
    /// The subject of the number, in words; empty for a sum.
    let name: String
    let amount: Money
    let count: Int?
}

extension BookPeriod {
    static let header = ["part", "name", "currency", "amount", "count"]

    func rows(in language: Language) -> [[CSVCell]] {
        let cells = CellText(zone: TimeZone(identifier: timeZone) ?? .gmt, language: language)
        return bookRows(in: language).map { row -> [CSVCell] in
            [
                .text(Self.words("part-\(row.part)", language)), .text(row.name),
                .plain(row.amount.currency), cells.amount(row.amount),
                row.count.map { .plain(String($0)) } ?? .empty,
            ]
        }
            + documents.map { range -> [CSVCell] in
                [
                    .text(Self.words("part-documents", language)),
                    .text("\(range.first) – \(range.last)"), .empty, .empty,
                    .plain(String(range.count)),
                ]
            }
    }

    static func words(_ key: String, _ language: Language) -> String {
        PaymentNotices.words.text("books.\(key)", in: language)
    }

    func bookRows(in language: Language) -> [BookRow] {
        currencies.flatMap { $0.rows(in: language) }
            + taxes.flatMap { tax -> [BookRow] in
                let name = "\(tax.country) \(Self.percent(tax.percentThousandths))"
                return [
                    BookRow(part: "rateNet", name: name, amount: tax.net, count: nil),
                    BookRow(part: "rateTax", name: name, amount: tax.tax, count: nil),
                ]
            }
    }

    /// For example `25.5 %`.
    static func percent(_ thousandths: Int) -> String {
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
        guard rest != 0 else { return "\(whole) %" }
        var digits = String(1_000 + rest).dropFirst()
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits) %"
    }
}

extension BookSums {
    fileprivate func rows(in language: Language) -> [BookRow] {
        let sold = self.sold.flatMap { one -> [BookRow] in
            let name = [AccountNames.product(one.product, in: language), one.siteName ?? one.site]
                .compactMap(\.self).joined(separator: ", ")
            return [
                BookRow(part: "sold", name: name, amount: one.revenue, count: nil),
                BookRow(part: "commission", name: name, amount: one.commission, count: nil),
                BookRow(part: "soldRefunded", name: name, amount: one.refunded, count: nil),
                BookRow(
                    part: "commissionRefunded", name: name, amount: one.commissionRefunded,
                    count: nil),
            ].filter { $0.amount.amount != 0 }
        }
        let taxes = self.taxes.flatMap { tax -> [BookRow] in
            [
                BookRow(part: "tax", name: tax.country, amount: tax.charged, count: nil),
                BookRow(part: "taxRefunded", name: tax.country, amount: tax.refunded, count: nil),
            ].filter { $0.amount.amount != 0 }
        }
        let means = self.means.flatMap { one -> [BookRow] in
            [
                ("opening", one.opening), ("received", one.received), ("refunded", one.refunded),
                ("paidOut", one.paidOut), ("other", one.other), ("closing", one.closing),
            ].map { BookRow(part: $0.0, name: one.name, amount: $0.1, count: nil) }
        }
        return [row("payments", payments)] + sold
            + [row("shares", shares), row("tips", tips)]
            + [row("credited", credited), row("creditReturned", creditReturned)] + taxes
            + [row("refunds", refunds), row("refundsFailed", refundsFailed)]
            + [row("disputes", disputes), row("disputesReturned", disputesReturned)]
            + [row("disputesLost", disputesLost), row("disputeFees", disputeFees)]
            + [row("cashDifference", cashDifference), row("payouts", payouts)] + means
    }

    private func row(_ part: String, _ count: Count) -> BookRow {
        BookRow(part: part, name: "", amount: count.amount, count: count.count)
    }

    private func row(_ part: String, _ amount: Money) -> BookRow {
        BookRow(part: part, name: "", amount: amount, count: nil)
    }
}
