import Foundation

public enum FineKind {}
public typealias FineID = Identifier<FineKind>

public enum FineStatus: String, Codable, Sendable, CaseIterable {
    /// To be paid, or appealed against.
    case issued
    /// An operator is to decide.
    case appealed
    /// Decided: to be paid.
    case upheld
    case paid
    /// Nothing is owed; what was paid goes back.
    case cancelled
}

/// `POST /v1/admin/fines`
public struct FineBody: Codable, Sendable {
    public var plate: String
    public var carParkId: CarParkID
    /// In minor units of the car park's currency.
    public var amount: Int
    public var reason: String

    public init(plate: String, carParkId: CarParkID, amount: Int, reason: String) {
        (self.plate, self.carParkId) = (plate, carParkId)
        (self.amount, self.reason) = (amount, reason)
    }
}

/// `POST /v1/fines/{id}/appeal`
public struct AppealBody: Codable, Sendable {
    public var text: String

    public init(text: String) { self.text = text }
}

/// `POST /v1/admin/fines/{id}/decision`
public struct FineDecisionBody: Codable, Sendable {
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        case upheld, cancelled
    }

    public var outcome: Outcome
    /// Shown to whoever the fine is for.
    public var text: String

    public init(_ outcome: Outcome, text: String) { (self.outcome, self.text) = (outcome, text) }
}

/// What a vehicle's owner is asked to pay for how it was parked.
public struct Fine: Codable, Sendable, Hashable {
    public struct Appeal: Codable, Sendable, Hashable {
        public var text: String
        public var at: Date
        /// Addresses of pictures, each good for about ten minutes.
        public var photos: [String]

        public init(text: String, at: Date, photos: [String]) {
            (self.text, self.at, self.photos) = (text, at, photos)
        }
    }

    public struct Decision: Codable, Sendable, Hashable {
        public var outcome: FineDecisionBody.Outcome
        public var text: String
        public var at: Date

        public init(_ outcome: FineDecisionBody.Outcome, text: String, at: Date) {
            (self.outcome, self.text, self.at) = (outcome, text, at)
        }
    }

    public var id: FineID
    /// What people call it by.
    public var reference: String
    public var status: FineStatus
    public var plate: String
    public var carPark: Booking.Place
    public var amount: Money
    public var reason: String
    /// Addresses of pictures, each good for about ten minutes.
    public var photos: [String]
    @Nullable public var appeal: Appeal?
    @Nullable public var decision: Decision?
    public var issuedAt: Date
    @Nullable public var paidAt: Date?
    /// What was given back of it.
    @Nullable public var refunded: Money?
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

/// Answer of `POST /v1/fines/{id}/pay`.
public struct FinePayment: Codable, Sendable {
    public var fine: Fine
    public var payment: Payment

    public init(fine: Fine, payment: Payment) { (self.fine, self.payment) = (fine, payment) }
}
