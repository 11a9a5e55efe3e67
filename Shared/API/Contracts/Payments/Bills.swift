import Foundation

extension Topic {
    public static let bills: Topic = "bills"
}

/// A product's bill: one person has to pay for one item, for example an order. The product
/// publishes it again whenever it changes, and the latest version replaces earlier ones. A bill
/// without lines charges nothing yet and only names the future payer.
public struct Bill: Codable, Sendable, Hashable {
    /// Whether a bill is `open`, or `withdrawn` so that nothing is due any more. A payment that was
    /// made remains.
    public enum State: String, Codable, Sendable, CaseIterable {
        case open
        /// Nothing is due any more; a payment that was made remains.
        case withdrawn
    }

    /// When a bill is due: `now`, or `later`, by its `dueAt`. With `hold`, the amount is held on
    /// the payer's card, and charged once a later version of the bill says `now`.
    public enum Terms: String, Codable, Sendable, CaseIterable {
        case now
        /// By `dueAt`; it may be paid earlier.
        case later
        /// Held on the payer's card, and charged once a later version says `now`.
        case hold
    }

    /// A line of a product's bill. Its amount goes to the platform or, less the commission, to the
    /// payee.
    public struct Line: Codable, Sendable, Hashable {
        /// The product's name for this kind of line, for example `parkingTime`.
        public var kind: String
        public var text: LocalizedText
        public var quantity: Int
        /// Amount of the whole line; negative for a deduction.
        public var amount: Money
        /// Person who receives the amount; absent if the platform does.
        public var payee: PersonID?
        /// Part of a payee's amount that the platform keeps; absent for none.
        public var commission: Money?
        /// The unit of `quantity`, for example "hours"; absent if the text is clear without it.
        public var unit: LocalizedText?
        /// Price of one unit; absent if the amount is not a multiple of one price.
        public var unitPrice: Money?
        /// The kind whose tax rate applies, if it differs from `kind`, for example that of an
        /// earlier stay. Defaults to `kind`.
        public var taxKind: String?
        /// The product that earns the amount, if it is another than the bill's: a car park's price
        /// on the bill of a valet's order.
        public var product: Product?
        /// Where the amount is earned, if it is elsewhere than the bill says.
        public var site: Site?

        public init(
            kind: String, text: LocalizedText, quantity: Int = 1, amount: Money,
            payee: PersonID? = nil, commission: Money? = nil
        ) {
            self.kind = kind
            self.text = text
            self.quantity = quantity
            self.amount = amount
            self.payee = payee
            self.commission = commission
        }
    }

    /// The area or car park where money is earned, by which revenue is divided.
    public struct Site: Codable, Sendable, Hashable {
        /// Whether a site is a service area or a car park.
        public enum Kind: String, Codable, Sendable, CaseIterable { case area, carPark }

        public var kind: Open<Kind>
        public var id: String
        public var name: String

        public init(_ kind: Kind, id: String, name: String) {
            (self.kind, self.id, self.name) = (.known(kind), id, name)
        }
    }

    /// A row on the receipt's page.
    public struct Detail: Codable, Sendable, Hashable {
        public var label: LocalizedText
        public var value: String
        /// Whether the row is removed when the payer deletes their account.
        public var isPersonal: Bool

        public init(label: LocalizedText, value: String, isPersonal: Bool = false) {
            self.label = label
            self.value = value
            self.isPersonal = isPersonal
        }
    }

    /// A field that the product adds to the receipt's JSON for its own clients.
    ///
    /// Payments doesn't read it.
    public struct Field: Codable, Sendable, Hashable {
        public var name: String
        public var value: JSONValue
        /// Whether the value becomes null when the payer deletes their account.
        public var isPersonal: Bool

        public init(_ name: String, _ value: JSONValue, isPersonal: Bool = false) {
            self.name = name
            self.value = value
            self.isPersonal = isPersonal
        }
    }

    /// A refund that the product makes of what was paid for a bill.
    public struct Return: Codable, Sendable, Hashable {
        public var id: RefundID
        public var amount: Money
        public var reason: String
        /// Whether the product notifies the payer of this refund, so that payments doesn't. Absent
        /// for no.
        public var isAnnounced: Bool?

        public init(id: RefundID, amount: Money, reason: String, isAnnounced: Bool? = nil) {
            (self.id, self.amount, self.reason) = (id, amount, reason)
            self.isAnnounced = isAnnounced
        }
    }

    /// A reward that the payer gets beside the bill, for example points that reduce the price of a
    /// later one.
    public struct Reward: Codable, Sendable, Hashable {
        public var id: RewardID
        /// Value of the reward; negative if a reward was used or withdrawn.
        public var amount: Money

        public init(id: RewardID, amount: Money) { (self.id, self.amount) = (id, amount) }
    }

    /// Information for the receipt about the item that is paid for.
    public struct Facts: Codable, Sendable, Hashable {
        public var title: LocalizedText
        /// The name by which people know the item, for example the number of a ticket or booking.
        public var reference: String
        public var from: Date?
        public var until: Date?
        public var place: String?
        /// IANA name of the zone whose local times the receipt shows; absent for the company's.
        public var timeZone: String?
        /// ISO 3166-1 code of the country whose taxes apply; absent for the company's.
        public var country: String?
        /// Where the bill's lines are earned; absent if they belong to no area or car park.
        public var site: Site?
        /// Further rows of the receipt's page.
        public var details: [Detail]
        /// Further fields of the receipt's JSON, for the product's own clients.
        public var fields: [Field]
        /// Plates by which operators find the payment of a guest. They are kept as long as its receipt and never
        /// shown. Absent for none.
        public var plates: [String]?

        public init(
            title: LocalizedText, reference: String, from: Date? = nil, until: Date? = nil,
            place: String? = nil, details: [Detail] = [], fields: [Field] = []
        ) {
            self.title = title
            self.reference = reference
            self.from = from
            self.until = until
            self.place = place
            self.details = details
            self.fields = fields
        }
    }

    /// The id of the item that is paid for, for example of an order.
    public var id: BillID
    public var product: Product
    /// Version of the item that is paid for; increases with each bill of the same `id`.
    public var version: Int
    public var payer: PersonID
    public var state: Open<State>
    public var terms: Open<Terms>
    /// ISO 4217 code of the currency of all lines.
    public var currency: String
    public var lines: [Line]
    /// When a bill with the terms `later` is due; absent for others.
    public var dueAt: Date?
    /// When the payer was shown the price: the tax rates of that time apply. Defaults to the time
    /// at which the bill became due.
    public var pricedAt: Date?
    public var facts: Facts
    /// People who may be tipped. A tip is divided equally among them; an odd cent goes to the last
    /// one.
    public var tipped: [PersonID]
    /// Refunds that the product makes of what was paid. Each is made once, however often it is
    /// published. Absent for none.
    public var returns: [Return]?
    /// Rewards that the payer gets beside the bill, at most 200. Each is entered once, however
    /// often it is published. Absent for none.
    public var rewards: [Reward]?
    /// Operator who changed the bill; absent in the ordinary course.
    public var by: PersonID?
    /// Whether the payer is a guest without an account, whom nobody can notify; absent for people
    /// with one.
    public var isGuest: Bool?

    public init(
        id: BillID, product: Product, version: Int, payer: PersonID, currency: String,
        facts: Facts
    ) {
        self.id = id
        self.product = product
        self.version = version
        self.payer = payer
        self.currency = currency
        self.facts = facts
        (state, terms, lines, tipped) = (.known(.open), .known(.now), [], [])
    }

    /// Removes the payer's personal data.
    public mutating func forgetPayer() {
        (facts.place, facts.plates) = (nil, nil)
        facts.details.removeAll(where: \.isPersonal)
        for index in facts.fields.indices where facts.fields[index].isPersonal {
            facts.fields[index].value = .null
        }
    }

    /// Whether the bill has data that is removed when the payer deletes their account.
    public var tellsOfPayer: Bool {
        facts.plates != nil || facts.details.contains(where: \.isPersonal)
            || facts.fields.contains { $0.isPersonal && $0.value != .null }
    }

    public var total: Money {
        Money(amount: lines.reduce(0) { $0 + $1.amount.amount }, currency: currency)
    }
}

/// A product created or changed a bill.
public struct BillChanged: StateEvent {
    public static let type = "bills.changed.v1"
    public static let topic = Topic.bills
    public var bill: Bill
    public var key: String { bill.id.description }
    public var marks: [StateMark] { [StateMark(.bills, bill.id, version: bill.version)] }

    public init(bill: Bill) { self.bill = bill }
}

/// A bill, as its payer and operators see it: what the payer has to pay for one item of a product.
/// Its `id` is the item's id, for example of an order.
public struct BillView: Codable, Sendable, Hashable {
    /// Whether a bill has to be paid, or has been. `notDue`: nothing is to be paid, or not yet.
    /// `overdue`: its `dueAt` has passed. `held`: the amount is held on the payer's card.
    public enum Status: String, Codable, Sendable, CaseIterable {
        /// Nothing is to be paid, or not yet.
        case notDue
        case due
        /// Its `dueAt` has passed.
        case overdue
        /// Its amount is held on the payer's card.
        case held
        case paid
    }

    /// A line of a bill, in the payer's language, or of a receipt, in the receipt's language.
    public struct Line: Codable, Sendable, Hashable {
        /// The product's name for this kind of line, for example `base`.
        public var kind: String
        public var text: String
        public var quantity: Int
        /// Amount of the whole line; negative for a deduction.
        public var amount: Money
        /// The unit of `quantity`, for example "hours"; absent if the text is clear without it.
        public var unit: String?
        /// Price of one unit; absent if the amount is not a multiple of one price.
        public var unitPrice: Money?

        public init(_ line: Bill.Line, in language: Language) {
            kind = line.kind
            text = line.text[language]
            quantity = line.quantity
            amount = line.amount
            unit = line.unit?[language]
            unitPrice = line.unitPrice
        }
    }

    public var id: BillID
    public var product: Product
    /// Version of the item that is paid for; increases with each change of the bill.
    public var version: Int
    public var payer: PersonID
    public var status: Status
    public var title: String
    /// The name by which people know the item, for example the number of a ticket.
    public var reference: String
    public var lines: [Line]
    /// Sum of the lines.
    public var total: Money
    /// Tax on top of the lines; null if they include it.
    @Nullable public var tax: Money?
    /// The amount charged, without a tip: the lines, and tax on top of them.
    public var totalWithTax: Money
    /// Tax in `totalWithTax`, one for each rate.
    public var taxes: [TaxRow]
    /// When a bill that may be paid later is due; null for others.
    @Nullable public var dueAt: Date?
    /// The payment that paid the bill, or the current attempt to pay it; null if there is neither.
    @Nullable public var payment: Payment?

    public init(
        _ bill: Bill, _ status: Status, payment: Payment?, tax: Money? = nil,
        taxes: [TaxRow] = [], in language: Language
    ) {
        id = bill.id
        product = bill.product
        version = bill.version
        payer = bill.payer
        self.status = status
        title = bill.facts.title[language]
        reference = bill.facts.reference
        lines = bill.lines.map { Line($0, in: language) }
        total = bill.total
        self.tax = tax
        totalWithTax = bill.total.withTax(tax)
        self.taxes = taxes
        dueAt = bill.dueAt
        self.payment = payment
    }
}

extension Bill.Field: Described, SchemaNamed {
    public static var schemaName: String { "BillField" }
    /// The value is any JSON.
    public static var schema: JSONValue {
        .schema(
            "object",
            [
                "required": ["name", "value", "isPersonal"],
                "properties": .object([
                    "name": .schema("string"), "value": .object([:]),
                    "isPersonal": .schema("boolean"),
                ]),
            ])
    }
    public static var sample: JSONValue {
        .object(["name": "", "value": "", "isPersonal": .bool(false)])
    }
}

extension BillView.Line: SchemaNamed {
    public static var schemaName: String { "BillLine" }
}

/// A receipt: what something cost and how it was paid. The product of the bill may add fields.
///
/// The same is a page for `Accept: text/html`.
public struct BillReceipt: Codable, Sendable, Hashable {
    /// The id of the bill, and of the item that was paid for.
    public var bill: BillID
    public var product: Product
    public var title: String
    /// The name by which people know the item, for example the number of a ticket.
    public var reference: String
    public var language: Language
    @Nullable public var from: Date?
    @Nullable public var until: Date?
    @Nullable public var place: String?
    public var lines: [BillView.Line]
    /// Amount of the bill, without a tip.
    public var charge: Money
    @Nullable public var tip: Money?
    /// Amount paid, tip included.
    public var paid: Money
    public var refunded: Money
    /// Brand of the card; null if nothing was paid.
    @Nullable public var brand: String?
    /// Last four digits of the card; null if nothing was paid.
    @Nullable public var last4: String?
    /// When it was paid; null if nothing was paid.
    @Nullable public var paidAt: Date?
    /// How it was paid; null if nothing was paid.
    @Nullable public var means: Open<PaymentMeans>?
    /// Tax on top of the lines; null if they include it.
    @Nullable public var tax: Money?
    /// Tax in what was paid, one for each rate.
    public var taxes: [TaxRow]
    /// The numbered receipt; null if nothing was paid, or an earlier release received the payment.
    @Nullable public var document: PaymentDocument.Reference?
    /// Credit notes for refunds, and cancellations of them.
    public var creditNotes: [PaymentDocument.Reference]
    /// The company as it was when the bill was paid, or as it is if nothing was.
    public var seller: Company
    /// IANA name of the zone of the times to show.
    public var timeZone: String

    public init(_ bill: Bill, charge: Money, in language: Language) {
        self.bill = bill.id
        product = bill.product
        title = bill.facts.title[language]
        reference = bill.facts.reference
        self.language = language
        lines = bill.lines.map { BillView.Line($0, in: language) }
        self.charge = charge
        paid = .zero(charge.currency)
        refunded = .zero(charge.currency)
        (tip, brand, last4, paidAt) = (nil, nil, nil, nil)
        (means, tax, document) = (nil, nil, nil)
        (taxes, creditNotes, seller) = ([], [], Company())
        timeZone = bill.facts.timeZone ?? "UTC"
        (from, until, place) = (bill.facts.from, bill.facts.until, bill.facts.place)
    }
}
