import Contracts
import Foundation
import Hummingbird
import ServiceKit

/// A receipt as a printable page.
struct ReceiptPage: Sendable {
    private let page: PrintedPage

    init() throws { page = try PrintedPage(PackageResources.receipt_mustache) }

    func response(_ receipt: BillReceipt, _ details: [Bill.Detail]) -> Response {
        page.response(values(receipt, details), in: receipt.language)
    }

    func html(_ receipt: BillReceipt, _ details: [Bill.Detail]) -> String {
        page.html(values(receipt, details))
    }

    private func values(_ receipt: BillReceipt, _ details: [Bill.Detail]) -> [String: any Sendable]
    {
        let words = ReceiptWords(language: receipt.language)
        return [
            "language": receipt.language.rawValue,
            "title": words.text("title"),
            "subject": receipt.title,
            "reference": receipt.reference,
            "facts": words.facts(receipt, details),
            "lines": words.lines(receipt),
            "totals": words.totals(receipt),
            "footer": "\(words.text("bill")) \(receipt.bill)",
        ]
    }
}

/// The texts of a receipt in one language.
private struct ReceiptWords {
    typealias Row = [String: String]

    let language: Language

    func text(_ key: String) -> String { PaymentNotices.words.text("receipt.\(key)", in: language) }

    private func row(_ name: String, _ value: String) -> Row { ["name": name, "value": value] }

    private func row(_ name: String, _ amount: Money) -> Row {
        row(name, amount.text(in: language))
    }

    func facts(_ receipt: BillReceipt, _ details: [Bill.Detail]) -> [Row] {
        var rows = details.map { row($0.label[language], $0.value) }
        if let place = receipt.place { rows.append(row(text("place"), place)) }
        if let time = receipt.from { rows.append(row(text("from"), words(time))) }
        if let time = receipt.until { rows.append(row(text("until"), words(time))) }
        if let time = receipt.paidAt { rows.append(row(text("paid"), words(time))) }
        if let brand = receipt.brand, let last4 = receipt.last4 {
            rows.append(row(text("paid-with"), "\(brand) •••• \(last4)"))
        }
        return rows
    }

    func lines(_ receipt: BillReceipt) -> [Row] {
        receipt.lines.map { line in
            row(line.quantity == 1 ? line.text : "\(line.quantity) × \(line.text)", line.amount)
        } + (receipt.tip.map { [row(text("tip"), $0)] } ?? [])
    }

    func totals(_ receipt: BillReceipt) -> [Row] {
        [row(text("total"), receipt.paid)]
            + (receipt.refunded.amount > 0
                ? [row(text("given-back"), receipt.refunded.negated)] : [])
    }

    /// In UTC, and says so: a receipt may be read in another time zone.
    private func words(_ time: Date) -> String {
        "\(LocalDays(.gmt).text(time, in: language, withYear: true)) UTC"
    }
}
