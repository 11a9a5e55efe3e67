/// The owner of the payment method that a product requests.
public struct PayerQuery: Query {
    public var payer: PersonID

    public init(_ payer: PersonID) { self.payer = payer }
}

/// The currency of the balance.
public struct BalanceQuery: Query {
    public var currency: String?

    public init(in currency: String? = nil) { self.currency = currency }

    public static let fields: [String: QueryField] = ["currency": "ISO 4217 code, for example HKD."]
}
