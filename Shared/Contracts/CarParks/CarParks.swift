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

/// What sort of space a vehicle takes.
public enum SpaceClass: String, Codable, Sendable, CaseIterable {
    case general, disabled, electric, family, motorcycle
}

/// A number for each class of spaces, as in `{ "general": 50, "disabled": 2 }`; classes that are missing have none.
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

/// Where one goes in.
public struct Entrance: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, CaseIterable { case vehicle, pedestrian }

    public var position: Coordinate
    public var kind: Kind

    public init(position: Coordinate, kind: Kind) {
        self.position = position
        self.kind = kind
    }
}

/// What somebody agrees to when they book; a booking names the version.
public struct ParkingTerms: Codable, Sendable, Hashable {
    public var version: Int
    /// At most 10,000 characters.
    public var text: String

    public init(version: Int, text: String) {
        self.version = version
        self.text = text
    }
}

/// What is given back of a booking that is cancelled.
public struct CancellationPolicy: Codable, Sendable, Hashable {
    /// All of it until so many hours before the start.
    public var freeUntilHours: Int
    /// After that, and before the start, this part in percent; nothing after the start.
    public var lateRefundPercent: Int

    public static let standard = CancellationPolicy(freeUntilHours: 24, lateRefundPercent: 50)

    public init(freeUntilHours: Int, lateRefundPercent: Int) {
        self.freeUntilHours = freeUntilHours
        self.lateRefundPercent = lateRefundPercent
    }
}

/// What is new or changed of a car park.
public struct CarParkBody: Codable, Sendable, Hashable {
    public var name: String
    public var address: String
    public var position: Coordinate
    public var entrances: [Entrance]?
    /// IANA name, as in `Europe/Dublin`.
    public var timeZone: String
    /// ISO 4217.
    public var currency: String
    /// OpenStreetMap's `opening_hours`, without months and sunsets; always open when absent.
    public var openingHours: String?
    /// Days on which the rule for `PH` holds, as in `2026-12-25`, or `12-25` for every year.
    public var holidays: [String]?
    public var maxHeightMeters: Double?
    public var features: [CarParkFeature]?
    public var phone: String?
    /// Who runs it, as people know them.
    public var `operator`: String?
    /// Whether parking costs something there; absent where nobody knows.
    public var fee: Bool?
    /// Everybody when absent.
    public var access: CarParkAccess?
    /// How many spaces there are, and how many of them may be booked ahead.
    public var capacity: SpaceCounts
    public var bookable: SpaceCounts?
    public var terms: String?
    public var cancellation: CancellationPolicy?
    /// In minor units, beside the price of the started units.
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

public enum CarParkFeature: String, Codable, Sendable, CaseIterable {
    case covered, lit, guarded, charging, toilets, lift, cctv, carWash, multiStorey, underground
}

/// Whom a car park is for.
public enum CarParkAccess: String, Codable, Sendable, CaseIterable {
    case everybody
    /// Of a shop or a house.
    case customers
}

public enum CarParkStatus: String, Codable, Sendable, CaseIterable {
    case open, closed
    /// Open, and without a free space.
    case full
}

/// `PUT /v1/admin/car-parks/{id}/status`
public struct CarParkStatusBody: Codable, Sendable {
    public enum Status: String, Codable, Sendable, CaseIterable { case open, closed }

    public var status: Status
    /// Shown to people; at most 200 characters.
    public var reason: String?

    public init(_ status: Status, reason: String? = nil) {
        self.status = status
        self.reason = reason
    }
}

/// Free spaces of a class.
public struct LiveSpaces: Codable, Sendable, Hashable {
    public enum Source: String, Codable, Sendable, CaseIterable { case gates, feed, `operator` }

    /// How far the number can be believed: older than five minutes is `old`, older than thirty `unknown`.
    public enum Freshness: String, Codable, Sendable, CaseIterable { case live, old, unknown }

    public var kind: SpaceClass
    /// Null while nobody knows.
    @Nullable public var free: Int?
    public var capacity: Int
    @Nullable public var at: Date?
    @Nullable public var source: Source?
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

/// `PUT /v1/admin/car-parks/{id}/occupancy`: what a feed or a person has counted.
public struct OccupancyBody: Codable, Sendable {
    public enum Source: String, Codable, Sendable, CaseIterable { case feed, `operator` }

    public var free: SpaceCounts
    /// When it was counted; now when absent.
    public var at: Date?
    public var source: Source?

    public init(free: SpaceCounts, at: Date? = nil, source: Source? = nil) {
        (self.free, self.at, self.source) = (free, at, source)
    }
}

/// `PUT /v1/admin/car-parks/{id}/photos`
public struct CarParkPhotos: Codable, Sendable {
    /// Of those that the car park has, in the order in which they are to be shown; the others go.
    public var photos: [String]

    public init(_ photos: [String]) { self.photos = photos }
}

/// What can be booked of a car park.
public struct ParkingProduct: Codable, Sendable, Hashable {
    public enum Unit: String, Codable, Sendable, CaseIterable {
        case hourly, daily, weekly, monthly, yearly
    }

    public var id: ParkingProductID
    public var name: String
    public var kind: Unit
    /// Of one unit and one space, in minor units.
    public var price: Int
    public var classes: [SpaceClass]
    public var minQuantity: Int
    public var maxQuantity: Int
    /// Grows with each change: a booking keeps the price that it was made at.
    public var version: Int
    /// False for what can't be booked any more.
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

public struct ParkingProductBody: Codable, Sendable {
    public static let usualMost = 31

    public var name: String
    public var kind: ParkingProduct.Unit
    public var price: Int
    public var classes: [SpaceClass]?
    public var minQuantity: Int?
    public var maxQuantity: Int?
    public var isOffered: Bool?

    public init(name: String, kind: ParkingProduct.Unit, price: Int) {
        (self.name, self.kind, self.price) = (name, kind, price)
    }
}

/// A car park as everybody sees it.
public struct CarPark: Codable, Sendable, Hashable {
    public var id: CarParkID
    public var name: String
    public var address: String
    public var position: Coordinate
    public var entrances: [Entrance]
    public var timeZone: String
    public var currency: String
    /// Of an imported one possibly a text that can't be read: it is not shown as open then, and can't be booked.
    public var openingHours: String
    public var holidays: [String]
    @Nullable public var maxHeightMeters: Double?
    public var features: [CarParkFeature]
    /// Addresses of pictures, for everybody, in the order in which they are shown.
    public var photos: [String]
    @Nullable public var phone: String?
    @Nullable public var `operator`: String?
    @Nullable public var fee: Bool?
    public var access: CarParkAccess
    public var capacity: SpaceCounts
    public var bookable: SpaceCounts
    public var terms: ParkingTerms
    public var cancellation: CancellationPolicy
    public var overstayFee: Int
    public var status: CarParkStatus
    @Nullable public var statusReason: String?
    /// By its opening hours, at the time of the answer.
    public var isOpenNow: Bool
    /// When that changes; null when it does not within two weeks.
    @Nullable public var nextOpeningChangeAt: Date?
    public var products: [ParkingProduct]
    public var spaces: [LiveSpaces]
    /// For `If-Match`.
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
        (status, isOpenNow, access) = (.open, true, body.access ?? .everybody)
        maxHeightMeters = body.maxHeightMeters
        phone = body.phone
        `operator` = body.operator
        fee = body.fee
        (statusReason, nextOpeningChangeAt) = (nil, nil)
    }
}

/// A line of `GET /v1/car-parks`.
public struct CarParkSummary: Codable, Sendable, Hashable {
    public var id: CarParkID
    public var name: String
    public var address: String
    public var position: Coordinate
    /// Null without a point to measure from.
    @Nullable public var distanceMeters: Double?
    public var currency: String
    public var status: CarParkStatus
    /// Of a closed one, as its operator said it.
    @Nullable public var statusReason: String?
    public var isOpenNow: Bool
    @Nullable public var maxHeightMeters: Double?
    public var spaces: [LiveSpaces]
    /// Of the asked class that may still be booked for the whole of the asked interval; null without one.
    @Nullable public var bookableSpaces: Int?
    /// Of the cheapest product for the asked interval, or of the cheapest unit; null where nothing is offered.
    @Nullable public var price: Money?
    /// What `price` is of: null for the whole of the asked interval.
    @Nullable public var priceUnit: ParkingProduct.Unit?

    public init(
        id: CarParkID, name: String, address: String, position: Coordinate,
        distanceMeters: Double?, currency: String, status: CarParkStatus, statusReason: String?,
        isOpenNow: Bool, maxHeightMeters: Double?, spaces: [LiveSpaces]
    ) {
        (self.id, self.name, self.address, self.position) = (id, name, address, position)
        (self.currency, self.status, self.isOpenNow) = (currency, status, isOpenNow)
        self.spaces = spaces
        self.distanceMeters = distanceMeters
        self.maxHeightMeters = maxHeightMeters
        self.statusReason = statusReason
        (bookableSpaces, price, priceUnit) = (nil, nil, nil)
    }
}

/// What may be booked of a class over an interval.
public struct Availability: Codable, Sendable, Hashable {
    public struct Step: Codable, Sendable, Hashable {
        public var from: Date
        public var until: Date
        public var free: Int

        public init(from: Date, until: Date, free: Int) {
            (self.from, self.until, self.free) = (from, until, free)
        }
    }

    /// The smallest number that is free at any moment of the interval.
    public var free: Int
    /// A line for each hour, of more than two days for each day in the car park's time zone.
    public var steps: [Step]

    public init(free: Int, steps: [Step]) {
        (self.free, self.steps) = (free, steps)
    }
}

/// What a booking would cost.
public struct ParkingQuote: Codable, Sendable, Hashable {
    public var productId: ParkingProductID
    public var start: Date
    public var end: Date
    public var quantity: Int
    public var spaces: Int
    public var lines: [BookingLine]
    public var total: Money
    public var termsVersion: Int

    public init(
        productId: ParkingProductID, start: Date, end: Date, quantity: Int, spaces: Int,
        lines: [BookingLine], total: Money, termsVersion: Int
    ) {
        (self.productId, self.start, self.end) = (productId, start, end)
        (self.quantity, self.spaces, self.lines) = (quantity, spaces, lines)
        (self.total, self.termsVersion) = (total, termsVersion)
    }
}
