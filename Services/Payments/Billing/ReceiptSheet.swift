import Contracts
import Foundation
import ServiceKit

/// The contents of a receipt or credit note in one language: from a bill or a numbered document.
struct ReceiptSheet: Sendable {
    /// A line of the bill, and the rate of tax that it includes.
    struct Line: Sendable {
        var text: String
        var quantity: Int
        var unit: String?
        var unitPrice: Money?
        var amount: Money
        /// Rate of its tax, in thousandths of a percent, if that is known.
        var percentThousandths: Int?
    }

    var language: Language
    var kind = PaymentDocument.Kind.receipt
    /// Nil before a numbered document exists.
    var number: String?
    var issuedAt: Date?
    var refersTo: PaymentDocument.Reference?
    var seller: Company
    var buyer: String?
    var subject: String
    var reference: String
    var place: String?
    var from, until: Date?
    var timeZone: String
    var details: [Bill.Detail]
    var lines: [Line]
    /// Sum of the lines.
    var charge: Money
    /// Tax on top of the lines.
    var addedTax: Money?
    var taxes: [TaxRow]
    var tip: Money?
    /// The amount paid or, on a credit note, refunded.
    var total: Money
    var paidAt: Date?
    var means: PaymentMeans?
    var brand, last4: String?
    /// All refunds together, if no credit notes tell of them.
    var refunded: Money
    var creditNotes: [PaymentDocument.Reference]
    var bill: BillID
}

extension ReceiptSheet {
    /// From a bill, with or without a numbered receipt.
    init(_ receipt: BillReceipt, _ details: [Bill.Detail]) {
        (language, number) = (receipt.language, receipt.document?.number)
        (issuedAt, seller, subject) = (receipt.document?.issuedAt, receipt.seller, receipt.title)
        (reference, place, from, until) = (
            receipt.reference, receipt.place, receipt.from, receipt.until
        )
        (timeZone, self.details) = (receipt.timeZone, details)
        lines = receipt.lines.map {
            Line(
                text: $0.text, quantity: $0.quantity, unit: $0.unit, unitPrice: $0.unitPrice,
                amount: $0.amount)
        }
        (charge, addedTax, taxes, tip) = (receipt.charge, receipt.tax, receipt.taxes, receipt.tip)
        (total, paidAt, means) = (receipt.paid, receipt.paidAt, receipt.means?.known)
        (brand, last4, refunded) = (receipt.brand, receipt.last4, receipt.refunded)
        (creditNotes, bill) = (receipt.creditNotes, receipt.bill)
    }

    /// From a numbered document.
    init(_ document: PaymentDocument, in language: Language) {
        self.language = language
        (kind, number) = (document.kind.known ?? .receipt, document.number)
        (issuedAt, refersTo) = (document.issuedAt, document.refersTo)
        (seller, buyer) = (document.seller, document.buyer)
        (subject, reference) = (document.title[language], document.reference)
        place = document.place ?? document.site?.name
        (from, until, timeZone) = (document.from, document.until, document.timeZone)
        details = document.details
        lines = document.lines.map {
            Line(
                text: $0.text[language], quantity: $0.quantity, unit: $0.unit?[language],
                unitPrice: $0.unitPrice, amount: $0.amount,
                percentThousandths: $0.percentThousandths)
        }
        (charge, addedTax, taxes) = (document.charge, document.addedTax, document.taxes)
        (tip, total, paidAt) = (document.tip, document.total, document.paidAt)
        (means, brand, last4) = (document.means.known, document.brand, document.last4)
        (refunded, creditNotes) = (.zero(document.total.currency), document.creditNotes ?? [])
        bill = document.bill
    }
}

// MARK: In words

extension ReceiptSheet {
    typealias Row = [String: String]
    typealias Values = [String: any Sendable]

    private static let secondsPerMinute = 60
    private static let minutesPerHour = 60
    private static let minutesPerDay = 24 * minutesPerHour

    /// The values of the template; what is unknown is left out.
    func values(logo: String?) -> Values {
        var values: Values = [
            "language": language.rawValue,
            "title": title,
            "subject": [subject, reference].filter { !$0.isEmpty }.joined(separator: " · "),
            "facts": facts,
            "lines": lineRows,
            "sums": sums,
            "totalName": totalName,
            "total": money(total),
            "footer": footer,
        ]
        if let name = seller.name {
            var block: Values = ["name": name, "address": seller.address]
            if let logo { block["logo"] = ["source": logo, "alt": name] as Row }
            values["seller"] = block
        }
        if !taxes.isEmpty { values["taxTable"] = taxTable }
        let paid = payments
        if !paid.isEmpty {
            values["payments"] = ["title": text("payment"), "rows": paid] as Values
        }
        return values
    }

    private var totalName: String {
        switch kind {
        case .receipt: text("total")
        case .creditNote: text("total-refunded")
        case .cancellation: text("total-cancelled")
        }
    }

    /// For example "Receipt 2026-000123".
    var title: String { [text(kind.rawValue), number].compactMap(\.self).joined(separator: " ") }

    /// The subject of a mail: "Receipt 2026-000123 · Harbour Parking".
    var subjectLine: String {
        [title, seller.name].compactMap(\.self).joined(separator: " · ")
    }

    /// The same as on the page, for mail readers that show no HTML.
    var plainText: String {
        func shown(_ rows: [Row]) -> [String] {
            rows.map { row in
                let name = [row["name"], row["more"]].compactMap(\.self).joined(separator: " · ")
                return "\(name): \(row["value"] ?? "")"
            }
        }
        let taxRows = taxes.map {
            "\($0.name) \(Self.percent($0.percentThousandths)): \(money($0.tax))"
        }
        let blocks = [
            [seller.name].compactMap(\.self) + seller.address,
            [title, [subject, reference].filter { !$0.isEmpty }.joined(separator: " · ")],
            shown(facts), shown(lineRows) + shown(sums) + ["\(totalName): \(money(total))"],
            taxRows, shown(payments), footer,
        ]
        return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n")
    }

    private func text(_ key: String, _ values: [String: Catalogue.Value] = [:]) -> String {
        PaymentNotices.words.text("receipt.\(key)", values, in: language)
    }

    private func money(_ amount: Money) -> String { amount.text(in: language) }

    /// In the local time of the place.
    private func words(_ time: Date) -> String {
        LocalDays(TimeZone(identifier: timeZone) ?? .gmt).text(time, in: language, withYear: true)
    }

    private func row(_ key: String, _ value: String?) -> Row? {
        value.map { ["name": text(key), "value": $0] }
    }

    private var facts: [Row] {
        let head = [
            row("issued", issuedAt.map(words)),
            row("refers-to", refersTo.map { "\($0.number) · \(words($0.issuedAt))" }),
            row("buyer", buyer),
        ]
        let own: [Row?] = details.map { ["name": $0.label[language], "value": $0.value] }
        let whereAndWhen = [
            row("place", place), row("from", from.map(words)), row("until", until.map(words)),
            row("duration", duration),
        ]
        return (head + own + whereAndWhen).compactMap(\.self)
    }

    /// For example "1 day 3 h 20 min"; nil for less than a minute.
    private var duration: String? {
        guard let from, let until else { return nil }
        let minutes = Int(until.timeIntervalSince(from)) / Self.secondsPerMinute
        guard minutes > 0 else { return nil }
        let parts = [
            ("days", minutes / Self.minutesPerDay),
            ("hours", minutes % Self.minutesPerDay / Self.minutesPerHour),
            ("minutes", minutes % Self.minutesPerHour),
        ]
        return parts.filter { $0.1 > 0 }.map { text($0.0, ["count": .count($0.1)]) }
            .joined(separator: " ")
    }

    private var lineRows: [Row] {
        lines.map { line in
            // With one rate, the table of taxes says enough.
            let rate = taxes.count > 1 ? line.percentThousandths.map(Self.percent) : nil
            let more = [quantity(of: line), rate].compactMap(\.self)
            var row = ["name": line.text, "value": money(line.amount)]
            if !more.isEmpty { row["more"] = more.joined(separator: " · ") }
            return row
        }
    }

    /// For example "4 × 30 min × €1.00" or "3 hours × €4.50"; nil for one piece.
    private func quantity(of line: Line) -> String? {
        let price = line.unitPrice.map(money)
        guard line.quantity != 1 || line.unit != nil else { return nil }
        let count = line.unit.map { unit in
            let isMeasure = unit.first?.isNumber == true
            return isMeasure ? "\(line.quantity) × \(unit)" : "\(line.quantity) \(unit)"
        }
        if count == nil, price == nil { return "\(line.quantity) ×" }
        return [count ?? String(line.quantity), price].compactMap(\.self).joined(separator: " × ")
    }

    /// Amounts added to the lines.
    private var sums: [Row] {
        guard addedTax != nil || tip != nil else { return [] }
        return [
            row("subtotal", money(charge)), row("added-tax", addedTax.map(money)),
            row("tip", tip.map(money)),
        ].compactMap(\.self)
    }

    private var taxTable: Values {
        let rows = taxes.map { tax -> Row in
            [
                "name": "\(tax.name) \(Self.percent(tax.percentThousandths))",
                "net": money(tax.net), "tax": money(tax.tax), "gross": money(tax.gross),
            ]
        }
        return [
            "name": text("tax"), "net": text("net"), "tax": text("tax-amount"),
            "gross": text("gross"), "rows": rows,
        ]
    }

    /// For example "8.875%".
    static func percent(_ thousandths: Int) -> String { "\(Decimal(thousandths) / 1_000)%" }

    /// How it was paid, and what came back.
    private var payments: [Row] {
        var rows: [Row] = []
        // A cancelled credit note was no payment.
        if let paidAt, kind != .cancellation {
            let means = means ?? (brand == nil ? nil : .card)
            let name = means.map { words(for: $0) } ?? text("paid")
            let how = kind == .creditNote ? text("refunded-to", ["means": .text(name)]) : name
            rows.append(["name": "\(how), \(words(paidAt))", "value": money(total)])
        }
        for note in creditNotes {
            let kind = (note.kind.known ?? .creditNote).rawValue
            rows.append([
                "name": "\(text(kind)) \(note.number), \(words(note.issuedAt))",
                "value": money(note.total),
            ])
        }
        if creditNotes.isEmpty, refunded.amount > 0 {
            rows.append(["name": text("given-back"), "value": money(refunded.negated)])
        }
        return rows
    }

    private func words(for means: PaymentMeans) -> String {
        switch means {
        case .cash: text("cash")
        case .terminal: text("terminal")
        case .card:
            if let brand, let last4 { "\(brand.capitalized) •••• \(last4)" } else { text("card") }
        }
    }

    private var footer: [String] {
        let numbers = [
            seller.companyNumber.map { text("company-number", ["number": .text($0)]) },
            seller.taxNumber.map { text("tax-number", ["number": .text($0)]) },
        ].compactMap(\.self)
        let contact = [seller.phone, seller.email, seller.website].compactMap(\.self)
        let rows = [numbers, contact].filter { !$0.isEmpty }.map { $0.joined(separator: " · ") }
        let times = timeZone == "UTC" ? text("times-utc") : text("times", ["zone": .text(timeZone)])
        return rows + [times, "\(text("bill")) \(bill)"]
    }
}
