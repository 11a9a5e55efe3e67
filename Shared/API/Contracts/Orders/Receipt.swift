import Foundation

/// The price of an order, and how it was paid.
public struct Receipt: Codable, Sendable, Hashable {
    public var order: OrderID
    public var ticket: String
    public var language: Language
    @Nullable public var vehicle: OrderVehicle?
    @Nullable public var collectedAt: Date?
    @Nullable public var returnedAt: Date?
    public var lines: [Quote.Line]
    public var charge: Money
    @Nullable public var tip: Money?
    public var paid: Money
    public var refunded: Money
    @Nullable public var brand: String?
    @Nullable public var last4: String?
    @Nullable public var paidAt: Date?

    public init(
        order: OrderID, ticket: String, language: Language, lines: [Quote.Line], charge: Money
    ) {
        self.order = order
        self.ticket = ticket
        self.language = language
        self.lines = lines
        self.charge = charge
        paid = .zero(charge.currency)
        refunded = .zero(charge.currency)
        (vehicle, collectedAt, returnedAt, tip, brand, last4, paidAt) = (
            nil, nil, nil, nil, nil, nil, nil
        )
    }
}
