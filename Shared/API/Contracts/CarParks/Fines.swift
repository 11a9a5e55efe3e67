import Foundation

public enum FineKind {}
public typealias FineID = Identifier<FineKind>

/// Status of a fine. `issued`: to be paid or appealed against. `appealed`: an operator has to
/// decide. `upheld`: to be paid after an operator's decision. `cancelled`: nothing is due, and a
/// payment is refunded.
public enum FineStatus: String, Codable, Sendable, CaseIterable {
    /// To be paid or appealed against.
    case issued
    /// An operator has to decide.
    case appealed
    /// To be paid after an operator's decision.
    case upheld
    case paid
    /// Nothing is due, and a payment is refunded.
    case cancelled
}

/// A fine to issue for a vehicle.
public struct FineBody: Codable, Sendable {
    public var plate: String
    public var carParkId: CarParkID
    /// In minor units of the car park's currency.
    public var amount: Int
    /// Shown to the vehicle's owner.
    public var reason: String

    public init(plate: String, carParkId: CarParkID, amount: Int, reason: String) {
        (self.plate, self.carParkId) = (plate, carParkId)
        (self.amount, self.reason) = (amount, reason)
    }
}

/// An appeal against a fine.
public struct AppealBody: Codable, Sendable {
    /// Why the fine should not have to be paid.
    public var text: String

    public init(text: String) { self.text = text }
}

/// An operator's decision on a fine.
public struct FineDecisionBody: Codable, Sendable {
    /// Outcome of a decision: the fine has to be paid (`upheld`) or not (`cancelled`).
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        case upheld, cancelled
    }

    public var outcome: Outcome
    /// Shown to the vehicle's owner.
    public var text: String

    public init(_ outcome: Outcome, text: String) { (self.outcome, self.text) = (outcome, text) }
}

/// A fine for how a vehicle was parked, which the vehicle's owner is asked to pay.
public struct Fine: Codable, Sendable, Hashable {
    /// Why a fine should not have to be paid.
    public struct Appeal: Codable, Sendable, Hashable {
        public var text: String
        public var at: Date
        /// Addresses of pictures, each of which works for about ten minutes.
        public var photos: [String]

        public init(text: String, at: Date, photos: [String]) {
            (self.text, self.at, self.photos) = (text, at, photos)
        }
    }

    /// The decision that an operator made on a fine.
    public struct Decision: Codable, Sendable, Hashable {
        public var outcome: FineDecisionBody.Outcome
        public var text: String
        public var at: Date

        public init(_ outcome: FineDecisionBody.Outcome, text: String, at: Date) {
            (self.outcome, self.text, self.at) = (outcome, text, at)
        }
    }

    public var id: FineID
    /// Short name of the fine for people, for example `B7K-42Q`.
    public var reference: String
    public var status: FineStatus
    public var plate: String
    public var carPark: Booking.Place
    public var amount: Money
    public var reason: String
    /// Addresses of pictures, each of which works for about ten minutes.
    public var photos: [String]
    /// Shown to the person who wrote it and to operators; null for others, and if there is none.
    @Nullable public var appeal: Appeal?
    @Nullable public var decision: Decision?
    public var issuedAt: Date
    @Nullable public var paidAt: Date?
    /// The paid bill, which has a receipt; absent unless the caller paid it.
    public var paidBill: BillID?
    /// Amount refunded, without tax on top; null if none was.
    @Nullable public var refunded: Money?
    /// Tax on top of `refunded`; absent if prices include tax, and without refunds.
    public var refundedTax: Money?
    /// Increases with each change.
    public var version: Int

    public init(
        id: FineID, reference: String, status: FineStatus, plate: String, carPark: Booking.Place,
        amount: Money, reason: String, photos: [String], issuedAt: Date, version: Int
    ) {
        (self.id, self.reference, self.status) = (id, reference, status)
        (self.plate, self.carPark, self.amount) = (plate, carPark, amount)
        (self.reason, self.photos, self.issuedAt) = (reason, photos, issuedAt)
        self.version = version
        (appeal, decision, paidAt, refunded) = (nil, nil, nil, nil)
    }
}

extension Fine.Appeal: SchemaNamed {
    public static var schemaName: String { "FineAppeal" }
}

extension Fine.Decision: SchemaNamed {
    public static var schemaName: String { "FineDecision" }
}

/// A fine and its payment.
public struct FinePayment: Codable, Sendable {
    public var fine: Fine
    public var payment: Payment

    public init(fine: Fine, payment: Payment) { (self.fine, self.payment) = (fine, payment) }
}
