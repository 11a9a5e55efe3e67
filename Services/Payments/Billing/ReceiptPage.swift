import Contracts
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Mustache
import NIOCore
import ServiceKit

/// A receipt as a page to read and print. Everything that came from people is escaped, and the page
/// may load and run nothing.
struct ReceiptPage: Sendable {
    private let template: MustacheTemplate
    private let policy: String

    init() throws {
        let text = String(decoding: PackageResources.receipt_mustache, as: UTF8.self)
        MustacheContentTypes.register(HTMLText(), named: HTMLText.name)
        template = try MustacheTemplate(string: text)
        // Its own style is all that a browser applies: named by its hash.
        let style = text.firstMatch(of: /<style>([\s\S]*?)<\/style>/).map { String($0.1) } ?? ""
        let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        policy =
            "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none';"
            + " frame-ancestors 'none'"
    }

    func response(_ receipt: BillReceipt, _ details: [Bill.Detail]) -> Response {
        let headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentLanguage: receipt.language.rawValue,
            .contentSecurityPolicy: policy,
            .vary: "Accept",
            .cacheControl: "private, no-store",
        ]
        return Response(
            status: .ok, headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: html(receipt, details))))
    }

    func html(_ receipt: BillReceipt, _ details: [Bill.Detail]) -> String {
        let words = ReceiptWords(receipt.language)
        return template.render([
            "language": receipt.language.rawValue,
            "title": words.title,
            "subject": receipt.title,
            "reference": receipt.reference,
            "facts": words.facts(receipt, details),
            "lines": words.lines(receipt),
            "totals": words.totals(receipt),
            "footer": "\(words.billName) \(receipt.bill)",
        ])
    }
}

/// How the template escapes: its own way goes by character, and lets `<` with an accent through.
private struct HTMLText: MustacheContentType {
    static let name = "SCALARS"

    func escapeText(_ text: String) -> String { text.escapedForHTML }
}

/// The words of a receipt in one language.
struct ReceiptWords {
    private let language: Language

    init(_ language: Language) { self.language = language }

    private func say(_ english: String, _ zhHant: String) -> String {
        language == .traditionalChinese ? zhHant : english
    }

    var title: String { say("Receipt", "收據") }
    var billName: String { say("Bill", "帳單編號") }

    typealias Row = [String: String]

    private func row(_ name: String, _ value: String) -> Row { ["name": name, "value": value] }

    func facts(_ receipt: BillReceipt, _ details: [Bill.Detail]) -> [Row] {
        var rows = details.map { row($0.label[language], $0.value) }
        if let place = receipt.place { rows.append(row(say("Place", "地點"), place)) }
        if let time = receipt.from { rows.append(row(say("From", "由"), words(time))) }
        if let time = receipt.until { rows.append(row(say("Until", "至"), words(time))) }
        if let time = receipt.paidAt {
            rows.append(row(say("Paid", "付款時間"), words(time)))
        }
        if let brand = receipt.brand, let last4 = receipt.last4 {
            rows.append(row(say("Paid with", "付款方式"), "\(brand) •••• \(last4)"))
        }
        return rows
    }

    func lines(_ receipt: BillReceipt) -> [Row] {
        receipt.lines.map { row(text($0), words($0.amount)) }
            + (receipt.tip.map { [row(say("Tip", "小費"), words($0))] } ?? [])
    }

    func totals(_ receipt: BillReceipt) -> [Row] {
        var rows = [row(say("Total paid", "已付總額"), words(receipt.paid))]
        if receipt.refunded.amount > 0 {
            rows.append(row(say("Given back", "已退款"), words(receipt.refunded.negated)))
        }
        return rows
    }

    private func text(_ line: BillView.Line) -> String {
        line.quantity == 1 ? line.text : "\(line.quantity) × \(line.text)"
    }

    /// The same clock everywhere, and named: a receipt may be read in another zone.
    private func words(_ time: Date) -> String {
        "\(Wire.text(time).prefix(16).replacingOccurrences(of: "T", with: " ")) UTC"
    }

    /// ISO 4217 currencies whose minor unit is not a hundredth.
    private static let digits: [String: Int] = [
        "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0,
        "RWF": 0, "UGX": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
        "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
    ]

    private func words(_ money: Money) -> String {
        let digits = Self.digits[money.currency] ?? 2
        let value = Decimal(
            sign: money.amount < 0 ? .minus : .plus, exponent: -digits,
            significand: Decimal(abs(money.amount)))
        return value.formatted(
            .currency(code: money.currency).precision(.fractionLength(digits))
                .locale(Locale(identifier: language.rawValue)))
    }
}
