import Foundation

/// Where an order stands. `undefined` and `none` are for clients and are never stored.
public enum OrderStatus: String, Codable, Sendable, CaseIterable {
    case requested, droppingOff, parking, parked, requestingBack, returningBack
    case waitingForPayment, finished, cancelled, unfulfilled

    public var isEnd: Bool {
        switch self {
        case .finished, .cancelled, .unfulfilled: true
        case .requested, .droppingOff, .parking, .parked, .requestingBack, .returningBack,
            .waitingForPayment:
            false
        }
    }
}

/// The two jobs of an order: taking the vehicle, and bringing it back.
public enum OrderLeg: String, Codable, Sendable, CaseIterable {
    case dropOff, `return`
}

public enum Extra: String, Codable, Sendable, CaseIterable {
    case wash, refuel
}

/// Work on a parked vehicle: made of an order's extras when it is parked.
public struct OrderTask: Codable, Sendable, Hashable {
    public enum Status: String, Codable, Sendable, CaseIterable { case open, taken, done }

    public var kind: Open<Extra>
    public var status: Open<Status>
    /// Who took it or has done it.
    public var valet: ValetID?
    public var doneAt: Date?

    public init(kind: Extra, status: Status, valet: ValetID? = nil, doneAt: Date? = nil) {
        self.kind = .known(kind)
        self.status = .known(status)
        self.valet = valet
        self.doneAt = doneAt
    }
}

/// Where the vehicle stands, and where its key hangs.
public struct ParkedAt: Codable, Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    /// Of the house's maps; absent where they have none.
    public var address: String?
    public var lot: String?
    public var level: String?
    public var bay: String?
    public var keyTag: String?
    /// The car park of ours that it stands in; absent for any other place.
    public var carParkId: CarParkID?

    public init(
        latitude: Double, longitude: Double, address: String? = nil, lot: String? = nil,
        level: String? = nil, bay: String? = nil, keyTag: String? = nil,
        carParkId: CarParkID? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.address = address
        self.lot = lot
        self.level = level
        self.bay = bay
        self.keyTag = keyTag
        self.carParkId = carParkId
    }
}

/// The other side of an order, as a party may see them. Empty names until accounts' event has arrived.
public struct Party: Codable, Sendable, Hashable {
    public var id: PersonID
    public var firstName: String
    public var lastName: String
    public var phone: String
    @Nullable public var photoURL: String?
    /// Average stars, 1…5; null before the first rating.
    @Nullable public var rating: Double?

    public init(
        id: PersonID, firstName: String, lastName: String, phone: String, photoURL: String? = nil,
        rating: Double? = nil
    ) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.phone = phone
        self.photoURL = photoURL
        self.rating = rating
    }
}

/// A vehicle in an order; without an id when the valet described one that the customer had not chosen.
public struct OrderVehicle: Codable, Sendable, Hashable {
    @Nullable public var id: VehicleID?
    public var plate: String
    public var make: String
    public var model: String
    public var colour: String

    public init(id: VehicleID?, plate: String, make: String, model: String, colour: String) {
        self.id = id
        self.plate = plate
        self.make = make
        self.model = model
        self.colour = colour
    }
}

/// An order as a party to it, or an operator, sees it.
public struct OrderView: Codable, Sendable, Hashable {
    public var id: OrderID
    /// Short, to be read out: `K7-42`.
    public var ticket: String
    public var status: OrderStatus
    public var serviceArea: ServiceAreaID
    public var customer: Party
    @Nullable public var dropOffValet: Party?
    @Nullable public var returnValet: Party?
    @Nullable public var vehicle: OrderVehicle?
    public var dropOff: Place
    @Nullable public var parked: ParkedAt?
    @Nullable public var returnTo: Place?
    /// Seconds until the assigned valet is at the meeting point, as estimated at assignment.
    @Nullable public var etaSeconds: Int?
    public var extras: [Extra]
    /// Four digits, for the customer's eyes only; null in everybody else's view.
    @Nullable public var handoverCode: String?
    /// What is owed: the bill once the vehicle is back, or the fee of a cancellation.
    @Nullable public var charge: Money?
    /// Why the order was cancelled, unfulfilled or overridden.
    @Nullable public var reason: String?
    public var createdAt: Date
    @Nullable public var assignedAt: Date?
    @Nullable public var collectedAt: Date?
    @Nullable public var parkedAt: Date?
    @Nullable public var recalledAt: Date?
    @Nullable public var retrievedAt: Date?
    @Nullable public var returnedAt: Date?
    @Nullable public var endedAt: Date?
    /// When the customer wants the valet; null is as soon as possible.
    @Nullable public var scheduledFor: Date?
    /// Wash and refuel of the parked vehicle.
    public var tasks: [OrderTask]
    /// Grows by one with each change; also the `ETag`.
    public var version: Int

    public init(
        id: OrderID, ticket: String, status: OrderStatus, serviceArea: ServiceAreaID,
        customer: Party, dropOff: Place, extras: [Extra], createdAt: Date, version: Int
    ) {
        self.id = id
        self.ticket = ticket
        self.status = status
        self.serviceArea = serviceArea
        self.customer = customer
        self.dropOff = dropOff
        self.extras = extras
        self.createdAt = createdAt
        self.version = version
        (dropOffValet, returnValet, vehicle, parked, returnTo) = (nil, nil, nil, nil, nil)
        (etaSeconds, handoverCode, charge, reason) = (nil, nil, nil, nil)
        (assignedAt, collectedAt, parkedAt, recalledAt) = (nil, nil, nil, nil)
        (retrievedAt, returnedAt, endedAt, scheduledFor) = (nil, nil, nil, nil)
        tasks = []
    }
}

public struct PlaceOrderBody: Codable, Sendable {
    public var dropOff: Place
    public var vehicleId: VehicleID?
    public var extras: [Extra]?
    /// When the valet is wanted; as soon as possible when absent.
    public var scheduledFor: Date?

    public init(
        dropOff: Place, vehicleId: VehicleID? = nil, extras: [Extra]? = nil,
        scheduledFor: Date? = nil
    ) {
        self.dropOff = dropOff
        self.vehicleId = vehicleId
        self.extras = extras
        self.scheduledFor = scheduledFor
    }
}

/// Which task of a parked order: body of `take-task`, `release-task` and `complete-task`.
public struct TaskBody: Codable, Sendable {
    public var kind: Extra
    public init(kind: Extra) { self.kind = kind }
}

/// An item of `GET /v1/tasks`: work on a parked vehicle that a valet can take, or has taken.
public struct TaskListing: Codable, Sendable, Hashable {
    public var order: OrderID
    public var ticket: String
    public var serviceArea: ServiceAreaID
    public var task: OrderTask
    @Nullable public var vehicle: OrderVehicle?
    @Nullable public var parked: ParkedAt?

    public init(
        order: OrderID, ticket: String, serviceArea: ServiceAreaID, task: OrderTask,
        vehicle: OrderVehicle?, parked: ParkedAt?
    ) {
        self.order = order
        self.ticket = ticket
        self.serviceArea = serviceArea
        self.task = task
        self.vehicle = vehicle
        self.parked = parked
    }
}

/// A job that a valet is asked to take: item of `GET /v1/me/offers`.
public struct Offer: Codable, Sendable, Hashable {
    public var order: OrderID
    public var ticket: String
    public var leg: OrderLeg
    /// Where the valet is needed: the customer, or the parked vehicle.
    public var meetingPoint: Place
    public var etaSeconds: Int
    public var offeredAt: Date
    /// When the phone confirmed that it has the offer; the clock starts then.
    @Nullable public var deliveredAt: Date?
    /// When silence counts as no.
    public var expiresAt: Date

    public init(
        order: OrderID, ticket: String, leg: OrderLeg, meetingPoint: Place, etaSeconds: Int,
        offeredAt: Date, deliveredAt: Date?, expiresAt: Date
    ) {
        self.order = order
        self.ticket = ticket
        self.leg = leg
        self.meetingPoint = meetingPoint
        self.etaSeconds = etaSeconds
        self.offeredAt = offeredAt
        self.deliveredAt = deliveredAt
        self.expiresAt = expiresAt
    }
}

/// An order that an operator has to look at: item of `GET /v1/admin/alerts`.
public struct Alert: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// It has been in its state for longer than the limit.
        case overdue
        /// Its valet was suspended, and can't go on.
        case valetSuspended
        /// The hand-over code was typed wrong as often as may be.
        case wrongCodes
    }

    public var id: AlertID
    public var order: OrderID
    public var ticket: String
    public var kind: Kind
    public var status: OrderStatus
    /// Of `overdue`: how long an order may be in that state; otherwise zero.
    public var limitSeconds: Int
    public var raisedAt: Date
    @Nullable public var acknowledgedAt: Date?
    @Nullable public var acknowledgedBy: OperatorID?
    /// When the order left the state.
    @Nullable public var resolvedAt: Date?

    public init(
        id: AlertID, order: OrderID, ticket: String, kind: Kind, status: OrderStatus,
        limitSeconds: Int, raisedAt: Date
    ) {
        self.id = id
        self.order = order
        self.ticket = ticket
        self.kind = kind
        self.status = status
        self.limitSeconds = limitSeconds
        self.raisedAt = raisedAt
        (acknowledgedAt, acknowledgedBy, resolvedAt) = (nil, nil, nil)
    }
}

/// `GET /v1/admin/alerts?status=`.
public enum AlertStatus: String, Codable, Sendable, CaseIterable {
    /// Nobody has looked yet.
    case open
    case acknowledged
    /// The order has left the state.
    case resolved
}

/// A valet's working time, from going on shift to going off: item of `GET /v1/me/shifts`.
public struct Shift: Codable, Sendable, Hashable {
    public struct Break: Codable, Sendable, Hashable {
        public var startedAt: Date
        @Nullable public var endedAt: Date?

        public init(startedAt: Date, endedAt: Date?) {
            self.startedAt = startedAt
            self.endedAt = endedAt
        }
    }

    public var valet: ValetID
    public var startedAt: Date
    @Nullable public var endedAt: Date?
    public var breaks: [Break]

    public init(valet: ValetID, startedAt: Date, endedAt: Date?, breaks: [Break]) {
        self.valet = valet
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.breaks = breaks
    }
}

public struct ReasonBody: Codable, Sendable {
    public var reason: String?
    public init(reason: String? = nil) { self.reason = reason }
}

public struct CodeBody: Codable, Sendable {
    public var code: String
    public init(code: String) { self.code = code }
}

public struct ParkBody: Codable, Sendable {
    public var latitude: Double
    public var longitude: Double
    public var lot: String?
    public var level: String?
    public var bay: String?
    public var keyTag: String?
    /// A car park of ours in which it takes a space.
    public var carParkId: CarParkID?
    public var vehicle: VehicleDescription
    /// The recognition that the valet confirmed or corrected.
    public var recognitionId: RecognitionID?

    public init(
        at place: ParkedAt, vehicle: VehicleDescription, recognitionId: RecognitionID? = nil
    ) {
        latitude = place.latitude
        longitude = place.longitude
        lot = place.lot
        level = place.level
        bay = place.bay
        keyTag = place.keyTag
        carParkId = place.carParkId
        self.vehicle = vehicle
        self.recognitionId = recognitionId
    }
}

public struct RecallBody: Codable, Sendable {
    public var returnTo: Place
    public init(returnTo: Place) { self.returnTo = returnTo }
}

public struct OverrideBody: Codable, Sendable {
    public var status: OrderStatus
    public var reason: String

    public init(status: OrderStatus, reason: String) {
        self.status = status
        self.reason = reason
    }
}

/// What an order costs so far, or in the end.
public struct Quote: Codable, Sendable, Hashable {
    public struct Line: Codable, Sendable, Hashable {
        public enum Kind: String, Codable, Sendable, CaseIterable {
            case base, time, dailyCap, wash, refuel, cancellation, noShow
            /// The space of a car park in which the vehicle stood.
            case carPark
        }

        public var kind: Open<Kind>
        public var amount: Money

        public init(kind: Kind, amount: Money) {
            self.kind = .known(kind)
            self.amount = amount
        }
    }

    /// From `collectedAt` to `returnedAt`, or to now.
    public var durationSeconds: Int
    public var charge: Money
    public var lines: [Line]

    public init(durationSeconds: Int, charge: Money, lines: [Line]) {
        self.durationSeconds = durationSeconds
        self.charge = charge
        self.lines = lines
    }
}
