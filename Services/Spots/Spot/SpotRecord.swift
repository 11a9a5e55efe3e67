import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store

/// The party that takes a step.
enum SpotActor: Sendable {
    case seller, buyer, system
}

/// A spot and its state machine. Pure.
struct SpotRecord: Codable, Sendable, Hashable {
    /// All transitions; nil is the state before the offer.
    static let transitions:
        [(from: SpotStatus?, step: SpotStep, by: Set<SpotActor>, to: SpotStatus)] = [
            (nil, .offered, [.seller], .offered),
            (.offered, .requested, [.buyer], .offered),
            (.offered, .bid, [.buyer], .offered),
            (.offered, .denied, [.seller], .offered),
            (.offered, .requestEnded, [.buyer, .system], .offered),
            // By the system for the winner of an auction.
            (.offered, .approved, [.seller, .system], .reserved),
            (.offered, .cancelled, [.seller], .cancelled),
            (.offered, .expired, [.system], .expired),
            (.reserved, .arrived, [.system], .reserved),
            (.reserved, .confirmed, [.seller, .buyer, .system], .reserved),
            (.reserved, .handedOver, [.seller, .buyer, .system], .handedOver),
            (.reserved, .spotGone, [.buyer], .failed),
            (.reserved, .buyerAbsent, [.seller], .failed),
            (.reserved, .lapsed, [.system], .failed),
            (.reserved, .cancelled, [.seller, .buyer], .cancelled),
        ]

    /// The seller's details of the spot.
    struct Offer: Codable, Sendable, Hashable {
        var position: Coordinate
        var accuracyMeters: Double
        /// In minor units.
        var price: Int
        var leavesAt: Date
        var sale: SpotSale
        var sizeMeters: Double?
        var meterPaidUntil: Date?
        var permit, restrictions, note: String?
        var photo: PictureID?
        var vehicle: OrderVehicle?
    }

    /// The buyer who has the spot, and the progress of the hand-over.
    struct Reservation: Codable, Sendable, Hashable {
        let request: SpotRequestID
        let buyer: PersonID
        let price: Int
        let approvedAt, dueAt: Date
        var arrivedAt: Date?
        var sellerIsHere = false
        var buyerIsHere = false
        var sellerIsDone = false
        var buyerIsDone = false
    }

    struct Dispute: Codable, Sendable, Hashable {
        let photo: PictureID
        let note: String?
        let openedAt: Date
        var answer: String?
        var outcome: SpotDispute.Outcome?
        var decision: String?
    }

    let id: SpotID
    let seller: PersonID
    let area: ServiceAreaID
    let currency: String
    /// The policy at the time of the offer.
    let policy: SpotPolicy
    var offer: Offer
    let createdAt: Date
    private(set) var status = SpotStatus.offered
    var auction: Auction?
    private(set) var reservation: Reservation?
    private(set) var dispute: Dispute?
    /// When the first request counted, and when the seller first answered.
    private(set) var requestedAt: Date?
    private(set) var answerSeconds: Double?
    private(set) var isForgotten = false
    var version = Version()

    init(
        _ id: SpotID, _ offer: Offer, of seller: PersonID, in area: ServiceAreaID,
        _ currency: String, _ policy: SpotPolicy, closesAt: Date?, at now: Date
    ) {
        (self.id, self.offer, self.seller) = (id, offer, seller)
        (self.area, self.currency, self.policy, createdAt) = (area, currency, policy, now)
        auction = closesAt.map { Auction(start: offer.price, closesAt: $0) }
    }

    var notPossible: Refusal { .spotNotPossible.because("The spot is \(status.rawValue).") }

    /// Takes a step, or throws if the table doesn't have it.
    private mutating func move(_ step: SpotStep, by actor: SpotActor) throws(Refusal) {
        let row = Self.transitions.first { $0.from == status && $0.step == step }
        guard let row, row.by.contains(actor) else { throw notPossible }
        status = row.to
        version.advance()
    }

    // MARK: The market

    /// Takes a request, which counts from now on.
    mutating func take(_ request: SpotRequestRecord, at now: Date) throws(Refusal) {
        try move(.requested, by: .buyer)
        requestedAt = requestedAt ?? now
    }

    /// Takes a bid, which counts from now on, and returns its result.
    mutating func take(_ bid: Auction.Bid, at now: Date) throws(Refusal) -> Auction.Change {
        guard var auction, status == .offered else { throw notPossible }
        let change = try auction.take(bid, policy, latest: offer.leavesAt, at: now)
        try move(.bid, by: .buyer)
        requestedAt = requestedAt ?? now
        self.auction = auction
        return change
    }

    mutating func deny(_ request: SpotRequestRecord, at now: Date) throws(Refusal) {
        try move(.denied, by: .seller)
        answerSeconds = answerSeconds ?? now.timeIntervalSince(request.countsSince ?? now)
    }

    /// Handles a request that has ended by itself.
    mutating func lose(
        _ request: SpotRequestID, by actor: SpotActor, at now: Date
    ) throws(Refusal) {
        try move(.requestEnded, by: actor)
        auction?.lose(request, latest: offer.leavesAt, at: now)
    }

    mutating func reserve(
        for request: SpotRequestRecord, price: Int, by actor: SpotActor, at now: Date
    ) throws(Refusal) {
        try move(.approved, by: actor)
        if actor == .seller {
            answerSeconds = answerSeconds ?? now.timeIntervalSince(request.countsSince ?? now)
        }
        let drive = request.drivingSeconds ?? SpotLimits.usualDrive
        reservation = Reservation(
            request: request.id, buyer: request.buyer, price: price, approvedAt: now,
            dueAt: now.addingTimeInterval(TimeInterval(drive)))
    }

    mutating func expire() throws(Refusal) { try move(.expired, by: .system) }

    // MARK: The hand-over

    mutating func arrive(at now: Date) throws(Refusal) {
        guard reservation?.arrivedAt == nil else { return }
        try move(.arrived, by: .system)
        reservation?.arrivedAt = now
    }

    /// Records a party's confirmation; true once both have confirmed, which completes the hand-over. One that comes
    /// after that changes nothing.
    mutating func confirm(
        _ path: WritableKeyPath<Reservation, Bool>, by actor: SpotActor, at now: Date
    ) throws(Refusal) -> Bool {
        if status == .handedOver { return false }
        guard status == .reserved, var reservation else { throw notPossible }
        if !reservation[keyPath: path] {
            reservation[keyPath: path] = true
            try move(.confirmed, by: actor)
            self.reservation = reservation
        }
        if reservation.sellerIsHere, reservation.buyerIsHere { try arrive(at: now) }
        guard reservation.sellerIsDone, reservation.buyerIsDone else { return false }
        try move(.handedOver, by: actor)
        return true
    }

    /// Whether the seller has left and the buyer has arrived without confirming, which counts as a hand-over.
    var isPresumed: Bool {
        status == .reserved && reservation?.arrivedAt != nil && reservation?.sellerIsDone == true
            && reservation?.buyerIsDone == false
    }

    mutating func presume() throws(Refusal) { try move(.handedOver, by: .system) }

    mutating func report(_ dispute: Dispute) throws(Refusal) {
        try move(.spotGone, by: .buyer)
        self.dispute = dispute
    }

    mutating func buyerIsAbsent(at now: Date) throws(Refusal) {
        guard status == .reserved, let reservation else { throw notPossible }
        guard reservation.arrivedAt == nil else { throw .buyerArrived }
        guard now >= absentAfter(reservation) else {
            throw .buyerHasTime.because(
                "Possible from \(Wire.text(absentAfter(reservation))).")
        }
        try move(.buyerAbsent, by: .seller)
    }

    mutating func lapse() throws(Refusal) { try move(.lapsed, by: .system) }

    mutating func cancel(by actor: SpotActor) throws(Refusal) {
        try move(.cancelled, by: actor)
    }

    // MARK: Disputes

    mutating func answer(_ text: String) throws(Refusal) {
        guard var dispute, dispute.answer == nil, dispute.outcome == nil else {
            throw notPossible
        }
        dispute.answer = text
        self.dispute = dispute
        version.advance()
    }

    mutating func decide(_ outcome: SpotDispute.Outcome, _ text: String) throws(Refusal) {
        guard var dispute, dispute.outcome == nil else { throw notPossible }
        (dispute.outcome, dispute.decision) = (outcome, text)
        self.dispute = dispute
        version.advance()
    }

    // MARK: Derived values

    func absentAfter(_ reservation: Reservation) -> Date {
        reservation.dueAt.addingTimeInterval(TimeInterval(policy.graceSeconds))
    }

    /// When the reservation ends without confirmations.
    func lapsesAt(_ reservation: Reservation) -> Date {
        absentAfter(reservation).addingTimeInterval(SpotLimits.lapse)
    }

    var expiresAt: Date { offer.leavesAt.addingTimeInterval(TimeInterval(policy.graceSeconds)) }

    var isOpen: Bool { status == .offered || status == .reserved }

    var isDisputed: Bool { dispute != nil && dispute?.outcome == nil }

    /// The current price.
    var price: Money {
        let amount = reservation?.price ?? auction?.current ?? offer.price
        return Money(amount: amount, currency: currency)
    }

    /// The fee for a buyer who does not come: nothing, or what a card can be charged at least.
    var noShowFee: Money {
        let fee = policy.chargeable(in: currency).noShowFee
        return Money(amount: min(fee, price.amount), currency: currency)
    }

    /// The position that others see: the middle of its square of the grid.
    var shownPosition: Coordinate {
        let box = Cell(containing: offer.position, sizeMeters: SpotLimits.gridMeters).boundingBox
        return Coordinate(
            latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2)
    }

    /// Removes positions and vehicles; returns the pictures to delete.
    mutating func forget() -> [PictureID] {
        let pictures = [offer.photo, dispute?.photo].compactMap(\.self)
        offer.position = shownPosition
        (offer.photo, offer.vehicle, offer.note) = (nil, nil, nil)
        (offer.permit, offer.restrictions) = (nil, nil)
        dispute = nil
        isForgotten = true
        version.advance()
        return pictures
    }
}

extension SpotRecord: Document {
    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        let shown = shownPosition
        return [
            "seller": seller, "buyer": reservation?.buyer, "area": area,
            "status": status, "is_open": isOpen, "is_offered": status == .offered,
            "is_disputed": isDisputed, "is_forgotten": isForgotten, "sale": offer.sale,
            "price": price.amount,
            "latitude": shown.latitude, "longitude": shown.longitude, "created_at": createdAt,
        ]
    }
}

extension SpotStatus: SQLConvertible {}
extension SpotSale: SQLConvertible {}
