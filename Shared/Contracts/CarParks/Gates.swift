import Foundation

/// `POST /v1/admin/gates`
public struct GateBody: Codable, Sendable {
    public var carParkId: CarParkID
    public var name: String

    public init(carParkId: CarParkID, name: String) {
        (self.carParkId, self.name) = (carParkId, name)
    }
}

public struct Gate: Codable, Sendable, Hashable {
    public var id: GateID
    public var carParkId: CarParkID
    public var name: String

    public init(id: GateID, carParkId: CarParkID, name: String) {
        (self.id, self.carParkId, self.name) = (id, carParkId, name)
    }
}

/// A gate with the token that opens its endpoint: shown once.
public struct NewGate: Codable, Sendable {
    public var id: GateID
    public var token: String

    public init(id: GateID, token: String) { (self.id, self.token) = (id, token) }
}

public enum PassageDirection: String, Codable, Sendable, CaseIterable {
    case `in`, out
}

/// `POST /v1/gates/{id}/passages`: a vehicle stands at the gate, or has passed it while the line was down.
public struct PassageBody: Codable, Sendable {
    public var direction: PassageDirection
    public var plate: String?
    /// A recognition whose plate counts where none is named.
    public var recognitionId: RecognitionID?
    /// The ticket's code, or the booking's reference as people say it: where the plate can't be read.
    public var ticket: String?
    /// By the gate's clock.
    public var at: Date
    /// When this is sent, by the same clock: anew with each try.
    public var sentAt: Date?

    public init(
        _ direction: PassageDirection, plate: String? = nil, recognitionId: RecognitionID? = nil,
        ticket: String? = nil, at: Date, sentAt: Date? = nil
    ) {
        (self.direction, self.plate, self.recognitionId) = (direction, plate, recognitionId)
        (self.ticket, self.at, self.sentAt) = (ticket, at, sentAt)
    }
}

public struct PassageAnswer: Codable, Sendable, Hashable {
    public enum Reason: String, Codable, Sendable, CaseIterable {
        case booked, driveUp, paid, free
        /// Overstayed, or told late: what it costs is on the bill of whoever it is, if that is known.
        case billed
        case closed, full, unreadable, unknown, alreadyInside, paymentDue
        /// The booking begins later, and until then there is no space to drive up to.
        case tooEarly
    }

    public var open: Bool
    public var reason: Reason
    /// With `driveUp` and `tooEarly` the one that begins later: it takes the stay over then.
    @Nullable public var booking: BookingID?
    @Nullable public var session: ParkingSessionID?
    /// With `paymentDue` and `billed`, as it was then.
    @Nullable public var due: Money?

    public init(
        open: Bool, _ reason: Reason, booking: BookingID? = nil, session: ParkingSessionID? = nil,
        due: Money? = nil
    ) {
        (self.open, self.reason) = (open, reason)
        self.booking = booking
        self.session = session
        self.due = due
    }
}

/// `POST /v1/admin/parking-sessions/{id}/end`: a vehicle is inside no more, and no gate has said so.
public struct EndSessionBody: Codable, Sendable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// One stay of one vehicle.
public struct ParkingSession: Codable, Sendable, Hashable {
    public var id: ParkingSessionID
    public var carPark: CarParkID
    public var plate: String
    public var enteredAt: Date
    /// Where nobody saw it leave, when it was known to be gone: then there is no `exitGate`.
    @Nullable public var leftAt: Date?
    /// Null for a drive-up.
    @Nullable public var booking: BookingID?
    public var entryGate: GateID
    @Nullable public var exitGate: GateID?
    /// What is owed for it beside the booking: of a drive-up, or for overstaying.
    @Nullable public var due: Money?
    public var isPaid: Bool
    /// What an operator gave back of what was paid for it.
    @Nullable public var refunded: Money?

    public init(
        id: ParkingSessionID, carPark: CarParkID, plate: String, enteredAt: Date,
        booking: BookingID?, entryGate: GateID
    ) {
        (self.id, self.carPark, self.plate, self.enteredAt) = (id, carPark, plate, enteredAt)
        self.entryGate = entryGate
        isPaid = false
        self.booking = booking
        (leftAt, exitGate, due, refunded) = (nil, nil, nil, nil)
    }
}
