import Foundation

extension Topic {
    public static let bills: Topic = "bills"
}

/// What one person owes for one thing of a product: told by the product whenever it changes, and the
/// latest version wins. A bill of no lines owes nothing yet, and says whose it will be.
public struct Bill: Codable, Sendable, Hashable {
    public enum State: String, Codable, Sendable, CaseIterable {
        case open
        /// Nothing is owed any more; what was paid stays paid.
        case withdrawn
    }

    /// When the money is wanted.
    public enum Terms: String, Codable, Sendable, CaseIterable {
        case now
        /// By `dueAt`; it may be paid before.
        case later
        /// Set aside at the payer's bank, and taken when a later version says `now`.
        case hold
    }

    public struct Line: Codable, Sendable, Hashable {
        /// The product's own word, as in `parkingTime`.
        public var kind: String
        public var text: LocalizedText
        public var quantity: Int
        /// Of the whole line; negative for what is taken off.
        public var amount: Money
        /// Whose money it is; nil for the house.
        public var payee: PersonID?
        /// What the house keeps of a payee's amount.
        public var commission: Money?

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

    /// A row of the receipt's page.
    public struct Detail: Codable, Sendable, Hashable {
        public var label: LocalizedText
        public var value: String
        /// Goes when the payer's account goes.
        public var isPersonal: Bool

        public init(label: LocalizedText, value: String, isPersonal: Bool = false) {
            self.label = label
            self.value = value
            self.isPersonal = isPersonal
        }
    }

    /// A field that the product's clients find in the receipt's JSON; payments does not read it.
    public struct Field: Codable, Sendable, Hashable {
        public var name: String
        public var value: JSONValue
        /// Becomes null when the payer's account goes.
        public var isPersonal: Bool

        public init(_ name: String, _ value: JSONValue, isPersonal: Bool = false) {
            self.name = name
            self.value = value
            self.isPersonal = isPersonal
        }
    }

    /// Money that its product gives back of what was paid for it.
    public struct Return: Codable, Sendable, Hashable {
        public var id: RefundID
        public var amount: Money
        public var reason: String

        public init(id: RefundID, amount: Money, reason: String) {
            (self.id, self.amount, self.reason) = (id, amount, reason)
        }
    }

    /// What the house owes the payer from now on beside the bill, as points that are worth something with a later one.
    public struct Reward: Codable, Sendable, Hashable {
        public var id: RewardID
        /// Negative for what is not owed any more: it was used, or taken back.
        public var amount: Money

        public init(id: RewardID, amount: Money) { (self.id, self.amount) = (id, amount) }
    }

    /// What a receipt says of the thing that is paid for.
    public struct Facts: Codable, Sendable, Hashable {
        public var title: LocalizedText
        /// What people call it by: a ticket, a booking's number.
        public var reference: String
        public var from: Date?
        public var until: Date?
        public var place: String?
        public var details: [Detail]
        public var fields: [Field]

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

    /// That of what is paid for, as an order's.
    public var id: BillID
    public var product: Product
    /// Of the thing that is paid for: grows with each bill of one id.
    public var version: Int
    public var payer: PersonID
    public var state: Open<State>
    public var terms: Open<Terms>
    public var currency: String
    public var lines: [Line]
    /// With `later`.
    public var dueAt: Date?
    public var facts: Facts
    /// Who may be given a tip; an odd cent goes to the last of them.
    public var tipped: [PersonID]
    /// Each goes back once, however often it is told; nil for none.
    public var returns: [Return]?
    /// Each is entered once, however often it is told; nil for none.
    public var rewards: [Reward]?
    /// The operator who changed it; nil for the ordinary course.
    public var by: PersonID?

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

    /// Drops what tells who the payer was.
    public mutating func forgetPayer() {
        facts.place = nil
        facts.details.removeAll(where: \.isPersonal)
        for index in facts.fields.indices where facts.fields[index].isPersonal {
            facts.fields[index].value = .null
        }
    }

    /// Whether something in it goes with the payer's account.
    public var tellsOfPayer: Bool {
        facts.details.contains(where: \.isPersonal)
            || facts.fields.contains { $0.isPersonal && $0.value != .null }
    }

    public var total: Money {
        Money(amount: lines.reduce(0) { $0 + $1.amount.amount }, currency: currency)
    }
}

/// A product's bill is new, or another than before.
public struct BillChanged: Event {
    public static let type = "bills.changed.v1"
    public static let topic = Topic.bills
    public var bill: Bill
    public var key: String { bill.id.description }

    public init(bill: Bill) { self.bill = bill }
}

/// Answer of `GET /v1/bills/{id}`: a bill as its payer and operators see it.
public struct BillView: Codable, Sendable, Hashable {
    public enum Status: String, Codable, Sendable, CaseIterable {
        /// Nothing is to be paid, or not yet.
        case notDue
        case due
        /// Its time is over.
        case overdue
        /// Its amount is set aside at the payer's bank.
        case held
        case paid
    }

    public struct Line: Codable, Sendable, Hashable {
        public var kind: String
        public var text: String
        public var quantity: Int
        public var amount: Money

        public init(_ line: Bill.Line, in language: Language) {
            kind = line.kind
            text = line.text[language]
            quantity = line.quantity
            amount = line.amount
        }
    }

    public var id: BillID
    public var product: Product
    public var version: Int
    public var payer: PersonID
    public var status: Status
    public var title: String
    public var reference: String
    public var lines: [Line]
    public var total: Money
    @Nullable public var dueAt: Date?
    /// The one that pays it, or paid it.
    @Nullable public var payment: Payment?

    public init(_ bill: Bill, _ status: Status, payment: Payment?, in language: Language) {
        id = bill.id
        product = bill.product
        version = bill.version
        payer = bill.payer
        self.status = status
        title = bill.facts.title[language]
        reference = bill.facts.reference
        lines = bill.lines.map { Line($0, in: language) }
        total = bill.total
        dueAt = bill.dueAt
        self.payment = payment
    }
}

extension BillView.Line: SchemaNamed {
    public static var schemaName: String { "BillLine" }
}

/// Answer of a bill's receipt as JSON, beside the fields that its product gives; the same as a page
/// for `Accept: text/html`.
public struct BillReceipt: Codable, Sendable, Hashable {
    public var bill: BillID
    public var product: Product
    public var title: String
    public var reference: String
    public var language: Language
    @Nullable public var from: Date?
    @Nullable public var until: Date?
    @Nullable public var place: String?
    public var lines: [BillView.Line]
    public var charge: Money
    @Nullable public var tip: Money?
    public var paid: Money
    public var refunded: Money
    @Nullable public var brand: String?
    @Nullable public var last4: String?
    @Nullable public var paidAt: Date?

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
        (from, until, place) = (bill.facts.from, bill.facts.until, bill.facts.place)
    }
}
