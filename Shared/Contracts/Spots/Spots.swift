import Foundation
import Geo

public enum SpotKind {}

/// A parking spot that somebody is about to leave, from its offer on.
public typealias SpotID = Identifier<SpotKind>

public enum SpotRequestKind {}

/// Somebody's wish to have a spot, with the money that is held for it: a request or a bid. Its bill has the same id.
public typealias SpotRequestID = Identifier<SpotRequestKind>

extension Product {
    public static let spots: Product = "spots"
}

public enum SpotStatus: String, Codable, Sendable, CaseIterable {
    /// Who wants it may ask for it, or bid.
    case offered
    /// One buyer has it, and is on the way.
    case reserved
    case handedOver
    /// It was gone, somebody did not come, or nobody said any more what had happened.
    case failed
    case cancelled
    /// Its time was over before anybody got it.
    case expired
}

/// How the buyer is found.
public enum SpotSale: String, Codable, Sendable, CaseIterable {
    /// At the seller's price, to whom the seller approves.
    case fixed
    /// To who bids most until `closesAt`: English, with proxy bids.
    case auction
}

/// `POST /v1/spots`
public struct SpotBody: Codable, Sendable {
    public var position: Coordinate
    /// Radius of the 68 % circle around it.
    public var accuracyMeters: Double
    /// In minor units of the area's currency; an auction begins at it. Zero where only information may be given.
    public var price: Int
    public var leavesAt: Date
    /// `fixed` when absent.
    public var sale: SpotSale?
    /// Of an auction: not after `leavesAt`.
    public var closesAt: Date?
    /// The length of the spot.
    public var sizeMeters: Double?
    public var meterPaidUntil: Date?
    /// The permit that one needs there.
    public var permit: String?
    public var restrictions: String?
    public var note: String?
    /// Of `POST /v1/me/spot-photos`.
    public var photoId: PictureID?
    /// The one that stands there; the seller's only one when absent.
    public var vehicleId: VehicleID?

    public init(
        position: Coordinate, accuracyMeters: Double, price: Int, leavesAt: Date,
        sale: SpotSale? = nil, closesAt: Date? = nil
    ) {
        (self.position, self.accuracyMeters) = (position, accuracyMeters)
        (self.price, self.leavesAt) = (price, leavesAt)
        (self.sale, self.closesAt) = (sale, closesAt)
    }
}

/// One side of a spot, as far as the other may know it.
public struct SpotParty: Codable, Sendable, Hashable {
    /// Null until the spot is reserved.
    @Nullable public var id: PersonID?
    public var firstName: String
    /// Average stars, 1…5; null before the first rating.
    @Nullable public var rating: Double?

    public init(id: PersonID?, firstName: String, rating: Double?) {
        (self.id, self.firstName, self.rating) = (id, firstName, rating)
    }
}

/// What the two sides of a reserved spot know of each other.
public struct SpotContact: Codable, Sendable, Hashable {
    public var id: PersonID
    public var firstName: String
    /// E.164; empty for who has none.
    public var phone: String
    @Nullable public var rating: Double?
    @Nullable public var vehicle: OrderVehicle?

    public init(
        id: PersonID, firstName: String, phone: String, rating: Double?, vehicle: OrderVehicle?
    ) {
        (self.id, self.firstName, self.phone) = (id, firstName, phone)
        (self.rating, self.vehicle) = (rating, vehicle)
    }
}

/// How far a reserved spot has come: for its two sides and operators.
public struct SpotReservation: Codable, Sendable, Hashable {
    public var requestId: SpotRequestID
    public var approvedAt: Date
    /// The buyer may give it up without a fee until then.
    public var freeUntil: Date
    /// By then the buyer is expected.
    public var dueAt: Date
    /// From then on the seller may say that the buyer has not come.
    public var absentAfter: Date
    @Nullable public var arrivedAt: Date?
    /// Said that they are there.
    public var sellerIsHere, buyerIsHere: Bool
    /// The seller has left, or said so.
    public var sellerIsDone: Bool
    /// The buyer has said that it is theirs.
    public var buyerIsDone: Bool
    /// What the buyer pays.
    public var price: Money
    /// What it costs not to come.
    public var noShowFee: Money
    /// The other side; null for operators.
    @Nullable public var other: SpotContact?

    public init(
        requestId: SpotRequestID, approvedAt: Date, freeUntil: Date, dueAt: Date,
        absentAfter: Date, arrivedAt: Date?, sellerIsHere: Bool, buyerIsHere: Bool,
        sellerIsDone: Bool, buyerIsDone: Bool, price: Money, noShowFee: Money, other: SpotContact?
    ) {
        (self.requestId, self.approvedAt, self.freeUntil) = (requestId, approvedAt, freeUntil)
        (self.dueAt, self.absentAfter, self.arrivedAt) = (dueAt, absentAfter, arrivedAt)
        (self.sellerIsHere, self.buyerIsHere) = (sellerIsHere, buyerIsHere)
        (self.sellerIsDone, self.buyerIsDone) = (sellerIsDone, buyerIsDone)
        (self.price, self.noShowFee, self.other) = (price, noShowFee, other)
    }
}

/// How an auction stands.
public struct SpotAuction: Codable, Sendable, Hashable {
    public var closesAt: Date
    /// What the leader would pay now; the least bid while there is none.
    public var current: Money
    /// The least that the next bid has to be.
    public var next: Money
    public var bids: Int
    /// Whether it is oneself who leads.
    public var leading: Bool

    public init(closesAt: Date, current: Money, next: Money, bids: Int, leading: Bool) {
        (self.closesAt, self.current, self.next) = (closesAt, current, next)
        (self.bids, self.leading) = (bids, leading)
    }
}

/// A buyer says that the spot was taken, and the seller may answer; an operator decides.
public struct SpotDispute: Codable, Sendable, Hashable {
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        /// It counts against the seller.
        case upheld
        /// It does not.
        case dismissed
    }

    public var openedAt: Date
    @Nullable public var note: String?
    /// Opens the buyer's picture for some minutes.
    @Nullable public var photoURL: String?
    /// What the seller says to it.
    @Nullable public var answer: String?
    @Nullable public var outcome: Outcome?
    @Nullable public var decision: String?

    public init(
        openedAt: Date, note: String?, photoURL: String?, answer: String?, outcome: Outcome?,
        decision: String?
    ) {
        (self.openedAt, self.note, self.photoURL) = (openedAt, note, photoURL)
        (self.answer, self.outcome, self.decision) = (answer, outcome, decision)
    }
}

/// A spot as somebody sees it: others than its two sides see it on a grid of fifty metres.
public struct Spot: Codable, Sendable, Hashable {
    public var id: SpotID
    public var status: SpotStatus
    public var area: ServiceAreaID
    public var seller: SpotParty
    public var position: Coordinate
    /// Whether `position` is the spot itself.
    public var isExact: Bool
    /// From where somebody has asked, or was last.
    @Nullable public var distanceMeters: Double?
    @Nullable public var drivingSeconds: Int?
    /// What it costs; of an auction what the leader would pay now.
    public var price: Money
    public var sale: SpotSale
    @Nullable public var auction: SpotAuction?
    public var leavesAt: Date
    @Nullable public var sizeMeters: Double?
    @Nullable public var meterPaidUntil: Date?
    @Nullable public var meterSecondsLeft: Int?
    @Nullable public var permit: String?
    @Nullable public var restrictions: String?
    @Nullable public var note: String?
    /// Opens the seller's picture of it for some minutes; for its two sides and operators.
    @Nullable public var photoURL: String?
    /// To the seller and operators: those that are not over, and the one that has it.
    @Nullable public var requests: [SpotRequest]?
    /// To its two sides and operators.
    @Nullable public var reservation: SpotReservation?
    @Nullable public var dispute: SpotDispute?
    /// Whether it is the caller who sells it.
    public var isMine: Bool
    public var createdAt: Date
    public var version: Int

    public init(
        id: SpotID, status: SpotStatus, area: ServiceAreaID, seller: SpotParty,
        position: Coordinate, isExact: Bool, price: Money, sale: SpotSale, leavesAt: Date,
        isMine: Bool, createdAt: Date, version: Int
    ) {
        (self.id, self.status, self.area, self.seller) = (id, status, area, seller)
        (self.position, self.isExact) = (position, isExact)
        (self.price, self.sale, self.leavesAt) = (price, sale, leavesAt)
        (self.isMine, self.createdAt, self.version) = (isMine, createdAt, version)
        (distanceMeters, drivingSeconds, auction) = (nil, nil, nil)
        (sizeMeters, meterPaidUntil, meterSecondsLeft) = (nil, nil, nil)
        (permit, restrictions, note, photoURL) = (nil, nil, nil, nil)
        (requests, reservation, dispute) = (nil, nil, nil)
    }
}

public enum SpotRequestStatus: String, Codable, Sendable, CaseIterable {
    /// The money is not held yet.
    case authorising
    /// The seller is asked; of a bid: it leads.
    case pending
    /// The spot is reserved for it.
    case approved
    case handedOver
    /// The card said no.
    case declined
    /// The seller said no.
    case denied
    /// Somebody else got it, or it was taken back.
    case notChosen
    /// Somebody else leads, or a higher bid of one's own.
    case outbid
    /// Nobody answered in time.
    case expired
    /// By the buyer.
    case cancelled
    /// It was approved, and came to nothing.
    case failed
}

/// `POST /v1/spots/{id}/requests`: one of the two ways to pay, where it costs something.
public struct SpotRequestBody: Codable, Sendable {
    public var paymentMethodId: PaymentMethodID?
    public var token: String?
    /// The one that comes; the buyer's only one when absent.
    public var vehicleId: VehicleID?
    /// The price that the buyer was told, in minor units: another is refused.
    public var price: Int?

    public init(
        paymentMethodId: PaymentMethodID? = nil, token: String? = nil, vehicleId: VehicleID? = nil,
        price: Int? = nil
    ) {
        (self.paymentMethodId, self.token) = (paymentMethodId, token)
        (self.vehicleId, self.price) = (vehicleId, price)
    }
}

/// `POST /v1/spots/{id}/bids`
public struct SpotBidBody: Codable, Sendable {
    /// The most that one pays, in minor units; all of it is held.
    public var maximum: Int
    public var paymentMethodId: PaymentMethodID?
    public var token: String?
    public var vehicleId: VehicleID?

    public init(maximum: Int, paymentMethodId: PaymentMethodID? = nil, token: String? = nil) {
        (self.maximum, self.paymentMethodId, self.token) = (maximum, paymentMethodId, token)
    }
}

/// Answer of `POST /v1/spots/{id}/bids`.
public struct SpotBidAnswer: Codable, Sendable, Hashable {
    public var leading: Bool
    public var current: Money
    public var request: SpotRequest

    public init(leading: Bool, current: Money, request: SpotRequest) {
        (self.leading, self.current, self.request) = (leading, current, request)
    }
}

/// Who asks for a spot, as its seller sees them.
public struct SpotBuyer: Codable, Sendable, Hashable {
    public var id: PersonID
    public var firstName: String
    @Nullable public var rating: Double?
    /// As far as was known when they asked.
    @Nullable public var distanceMeters: Double?
    @Nullable public var drivingSeconds: Int?

    public init(
        id: PersonID, firstName: String, rating: Double?, distanceMeters: Double?,
        drivingSeconds: Int?
    ) {
        (self.id, self.firstName, self.rating) = (id, firstName, rating)
        (self.distanceMeters, self.drivingSeconds) = (distanceMeters, drivingSeconds)
    }
}

/// A request or a bid: to its buyer, to the spot's seller, and to operators.
public struct SpotRequest: Codable, Sendable, Hashable {
    public var id: SpotRequestID
    public var spotId: SpotID
    public var status: SpotRequestStatus
    /// The seller has until then; null where nobody is asked.
    @Nullable public var expiresAt: Date?
    /// What is paid, or was; of a bid that leads what it would be now.
    public var price: Money
    /// Of a bid: to its buyer and operators.
    @Nullable public var maximum: Money?
    /// To the seller and operators.
    @Nullable public var buyer: SpotBuyer?
    /// To the buyer: with `requiresAction` a further step is to be taken, and the same request sent again.
    @Nullable public var payment: Payment?
    public var createdAt: Date
    public var version: Int

    public init(
        id: SpotRequestID, spotId: SpotID, status: SpotRequestStatus, expiresAt: Date?,
        price: Money, createdAt: Date, version: Int
    ) {
        (self.id, self.spotId, self.status) = (id, spotId, status)
        (self.expiresAt, self.price) = (expiresAt, price)
        (self.createdAt, self.version) = (createdAt, version)
        (maximum, buyer, payment) = (nil, nil, nil)
    }
}

/// `POST /v1/spot-requests/{id}/spot-gone`
public struct SpotGoneBody: Codable, Sendable {
    /// Of `POST /v1/me/spot-photos`.
    public var photoId: PictureID
    public var note: String?

    public init(photoId: PictureID, note: String? = nil) {
        (self.photoId, self.note) = (photoId, note)
    }
}

/// `POST /v1/spots/{id}/answer`: what the seller says where a buyer found it taken.
public struct SpotAnswerBody: Codable, Sendable {
    public var text: String

    public init(text: String) { self.text = text }
}

/// `POST /v1/admin/spots/{id}/decision`
public struct SpotDecisionBody: Codable, Sendable {
    public var outcome: SpotDispute.Outcome
    public var text: String

    public init(outcome: SpotDispute.Outcome, text: String) {
        (self.outcome, self.text) = (outcome, text)
    }
}

/// Answer of `POST /v1/me/spot-photos`: to be named within the hour.
public struct SpotPhoto: Codable, Sendable, Hashable {
    public var id: PictureID
    public var url: String

    public init(id: PictureID, url: String) { (self.id, self.url) = (id, url) }
}

extension SpotDispute.Outcome: SchemaNamed {
    public static var schemaName: String { "SpotDisputeOutcome" }
}
