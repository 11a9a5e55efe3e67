import Contracts
import Foundation
import Support
import Testing

@testable import Payments

/// The page of a numbered receipt or credit note.
@Suite(.withoutDatabase) struct DocumentPageTests {
    private static let start = Date(timeIntervalSince1970: 1_795_000_000)

    private func seller() -> Company {
        var body = CompanyBody(
            name: "Parkhaus <Nord> GmbH", address: ["Hauptstraße 1", "10115 Berlin"],
            country: "DE", timeZone: "Europe/Berlin")
        body.companyNumber = "HRB 1234"
        body.taxNumber = "DE123456789"
        body.email = "hello@parkhaus.example"
        return Company(body, version: 3, logoURL: "/v1/company/logo?version=3")
    }

    /// Of a vehicle that stood in Helsinki for a day and three hours, in a currency.
    private func document(
        _ kind: PaymentDocument.Kind = .receipt, currency: String = "EUR"
    ) -> PaymentDocument {
        func money(_ amount: Int) -> Money { Money(amount: amount, currency: currency) }
        var bill = Bill(
            id: .new(), product: .made, version: 1, payer: TestPerson.alice.id,
            currency: currency,
            facts: .init(title: .of("Valet parking", "代客泊車"), reference: "K7-42"))
        bill.facts.from = Self.start
        bill.facts.until = Self.start.addingTimeInterval(27 * 3_600 + 90)
        bill.facts.place = "Mannerheimintie 1"
        var time = Bill.Line(
            kind: "time", text: .of("Parking time", "泊車時間"), quantity: 4, amount: money(400))
        (time.unit, time.unitPrice) = (.of("15 min", "15 分鐘"), money(100))
        var hours = Bill.Line(
            kind: "carPark", text: .of("Car park City", "停車場 City"), quantity: 3,
            amount: money(1_350))
        (hours.unit, hours.unitPrice) = (.of("hours", "小時"), money(450))
        var payment = Payment(
            id: .new(), bill: bill.id, amount: money(1_850), status: .succeeded,
            createdAt: Self.start)
        (payment.brand, payment.last4) = ("visa", "4242")
        var document = PaymentDocument(
            id: .new(), number: "2026-000123", kind: kind,
            issuedAt: Self.start.addingTimeInterval(28 * 3_600), bill: bill, payment: payment,
            seller: seller(), timeZone: "Europe/Helsinki",
            lines: [
                .init(time, percentThousandths: 25_500), .init(hours, percentThousandths: 8_875),
            ], total: money(1_850))
        (document.charge, document.tip, document.buyer) = (money(1_750), money(100), "Alice Ho")
        document.taxes = [
            TaxRow(
                name: "ALV", percentThousandths: 25_500, country: "FI", gross: money(400),
                tax: money(81)),
            TaxRow(
                name: "ALV", percentThousandths: 8_875, country: "FI", gross: money(1_350),
                tax: money(110)),
        ]
        return document
    }

    private func page(
        _ document: PaymentDocument, in language: Language = .english
    ) throws -> String {
        try ReceiptPage().html(
            ReceiptSheet(document, in: language), logo: "data:image/png;base64,AAAA")
    }

    @Test func itNamesSellerBuyerNumberAndPlace() throws {
        let page = try page(document())
        let texts = [
            "<title>Receipt 2026-000123</title>", "Parkhaus &lt;Nord&gt; GmbH",
            "Hauptstraße 1<br>10115 Berlin", "Company number HRB 1234 · Tax number DE123456789",
            "hello@parkhaus.example", "src=\"data:image/png;base64,AAAA\"",
            "<dt>Customer</dt><dd>Alice Ho</dd>", "<dt>Place</dt><dd>Mannerheimintie 1</dd>",
            "Valet parking · K7-42", "Visa •••• 4242",
        ]
        for text in texts { #expect(page.contains(text), "\(text)") }
    }

    @Test func timesAreThoseOfThePlaceAndTheDurationIsInWords() throws {
        let page = try page(document())
        // 11:06 UTC.
        #expect(page.contains("13:06"))
        #expect(!page.contains("11:06"))
        #expect(page.contains("<dt>Duration</dt><dd>1 day 3 h 1 min</dd>"))
        #expect(page.contains("Times are local (Europe/Helsinki)."))
    }

    @Test func linesAreMultipliedAndTaxesListedByRate() throws {
        let page = try page(document())
        let texts = [
            "4 × 15 min × €1.00 · 25.5%", "3 hours × €4.50 · 8.875%",
            "<th scope=\"row\">ALV 25.5%</th><td>€3.19</td><td>€0.81</td><td>€4.00</td>",
            "<th scope=\"row\">ALV 8.875%</th><td>€12.40</td><td>€1.10</td><td>€13.50</td>",
            "<th scope=\"row\">Subtotal</th><td>€17.50</td>",
            "<th scope=\"row\">Tip</th><td>€1.00</td>",
            "<th scope=\"row\">Total paid</th><td>€18.50</td>",
        ]
        for text in texts { #expect(page.contains(text), "\(text)") }
    }

    @Test func everyLanguageHasIt() throws {
        let page = try page(document(), in: .traditionalChinese)
        let texts = [
            "lang=\"zh-Hant\"", "收據 2026-000123", "代客泊車", "4 × 15 分鐘 × €1.00", "3 小時 × €4.50",
            "1 天 3 小時 1 分鐘", "公司註冊號碼 HRB 1234",
        ]
        for text in texts { #expect(page.contains(text), "\(text)") }
        #expect(!page.contains("Receipt"))
    }

    @Test(arguments: [("JPY", "¥450", "¥1,850"), ("KWD", "0.450", "1.850")])
    func amountsHaveTheDigitsOfTheirCurrency(currency: String, price: String, total: String)
        throws
    {
        let page = try page(document(currency: currency))
        #expect(page.contains(price) && page.contains(total))
    }

    @Test func refundsHaveTheirNumbersAndACreditNoteNamesItsReceipt() throws {
        var receipt = document()
        var note = document(.creditNote)
        note.number = "C2026-000045"
        note.refersTo = receipt.asReference
        (note.total, note.charge, note.tip) = (
            Money(amount: -900, currency: "EUR"), Money(amount: -900, currency: "EUR"), nil
        )
        receipt.creditNotes = [note.asReference]
        let paid = try page(receipt)
        #expect(paid.contains("Credit note C2026-000045, "))
        #expect(paid.contains("-€9.00"))
        let refunded = try page(note)
        #expect(refunded.contains("<h1>Credit note C2026-000045</h1>"))
        #expect(refunded.contains("<dt>Refers to</dt><dd>2026-000123 · "))
        #expect(refunded.contains("Refunded to Visa •••• 4242"))
        #expect(refunded.contains("<th scope=\"row\">Total refunded</th><td>-€9.00</td>"))
    }

    @Test(arguments: [(PaymentMeans.cash, "Cash"), (.terminal, "Card terminal")])
    func itSaysHowItWasPaid(means: PaymentMeans, name: String) throws {
        var document = document()
        document.means = .known(means)
        (document.brand, document.last4) = (nil, nil)
        #expect(try page(document).contains("\(name), "))
    }
}
