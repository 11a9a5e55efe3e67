import Foundation

/// The daily spending on parking above which a person gets an alert.
public struct SpendingAlert: Codable, Sendable, Hashable {
    /// Limit in one currency; payments in other currencies don't count. Null for no alert.
    @Nullable public var perDay: Money?

    public init(perDay: Money?) { self.perDay = perDay }
}

/// Whether a person's stays that were not booked are paid automatically at the exit.
public struct AutoPay: Codable, Sendable, Hashable {
    /// One of the person's own payment methods; null if nothing is charged without asking.
    @Nullable public var paymentMethodId: PaymentMethodID?

    public init(paymentMethodId: PaymentMethodID?) { self.paymentMethodId = paymentMethodId }
}

/// A full car park that a person watches. They are notified once when a space is free, and the
/// watch ends.
public struct WatchedCarPark: Codable, Sendable, Hashable {
    public var carPark: Booking.Place
    public var kind: SpaceClass
    /// Start of the watch.
    public var since: Date

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case carPark, since
    }

    public init(carPark: Booking.Place, kind: SpaceClass, since: Date) {
        (self.carPark, self.kind, self.since) = (carPark, kind, since)
    }
}

/// A change of a person's points.
public struct LoyaltyEntry: Codable, Sendable, Hashable {
    /// Reason for a change of points. `earned`: money was paid. `takenBack`: money was refunded.
    /// `redeemed`: a booking was paid with points. `returned`: that booking was cancelled, or not
    /// paid in time.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// Money was paid.
        case earned
        /// That money was refunded.
        case takenBack
        /// A booking was paid with points.
        case redeemed
        /// That booking was cancelled, or not paid in time.
        case returned
    }

    public var kind: Kind
    /// Number of points; negative if they became fewer.
    public var points: Int
    /// ISO 4217 code.
    public var currency: String
    /// Reason for the change: id of a booking, or of the bill of a stay or a fine.
    public var bill: BillID
    public var at: Date

    public init(_ kind: Kind, points: Int, currency: String, bill: BillID, at: Date) {
        (self.kind, self.points, self.currency) = (kind, points, currency)
        (self.bill, self.at) = (bill, at)
    }
}

/// A person's loyalty points. Each whole unit of currency that is paid earns a point, which is
/// deducted if the money is refunded. A point is worth a hundredth of a unit, and does not expire.
public struct Loyalty: Codable, Sendable, Hashable {
    /// Points of one currency.
    public struct Balance: Codable, Sendable, Hashable {
        public var points: Int
        /// Amount of a booking that these points can pay.
        public var worth: Money

        public init(points: Int, worth: Money) { (self.points, self.worth) = (points, worth) }
    }

    /// Number of points in all currencies.
    public var points: Int
    /// Points by currency. They can only be redeemed in the currency in which they were earned.
    public var balances: [Balance]
    /// The newest hundred changes, newest first.
    public var entries: [LoyaltyEntry]

    public init(points: Int, balances: [Balance], entries: [LoyaltyEntry]) {
        (self.points, self.balances, self.entries) = (points, balances, entries)
    }
}

extension Loyalty.Balance: SchemaNamed {
    public static var schemaName: String { "LoyaltyBalance" }
}
