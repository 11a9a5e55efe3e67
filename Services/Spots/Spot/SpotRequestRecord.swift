import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// A request or a bid, with the money held for it. Pure.
struct SpotRequestRecord: Codable, Sendable, Hashable {
    /// All transitions.
    static let transitions: [(from: SpotRequestStatus, to: Set<SpotRequestStatus>)] = [
        (.authorising, [.pending, .declined, .notChosen, .expired, .cancelled, .outbid]),
        (.pending, [.approved, .denied, .notChosen, .outbid, .expired, .cancelled]),
        (.approved, [.handedOver, .failed, .cancelled]),
    ]

    /// The state of the money; each bill ends captured or released exactly once.
    enum Money: String, Codable, Sendable {
        /// There is nothing to pay.
        case none
        /// The amount is held, or about to be.
        case held
        /// The bill is due.
        case captured
        case released
    }

    let id: SpotRequestID
    let spot: SpotID
    let buyer: PersonID
    /// The largest amount to hold, in minor units: the price, or a bid's maximum.
    let amount: Int
    let isBid: Bool
    private(set) var vehicle: OrderVehicle?
    private(set) var distanceMeters: Double?
    private(set) var drivingSeconds: Int?
    let createdAt: Date
    private(set) var status: SpotRequestStatus
    private(set) var money: Money
    /// The amount due after the capture.
    private(set) var captured: Int?
    private(set) var isPaid = false
    /// Since when it counts and the seller can see it.
    private(set) var countsSince: Date?
    private(set) var expiresAt: Date?
    private(set) var isForgotten = false
    var version = Version()

    init(
        _ id: SpotRequestID, for spot: SpotID, by buyer: PersonID, amount: Int, isBid: Bool,
        vehicle: OrderVehicle?, distanceMeters: Double?, drivingSeconds: Int?, at now: Date
    ) {
        (self.id, self.spot, self.buyer) = (id, spot, buyer)
        (self.amount, self.isBid, self.vehicle) = (amount, isBid, vehicle)
        (self.distanceMeters, self.drivingSeconds) = (distanceMeters, drivingSeconds)
        (createdAt, status, money) = (now, .authorising, amount > 0 ? .held : .none)
    }

    var notPossible: Refusal {
        .spotRequestNotPossible.because("The request is \(status.rawValue).")
    }

    private mutating func move(to next: SpotRequestStatus) throws(Refusal) {
        let row = Self.transitions.first { $0.from == status }
        guard let row, row.to.contains(next) else { throw notPossible }
        status = next
        version.advance()
    }

    /// Makes the request count once its money is held. A bid needs no answer.
    mutating func count(at now: Date, until: Date?) throws(Refusal) {
        try move(to: .pending)
        (countsSince, expiresAt) = (now, until)
    }

    mutating func approve(at now: Date) throws(Refusal) {
        if let expiresAt, now >= expiresAt { throw .spotRequestExpired }
        try move(to: .approved)
        expiresAt = nil
    }

    /// Ends the request; `owing` of the held amount is due.
    mutating func end(as end: SpotRequestStatus, owing: Int = 0) throws(Refusal) {
        try move(to: end)
        expiresAt = nil
        guard money == .held else { return }
        if owing > 0 {
            (money, captured) = (.captured, min(owing, amount))
        } else {
            money = .released
        }
    }

    /// False if it was paid before.
    mutating func pay() -> Bool {
        guard money == .captured, !isPaid else { return false }
        isPaid = true
        version.advance()
        return true
    }

    /// Removes the vehicle, and the buyer's distance and driving time.
    mutating func forget() {
        (vehicle, distanceMeters, drivingSeconds) = (nil, nil, nil)
        isForgotten = true
        version.advance()
    }

    var bill: BillID { id.as(BillID.self) }

    /// Waiting, or approved.
    var isOpen: Bool { [.authorising, .pending, .approved].contains(status) }

    /// Due, and not paid because the card failed.
    var isOwed: Bool { money == .captured && !isPaid }
}

extension SpotRequestRecord: Document {
    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        [
            "spot": spot, "buyer": buyer, "status": status, "is_open": isOpen,
            "is_owed": isOwed, "is_forgotten": isForgotten,
        ]
    }
}

extension SpotRequestStatus: SQLConvertible {}
