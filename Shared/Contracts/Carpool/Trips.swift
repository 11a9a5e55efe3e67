import Foundation
import Geo

public enum TripKind {}

/// A way that somebody drives anyway, once or every week.
public typealias TripID = Identifier<TripKind>

extension Product {
    public static let carpool: Product = "carpool"
}

/// As in iCalendar's `BYDAY` (RFC 5545), in small letters.
public enum TripWeekday: String, Codable, Sendable, CaseIterable {
    case monday = "mo"
    case tuesday = "tu"
    case wednesday = "we"
    case thursday = "th"
    case friday = "fr"
    case saturday = "sa"
    case sunday = "su"
}

/// On which days a trip is driven: a weekly `RRULE` with `UNTIL` and `EXDATE` (RFC 5545). Days are as in `2026-12-24`,
/// of the trip's zone.
public struct TripRepeats: Codable, Sendable, Hashable {
    public var weekdays: [TripWeekday]
    /// The last day; for ever when null.
    @Nullable public var until: String?
    /// Days on which it is not driven.
    public var exceptions: [String]

    private enum CodingKeys: String, CodingKey { case weekdays, until, exceptions }

    public init(weekdays: [TripWeekday], until: String? = nil, exceptions: [String] = []) {
        (self.weekdays, self.until, self.exceptions) = (weekdays, until, exceptions)
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        weekdays = try fields.decode([TripWeekday].self, forKey: .weekdays)
        _until = try fields.decode(Nullable<String>.self, forKey: .until)
        exceptions = try fields.decodeIfPresent([String].self, forKey: .exceptions) ?? []
    }
}

/// How a passenger pays their share of the cost.
public enum TripPayment: String, Codable, Sendable, CaseIterable {
    case nothing
    /// To the driver, in the car.
    case cash
    /// Through the house, once the ride is confirmed.
    case app
}

public enum TripPreference: String, Codable, Sendable, CaseIterable {
    case quiet, music, pets, luggage, womenOnly, noSmoking
}

public enum TripStatus: String, Codable, Sendable, CaseIterable {
    case open
    /// Its last day is over.
    case ended
    /// By its driver.
    case removed
}

/// `POST /v1/trips`
public struct TripBody: Codable, Sendable {
    public var origin: Place
    public var destination: Place
    /// Points that the way goes through, in order; eight at most.
    public var via: [Coordinate]?
    /// The first departure by the clocks of `timeZone`, without an offset: `2026-12-01T07:30:00`.
    public var departsAt: String
    /// IANA name.
    public var timeZone: String
    /// Absent for a trip that is driven once.
    public var repeats: TripRepeats?
    /// For passengers, 1 to 7.
    public var seats: Int
    /// How much later the driver may be for who does not stand at their way; none when absent.
    public var maxDetourSeconds: Int?
    /// In minor units of the area's currency: a share of the cost.
    public var pricePerSeat: Int?
    /// `app` when absent and there is a price, else `nothing`.
    public var payment: TripPayment?
    /// Whoever fits is taken along without being asked for.
    public var acceptsAutomatically: Bool?
    /// The only one that one has when absent.
    public var vehicleId: VehicleID?
    public var note: String?
    public var preferences: [TripPreference]?

    public init(
        origin: Place, destination: Place, via: [Coordinate]? = nil, departsAt: String,
        timeZone: String, repeats: TripRepeats? = nil, seats: Int = 3,
        maxDetourSeconds: Int? = nil, pricePerSeat: Int? = nil, payment: TripPayment? = nil,
        acceptsAutomatically: Bool? = nil
    ) {
        (self.origin, self.destination, self.via) = (origin, destination, via)
        (self.departsAt, self.timeZone, self.repeats) = (departsAt, timeZone, repeats)
        (self.seats, self.maxDetourSeconds) = (seats, maxDetourSeconds)
        (self.pricePerSeat, self.payment) = (pricePerSeat, payment)
        self.acceptsAutomatically = acceptsAutomatically
    }
}

/// `PATCH /v1/trips/{id}`: what is absent stays (JSON Merge Patch, RFC 7396).
public struct TripChange: Codable, Sendable {
    public var origin: Place?
    public var destination: Place?
    public var via: [Coordinate]?
    public var departsAt: String?
    /// Null for a trip that is driven once from now on: on the day of `departsAt`.
    @Removable public var repeats: TripRepeats??
    public var seats: Int?
    public var maxDetourSeconds: Int?
    public var pricePerSeat: Int?
    public var payment: TripPayment?
    public var acceptsAutomatically: Bool?
    public var vehicleId: VehicleID?
    public var note: String?
    public var preferences: [TripPreference]?

    public init() {}
}

/// `POST /v1/trips/preview`
public struct TripPreviewBody: Codable, Sendable {
    public var origin: Place
    public var destination: Place
    public var via: [Coordinate]?

    public init(origin: Place, destination: Place, via: [Coordinate]? = nil) {
        (self.origin, self.destination, self.via) = (origin, destination, via)
    }
}

/// Answer of `POST /v1/trips/preview`.
public struct TripPreview: Codable, Sendable, Hashable {
    public var way: LineString
    /// No router told it.
    public var isStraightLine: Bool
    public var distanceMeters: Double
    public var durationSeconds: Int
    /// The most that a seat may cost; null where nothing may be asked, outside of all areas.
    @Nullable public var mostPerSeat: Money?
    /// Whom to name beside the line, as the router's data ask.
    @Nullable public var attribution: String?
    /// Others who drive it within the next week.
    public var alike: [TripMatch]

    public init(
        way: LineString, isStraightLine: Bool, distanceMeters: Double, durationSeconds: Int,
        mostPerSeat: Money?, attribution: String?, alike: [TripMatch]
    ) {
        (self.way, self.isStraightLine) = (way, isStraightLine)
        (self.distanceMeters, self.durationSeconds) = (distanceMeters, durationSeconds)
        (self.mostPerSeat, self.attribution, self.alike) = (mostPerSeat, attribution, alike)
    }
}

/// A driver, or a passenger, as others may know them.
public struct TripPerson: Codable, Sendable, Hashable {
    public var id: PersonID
    public var firstName: String
    /// Average stars, 1…5; null before the first rating.
    @Nullable public var rating: Double?
    /// E.164; null but between the driver and who rides with them.
    @Nullable public var phone: String?

    public init(id: PersonID, firstName: String, rating: Double?, phone: String? = nil) {
        (self.id, self.firstName, self.rating, self.phone) = (id, firstName, rating, phone)
    }
}

/// A trip as somebody sees it.
public struct Trip: Codable, Sendable, Hashable {
    public var id: TripID
    public var status: TripStatus
    public var driver: TripPerson
    public var origin: Place
    public var destination: Place
    public var via: [Coordinate]
    public var way: LineString
    /// No router has told the way yet.
    public var isStraightLine: Bool
    public var distanceMeters: Double
    public var durationSeconds: Int
    /// By the clocks of `timeZone`.
    public var departsAt: String
    public var timeZone: String
    /// Null for a trip that is driven once.
    @Nullable public var repeats: TripRepeats?
    /// The day and the time of the next departure; null when there is none.
    @Nullable public var nextDate: String?
    @Nullable public var nextDepartureAt: Date?
    public var seats: Int
    public var maxDetourSeconds: Int
    @Nullable public var pricePerSeat: Money?
    public var payment: TripPayment
    public var acceptsAutomatically: Bool
    /// Its plate is empty but for who rides along.
    @Nullable public var vehicle: OrderVehicle?
    @Nullable public var note: String?
    public var preferences: [TripPreference]
    public var isMine: Bool
    public var isFavourite: Bool
    public var createdAt: Date
    public var version: Int

    public init(
        id: TripID, status: TripStatus, driver: TripPerson, origin: Place, destination: Place,
        way: LineString, isStraightLine: Bool, distanceMeters: Double, durationSeconds: Int,
        departsAt: String, timeZone: String, seats: Int, createdAt: Date, version: Int
    ) {
        (self.id, self.status, self.driver) = (id, status, driver)
        (self.origin, self.destination, self.way) = (origin, destination, way)
        (self.isStraightLine, self.distanceMeters) = (isStraightLine, distanceMeters)
        (self.durationSeconds, self.departsAt, self.timeZone) = (
            durationSeconds, departsAt, timeZone
        )
        (self.seats, self.createdAt, self.version) = (seats, createdAt, version)
        (via, preferences, payment, maxDetourSeconds) = ([], [], .nothing, 0)
        (acceptsAutomatically, isMine, isFavourite) = (false, false, false)
        (repeats, nextDate, nextDepartureAt) = (nil, nil, nil)
        (pricePerSeat, vehicle, note) = (nil, nil, nil)
    }
}

/// `POST /v1/trips/search`
public struct TripSearchBody: Codable, Sendable, Hashable {
    public var from: Coordinate
    public var to: Coordinate
    /// When one wants to be picked up: not before, and not after; three hours when `departBefore` is absent, a week at
    /// most.
    public var departAfter: Date
    public var departBefore: Date?
    /// 1 when absent.
    public var seats: Int?
    /// At each end; 1,000 when absent, 5,000 at most.
    public var maxWalkMeters: Double?
    /// Of the driver; as much as they offer when absent.
    public var maxDetourSeconds: Int?
    /// 1 to 100, 20 when absent.
    public var limit: Int?
    /// Two lifts in a row, too; not when absent.
    public var openEnds: Bool?

    public init(
        from: Coordinate, to: Coordinate, departAfter: Date, departBefore: Date? = nil,
        seats: Int? = nil, maxWalkMeters: Double? = nil, maxDetourSeconds: Int? = nil,
        limit: Int? = nil, openEnds: Bool? = nil
    ) {
        (self.from, self.to) = (from, to)
        (self.departAfter, self.departBefore, self.seats) = (departAfter, departBefore, seats)
        (self.maxWalkMeters, self.maxDetourSeconds) = (maxWalkMeters, maxDetourSeconds)
        (self.limit, self.openEnds) = (limit, openEnds)
    }
}

/// Where somebody gets in, or out.
public struct TripStop: Codable, Sendable, Hashable {
    public var point: Coordinate
    public var at: Date
    /// In a straight line.
    public var walkMeters: Double
    /// What the map calls it, where it is a bus stop or a lay-by with a name.
    @Nullable public var stop: String?

    public init(point: Coordinate, at: Date, walkMeters: Double, stop: String? = nil) {
        (self.point, self.at, self.walkMeters, self.stop) = (point, at, walkMeters, stop)
    }
}

/// Why a trip is found.
public enum TripMatchReason: String, Codable, Sendable, CaseIterable {
    /// Its way passes both ends.
    case passesBoth
    /// The driver makes a detour that they offer.
    case detour
}

/// A trip that goes from near one point to near another.
public struct TripMatch: Codable, Sendable, Hashable {
    public var tripId: TripID
    /// Of its zone.
    public var date: String
    /// IANA name.
    public var timeZone: String
    public var driver: TripPerson
    public var origin: Place
    public var destination: Place
    @Nullable public var repeats: TripRepeats?
    public var pickUp: TripStop
    public var dropOff: TripStop
    public var totalWalkMeters: Double
    /// Of the driver.
    public var detourSeconds: Int
    public var rideSeconds: Int
    public var seatsLeft: Int
    @Nullable public var pricePerSeat: Money?
    public var payment: TripPayment
    /// Seconds of walking, half of the waiting, and the detour: the less, the better.
    public var score: Double
    public var reason: TripMatchReason
    public var isFavourite: Bool

    public init(
        tripId: TripID, date: String, timeZone: String, driver: TripPerson, origin: Place,
        destination: Place, repeats: TripRepeats?, pickUp: TripStop, dropOff: TripStop,
        totalWalkMeters: Double,
        detourSeconds: Int, rideSeconds: Int, seatsLeft: Int, pricePerSeat: Money?,
        payment: TripPayment, score: Double, isFavourite: Bool
    ) {
        (self.tripId, self.date, self.timeZone, self.driver) = (tripId, date, timeZone, driver)
        (self.origin, self.destination, self.repeats) = (origin, destination, repeats)
        (self.pickUp, self.dropOff, self.totalWalkMeters) = (pickUp, dropOff, totalWalkMeters)
        (self.detourSeconds, self.rideSeconds) = (detourSeconds, rideSeconds)
        (self.seatsLeft, self.pricePerSeat, self.payment) = (seatsLeft, pricePerSeat, payment)
        (self.score, self.isFavourite) = (score, isFavourite)
        reason = detourSeconds > 0 ? .detour : .passesBoth
    }
}

/// Answer of `POST /v1/trips/search`.
public struct TripSearchAnswer: Codable, Sendable, Hashable {
    /// Best first.
    public var items: [TripMatch]
    /// The same of two lifts in a row; absent unless `openEnds` asks for them.
    public var connections: [TripConnection]?

    public init(items: [TripMatch], connections: [TripConnection]? = nil) {
        (self.items, self.connections) = (items, connections)
    }
}

/// Between two lifts.
public struct TripTransfer: Codable, Sendable, Hashable {
    /// Where one gets out of the first.
    public var point: Coordinate
    /// To where the second passes, in a straight line.
    public var walkMeters: Double
    /// From when one is there to when it passes.
    public var waitSeconds: Int

    public init(point: Coordinate, walkMeters: Double, waitSeconds: Int) {
        (self.point, self.walkMeters, self.waitSeconds) = (point, walkMeters, waitSeconds)
    }
}

/// Two lifts in a row; a seat in each is asked for by itself, from its pick-up to its drop-off.
public struct TripConnection: Codable, Sendable, Hashable {
    public var first: TripMatch
    public var second: TripMatch
    public var transfer: TripTransfer
    /// With that between the two.
    public var totalWalkMeters: Double
    /// Seconds of walking and riding, and half of the waiting: the less, the better.
    public var score: Double

    public init(
        first: TripMatch, second: TripMatch, transfer: TripTransfer, totalWalkMeters: Double,
        score: Double
    ) {
        (self.first, self.second, self.transfer) = (first, second, transfer)
        (self.totalWalkMeters, self.score) = (totalWalkMeters, score)
    }
}

/// Answer of `GET /v1/trips/{id}/walk`: the way on foot between oneself and the meeting point.
public struct TripWalk: Codable, Sendable, Hashable {
    public var meetingPoint: Coordinate
    /// It is a bus stop or a lay-by.
    public var isStop: Bool
    /// What the map calls that.
    @Nullable public var stop: String?
    public var way: WayAnswer

    public init(meetingPoint: Coordinate, isStop: Bool, stop: String?, way: WayAnswer) {
        (self.meetingPoint, self.isStop, self.stop) = (meetingPoint, isStop, stop)
        self.way = way
    }
}

/// Which end of a ride.
public enum TripEnd: String, Codable, Sendable, CaseIterable {
    case pickUp, dropOff
}

public enum SavedSearchKind {}

public typealias SavedSearchID = Identifier<SavedSearchKind>

/// `POST /v1/me/saved-searches`: tell me when somebody drives there.
public struct SavedSearchBody: Codable, Sendable, Hashable {
    public var name: String?
    public var from: Coordinate
    public var to: Coordinate
    public var maxWalkMeters: Double?
    public var seats: Int?
    /// A single day, as in `2026-12-24`; either this or `weekdays`.
    public var date: String?
    /// Every day when both are absent.
    public var weekdays: [TripWeekday]?
    /// Of the pick-up, in minutes since midnight of `timeZone`; all day when absent.
    public var fromMinute, untilMinute: Int?
    /// IANA name.
    public var timeZone: String

    public init(
        name: String? = nil, from: Coordinate, to: Coordinate, date: String? = nil,
        weekdays: [TripWeekday]? = nil, timeZone: String
    ) {
        (self.name, self.from, self.to) = (name, from, to)
        (self.date, self.weekdays, self.timeZone) = (date, weekdays, timeZone)
    }
}

public struct SavedSearch: Codable, Sendable, Hashable {
    public var id: SavedSearchID
    @Nullable public var name: String?
    public var from: Coordinate
    public var to: Coordinate
    public var maxWalkMeters: Double
    public var seats: Int
    @Nullable public var date: String?
    @Nullable public var weekdays: [TripWeekday]?
    public var fromMinute: Int
    public var untilMinute: Int
    public var timeZone: String
    public var createdAt: Date

    public init(id: SavedSearchID, _ body: SavedSearchBody, createdAt: Date) {
        (self.id, self.createdAt, name) = (id, createdAt, body.name)
        (from, to, timeZone) = (body.from, body.to, body.timeZone)
        (maxWalkMeters, seats) = (body.maxWalkMeters ?? 1_000, body.seats ?? 1)
        (date, weekdays) = (body.date, body.weekdays)
        (fromMinute, untilMinute) = (body.fromMinute ?? 0, body.untilMinute ?? 1_440)
    }
}

/// What an area allows of carpool: `GET, PUT /v1/admin/carpool-policies/{area}`.
public struct CarpoolPolicy: Codable, Sendable, Hashable {
    /// In minor units of the area's currency: the most that a seat may cost a kilometre.
    public var mostPerKilometer: Int
    /// Trips that somebody may publish a day.
    public var tripsPerDay: Int
    /// What the house keeps of what is paid through it.
    public var commissionPercent: Int

    public init(
        mostPerKilometer: Int = 12, tripsPerDay: Int = 20, commissionPercent: Int = 0
    ) {
        (self.mostPerKilometer, self.tripsPerDay) = (mostPerKilometer, tripsPerDay)
        self.commissionPercent = commissionPercent
    }
}
