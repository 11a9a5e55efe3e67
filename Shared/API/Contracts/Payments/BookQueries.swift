import Foundation

/// A day in the company's time zone, for example `2026-11-30`, or a moment (RFC 3339).
public enum DayOrTime: TextValue, SchemaNamed {
    case day(String)
    case time(Date)

    public init?(_ text: String) {
        if text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil {
            self = .day(text)
        } else if let time = Wire.date(text) {
            self = .time(time)
        } else {
            return nil
        }
    }

    public var description: String {
        switch self {
        case .day(let text): text
        case .time(let time): Wire.text(time)
        }
    }

    public static var schemaName: String { "DayOrTime" }
    public static var schema: JSONValue { .schema("string") }
    public static var sample: JSONValue { "2026-11-30" }
    public static var form: String { "Use a day, 2026-11-30, or an RFC 3339 time." }
}

/// The state of a payment or refund, by which a list is filtered.
public enum PaymentFilterState: String, QueryChoice {
    case processing, requiresAction, held, succeeded, declined, released, failed
}

/// The means of payment by which a list is filtered.
public enum PaymentFilterMeans: String, QueryChoice { case card, cash, terminal }

/// Whether a list has payments or refunds only.
public enum PaymentFilterKind: String, QueryChoice { case payment, refund }

/// The filters of payments, which a list, its sums and its file have in common. All given ones must match. Customers'
/// own lists are filtered by `bill` only.
public protocol PaymentFilters: Query {
    var bill: BillID? { get }
    var q: String? { get }
    var from: DayOrTime? { get }
    var to: DayOrTime? { get }
    var state: PaymentFilterState? { get }
    var product: String? { get }
    var site: String? { get }
    var means: PaymentFilterMeans? { get }
    var kind: PaymentFilterKind? { get }
}

private let periodFields: [String: QueryField] = [
    "from": """
    Start of the period: a day in the company's time zone, or a time.
    """,
    "to": """
    End of the period: a day in the company's time zone, which is included, or a time, which is not.
    """,
]

private let paymentFields: [String: QueryField] = periodFields.merging([
    "bill": "Return only payments of this bill.",
    "q": .atMost(
        100,
        """
        For operators: words of the bill's reference, the plate, the payer's name, the phone number, an amount such as \
        12.50, the number of a receipt, or the payment's id.
        """),
    "state": "For operators: return only payments and refunds in this state.",
    "product": .atMost(40, "For operators: return only payments for this product."),
    "site": .atMost(64, "For operators: return only payments for this area or car park."),
    "means": "For operators: return only payments by these means.",
    "kind": "For operators: return only payments, or only refunds.",
]) { first, _ in first }

/// Filters payments.
public struct PaymentsQuery: PagedQuery, PaymentFilters {
    public var after: String?
    public var limit: Int?
    public var bill: BillID?
    public var q: String?
    public var from, to: DayOrTime?
    public var state: PaymentFilterState?
    public var product, site: String?
    public var means: PaymentFilterMeans?
    public var kind: PaymentFilterKind?

    public init() {}

    public static let fields = paymentFields
}

/// Filters the payments of sums and files.
public struct PaymentSumsQuery: PaymentFilters {
    public var bill: BillID?
    public var q: String?
    public var from, to: DayOrTime?
    public var state: PaymentFilterState?
    public var product, site: String?
    public var means: PaymentFilterMeans?
    public var kind: PaymentFilterKind?

    public init() {}

    public static let fields = paymentFields
}

/// The filters of ledger entries.
public protocol LedgerFilters: Query {
    var billId: BillID? { get }
    var orderId: BillID? { get }
    var q: String? { get }
    var from: DayOrTime? { get }
    var to: DayOrTime? { get }
    var product: String? { get }
    var site: String? { get }
    var account: String? { get }
    var kind: String? { get }
}

private let ledgerFields: [String: QueryField] = periodFields.merging([
    "billId": "Return only entries of this bill.",
    "orderId": "Same as `billId`.",
    "q": .atMost(100, "As for payments: return only entries of the bills that it finds."),
    "product": .atMost(
        40, "Return only entries of bills for this product that somebody has paid or tried to pay."),
    "site": .atMost(64, "As `product`, for an area or car park."),
    "account": .atMost(
        150, "Return only entries with a posting of this account, for example `revenue:valet`."),
    "kind": .matching(
        "^[A-Za-z]{1,40}$", "Return only entries of this kind, for example `capture`."),
]) { first, _ in first }

/// Filters ledger entries.
public struct LedgerQuery: PagedQuery, LedgerFilters {
    public var after: String?
    public var limit: Int?
    public var billId, orderId: BillID?
    public var q: String?
    public var from, to: DayOrTime?
    public var product, site: String?
    public var account, kind: String?

    public init() {}

    public static let fields = ledgerFields
}

/// Filters the ledger entries of sums and files.
public struct LedgerFileQuery: LedgerFilters {
    public var billId, orderId: BillID?
    public var q: String?
    public var from, to: DayOrTime?
    public var product, site: String?
    public var account, kind: String?

    public init() {}

    public static let fields = ledgerFields
}

/// Filters accounts of the ledger.
public struct LedgerAccountsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var kind: String?

    public init() {}

    public static let fields: [String: QueryField] = [
        "kind": .matching(
            "^[A-Za-z]{1,40}$",
            """
            Return only accounts of this kind, for example `payable`. Without it, people's own accounts are left \
            out.
            """)
    ]
}

/// Filters people's balances.
public struct BalancesQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var q: String?

    public init() {}

    public static let fields: [String: QueryField] = [
        "q": .atMost(100, "Words of the person's name, or the phone number.")
    ]
}

/// Filters the people's balances of a file.
public struct BalancesFileQuery: Query {
    public var q: String?

    public init() {}

    public static let fields = BalancesQuery.fields
}

/// The month whose days are listed.
public struct MonthQuery: Query {
    public var month: String?

    public init(_ month: String? = nil) { self.month = month }

    public static let fields: [String: QueryField] = [
        "month": .matching(
            "^[0-9]{4}-[0-9]{2}$", "A month in the company's time zone; the current one by default."
        )
    ]
}

/// A period of the company's days, and what its file has.
public struct PeriodQuery: Query {
    public var from, to: DayOrTime?

    public init(from: DayOrTime? = nil, to: DayOrTime? = nil) { (self.from, self.to) = (from, to) }

    public static let fields = periodFields
}

/// Filters revenue, and divides it.
public struct RevenueQuery: Query {
    /// How revenue is divided.
    public enum Division: String, QueryChoice { case site }

    public var from, to: Date?
    public var by: Division?

    public init(from: Date? = nil, to: Date? = nil, by: Division? = nil) {
        (self.from, self.to, self.by) = (from, to, by)
    }

    public static let fields: [String: QueryField] = [
        "from": "Start of the period; by default a day before `to`.",
        "to": "End of the period, exclusive; now by default.",
        "by":
            "With `site`, the answer has a row for each product, and for each of its areas and car parks.",
    ]
}
