import Foundation

/// The state of an order.
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

/// A service besides parking.
public enum Extra: String, Codable, Sendable, CaseIterable {
    case wash, refuel
}

/// Work on a parked vehicle, created from an order's extras when the vehicle is parked.
public struct OrderTask: Codable, Sendable, Hashable {
    /// Whether a valet has taken the task, or done it.
    public enum Status: String, Codable, Sendable, CaseIterable { case open, taken, done }

    public var kind: Open<Extra>
    public var status: Open<Status>
    /// The valet who took the task or has done it.
    public var valet: ValetID?
    public var doneAt: Date?

    public init(kind: Extra, status: Status, valet: ValetID? = nil, doneAt: Date? = nil) {
        self.kind = .known(kind)
        self.status = .known(status)
        self.valet = valet
        self.doneAt = doneAt
    }
}

/// Where the vehicle is parked, and where its key is.
public struct ParkedAt: Codable, Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    /// Address from the platform's maps. Absent if the maps have none.
    public var address: String?
    public var lot: String?
    public var level: String?
    public var bay: String?
    public var keyTag: String?
    /// The platform's car park in which the vehicle has a space; the place is then its entrance.
    /// Absent for any other place.
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

/// A customer or valet of an order, as the caller may see them. The names and `phone` are empty
/// until the account's data has reached the service.
public struct Party: Codable, Sendable, Hashable {
    public var id: PersonID
    public var firstName: String
    public var lastName: String
    /// Empty for a valet whose leg is over.
    public var phone: String
    /// A signed address that works for at least ten minutes. Get the order without `If-None-Match`
    /// for a new one.
    @Nullable public var photoURL: String?
    /// Average rating in stars, 1 to 5. Null before the first rating.
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

/// A vehicle in an order. It has no id if the customer had not chosen one and the valet described
/// it.
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

/// An order, as one of its parties or an operator sees it.
public struct OrderView: Codable, Sendable, Hashable {
    public var id: OrderID
    /// A short code to read out, for example `K7-42`.
    public var ticket: String
    public var status: OrderStatus
    public var serviceArea: ServiceAreaID
    public var customer: Party
    @Nullable public var dropOffValet: Party?
    @Nullable public var returnValet: Party?
    @Nullable public var vehicle: OrderVehicle?
    public var dropOff: Place
    @Nullable public var parked: ParkedAt?
    /// Where the customer wants the vehicle. Null also for a valet whose leg is over, as is the
    /// address of `dropOff`.
    @Nullable public var returnTo: Place?
    /// Seconds until the assigned valet reaches the meeting point, as estimated at assignment.
    @Nullable public var etaSeconds: Int?
    public var extras: [Extra]
    /// Four digits that only the customer sees. Null in everybody else's view.
    @Nullable public var handoverCode: String?
    /// The amount due: the bill once the vehicle is back, or the fee of a cancellation.
    @Nullable public var charge: Money?
    /// Why the order was cancelled or unfulfilled: a person's words, `noValetAvailable` or
    /// `customerAbsent`. While the vehicle is parked, `noValetAvailable` means that no valet was
    /// free to bring it back. Valets and operators also see why a valet gave the job back or an
    /// operator changed the state.
    @Nullable public var reason: String?
    public var createdAt: Date
    @Nullable public var assignedAt: Date?
    @Nullable public var collectedAt: Date?
    @Nullable public var parkedAt: Date?
    @Nullable public var recalledAt: Date?
    @Nullable public var retrievedAt: Date?
    @Nullable public var returnedAt: Date?
    @Nullable public var endedAt: Date?
    /// When the customer wants the valet. Null means as soon as possible.
    @Nullable public var scheduledFor: Date?
    /// Washing and refuelling of the parked vehicle.
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

/// A request for a valet.
public struct PlaceOrderBody: Codable, Sendable {
    public var dropOff: Place
    public var vehicleId: VehicleID?
    public var extras: [Extra]?
    /// When the valet is wanted: 15 minutes to 14 days ahead, unless the platform is configured
    /// otherwise. Absent means as soon as possible. The order counts as unfinished once it is
    /// placed. The search for a valet starts ten minutes before the time.
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

/// The task of a parked order.
public struct TaskBody: Codable, Sendable {
    public var kind: Extra
    public init(kind: Extra) { self.kind = kind }
}

/// A task that a valet can take or has taken, with everything they need to know.
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

/// A job that a valet is asked to take.
public struct Offer: Codable, Sendable, Hashable {
    public var order: OrderID
    public var ticket: String
    public var leg: OrderLeg
    /// Where the valet is needed: at the customer's place or the parked vehicle.
    public var meetingPoint: Place
    public var etaSeconds: Int
    public var offeredAt: Date
    /// When the phone confirmed delivery of the offer. The time to answer starts then.
    @Nullable public var deliveredAt: Date?
    /// When the offer ends without an answer. It becomes later once delivery is confirmed.
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

/// An order that needs an operator.
public struct Alert: Codable, Sendable, Hashable {
    /// `overdue`: the order has been in its state for longer than the limit. `valetSuspended`: its
    /// valet was suspended and can't continue. `wrongCodes`: the hand-over code was entered wrongly
    /// ten times.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// The order has been in its state for longer than the limit.
        case overdue
        /// The order's valet was suspended, and can't continue.
        case valetSuspended
        /// The hand-over code was entered wrongly as often as is allowed.
        case wrongCodes
    }

    public var id: AlertID
    public var order: OrderID
    public var ticket: String
    public var kind: Kind
    public var status: OrderStatus
    /// With `overdue`, how long an order may stay in that state; otherwise 0.
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

/// `open`: no operator has acknowledged the alert yet. `acknowledged`: an operator has, and the
/// order is still in its state. `resolved`: the order has left that state.
public enum AlertStatus: String, Codable, Sendable, CaseIterable {
    /// No operator has acknowledged the alert yet.
    case open
    case acknowledged
    /// The order has left the state.
    case resolved
}

/// A valet's working time, from going on shift to going off. A phone
/// that sends nothing doesn't end it.
public struct Shift: Codable, Sendable, Hashable {
    /// A break of a shift.
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

/// The reason, in the words of the person who asks.
public struct ReasonBody: Codable, Sendable {
    public var reason: String?
    public init(reason: String? = nil) { self.reason = reason }
}

/// The customer's four digits.
public struct CodeBody: Codable, Sendable {
    public var code: String
    public init(code: String) { self.code = code }
}

/// Where the vehicle is parked, and what vehicle it is.
public struct ParkBody: Codable, Sendable {
    public var latitude: Double
    public var longitude: Double
    public var lot: String?
    public var level: String?
    public var bay: String?
    public var keyTag: String?
    /// The platform's car park in which the vehicle takes a space.
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

/// Where the customer wants the vehicle.
public struct RecallBody: Codable, Sendable {
    public var returnTo: Place
    public init(returnTo: Place) { self.returnTo = returnTo }
}

/// The state to set, and the reason.
public struct OverrideBody: Codable, Sendable {
    public var status: OrderStatus
    public var reason: String

    public init(status: OrderStatus, reason: String) {
        self.status = status
        self.reason = reason
    }
}

/// The price of an order so far, or its final price. Until the customer recalls the vehicle, it
/// includes extras that may still be done. The bill has only those that were done.
public struct Quote: Codable, Sendable, Hashable {
    /// One line of a bill.
    public struct Line: Codable, Sendable, Hashable {
        /// The service or fee that a line of a bill is for.
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

    /// Time from `collectedAt` until `returnedAt`, or until now.
    public var durationSeconds: Int
    public var charge: Money
    public var lines: [Line]

    public init(durationSeconds: Int, charge: Money, lines: [Line]) {
        self.durationSeconds = durationSeconds
        self.charge = charge
        self.lines = lines
    }
}
