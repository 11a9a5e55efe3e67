import Foundation
import Geo

public enum SpotKind {}

/// A parking spot that its driver is about to leave, from the offer on.
public typealias SpotID = Identifier<SpotKind>

public enum SpotRequestKind {}

/// A request or a bid for a spot, with the money that is held for it. Its bill has the same id.
public typealias SpotRequestID = Identifier<SpotRequestKind>

extension Product {
    public static let spots: Product = "spots"
}

/// Status of a spot. `offered`: buyers may request it, or bid for it. `reserved`: one buyer has it
/// and is on the way. `failed`: the spot was taken, the buyer did not come, or nobody confirmed the
/// hand-over. `expired`: its time was over before anybody got it.
public enum SpotStatus: String, Codable, Sendable, CaseIterable {
    /// Buyers may request it, or bid for it.
    case offered
    /// One buyer has it and is on the way.
    case reserved
    case handedOver
    /// The spot was taken, the buyer did not come, or nobody confirmed the hand-over.
    case failed
    case cancelled
    /// Its time was over before anybody got it.
    case expired
}

/// How the buyer is found. `fixed`: the seller chooses who gets the spot at the seller's price.
/// `auction`: the highest bidder gets it at `closesAt`, in an English auction with proxy bids.
public enum SpotSale: String, Codable, Sendable, CaseIterable {
    /// The seller chooses who gets the spot at the seller's price.
    case fixed
    /// The highest bidder gets the spot at `closesAt`, in an English auction with proxy bids.
    case auction
}

/// A spot to offer, which its driver is about to leave.
public struct SpotBody: Codable, Sendable {
    public var position: Coordinate
    /// Radius of the 68% circle around the position, in metres.
    public var accuracyMeters: Double
    /// In minor units of the area's currency; the starting price of an auction. It has to be 0
    /// where the area's rules are `informationOnly`.
    public var price: Int
    /// Time when the driver leaves, within the next 12 hours.
    public var leavesAt: Date
    /// Defaults to `fixed`.
    public var sale: SpotSale?
    /// Closing time of an auction, not after `leavesAt`. Required for an auction; otherwise not
    /// allowed.
    public var closesAt: Date?
    /// Length of the spot, in metres.
    public var sizeMeters: Double?
    /// Time until which the parking meter is paid, at most a week ahead.
    public var meterPaidUntil: Date?
    /// The permit that is needed to park there.
    public var permit: String?
    public var restrictions: String?
    public var note: String?
    /// Picture of the spot, uploaded with `POST /v1/me/spot-photos`.
    public var photoId: PictureID?
    /// The parked vehicle. Defaults to the seller's vehicle if they have exactly one.
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

/// The seller of a spot, as far as the caller may see them.
public struct SpotParty: Codable, Sendable, Hashable {
    /// Shown to the two sides of the spot and to operators; otherwise null.
    @Nullable public var id: PersonID?
    public var firstName: String
    /// Average rating in stars, from 1 to 5; null before the first rating.
    @Nullable public var rating: Double?

    public init(id: PersonID?, firstName: String, rating: Double?) {
        (self.id, self.firstName, self.rating) = (id, firstName, rating)
    }
}

/// One side of a reserved spot, as the other side sees it.
public struct SpotContact: Codable, Sendable, Hashable {
    public var id: PersonID
    public var firstName: String
    /// Phone number in E.164 format. Empty if the person has none, or if the spot is no longer
    /// reserved.
    public var phone: String
    /// Average rating in stars, from 1 to 5; null before the first rating.
    @Nullable public var rating: Double?
    /// Null if the person named no vehicle.
    @Nullable public var vehicle: OrderVehicle?

    public init(
        id: PersonID, firstName: String, phone: String, rating: Double?, vehicle: OrderVehicle?
    ) {
        (self.id, self.firstName, self.phone) = (id, firstName, phone)
        (self.rating, self.vehicle) = (rating, vehicle)
    }
}

/// The progress of a reserved spot, shown to its two sides and to operators.
public struct SpotReservation: Codable, Sendable, Hashable {
    public var requestId: SpotRequestID
    public var approvedAt: Date
    /// Until this time the buyer may cancel without a fee.
    public var freeUntil: Date
    /// Time when the buyer is expected.
    public var dueAt: Date
    /// From this time the seller may report that the buyer has not come.
    public var absentAfter: Date
    /// Null until the buyer has arrived.
    @Nullable public var arrivedAt: Date?
    /// Whether this side has said that they are at the spot.
    public var sellerIsHere, buyerIsHere: Bool
    /// Whether the seller has left, or has confirmed the hand-over.
    public var sellerIsDone: Bool
    /// Whether the buyer has confirmed that they have the spot.
    public var buyerIsDone: Bool
    /// The price for the buyer.
    public var price: Money
    /// Fee for the buyer if they don't come, or cancel too late.
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

/// The current state of an auction.
public struct SpotAuction: Codable, Sendable, Hashable {
    public var closesAt: Date
    /// Price that the highest bidder would pay now; the starting price while there is no bid.
    public var current: Money
    /// Minimum of the next bid. The highest bidder may raise their own bid by less.
    public var next: Money
    /// Number of bids.
    public var bids: Int
    /// Whether the caller is the highest bidder.
    public var leading: Bool

    public init(closesAt: Date, current: Money, next: Money, bids: Int, leading: Bool) {
        (self.closesAt, self.current, self.next) = (closesAt, current, next)
        (self.bids, self.leading) = (bids, leading)
    }
}

/// A buyer's report that a reserved spot was taken. The seller may answer it, and an operator
/// decides.
public struct SpotDispute: Codable, Sendable, Hashable {
    /// Outcome of a dispute. `upheld`: it counts against the seller. `dismissed`: it doesn't.
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        /// It counts against the seller.
        case upheld
        /// It doesn't count against the seller.
        case dismissed
    }

    public var openedAt: Date
    /// The buyer's note.
    @Nullable public var note: String?
    /// Signed address of the buyer's picture; it expires after some minutes.
    @Nullable public var photoURL: String?
    /// The seller's answer; null before they answer.
    @Nullable public var answer: String?
    /// Null until an operator has decided.
    @Nullable public var outcome: Outcome?
    /// The operator's explanation; null until they have decided.
    @Nullable public var decision: String?

    public init(
        openedAt: Date, note: String?, photoURL: String?, answer: String?, outcome: Outcome?,
        decision: String?
    ) {
        (self.openedAt, self.note, self.photoURL) = (openedAt, note, photoURL)
        (self.answer, self.outcome, self.decision) = (answer, outcome, decision)
    }
}

/// A spot, as the caller sees it. Its two sides and operators see its position; everyone else sees
/// it on a grid of 50 metres.
public struct Spot: Codable, Sendable, Hashable {
    public var id: SpotID
    public var status: SpotStatus
    public var area: ServiceAreaID
    public var seller: SpotParty
    public var position: Coordinate
    /// Whether `position` is the exact position.
    public var isExact: Bool
    /// Distance in metres from the point of the search to `position`; null outside search results.
    @Nullable public var distanceMeters: Double?
    /// Driving time in seconds from the point of the search; null outside search results, and if it
    /// is not known.
    @Nullable public var drivingSeconds: Int?
    /// Price of the spot; during an auction, the price that the highest bidder would pay now.
    public var price: Money
    public var sale: SpotSale
    /// Null unless the spot is sold by auction.
    @Nullable public var auction: SpotAuction?
    /// Time when the seller leaves.
    public var leavesAt: Date
    /// Length of the spot, in metres.
    @Nullable public var sizeMeters: Double?
    /// Time until which the parking meter is paid.
    @Nullable public var meterPaidUntil: Date?
    /// Seconds until `meterPaidUntil`; 0 once that time has passed.
    @Nullable public var meterSecondsLeft: Int?
    /// The permit that is needed to park there.
    @Nullable public var permit: String?
    @Nullable public var restrictions: String?
    @Nullable public var note: String?
    /// Signed address of the seller's picture of the spot; it expires after some minutes. Shown to
    /// the two sides of the spot and to operators; otherwise null.
    @Nullable public var photoURL: String?
    /// The open requests or bids and the one that was accepted. Shown to the seller and to
    /// operators; otherwise null.
    @Nullable public var requests: [SpotRequest]?
    /// Shown to the two sides of the spot and to operators; otherwise null.
    @Nullable public var reservation: SpotReservation?
    /// Shown to the two sides of the spot and to operators; otherwise null.
    @Nullable public var dispute: SpotDispute?
    /// Whether the caller is the seller.
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

/// Status of a request or a bid. `authorising`: the money is not held yet. `pending`: a request
/// waits for the seller's answer; a bid is the highest. `approved`: the spot is reserved for it.
/// `declined`: the payment was declined. `denied`: the seller declined it. `notChosen`: another
/// buyer got the spot, or the seller withdrew it. `outbid`: there is a higher bid. `expired`: the
/// seller didn't answer in time, or the money was not held in time. `failed`: it was approved, but
/// the hand-over failed.
public enum SpotRequestStatus: String, Codable, Sendable, CaseIterable {
    /// The money is not held yet.
    case authorising
    /// A request waits for the seller's answer; a bid is the highest.
    case pending
    /// The spot is reserved for it.
    case approved
    case handedOver
    /// The payment was declined.
    case declined
    /// The seller declined it.
    case denied
    /// Another buyer got the spot, or the seller withdrew it.
    case notChosen
    /// There is a higher bid, by another buyer or by the same one.
    case outbid
    /// The seller didn't answer in time, or the money was not held in time.
    case expired
    /// By the buyer.
    case cancelled
    /// It was approved, but the hand-over failed.
    case failed
}

/// A request for a spot. Unless the spot is free, either a payment method or a token is required.
public struct SpotRequestBody: Codable, Sendable {
    public var paymentMethodId: PaymentMethodID?
    /// Token of the payment provider.
    public var token: String?
    /// The vehicle that comes. Defaults to the buyer's vehicle if they have exactly one.
    public var vehicleId: VehicleID?
    /// Price that the buyer was shown, in minor units. The request is refused if the price is a
    /// different one.
    public var price: Int?

    public init(
        paymentMethodId: PaymentMethodID? = nil, token: String? = nil, vehicleId: VehicleID? = nil,
        price: Int? = nil
    ) {
        (self.paymentMethodId, self.token) = (paymentMethodId, token)
        (self.vehicleId, self.price) = (vehicleId, price)
    }
}

/// A bid for a spot. Either a payment method or a token is required.
public struct SpotBidBody: Codable, Sendable {
    /// The most that the buyer would pay, in minor units. The whole amount is held.
    public var maximum: Int
    public var paymentMethodId: PaymentMethodID?
    /// Token of the payment provider.
    public var token: String?
    /// The vehicle that comes. Defaults to the buyer's vehicle if they have exactly one.
    public var vehicleId: VehicleID?

    public init(maximum: Int, paymentMethodId: PaymentMethodID? = nil, token: String? = nil) {
        (self.maximum, self.paymentMethodId, self.token) = (maximum, paymentMethodId, token)
    }
}

/// The result of a bid.
public struct SpotBidAnswer: Codable, Sendable, Hashable {
    /// Whether the bid is the highest.
    public var leading: Bool
    /// Price that the highest bidder would pay now.
    public var current: Money
    public var request: SpotRequest

    public init(leading: Bool, current: Money, request: SpotRequest) {
        (self.leading, self.current, self.request) = (leading, current, request)
    }
}

/// A buyer who requests a spot or bids for it, as its seller sees them.
public struct SpotBuyer: Codable, Sendable, Hashable {
    public var id: PersonID
    public var firstName: String
    /// Average rating in stars, from 1 to 5; null before the first rating.
    @Nullable public var rating: Double?
    /// Distance in metres from the spot when they asked; null if it was not known.
    @Nullable public var distanceMeters: Double?
    /// Driving time in seconds to the spot when they asked; null if it was not known.
    @Nullable public var drivingSeconds: Int?

    public init(
        id: PersonID, firstName: String, rating: Double?, distanceMeters: Double?,
        drivingSeconds: Int?
    ) {
        (self.id, self.firstName, self.rating) = (id, firstName, rating)
        (self.distanceMeters, self.drivingSeconds) = (distanceMeters, drivingSeconds)
    }
}

/// A request or a bid for a spot, as its buyer, the seller and operators see it.
public struct SpotRequest: Codable, Sendable, Hashable {
    public var id: SpotRequestID
    public var spotId: SpotID
    public var status: SpotRequestStatus
    /// Latest time for the seller's answer; null if none is awaited.
    @Nullable public var expiresAt: Date?
    /// Amount that the buyer pays, or has paid; for the highest bid of an auction, the amount that
    /// it would be now.
    public var price: Money
    /// The most that a bidder would pay. Shown to the bidder and to operators; otherwise null.
    @Nullable public var maximum: Money?
    /// Shown to the seller and to operators; otherwise null.
    @Nullable public var buyer: SpotBuyer?
    /// The payment that holds the money, in the answer to a request or a bid; otherwise null. With
    /// `requiresAction` the buyer has to take a further step, and the client then sends the same
    /// request again.
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

/// A buyer's report that the spot is taken.
public struct SpotGoneBody: Codable, Sendable {
    /// Picture of the taken spot, uploaded with `POST /v1/me/spot-photos`.
    public var photoId: PictureID
    public var note: String?

    public init(photoId: PictureID, note: String? = nil) {
        (self.photoId, self.note) = (photoId, note)
    }
}

/// The seller's answer to a dispute.
public struct SpotAnswerBody: Codable, Sendable {
    public var text: String

    public init(text: String) { self.text = text }
}

/// An operator's decision on a dispute.
public struct SpotDecisionBody: Codable, Sendable {
    public var outcome: SpotDispute.Outcome
    /// Explanation for both sides.
    public var text: String

    public init(outcome: SpotDispute.Outcome, text: String) {
        (self.outcome, self.text) = (outcome, text)
    }
}

/// An uploaded picture. It is deleted unless an offer or a dispute names it within an hour.
public struct SpotPhoto: Codable, Sendable, Hashable {
    public var id: PictureID
    /// Signed address of the picture; it expires after some minutes.
    public var url: String

    public init(id: PictureID, url: String) { (self.id, self.url) = (id, url) }
}

extension SpotDispute.Outcome: SchemaNamed {
    public static var schemaName: String { "SpotDisputeOutcome" }
}
