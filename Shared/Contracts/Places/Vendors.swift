import Foundation
import Geo

public enum VendorTag {}
public enum VendorSuggestionTag {}
public enum VendorImportTag {}

public typealias VendorID = Identifier<VendorTag>
public typealias VendorSuggestionID = Identifier<VendorSuggestionTag>
public typealias VendorImportID = Identifier<VendorImportTag>

public enum VendorKind: String, Codable, Sendable, CaseIterable {
    case foodMarket, soupKitchen, church, grocery, restaurant, other
}

/// Whether a vendor takes food stamps.
public enum StampAcceptance: String, Codable, Sendable, CaseIterable { case yes, no, unknown }

/// What was measured at the entrance and behind it, rather than a verdict; absent is not known.
public struct Accessibility: Codable, Sendable, Hashable {
    /// Where a measure comes from, and how old it is.
    public struct Measurement: Codable, Sendable, Hashable {
        /// `operator`, `people`, or the import's name.
        public var source: String
        public var at: Date

        public init(source: String, at: Date) { (self.source, self.at) = (source, at) }
    }

    /// Height of the highest step on the way in; 0 where there is none.
    public var stepCentimeters: Int?
    /// Clear width of the narrowest door.
    public var doorCentimeters: Int?
    /// Of the steepest ramp.
    public var slopePercent: Int?
    /// OpenStreetMap's `surface`, as in `asphalt`.
    public var surface: String?
    /// One that a wheelchair gets into.
    public var toilet: Bool?
    public var lift: Bool?
    /// By the names of the measures above; the house fills it in.
    public var measured: [String: Measurement]?

    public init(
        stepCentimeters: Int? = nil, doorCentimeters: Int? = nil, slopePercent: Int? = nil,
        surface: String? = nil, toilet: Bool? = nil, lift: Bool? = nil
    ) {
        (self.stepCentimeters, self.doorCentimeters) = (stepCentimeters, doorCentimeters)
        (self.slopePercent, self.surface) = (slopePercent, surface)
        (self.toilet, self.lift) = (toilet, lift)
    }
}

/// `POST /v1/admin/vendors`, and `PUT` of one.
public struct VendorBody: Codable, Sendable, Hashable {
    public var name: String
    public var kind: VendorKind
    public var position: Coordinate
    /// One line; found on the house's maps when it is absent.
    public var address: String?
    public var phone: String?
    public var website: String?
    /// OpenStreetMap's `opening_hours`; what can't be read is shown as text, and never as open.
    public var openingHours: String?
    /// IANA name; of the place where it lies when it is absent.
    public var timeZone: String?
    /// `unknown` when absent.
    public var acceptsStamps: StampAcceptance?
    /// HTTPS address of a picture.
    public var photo: String?
    public var accessibility: Accessibility?

    public init(
        name: String, kind: VendorKind, position: Coordinate, address: String? = nil,
        openingHours: String? = nil, acceptsStamps: StampAcceptance? = nil
    ) {
        (self.name, self.kind, self.position) = (name, kind, position)
        (self.address, self.openingHours) = (address, openingHours)
        self.acceptsStamps = acceptsStamps
    }
}

/// Somebody who sells or gives food, or anything else that people need.
public struct Vendor: Codable, Sendable, Hashable {
    public var id: VendorID
    public var name: String
    public var kind: Open<VendorKind>
    public var position: Coordinate
    public var address: String
    @Nullable public var phone: String?
    @Nullable public var website: String?
    @Nullable public var openingHours: String?
    public var timeZone: String
    /// Null where the opening hours are not known, or can't be read.
    @Nullable public var isOpen: Bool?
    /// When it opens or closes next, within two weeks.
    @Nullable public var changesAt: Date?
    public var acceptsStamps: StampAcceptance
    @Nullable public var photo: String?
    public var accessibility: Accessibility
    /// Where it was learnt from: `operator`, `people`, `osm:way/4025`, the name of an import.
    public var sources: [String]
    public var updatedAt: Date
    /// `operator` or `people`, whoever looked at it last; null where nobody has.
    @Nullable public var confirmedBy: String?
    /// The one that it is the same as.
    @Nullable public var duplicateOf: VendorID?
    public var version: Int

    public init(
        id: VendorID, _ body: VendorBody, timeZone: String, isOpen: Bool?, changesAt: Date?,
        sources: [String], updatedAt: Date, confirmedBy: String?, duplicateOf: VendorID?,
        version: Int
    ) {
        (self.id, name, kind, position) = (id, body.name, Open(body.kind), body.position)
        address = body.address ?? ""
        acceptsStamps = body.acceptsStamps ?? .unknown
        accessibility = body.accessibility ?? Accessibility()
        (self.timeZone, self.sources, self.updatedAt) = (timeZone, sources, updatedAt)
        self.version = version
        phone = body.phone
        website = body.website
        openingHours = body.openingHours
        photo = body.photo
        self.isOpen = isOpen
        self.changesAt = changesAt
        self.confirmedBy = confirmedBy
        self.duplicateOf = duplicateOf
    }
}

/// How somebody gets to a place, and how long it takes from door to door.
public struct Reach: Codable, Sendable, Hashable {
    public var mode: MobilityMode
    public var seconds: Int
    public var meters: Int
    /// From one bus or train to another.
    public var transfers: Int
    /// As the crow flies at a usual speed, while no router answers.
    public var isStraightLine: Bool

    public init(
        mode: MobilityMode, seconds: Int, meters: Int, transfers: Int = 0,
        isStraightLine: Bool = false
    ) {
        (self.mode, self.seconds, self.meters) = (mode, seconds, meters)
        (self.transfers, self.isStraightLine) = (transfers, isStraightLine)
    }
}

/// A vendor in a list.
public struct VendorMatch: Codable, Sendable, Hashable {
    public var id: VendorID
    public var name: String
    public var kind: Open<VendorKind>
    public var position: Coordinate
    public var address: String
    @Nullable public var isOpen: Bool?
    /// When who leaves at `departAt` is there; null as `isOpen`.
    @Nullable public var isOpenOnArrival: Bool?
    public var acceptsStamps: StampAcceptance
    /// Metres of a straight line.
    public var distanceMeters: Int
    public var reach: Reach

    public init(
        _ vendor: Vendor, distanceMeters: Int, reach: Reach, isOpenOnArrival: Bool?
    ) {
        (id, name, kind, position) = (vendor.id, vendor.name, vendor.kind, vendor.position)
        (address, acceptsStamps) = (vendor.address, vendor.acceptsStamps)
        (self.distanceMeters, self.reach) = (distanceMeters, reach)
        isOpen = vendor.isOpen
        self.isOpenOnArrival = isOpenOnArrival
    }
}

/// Answer of `GET /v1/vendors`.
public struct VendorsAnswer: Codable, Sendable, Hashable {
    /// What would let more vendors in.
    public struct Help: Codable, Sendable, Hashable {
        /// The parameter, or the field of my mobility.
        public var limit: String
        /// What it would have to be.
        public var value: Int
        /// How many there are then.
        public var vendors: Int

        public init(limit: String, value: Int, vendors: Int) {
            (self.limit, self.value, self.vendors) = (limit, value, vendors)
        }
    }

    public var items: [VendorMatch]
    /// That fit all else, and are beyond what I can reach.
    public var beyondLimits: Int
    /// Where nothing is within the limits: what each of them alone would have to be, or, where none alone helps, what
    /// all of these together would.
    public var helps: [Help]
    @Nullable public var next: String?
    /// Whom to name beside the list, as the data ask.
    @Nullable public var attribution: String?

    public init(
        items: [VendorMatch], beyondLimits: Int, helps: [Help], next: String?,
        attribution: String?
    ) {
        (self.items, self.beyondLimits, self.helps) = (items, beyondLimits, helps)
        self.next = next
        self.attribution = attribution
    }
}

/// `POST /v1/vendors/{id}/suggestions`: what somebody thinks is another than it says here. Absent is as it is.
public struct VendorSuggestionBody: Codable, Sendable, Hashable {
    public var name: String?
    public var kind: VendorKind?
    public var position: Coordinate?
    public var address: String?
    public var phone: String?
    public var website: String?
    public var openingHours: String?
    public var acceptsStamps: StampAcceptance?
    public var accessibility: Accessibility?
    /// It is there no more.
    public var isGone: Bool?
    /// It is the same as this one.
    public var duplicateOf: VendorID?
    /// At most 500 characters, for who decides.
    public var note: String?

    public init() {}
}

public struct VendorSuggestion: Codable, Sendable, Hashable {
    public enum Status: String, Codable, Sendable, CaseIterable { case open, accepted, declined }

    public var id: VendorSuggestionID
    public var vendor: VendorID
    public var vendorName: String
    public var change: VendorSuggestionBody
    public var status: Open<Status>
    public var suggestedAt: Date
    @Nullable public var decidedAt: Date?

    public init(
        id: VendorSuggestionID, vendor: VendorID, vendorName: String,
        change: VendorSuggestionBody, suggestedAt: Date
    ) {
        (self.id, self.vendor, self.vendorName) = (id, vendor, vendorName)
        (self.change, self.status, self.suggestedAt) = (change, Open(.open), suggestedAt)
        decidedAt = nil
    }
}

/// A vendor that I keep.
public struct SavedVendor: Codable, Sendable, Hashable {
    public var vendor: Vendor
    public var savedAt: Date

    public init(vendor: Vendor, savedAt: Date) { (self.vendor, self.savedAt) = (vendor, savedAt) }
}

/// An import and how far it is.
public struct VendorImport: Codable, Sendable, Hashable {
    public enum Status: String, Codable, Sendable, CaseIterable { case running, done }

    /// A row that can't be taken, and why.
    public struct Refused: Codable, Sendable, Hashable {
        /// From 1; of a CSV file its header is the first.
        public var line: Int
        @Nullable public var field: String?
        public var detail: String

        public init(line: Int, field: String?, detail: String) {
            (self.line, self.detail) = (line, detail)
            self.field = field
        }
    }

    public var id: VendorImportID
    public var name: String
    public var status: Open<Status>
    /// Rows of the file, and those that were looked at.
    public var rows, done: Int
    public var added = 0
    public var changed = 0
    public var unchanged = 0
    /// The first 1,000.
    public var refused: [Refused] = []
    public var refusedCount = 0
    public var startedAt: Date

    public init(id: VendorImportID, name: String, rows: Int, startedAt: Date) {
        (self.id, self.name, self.rows, self.startedAt) = (id, name, rows, startedAt)
        (done, status) = (0, Open(.running))
    }
}

/// Two vendors that may be one.
public struct VendorPair: Codable, Sendable, Hashable {
    public var one: Vendor
    public var other: Vendor
    public var meters: Int

    public init(one: Vendor, other: Vendor, meters: Int) {
        (self.one, self.other, self.meters) = (one, other, meters)
    }
}

/// `PUT /v1/admin/vendors/{id}/duplicate`.
public struct DuplicateBody: Codable, Sendable, Hashable {
    /// The one that stays in the lists.
    public var of: VendorID

    public init(of: VendorID) { self.of = of }
}

/// How much is known of the vendors of a kind.
public struct VendorCoverage: Codable, Sendable, Hashable {
    public var kind: VendorKind
    public var vendors: Int
    public var withReadableHours: Int
    public var withStampsKnown: Int
    public var withAccessibility: Int
    /// That nobody has looked at for a year.
    public var stale: Int

    public init(_ kind: VendorKind) {
        self.kind = kind
        (vendors, withReadableHours, withStampsKnown) = (0, 0, 0)
        (withAccessibility, stale) = (0, 0)
    }
}

extension VendorsAnswer: SchemaNamed {
    public static var schemaName: String { "Vendors" }
}
extension VendorsAnswer.Help: SchemaNamed {
    public static var schemaName: String { "VendorsHelp" }
}
extension VendorSuggestion.Status: SchemaNamed {
    public static var schemaName: String { "VendorSuggestionStatus" }
}
extension VendorImport.Status: SchemaNamed {
    public static var schemaName: String { "VendorImportStatus" }
}
extension VendorImport.Refused: SchemaNamed {
    public static var schemaName: String { "VendorImportRefused" }
}
