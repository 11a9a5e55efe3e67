import Foundation

/// The tips that customers gave a valet in a period.
public struct Earnings: Codable, Sendable, Hashable {
    /// One valet's share of one tip.
    public struct Item: Codable, Sendable, Hashable {
        public var bill: BillID
        /// Same as `bill`.
        ///
        /// Existing clients use this name.
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
    /// Sum of the whole period, one for each currency.
    public var tips: [Money]
    /// Newest first, at most 1000. Clients group them by day in their own time zone.
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
