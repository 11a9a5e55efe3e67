import Foundation

/// A gate to add to a car park.
public struct GateBody: Codable, Sendable {
    public var carParkId: CarParkID
    public var name: String

    public init(carParkId: CarParkID, name: String) {
        (self.carParkId, self.name) = (carParkId, name)
    }
}

/// A gate of a car park.
public struct Gate: Codable, Sendable, Hashable {
    public var id: GateID
    public var carParkId: CarParkID
    public var name: String

    public init(id: GateID, carParkId: CarParkID, name: String) {
        (self.id, self.carParkId, self.name) = (id, carParkId, name)
    }
}

/// A gate with the token for its endpoint.
public struct NewGate: Codable, Sendable {
    public var id: GateID
    /// Token with which the gate reports passages. It is shown only once.
    public var token: String

    public init(id: GateID, token: String) { (self.id, self.token) = (id, token) }
}

/// Direction of a passage: into or out of the car park.
public enum PassageDirection: String, Codable, Sendable, CaseIterable {
    case `in`, out
}

/// A vehicle at a gate, or one that passed it while the gate was offline.
public struct PassageBody: Codable, Sendable {
    public var direction: PassageDirection
    public var plate: String?
    /// A recognition of plates, whose plate is used if `plate` is absent.
    public var recognitionId: RecognitionID?
    /// Code of the ticket, or the booking's reference, for a vehicle whose plate can't be read.
    public var ticket: String?
    /// Time of the passage by the gate's clock, within the last seven days. A passage of more than
    /// a minute ago is only recorded.
    public var at: Date
    /// Time at which the gate sends this, by the same clock and updated with each retry. It is used
    /// to correct `at` for the error of the gate's clock.
    public var sentAt: Date?

    public init(
        _ direction: PassageDirection, plate: String? = nil, recognitionId: RecognitionID? = nil,
        ticket: String? = nil, at: Date, sentAt: Date? = nil
    ) {
        (self.direction, self.plate, self.recognitionId) = (direction, plate, recognitionId)
        (self.ticket, self.at, self.sentAt) = (ticket, at, sentAt)
    }
}

/// Whether a gate has to open, and why.
public struct PassageAnswer: Codable, Sendable, Hashable {
    /// Why a gate opens or not. `booked`: also for a vehicle that one of our valets parks.
    /// `billed`: the driver overstayed, or the exit was reported late; they get a bill if they are
    /// known. `tooEarly`: the booking begins later, and the vehicle can't enter as a drive-up until
    /// then.
    public enum Reason: String, Codable, Sendable, CaseIterable {
        case booked, driveUp, paid, free
        /// The driver overstayed, or the exit was reported late. They get a bill if they are known.
        case billed
        case closed, full, unreadable, unknown, alreadyInside, paymentDue
        /// The booking begins later, and the vehicle can't enter as a drive-up until then.
        case tooEarly
        /// An operator opened the gate once.
        case opened
    }

    public var open: Bool
    public var reason: Reason
    /// With `driveUp` and `tooEarly`, a booking that begins later and takes over the stay then;
    /// null without a booking.
    @Nullable public var booking: BookingID?
    /// The stay of the vehicle; null without one.
    @Nullable public var session: ParkingSessionID?
    /// Amount due at that time, with `paymentDue` and `billed`; otherwise null. Without tax on top
    /// of prices if the gate opens, which doesn't wait for it.
    @Nullable public var due: Money?
    /// Code to show to the driver of a stay that belongs to nobody yet: with it and the plate they open
    /// the stay in the app. Null for other stays.
    @Nullable public var code: String?

    public init(
        open: Bool, _ reason: Reason, booking: BookingID? = nil, session: ParkingSessionID? = nil,
        due: Money? = nil, code: String? = nil
    ) {
        (self.open, self.reason) = (open, reason)
        self.booking = booking
        self.session = session
        self.due = due
        self.code = code
    }
}

/// Ends a stay whose vehicle has left without a gate reporting it.
public struct EndSessionBody: Codable, Sendable {
    /// Settlement of the amount due.
    public enum Settlement: String, Codable, Sendable, CaseIterable {
        /// Nobody has to pay it.
        case writeOff
        /// The driver gets a bill if they are known. Otherwise it is added to the next stay of the
        /// plate.
        case later
    }

    /// For the audit log, without names of people.
    public var reason: String
    /// Settlement of the amount due; required if something is due.
    public var settlement: Settlement?

    public init(reason: String, settlement: Settlement? = nil) {
        (self.reason, self.settlement) = (reason, settlement)
    }
}

extension EndSessionBody.Settlement: SchemaNamed {
    public static var schemaName: String { "EndSessionSettlement" }
}

/// A stay of a vehicle in a car park.
public struct ParkingSession: Codable, Sendable, Hashable {
    public var id: ParkingSessionID
    public var carPark: CarParkID
    public var plate: String
    public var enteredAt: Date
    /// Time at which the vehicle left; null while it is inside. If no gate saw it leave, this is
    /// the time at which it was known to have left, and `exitGate` is null.
    @Nullable public var leftAt: Date?
    /// Null for a drive-up.
    @Nullable public var booking: BookingID?
    public var entryGate: GateID
    @Nullable public var exitGate: GateID?
    /// Amount due in addition to the booking: for a drive-up, or for overstaying; null if nothing
    /// is due.
    @Nullable public var due: Money?
    public var isPaid: Bool
    /// Amount that an operator refunded, without tax on top; null if none was.
    @Nullable public var refunded: Money?
    /// Tax on top of `refunded`; absent if prices include tax, and without refunds.
    public var refundedTax: Money?
    /// Time to leave after paying, in seconds; absent unless it is the caller's own stay and the
    /// vehicle is inside.
    public var secondsToLeave: Int?
    /// Bills that the caller has paid for the stay, oldest first. Each has a receipt. Absent for
    /// operators.
    public var paidBills: [BillID]?

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
