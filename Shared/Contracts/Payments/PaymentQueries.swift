/// Which payments.
public struct PaymentsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var bill: BillID?

    public init() {}

    public static let fields: [String: QueryField] = ["bill": "Of this bill only."]
}

/// Whose payment method a product asks for.
public struct PayerQuery: Query {
    public var payer: PersonID

    public init(_ payer: PersonID) { self.payer = payer }
}

/// In which currency the balance is told.
public struct BalanceQuery: Query {
    public var currency: String?

    public init(in currency: String? = nil) { self.currency = currency }

    public static let fields: [String: QueryField] = ["currency": "As in HKD."]
}

/// Which entries of the ledger.
public struct LedgerQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var billId, orderId: BillID?

    public init() {}

    public static let fields: [String: QueryField] = [
        "billId": "Of this bill only.",
        "orderId": "The same as `billId`.",
    ]
}
