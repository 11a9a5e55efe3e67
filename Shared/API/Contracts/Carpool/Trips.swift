import Foundation
import Geo

public enum TripKind {}

/// A trip that somebody makes anyway, once or every week.
public typealias TripID = Identifier<TripKind>

extension Product {
    public static let carpool: Product = "carpool"
}

/// Day of the week, as in iCalendar's `BYDAY` (RFC 5545), in lower case.
public enum TripWeekday: String, Codable, Sendable, CaseIterable {
    case monday = "mo"
    case tuesday = "tu"
    case wednesday = "we"
    case thursday = "th"
    case friday = "fr"
    case saturday = "sa"
    case sunday = "su"
}

/// Days on which a weekly trip is driven, in the trip's time zone. They are the same as a weekly
/// `RRULE` with `UNTIL` and `EXDATE` in iCalendar (RFC 5545).
public struct TripRepeats: Codable, Sendable, Hashable {
    /// Days of the week, each once.
    public var weekdays: [TripWeekday]
    /// Last day of the trip, for example `2027-03-01`; null for no end.
    @Nullable public var until: String?
    /// Days on which the trip is not driven, each once, for example `2026-12-28`. The trip would
    /// otherwise be driven on each of them. Defaults to none.
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

/// How passengers pay their share of the cost. `nothing`: the trip is free. `cash`: to the driver,
/// in the car. `app`: through the platform, once the ride is confirmed.
public enum TripPayment: String, Codable, Sendable, CaseIterable {
    case nothing
    /// To the driver, in the car.
    case cash
    /// Through the platform, once the ride is confirmed.
    case app
}

/// A preference of the driver, or something that the car has room for.
public enum TripPreference: String, Codable, Sendable, CaseIterable {
    case quiet, music, pets, luggage, womenOnly, noSmoking
}

/// Status of a trip. `ended`: its last day is over. `removed`: the driver or an operator removed
/// it, or the driver's account was deleted.
public enum TripStatus: String, Codable, Sendable, CaseIterable {
    case open
    /// Its last day is over.
    case ended
    /// By the driver or an operator, or with the driver's account.
    case removed
}

/// A trip to publish. Its driver makes it anyway.
public struct TripBody: Codable, Sendable {
    public var origin: Place
    public var destination: Place
    /// Points that the route passes through, in order.
    public var via: [Coordinate]?
    /// First departure in local time of `timeZone`, without an offset, for example
    /// `2026-12-01T07:30:00`. At most 365 days ahead.
    public var departsAt: String
    /// IANA name, for example `Europe/Malta`.
    public var timeZone: String
    /// Days on which a weekly trip is driven; absent for a trip that is driven once.
    public var repeats: TripRepeats?
    /// Number of seats for passengers.
    public var seats: Int
    /// Largest detour for passengers off the route, in seconds. Defaults to none.
    public var maxDetourSeconds: Int?
    /// Price of a seat, as a share of the cost, in minor units of the area's currency. The trip is
    /// free if it is 0 or absent.
    public var pricePerSeat: Int?
    /// Defaults to `app` if there is a price, otherwise to `nothing`.
    public var payment: TripPayment?
    /// Whether passengers who fit are accepted without asking the driver. Defaults to false.
    public var acceptsAutomatically: Bool?
    /// The driver's vehicle. Defaults to their only vehicle if they have exactly one.
    public var vehicleId: VehicleID?
    public var note: String?
    /// Each at most once.
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

/// Changes to a trip. Fields that are absent stay as they are (JSON Merge Patch, RFC 7396).
public struct TripChange: Codable, Sendable {
    public var origin: Place?
    public var destination: Place?
    public var via: [Coordinate]?
    /// First departure in local time of the trip's time zone, without an offset.
    public var departsAt: String?
    /// Days on which a weekly trip is driven. Null for a trip that is driven once from now on, on
    /// the day of `departsAt`.
    @Removable public var repeats: TripRepeats??
    public var seats: Int?
    /// Largest detour for passengers off the route, in seconds.
    public var maxDetourSeconds: Int?
    /// Price of a seat, in minor units of the area's currency; 0 for a free trip.
    public var pricePerSeat: Int?
    public var payment: TripPayment?
    public var acceptsAutomatically: Bool?
    public var vehicleId: VehicleID?
    public var note: String?
    public var preferences: [TripPreference]?

    public init() {}
}

/// A trip to preview before it is published.
public struct TripPreviewBody: Codable, Sendable {
    public var origin: Place
    public var destination: Place
    /// Points that the route passes through, in order.
    public var via: [Coordinate]?

    public init(origin: Place, destination: Place, via: [Coordinate]? = nil) {
        (self.origin, self.destination, self.via) = (origin, destination, via)
    }
}

/// The route of a trip before it is published, the highest price of a seat, and similar trips of
/// other drivers.
public struct TripPreview: Codable, Sendable, Hashable {
    /// The route.
    public var way: LineString
    /// True if no router could compute the route. It is then a straight line from point to point.
    public var isStraightLine: Bool
    public var distanceMeters: Double
    public var durationSeconds: Int
    /// Highest price that a seat may cost; null outside all service areas, where trips have to be
    /// free.
    @Nullable public var mostPerSeat: Money?
    /// Credit to show beside the line, as the router's data require; null for none.
    @Nullable public var attribution: String?
    /// Similar trips of other drivers in the next week, at most 5.
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

/// A driver or a passenger, as other people may see them.
public struct TripPerson: Codable, Sendable, Hashable {
    public var id: PersonID
    public var firstName: String
    /// Average rating in stars, from 1 to 5; null before the first rating.
    @Nullable public var rating: Double?
    /// Phone number in E.164 format, shown only to the driver and an accepted passenger of the same
    /// ride; otherwise null. Empty if the person has none.
    @Nullable public var phone: String?

    public init(id: PersonID, firstName: String, rating: Double?, phone: String? = nil) {
        (self.id, self.firstName, self.rating, self.phone) = (id, firstName, rating, phone)
    }
}

/// A trip, as the caller sees it.
public struct Trip: Codable, Sendable, Hashable {
    public var id: TripID
    public var status: TripStatus
    public var driver: TripPerson
    public var origin: Place
    public var destination: Place
    public var via: [Coordinate]
    /// The route.
    public var way: LineString
    /// True while no router has computed the route yet. Until then it is a straight line from point
    /// to point.
    public var isStraightLine: Bool
    public var distanceMeters: Double
    public var durationSeconds: Int
    /// First departure in local time of `timeZone`, without an offset.
    public var departsAt: String
    /// IANA name, for example `Europe/Malta`.
    public var timeZone: String
    /// Null for a trip that is driven once.
    @Nullable public var repeats: TripRepeats?
    /// Day of the next departure, in the trip's time zone; null if there is none.
    @Nullable public var nextDate: String?
    /// Time of the next departure; null if there is none.
    @Nullable public var nextDepartureAt: Date?
    public var seats: Int
    /// Largest detour for passengers off the route, in seconds.
    public var maxDetourSeconds: Int
    /// Null if the trip is free.
    @Nullable public var pricePerSeat: Money?
    public var payment: TripPayment
    public var acceptsAutomatically: Bool
    /// The plate is shown only to the driver and to accepted passengers; for others it is empty.
    /// Null if the driver named no vehicle.
    @Nullable public var vehicle: OrderVehicle?
    @Nullable public var note: String?
    public var preferences: [TripPreference]
    /// Whether the caller is the driver.
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

/// A search for trips from one point to another.
public struct TripSearchBody: Codable, Sendable, Hashable {
    public var from: Coordinate
    public var to: Coordinate
    /// Earliest pick-up, at most 365 days ahead.
    public var departAfter: Date
    /// Latest pick-up, at most a week after `departAfter`. Defaults to three hours after it.
    public var departBefore: Date?
    /// Defaults to 1.
    public var seats: Int?
    /// Longest walk at each end, in metres. Defaults to 1,000.
    public var maxWalkMeters: Double?
    /// Longest detour of the driver, in seconds. Defaults to as much as the driver offers.
    public var maxDetourSeconds: Int?
    /// Maximum number of trips to return. Defaults to 20.
    public var limit: Int?
    /// Whether to search for two lifts in a row as well. Defaults to false.
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

/// A passenger's pick-up or drop-off.
public struct TripStop: Codable, Sendable, Hashable {
    public var point: Coordinate
    public var at: Date
    /// Distance from the passenger's own start or destination in a straight line, in metres.
    public var walkMeters: Double
    /// Name of the bus stop or lay-by at this point, from the map; null if there is none or it has
    /// no name.
    @Nullable public var stop: String?

    public init(point: Coordinate, at: Date, walkMeters: Double, stop: String? = nil) {
        (self.point, self.at, self.walkMeters, self.stop) = (point, at, walkMeters, stop)
    }
}

/// Why a trip matches a search. `passesBoth`: its route passes both ends. `detour`: its driver
/// makes a detour.
public enum TripMatchReason: String, Codable, Sendable, CaseIterable {
    /// Its route passes both ends.
    case passesBoth
    /// The driver makes a detour within what they offer.
    case detour
}

/// A trip on one day that goes from near one point to near another.
public struct TripMatch: Codable, Sendable, Hashable {
    public var tripId: TripID
    /// Day of the departure, in the trip's time zone.
    public var date: String
    /// Time zone of the trip: an IANA name, for example `Europe/Malta`.
    public var timeZone: String
    public var driver: TripPerson
    public var origin: Place
    public var destination: Place
    /// Null for a trip that is driven once.
    @Nullable public var repeats: TripRepeats?
    public var pickUp: TripStop
    public var dropOff: TripStop
    /// Distance to walk at both ends together, in metres.
    public var totalWalkMeters: Double
    /// Detour of the driver, in seconds.
    public var detourSeconds: Int
    /// Time from pick-up to drop-off, in seconds.
    public var rideSeconds: Int
    public var seatsLeft: Int
    /// Null if the trip is free.
    @Nullable public var pricePerSeat: Money?
    public var payment: TripPayment
    /// Sum of the walking time, half of the waiting time and the detour, in seconds. Lower is
    /// better.
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

/// Trips that match a search, best first.
public struct TripSearchAnswer: Codable, Sendable, Hashable {
    /// Best first.
    public var items: [TripMatch]
    /// Two lifts in a row, best first; absent unless `openEnds` is true.
    public var connections: [TripConnection]?

    public init(items: [TripMatch], connections: [TripConnection]? = nil) {
        (self.items, self.connections) = (items, connections)
    }
}

/// A change between two lifts. The passenger gets out of the first and walks to where the second
/// passes.
public struct TripTransfer: Codable, Sendable, Hashable {
    /// Where the passenger gets out of the first lift.
    public var point: Coordinate
    /// Distance to where the second lift passes, in a straight line, in metres; 500 at most.
    public var walkMeters: Double
    /// Time from the passenger's arrival there until the second lift passes, in seconds: from 2 to
    /// 30 minutes.
    public var waitSeconds: Int

    public init(point: Coordinate, walkMeters: Double, waitSeconds: Int) {
        (self.point, self.walkMeters, self.waitSeconds) = (point, walkMeters, waitSeconds)
    }
}

/// Two lifts in a row. The passenger requests a seat in each of them separately, from its pick-up
/// to its drop-off.
public struct TripConnection: Codable, Sendable, Hashable {
    public var first: TripMatch
    public var second: TripMatch
    public var transfer: TripTransfer
    /// Distance to walk, including the walk between the two lifts, in metres.
    public var totalWalkMeters: Double
    /// Sum of the walking time, the riding time and half of the waiting time, in seconds. Lower is
    /// better.
    public var score: Double

    public init(
        first: TripMatch, second: TripMatch, transfer: TripTransfer, totalWalkMeters: Double,
        score: Double
    ) {
        (self.first, self.second, self.transfer) = (first, second, transfer)
        (self.totalWalkMeters, self.score) = (totalWalkMeters, score)
    }
}

/// The walk between a point and the meeting point of a trip.
public struct TripWalk: Codable, Sendable, Hashable {
    /// Where the passenger gets in or out.
    public var meetingPoint: Coordinate
    /// Whether the meeting point is a bus stop or a lay-by.
    public var isStop: Bool
    /// Name of that bus stop or lay-by, from the map; null if there is none or it has no name.
    @Nullable public var stop: String?
    /// The route on foot: to the pick-up, or from the drop-off.
    public var way: WayAnswer

    public init(meetingPoint: Coordinate, isStop: Bool, stop: String?, way: WayAnswer) {
        (self.meetingPoint, self.isStop, self.stop) = (meetingPoint, isStop, stop)
        self.way = way
    }
}

/// End of a ride: where the passenger gets in or where they get out.
public enum TripEnd: String, Codable, Sendable, CaseIterable {
    case pickUp, dropOff
}

public enum SavedSearchKind {}

/// A saved search for lifts.
public typealias SavedSearchID = Identifier<SavedSearchKind>

/// A search for lifts to save. Its owner is notified of each new trip that matches.
public struct SavedSearchBody: Codable, Sendable, Hashable {
    public var name: String?
    public var from: Coordinate
    public var to: Coordinate
    /// Longest walk at each end, in metres. Defaults to 1,000.
    public var maxWalkMeters: Double?
    /// Defaults to 1.
    public var seats: Int?
    /// A single day, for example `2026-12-24`. Not allowed together with `weekdays`.
    public var date: String?
    /// Days of the week, each once. Defaults to every day if `date` is absent as well.
    public var weekdays: [TripWeekday]?
    /// Pick-up window from `fromMinute` until `untilMinute`, in minutes since midnight in
    /// `timeZone`. Defaults to the whole day.
    public var fromMinute, untilMinute: Int?
    /// Time zone of the days and minutes: an IANA name, for example `Europe/Malta`.
    public var timeZone: String

    public init(
        name: String? = nil, from: Coordinate, to: Coordinate, date: String? = nil,
        weekdays: [TripWeekday]? = nil, timeZone: String
    ) {
        (self.name, self.from, self.to) = (name, from, to)
        (self.date, self.weekdays, self.timeZone) = (date, weekdays, timeZone)
    }
}

/// A saved search for lifts. Its owner is notified of each new trip that matches.
public struct SavedSearch: Codable, Sendable, Hashable {
    public var id: SavedSearchID
    @Nullable public var name: String?
    public var from: Coordinate
    public var to: Coordinate
    /// Longest walk at each end, in metres.
    public var maxWalkMeters: Double
    public var seats: Int
    /// Null unless the search is for a single day.
    @Nullable public var date: String?
    /// Null for a single day, or for every day.
    @Nullable public var weekdays: [TripWeekday]?
    /// Earliest pick-up, in minutes since midnight in `timeZone`.
    public var fromMinute: Int
    /// Latest pick-up, in minutes since midnight in `timeZone`.
    public var untilMinute: Int
    /// IANA name, for example `Europe/Malta`.
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

/// Rules for carpooling in a service area.
public struct CarpoolPolicy: Codable, Sendable, Hashable {
    /// Highest price of a seat per kilometre, in minor units of the area's currency.
    public var mostPerKilometer: Int
    /// Number of trips that one person may publish within 24 hours.
    public var tripsPerDay: Int
    /// Commission of the platform, as a percentage of what passengers pay through it.
    public var commissionPercent: Int

    public init(
        mostPerKilometer: Int = 12, tripsPerDay: Int = 20, commissionPercent: Int = 0
    ) {
        (self.mostPerKilometer, self.tripsPerDay) = (mostPerKilometer, tripsPerDay)
        self.commissionPercent = commissionPercent
    }
}
