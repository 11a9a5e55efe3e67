import Foundation
import Geo

public enum CarParkKind {}
public enum ParkingProductKind {}
public enum BookingKind {}
public enum GateKind {}
public enum ParkingSessionKind {}

public typealias CarParkID = Identifier<CarParkKind>
public typealias ParkingProductID = Identifier<ParkingProductKind>
public typealias BookingID = Identifier<BookingKind>
public typealias GateID = Identifier<GateKind>
public typealias ParkingSessionID = Identifier<ParkingSessionKind>

extension Product {
    /// Car parks and their bookings.
    public static let parking: Product = "parking"
}

/// Class of parking space that a vehicle takes.
public enum SpaceClass: String, Codable, Sendable, CaseIterable {
    case general, disabled, electric, family, motorcycle
}

/// Number of spaces of each class, for example `{ "general": 50, "disabled": 2 }`. Classes that are
/// missing have none.
public struct SpaceCounts: Codable, Sendable, Hashable {
    public private(set) var counts: [SpaceClass: Int]

    public init(_ counts: [SpaceClass: Int] = [:]) { self.counts = counts }

    public subscript(kind: SpaceClass) -> Int {
        get { counts[kind] ?? 0 }
        set { counts[kind] = newValue }
    }

    public var total: Int { counts.values.reduce(0, +) }

    /// Throws for a class that nobody knows: a number that is lost would be no number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        counts = [:]
        for key in container.allKeys {
            guard let kind = SpaceClass(rawValue: key.stringValue) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "no class of spaces")
            }
            counts[kind] = try container.decode(Int.self, forKey: key)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (kind, count) in counts {
            try container.encode(count, forKey: Key(stringValue: kind.rawValue))
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension SpaceCounts: Described {
    public static var schema: JSONValue {
        let count = JSONValue.schema("integer", ["minimum": 0, "maximum": 100_000])
        return .schema(
            "object",
            [
                "additionalProperties": .bool(false),
                "properties": .object(
                    Dictionary(
                        uniqueKeysWithValues: SpaceClass.allCases.map { ($0.rawValue, count) })),
            ])
    }
    public static var sample: JSONValue { .object(["general": 50, "disabled": 2]) }
}

/// An entrance of a car park.
public struct Entrance: Codable, Sendable, Hashable {
    /// Kind of entrance: for vehicles, or for people on foot.
    public enum Kind: String, Codable, Sendable, CaseIterable { case vehicle, pedestrian }

    public var position: Coordinate
    public var kind: Kind

    public init(position: Coordinate, kind: Kind) {
        self.position = position
        self.kind = kind
    }
}

/// Terms of a car park, which people accept when they book. A booking names the version.
public struct ParkingTerms: Codable, Sendable, Hashable {
    /// Increases each time the text changes.
    public var version: Int
    /// At most 10,000 characters.
    public var text: String

    public init(version: Int, text: String) {
        self.version = version
        self.text = text
    }
}

/// Refund when a booking is cancelled.
public struct CancellationPolicy: Codable, Sendable, Hashable {
    /// Number of hours before the start up to which everything is refunded.
    public var freeUntilHours: Int
    /// Percentage that is refunded after that and before the start. Nothing is refunded after the
    /// start.
    public var lateRefundPercent: Int

    public static let standard = CancellationPolicy(freeUntilHours: 24, lateRefundPercent: 50)

    public init(freeUntilHours: Int, lateRefundPercent: Int) {
        self.freeUntilHours = freeUntilHours
        self.lateRefundPercent = lateRefundPercent
    }
}

/// Details of a car park to add, or new details of an existing one.
public struct CarParkBody: Codable, Sendable, Hashable {
    public var name: String
    public var address: String
    public var position: Coordinate
    /// At most 50.
    public var entrances: [Entrance]?
    /// IANA name, for example `Europe/Dublin`.
    public var timeZone: String
    /// ISO 4217 code.
    public var currency: String
    /// In OpenStreetMap's `opening_hours` format. Defaults to always open.
    public var openingHours: String?
    /// Days on which the rule for `PH` applies, for example `2026-12-25`, or `12-25` for every
    /// year. At most 200. Without any, these are the public holidays of the country.
    public var holidays: [String]?
    /// Maximum height of a vehicle, from 1 to 10 metres.
    public var maxHeightMeters: Double?
    /// Maximum height of a vehicle as it is signed, for example `6 ft 11 in` or `2,1 m`, instead of
    /// `maxHeightMeters`; at most 100 characters. A text that can't be read is kept as it is. If it
    /// is absent, such a text stays until `maxHeightMeters` is given, or an empty text.
    public var maxHeightText: String?
    public var features: [CarParkFeature]?
    /// At most 30 characters.
    public var phone: String?
    /// Name of the operator, as people know it.
    public var `operator`: String?
    /// Whether parking costs something; absent if that is not known.
    public var fee: Bool?
    /// Defaults to `everybody`.
    public var access: CarParkAccess?
    /// Number of spaces, including those that can be booked in advance.
    public var capacity: SpaceCounts
    /// Number of spaces that can be booked in advance. Defaults to none.
    public var bookable: SpaceCounts?
    /// Terms that people accept when they book, at most 10,000 characters. A changed text is a new
    /// version. Defaults to an empty text.
    public var terms: String?
    /// Defaults to a full refund up to 24 hours before the start, and 50 per cent after that.
    public var cancellation: CancellationPolicy?
    /// Fee for overstaying a booking, in minor units of `currency`, on top of the price of the
    /// started units. Defaults to 0.
    public var overstayFee: Int?

    public init(
        name: String, address: String, position: Coordinate, timeZone: String, currency: String,
        capacity: SpaceCounts, bookable: SpaceCounts? = nil
    ) {
        (self.name, self.address, self.position) = (name, address, position)
        (self.timeZone, self.currency) = (timeZone, currency)
        (self.capacity, self.bookable) = (capacity, bookable)
    }
}

/// A facility of a car park.
public enum CarParkFeature: String, Codable, Sendable, CaseIterable {
    case covered, lit, guarded, charging, toilets, lift, cctv, carWash, multiStorey, underground
}

/// People who may use a car park. `customers`: only customers of a shop or another business.
public enum CarParkAccess: String, Codable, Sendable, CaseIterable {
    case everybody
    /// Only customers of a shop or another business.
    case customers
}

/// Status of a car park. `full`: open, but without a free space.
public enum CarParkStatus: String, Codable, Sendable, CaseIterable {
    case open, closed
    /// Open, but without a free space.
    case full
}

/// Whether a car park is open. `unknown`: its opening hours don't say, or can't be read.
public enum OpeningState: String, Codable, Sendable, CaseIterable {
    case open, closed
    /// The opening hours don't say, or can't be read.
    case unknown
}

/// Opens or closes a car park.
public struct CarParkStatusBody: Codable, Sendable {
    /// Whether people can park.
    public enum Status: String, Codable, Sendable, CaseIterable { case open, closed }

    public var status: Status
    /// Reason for closing the car park, shown to people.
    public var reason: String?

    public init(_ status: Status, reason: String? = nil) {
        self.status = status
        self.reason = reason
    }
}

/// Free spaces of one class in a car park.
public struct LiveSpaces: Codable, Sendable, Hashable {
    /// Source of a count: the gates, a feed or an operator.
    public enum Source: String, Codable, Sendable, CaseIterable { case gates, feed, `operator` }

    /// Age of a count. `live`: up to five minutes, or counted by gates. `old`: more than five
    /// minutes. `unknown`: more than 30 minutes, or there is no count.
    public enum Freshness: String, Codable, Sendable, CaseIterable { case live, old, unknown }

    public var kind: SpaceClass
    /// Number of free spaces; null while it is not known.
    @Nullable public var free: Int?
    public var capacity: Int
    /// Time of the count; null if there is none.
    @Nullable public var at: Date?
    /// Source of the count; null if there is none.
    @Nullable public var source: Source?
    /// How far `free` can be trusted.
    public var freshness: Freshness

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case free, capacity, at, source, freshness
    }

    public init(
        _ kind: SpaceClass, capacity: Int, free: Int? = nil, at: Date? = nil,
        source: Source? = nil, freshness: Freshness = .unknown
    ) {
        (self.kind, self.capacity, self.freshness) = (kind, capacity, freshness)
        self.free = free
        self.at = at
        self.source = source
    }
}

/// Free spaces of a car park, as a feed or a person counted them.
public struct OccupancyBody: Codable, Sendable {
    /// Source of a count: a feed or an operator.
    public enum Source: String, Codable, Sendable, CaseIterable { case feed, `operator` }

    /// Number of free spaces of each class, at most its capacity. Counts of classes that are
    /// missing stay as they are.
    public var free: SpaceCounts
    /// Time of the count, which can't be in the future. Defaults to now.
    public var at: Date?
    /// Defaults to `operator`.
    public var source: Source?

    public init(free: SpaceCounts, at: Date? = nil, source: Source? = nil) {
        (self.free, self.at, self.source) = (free, at, source)
    }
}

/// Pictures of a car park, in the order in which they are shown.
public struct CarParkPhotos: Codable, Sendable {
    /// Addresses of pictures that the car park has, each once, in the order in which they are
    /// shown. Pictures that are left out are deleted.
    public var photos: [String]

    public init(_ photos: [String]) { self.photos = photos }
}

/// A product of a car park that people can book.
public struct ParkingProduct: Codable, Sendable, Hashable {
    /// Unit in which a product is booked: an hour, day, week, month or year.
    public enum Unit: String, Codable, Sendable, CaseIterable {
        case hourly, daily, weekly, monthly, yearly
    }

    public var id: ParkingProductID
    public var name: String
    public var kind: Unit
    /// Price of one unit and one space, in minor units of the car park's currency.
    public var price: Int
    /// Classes of spaces that can be booked with it.
    public var classes: [SpaceClass]
    /// Smallest number of units that can be booked.
    public var minQuantity: Int
    /// Largest number of units that can be booked.
    public var maxQuantity: Int
    /// Increases with each change. Existing bookings keep their price.
    public var version: Int
    /// False if the product can no longer be booked.
    public var isOffered: Bool

    public init(id: ParkingProductID, _ body: ParkingProductBody, version: Int) {
        (self.id, self.version) = (id, version)
        (name, kind, price) = (body.name, body.kind, body.price)
        classes = body.classes ?? [.general]
        minQuantity = body.minQuantity ?? 1
        maxQuantity = body.maxQuantity ?? ParkingProductBody.usualMost
        isOffered = body.isOffered ?? true
    }
}

/// Details of a product to add to a car park, or new details of an existing one.
public struct ParkingProductBody: Codable, Sendable {
    public static let usualMost = 31

    public var name: String
    public var kind: ParkingProduct.Unit
    /// Price of one unit and one space, in minor units of the car park's currency.
    public var price: Int
    /// Classes of spaces that can be booked with it. Defaults to `general`.
    public var classes: [SpaceClass]?
    /// Smallest number of units that can be booked. Defaults to 1.
    public var minQuantity: Int?
    /// Largest number of units that can be booked. Defaults to 31, or to `minQuantity` if that is
    /// larger.
    public var maxQuantity: Int?
    /// Whether the product can be booked. Defaults to true.
    public var isOffered: Bool?

    public init(name: String, kind: ParkingProduct.Unit, price: Int) {
        (self.name, self.kind, self.price) = (name, kind, price)
    }
}

/// A car park as everyone sees it.
public struct CarPark: Codable, Sendable, Hashable {
    public var id: CarParkID
    public var name: String
    public var address: String
    public var position: Coordinate
    public var entrances: [Entrance]
    /// IANA name, for example `Europe/Dublin`.
    public var timeZone: String
    /// ISO 4217 code.
    public var currency: String
    /// In OpenStreetMap's `opening_hours` format. Those of an imported car park may be unreadable:
    /// then it isn't known when the car park is open, but it can be booked.
    public var openingHours: String
    /// Days on which the rule for `PH` applies, for example `2026-12-25`, or `12-25` for every
    /// year. If it is empty, these are the public holidays of the country.
    public var holidays: [String]
    /// Maximum height of a vehicle, in metres; null if none is known.
    @Nullable public var maxHeightMeters: Double?
    /// Maximum height as it is signed, if it can't be read as metres; otherwise null. A search for a
    /// vehicle's height leaves the car park out.
    @Nullable public var maxHeightText: String?
    public var features: [CarParkFeature]
    /// Addresses of pictures, in the order in which they are shown. Everyone can fetch them, and
    /// cache them for a day.
    public var photos: [String]
    @Nullable public var phone: String?
    /// Name of the operator, as people know it; null if it is not known.
    @Nullable public var `operator`: String?
    /// Whether parking costs something; null if that is not known.
    @Nullable public var fee: Bool?
    public var access: CarParkAccess
    public var capacity: SpaceCounts
    /// Number of spaces that can be booked in advance.
    public var bookable: SpaceCounts
    public var terms: ParkingTerms
    public var cancellation: CancellationPolicy
    /// Fee for overstaying a booking, in minor units of `currency`, on top of the price of the
    /// started units.
    public var overstayFee: Int
    public var status: CarParkStatus
    /// Reason that the operator gave for closing the car park; null without one.
    @Nullable public var statusReason: String?
    /// Whether the car park is known to be open at the time of the answer: within its opening
    /// hours, and not closed.
    public var isOpenNow: Bool
    /// Whether the car park is open at the time of the answer.
    public var openingState: OpeningState
    /// Time until which the car park stays open, closed or unknown by its opening hours; null if
    /// that is more than two weeks ahead.
    @Nullable public var nextOpeningChangeAt: Date?
    /// Products that can be booked.
    public var products: [ParkingProduct]
    /// Prices of stays without a booking; absent if drivers pay the cheapest product by the started
    /// unit.
    public var tariff: ParkingTariff?
    /// Free spaces of each class that the car park has.
    public var spaces: [LiveSpaces]
    /// Version of the car park, for `If-Match`.
    public var version: Int

    /// Open and with free spaces, as far as is known.
    public init(
        id: CarParkID, _ body: CarParkBody, terms: ParkingTerms, products: [ParkingProduct],
        spaces: [LiveSpaces], version: Int
    ) {
        (self.id, self.terms, self.products) = (id, terms, products)
        (self.spaces, self.version) = (spaces, version)
        (name, address, position) = (body.name, body.address, body.position)
        (entrances, features, photos) = (body.entrances ?? [], body.features ?? [], [])
        (timeZone, currency) = (body.timeZone, body.currency)
        (openingHours, holidays) = (body.openingHours ?? "24/7", body.holidays ?? [])
        (capacity, bookable) = (body.capacity, body.bookable ?? SpaceCounts())
        (cancellation, overstayFee) = (body.cancellation ?? .standard, body.overstayFee ?? 0)
        (status, isOpenNow, openingState) = (.open, true, .open)
        access = body.access ?? .everybody
        maxHeightMeters = body.maxHeightMeters
        maxHeightText = body.maxHeightText
        phone = body.phone
        `operator` = body.operator
        fee = body.fee
        (statusReason, nextOpeningChangeAt) = (nil, nil)
    }
}

/// A car park in a list.
public struct CarParkSummary: Codable, Sendable, Hashable {
    public var id: CarParkID
    public var name: String
    public var address: String
    public var position: Coordinate
    /// Straight-line distance from the point of the search, in metres; null if the search names no
    /// point.
    @Nullable public var distanceMeters: Double?
    public var currency: String
    public var status: CarParkStatus
    /// Reason that the operator gave for closing the car park; null without one.
    @Nullable public var statusReason: String?
    /// Whether the car park is known to be open at the time of the answer: within its opening
    /// hours, and not closed.
    public var isOpenNow: Bool
    /// Whether the car park is open at the time of the answer.
    public var openingState: OpeningState
    /// Maximum height of a vehicle, in metres; null if none is known.
    @Nullable public var maxHeightMeters: Double?
    /// Free spaces of each class that the car park has.
    public var spaces: [LiveSpaces]
    /// Number of spaces of the requested class that can be booked for the whole requested period;
    /// null if the search names no period.
    @Nullable public var bookableSpaces: Int?
    /// Price of the cheapest product for the requested period. If the search names no period, the
    /// price of the next hour by the tariff or, without a tariff, of the cheapest unit. Null if
    /// nothing is offered.
    @Nullable public var price: Money?
    /// Unit that `price` is for; null if it is for the whole requested period.
    @Nullable public var priceUnit: ParkingProduct.Unit?

    public init(
        id: CarParkID, name: String, address: String, position: Coordinate,
        distanceMeters: Double?, currency: String, status: CarParkStatus, statusReason: String?,
        openingState: OpeningState, maxHeightMeters: Double?, spaces: [LiveSpaces]
    ) {
        (self.id, self.name, self.address, self.position) = (id, name, address, position)
        (self.currency, self.status, self.openingState) = (currency, status, openingState)
        isOpenNow = openingState == .open
        self.spaces = spaces
        self.distanceMeters = distanceMeters
        self.maxHeightMeters = maxHeightMeters
        self.statusReason = statusReason
        (bookableSpaces, price, priceUnit) = (nil, nil, nil)
    }
}

/// Spaces of a class that can be booked in an interval.
public struct Availability: Codable, Sendable, Hashable {
    /// Free spaces in a part of the interval.
    public struct Step: Codable, Sendable, Hashable {
        public var from: Date
        public var until: Date
        /// Smallest number of spaces that are free at any moment of this part.
        public var free: Int

        public init(from: Date, until: Date, free: Int) {
            (self.from, self.until, self.free) = (from, until, free)
        }
    }

    /// Smallest number of spaces that are free at any moment of the interval.
    public var free: Int
    /// One entry per hour, or per day in the car park's time zone if the interval is longer than
    /// two days.
    public var steps: [Step]

    public init(free: Int, steps: [Step]) {
        (self.free, self.steps) = (free, steps)
    }
}

/// The price of a booking.
public struct ParkingQuote: Codable, Sendable, Hashable {
    public var productId: ParkingProductID
    public var start: Date
    public var end: Date
    /// First time between `start` and `end` at which the car park closes, so that vehicles can't be
    /// fetched; null if it is not known to close in the first two weeks.
    @Nullable public var closesAt: Date?
    /// Time until which the car park stays closed after `closesAt`; null without one, and if that
    /// is more than two weeks later.
    @Nullable public var opensAt: Date?
    /// Number of units of the product.
    public var quantity: Int
    public var spaces: Int
    public var lines: [BookingLine]
    /// Sum of the lines.
    public var total: Money
    /// Tax on top of the lines; absent if their prices include it.
    public var tax: Money?
    /// The amount charged: the lines, and tax on top of them.
    public var totalWithTax: Money
    /// Version of the terms that a booking has to name.
    public var termsVersion: Int

    public init(
        productId: ParkingProductID, start: Date, end: Date, closesAt: Date? = nil,
        opensAt: Date? = nil, quantity: Int, spaces: Int, lines: [BookingLine], total: Money,
        tax: Money? = nil, termsVersion: Int
    ) {
        (self.productId, self.start, self.end) = (productId, start, end)
        (self.quantity, self.spaces, self.lines) = (quantity, spaces, lines)
        (self.total, self.tax, self.termsVersion) = (total, tax, termsVersion)
        totalWithTax = total.withTax(tax)
        self.closesAt = closesAt
        self.opensAt = opensAt
    }
}
