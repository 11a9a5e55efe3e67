import Foundation

/// A document about a payment. It has a number of its series: the numbers of a kind and year have
/// no gaps. It is never changed, except that the buyer's personal data goes with their account.
///
/// Amounts are those of the money that was received: negative on a credit note.
public struct PaymentDocument: Codable, Sendable, Hashable {
    /// A receipt is issued for each payment, a credit note for each refund, and a cancellation if
    /// a refund fails after all, which gives the amount of its credit note back to the books.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case receipt, creditNote
        /// Takes back a credit note whose refund has failed.
        case cancellation
    }

    /// A line, in every language of the platform.
    public struct Line: Codable, Sendable, Hashable {
        /// The product's name for this kind of line, for example `base`; `refund` on a credit note.
        public var kind: String
        public var text: LocalizedText
        public var quantity: Int
        /// The unit of `quantity`; absent if the text is clear without it.
        public var unit: LocalizedText?
        /// Price of one unit; absent if the amount is not a multiple of one price.
        public var unitPrice: Money?
        /// Amount of the whole line; negative for a deduction.
        public var amount: Money
        /// Rate of tax, in thousandths of a percent; absent for a line without tax, and for one that
        /// others earn.
        public var percentThousandths: Int?

        public init(_ line: Bill.Line, percentThousandths: Int?) {
            (kind, text, quantity) = (line.kind, line.text, line.quantity)
            (unit, unitPrice, amount) = (line.unit, line.unitPrice, line.amount)
            self.percentThousandths = percentThousandths
        }

        public init(kind: String, text: LocalizedText, amount: Money) {
            (self.kind, self.text, quantity, self.amount) = (kind, text, 1, amount)
        }
    }

    /// Another document, by its number.
    public struct Reference: Codable, Sendable, Hashable {
        public var id: DocumentID
        public var number: String
        public var kind: Open<Kind>
        /// Negative for a credit note.
        public var total: Money
        public var issuedAt: Date

        public init(
            id: DocumentID, number: String, kind: Kind, total: Money, issuedAt: Date
        ) {
            (self.id, self.number, self.kind) = (id, number, .known(kind))
            (self.total, self.issuedAt) = (total, issuedAt)
        }
    }

    public var id: DocumentID
    /// For example `2026-000123`.
    public var number: String
    public var kind: Open<Kind>
    public var issuedAt: Date
    /// The receipt that a credit note is about, or the credit note that a cancellation is about;
    /// null for a receipt, and for a refund of a payment that has none.
    @Nullable public var refersTo: Reference?
    public var bill: BillID
    public var payment: PaymentID
    /// The refund; null for a receipt.
    @Nullable public var refund: RefundID?
    /// Why it was refunded; null for a receipt.
    @Nullable public var reason: String?
    public var product: Product
    public var payer: PersonID
    /// The company as it was when the document was issued.
    public var seller: Company
    /// Name of the payer; null if it is not known, or the account was deleted.
    @Nullable public var buyer: String?
    public var title: LocalizedText
    /// The name by which people know the item, for example the number of a ticket.
    public var reference: String
    @Nullable public var place: String?
    /// The area or car park; null if there is none.
    @Nullable public var site: Bill.Site?
    @Nullable public var from: Date?
    @Nullable public var until: Date?
    /// IANA name of the zone of the times to show.
    public var timeZone: String
    /// Further rows of the page.
    public var details: [Bill.Detail]
    public var lines: [Line]
    /// Whether the amounts of the lines include tax.
    public var pricesIncludeTax: Bool
    /// One for each rate of tax.
    public var taxes: [TaxRow]
    /// Sum of all tax.
    public var tax: Money
    /// Sum of the lines.
    public var charge: Money
    /// Tax on top of the lines; null if they include it.
    @Nullable public var addedTax: Money?
    @Nullable public var tip: Money?
    /// Money that was received; negative on a credit note.
    public var total: Money
    public var means: Open<PaymentMeans>
    @Nullable public var brand: String?
    @Nullable public var last4: String?
    /// When it was paid; on a credit note, when it was refunded.
    public var paidAt: Date
    /// The credit notes of a receipt and their cancellations, in the order in which they were
    /// issued; absent if there are none.
    public var creditNotes: [Reference]?

    /// Removes the payer's personal data.
    public mutating func forgetPayer() {
        (buyer, place) = (nil, nil)
        details.removeAll(where: \.isPersonal)
    }

    /// The document by its number.
    public var asReference: Reference {
        Reference(
            id: id, number: number, kind: kind.known ?? .receipt, total: total, issuedAt: issuedAt)
    }
}

extension PaymentDocument {
    /// A receipt of all lines.
    public init(
        id: DocumentID, number: String, kind: Kind, issuedAt: Date, bill: Bill, payment: Payment,
        seller: Company, timeZone: String, lines: [Line], total: Money
    ) {
        (self.id, self.number, self.kind) = (id, number, .known(kind))
        (self.issuedAt, self.bill, self.payment) = (issuedAt, bill.id, payment.id)
        (product, payer) = (bill.product, bill.payer)
        (self.seller, self.timeZone) = (seller, timeZone)
        (title, reference) = (bill.facts.title, bill.facts.reference)
        (self.lines, pricesIncludeTax, taxes) = (lines, true, [])
        (tax, charge, self.total) = (.zero(total.currency), total, total)
        (details, means) = (bill.facts.details, payment.means ?? .known(.card))
        paidAt = issuedAt
        (refersTo, refund, reason, buyer) = (nil, nil, nil, nil)
        (place, site) = (bill.facts.place, bill.facts.site)
        (from, until) = (bill.facts.from, bill.facts.until)
        (addedTax, tip) = (nil, nil)
        (brand, last4) = (payment.brand, payment.last4)
    }
}

/// A document in a list.
public struct DocumentEntry: Codable, Sendable, Hashable {
    public var id: DocumentID
    /// For example `2026-000123`.
    public var number: String
    public var kind: Open<PaymentDocument.Kind>
    public var bill: BillID
    public var payment: PaymentID
    public var product: Product
    /// In the caller's language.
    public var title: String
    /// The name by which people know the item, for example the number of a ticket.
    public var reference: String
    @Nullable public var place: String?
    /// Name of the payer; null if it is not known, or the account was deleted.
    @Nullable public var buyer: String?
    /// Money that was received; negative for a credit note.
    public var total: Money
    /// Part of `total` that is tax.
    public var tax: Money
    public var means: Open<PaymentMeans>
    /// The receipt of a credit note, or the credit note of a cancellation; null for a receipt.
    @Nullable public var refersTo: PaymentDocument.Reference?
    public var issuedAt: Date

    public init(_ document: PaymentDocument, in language: Language) {
        (id, number, kind) = (document.id, document.number, document.kind)
        (bill, payment, product) = (document.bill, document.payment, document.product)
        (title, reference) = (document.title[language], document.reference)
        (total, tax, means) = (document.total, document.tax, document.means)
        issuedAt = document.issuedAt
        (place, buyer) = (document.place, document.buyer)
        refersTo = document.refersTo
    }
}

/// Where to send a document.
public struct DocumentMailBody: Codable, Sendable {
    /// By default the address of the person's account, if it is confirmed.
    public var email: String?
    public init(email: String? = nil) { self.email = email }
}

/// Filters documents.
public struct DocumentsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var number: String?
    public var kind: PaymentDocument.Kind?
    public var bill: BillID?
    public var fromDay, untilDay: String?

    public init() {}

    private static let day = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    public static let fields: [String: QueryField] = [
        "number": .atMost(40, "The beginning of the number, for example `2026-0001`."),
        "kind": "Return only documents of this kind.",
        "bill": "Return only documents of this bill.",
        "fromDay": .matching(day, "First day, in the company's time zone."),
        "untilDay": .matching(day, "Last day, in the company's time zone."),
    ]
}
