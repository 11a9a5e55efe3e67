import Foundation

/// `GET, PUT /v1/me/spending-alert`: how much one wants to spend on parking a day before being told.
public struct SpendingAlert: Codable, Sendable, Hashable {
    /// In one currency; what is paid in others does not count. Nil for no alert.
    @Nullable public var perDay: Money?

    public init(perDay: Money?) { self.perDay = perDay }
}

/// `GET, PUT /v1/me/auto-pay`: whether stays that were not booked are paid at the exit by themselves.
public struct AutoPay: Codable, Sendable, Hashable {
    /// One of the person's own; nil for no charge without being asked.
    @Nullable public var paymentMethodId: PaymentMethodID?

    public init(paymentMethodId: PaymentMethodID?) { self.paymentMethodId = paymentMethodId }
}

/// A car park that was full: one is told when a space is free, once, and the watch is over then.
public struct WatchedCarPark: Codable, Sendable, Hashable {
    public var carPark: Booking.Place
    public var kind: SpaceClass
    public var since: Date

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case carPark, since
    }

    public init(carPark: Booking.Place, kind: SpaceClass, since: Date) {
        (self.carPark, self.kind, self.since) = (carPark, kind, since)
    }
}

/// What changed somebody's points.
public struct LoyaltyEntry: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// For money that was paid.
        case earned
        /// That money went back.
        case takenBack
        /// A booking was paid with them.
        case redeemed
        /// That booking was given up.
        case returned
    }

    public var kind: Kind
    /// Negative where they became fewer.
    public var points: Int
    public var currency: String
    /// What it was for: a booking's id, a stay's or a fine's bill.
    public var bill: BillID
    public var at: Date

    public init(_ kind: Kind, points: Int, currency: String, bill: BillID, at: Date) {
        (self.kind, self.points, self.currency) = (kind, points, currency)
        (self.bill, self.at) = (bill, at)
    }
}

/// Answer of `GET /v1/me/loyalty`.
public struct Loyalty: Codable, Sendable, Hashable {
    /// Points are redeemed in the currency in which they were earned.
    public struct Balance: Codable, Sendable, Hashable {
        public var points: Int
        /// What they pay of a booking.
        public var worth: Money

        public init(points: Int, worth: Money) { (self.points, self.worth) = (points, worth) }
    }

    /// Of all currencies.
    public var points: Int
    public var balances: [Balance]
    /// Newest first.
    public var entries: [LoyaltyEntry]

    public init(points: Int, balances: [Balance], entries: [LoyaltyEntry]) {
        (self.points, self.balances, self.entries) = (points, balances, entries)
    }
}

extension Loyalty.Balance: SchemaNamed {
    public static var schemaName: String { "LoyaltyBalance" }
}
