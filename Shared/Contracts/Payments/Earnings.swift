import Foundation

/// Answer of `GET /v1/me/earnings?from&to`: the tips that customers gave a valet in a span.
public struct Earnings: Codable, Sendable, Hashable {
    /// One valet's part of one tip.
    public struct Item: Codable, Sendable, Hashable {
        public var bill: BillID
        /// The same id, by the name that the first clients know.
        public private(set) var order: OrderID
        public var tip: Money
        public var givenAt: Date

        public init(bill: BillID, tip: Money, givenAt: Date) {
            self.bill = bill
            order = bill.as(OrderID.self)
            self.tip = tip
            self.givenAt = givenAt
        }
    }

    public var from: Date
    public var to: Date
    /// The sum of the whole span, one for each currency.
    public var tips: [Money]
    /// Newest first, a thousand at most: days are the reader's to make, in their own time zone.
    public var items: [Item]

    /// Largest number of items.
    public static let mostItems = 1_000

    public init(from: Date, to: Date, tips: [Money], items: [Item]) {
        self.from = from
        self.to = to
        self.tips = tips
        self.items = items
    }
}
