import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// A request or a bid, with the money that is held for it. Pure.
struct SpotRequestRecord: Codable, Sendable, Hashable {
    /// What may follow what: every transition there is.
    static let transitions: [(from: SpotRequestStatus, to: Set<SpotRequestStatus>)] = [
        (.authorising, [.pending, .declined, .notChosen, .expired, .cancelled, .outbid]),
        (.pending, [.approved, .denied, .notChosen, .outbid, .expired, .cancelled]),
        (.approved, [.handedOver, .failed, .cancelled]),
    ]

    /// What became of the money; each bill ends captured or released exactly once.
    enum Money: String, Codable, Sendable {
        /// Nothing is to be paid.
        case none
        /// It is held, or about to be.
        case held
        /// The bill says that it is owed.
        case captured
        case released
    }

    let id: SpotRequestID
    let spot: SpotID
    let buyer: PersonID
    /// What is held at most, in minor units: the price, or of a bid its maximum.
    let amount: Int
    let isBid: Bool
    private(set) var vehicle: OrderVehicle?
    private(set) var distanceMeters: Double?
    private(set) var drivingSeconds: Int?
    let createdAt: Date
    private(set) var status: SpotRequestStatus
    private(set) var money: Money
    /// What is owed, once it is captured.
    private(set) var captured: Int?
    private(set) var isPaid = false
    /// Since when the seller has known of it.
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

    /// The money is there: it counts. Of a bid nobody is asked.
    mutating func count(at now: Date, until: Date?) throws(Refusal) {
        try move(to: .pending)
        (countsSince, expiresAt) = (now, until)
    }

    mutating func approve(at now: Date) throws(Refusal) {
        if let expiresAt, now >= expiresAt { throw .spotRequestExpired }
        try move(to: .approved)
        expiresAt = nil
    }

    /// Over: of what is held nothing is owed, or so much.
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

    /// False for what is known.
    mutating func pay() -> Bool {
        guard money == .captured, !isPaid else { return false }
        isPaid = true
        version.advance()
        return true
    }

    /// Drops which vehicle it was, and from where it came.
    mutating func forget() {
        (vehicle, distanceMeters, drivingSeconds) = (nil, nil, nil)
        isForgotten = true
        version.advance()
    }

    var bill: BillID { id.as(BillID.self) }

    /// Still wanted, or the buyer's.
    var isOpen: Bool { [.authorising, .pending, .approved].contains(status) }

    /// Owed, and the card did not give it.
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
