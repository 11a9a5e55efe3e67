import Foundation
import Geo

public enum VendorTag {}
public enum VendorSuggestionTag {}
public enum VendorImportTag {}

public typealias VendorID = Identifier<VendorTag>
public typealias VendorSuggestionID = Identifier<VendorSuggestionTag>
public typealias VendorImportID = Identifier<VendorImportTag>

/// Kind of vendor.
public enum VendorKind: String, Codable, Sendable, CaseIterable {
    case foodMarket, soupKitchen, church, grocery, restaurant, other
}

/// Whether a vendor takes food stamps.
public enum StampAcceptance: String, Codable, Sendable, CaseIterable { case yes, no, unknown }

/// Measurements of the entrance and the rooms behind it. Absent fields aren't known.
///
/// They are measurements, not a verdict on whether the place is accessible.
public struct Accessibility: Codable, Sendable, Hashable {
    /// Source and date of a measurement.
    public struct Measurement: Codable, Sendable, Hashable {
        /// `operator`, `people`, `osm` (the platform's maps), or `file:` and the name of an import.
        public var source: String
        public var at: Date

        public init(source: String, at: Date) { (self.source, self.at) = (source, at) }
    }

    /// Height of the highest step on the way in, in centimetres; 0 if there is none.
    public var stepCentimeters: Int?
    /// Clear width of the narrowest door, in centimetres.
    public var doorCentimeters: Int?
    /// Slope of the steepest ramp, in per cent.
    public var slopePercent: Int?
    /// Surface, as in OpenStreetMap's `surface`, for example `asphalt`.
    public var surface: String?
    /// Whether there is a toilet for wheelchair users.
    public var toilet: Bool?
    public var lift: Bool?
    /// Source and date of each measurement, by field name. The server sets it and ignores it in
    /// requests.
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

/// A vendor, as an operator adds or changes it.
public struct VendorBody: Codable, Sendable, Hashable {
    public var name: String
    public var kind: VendorKind
    public var position: Coordinate
    /// Address in one line; looked up on the platform's maps when absent.
    public var address: String?
    public var phone: String?
    public var website: String?
    /// Opening hours, as in OpenStreetMap's `opening_hours`; `PH` stands for the public
    /// holidays of the country. Hours that can't be parsed are shown as text, and never as open.
    public var openingHours: String?
    /// IANA time zone, for example `Europe/Malta`; derived from the position when absent.
    public var timeZone: String?
    /// Whether the vendor takes food stamps; `unknown` when absent.
    public var acceptsStamps: StampAcceptance?
    /// Web address of a picture.
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

/// A place that sells or gives away food or other things that people need.
public struct Vendor: Codable, Sendable, Hashable {
    public var id: VendorID
    public var name: String
    public var kind: Open<VendorKind>
    public var position: Coordinate
    /// Address in one line; empty if it isn't known.
    public var address: String
    @Nullable public var phone: String?
    @Nullable public var website: String?
    /// Opening hours, as in OpenStreetMap's `opening_hours`.
    @Nullable public var openingHours: String?
    /// IANA time zone; empty if it isn't known.
    public var timeZone: String
    /// Whether the vendor is open now; null if the opening hours aren't known or can't be parsed.
    @Nullable public var isOpen: Bool?
    /// Time until which `isOpen` stays as it is; null if that isn't known or more than two weeks
    /// ahead.
    @Nullable public var changesAt: Date?
    public var acceptsStamps: StampAcceptance
    @Nullable public var photo: String?
    public var accessibility: Accessibility
    /// Sources of the data: `operator`, `people`, `osm` (the platform's maps), or `file:` and the
    /// name of an import.
    public var sources: [String]
    public var updatedAt: Date
    /// `operator` or `people`: the last to check the vendor; null if nobody has.
    @Nullable public var confirmedBy: String?
    /// The vendor of which this one is a duplicate; null if it isn't one.
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

/// How to get to a place, from door to door.
public struct Reach: Codable, Sendable, Hashable {
    public var mode: MobilityMode
    public var seconds: Int
    public var meters: Int
    /// Number of changes from one bus or train to another.
    public var transfers: Int
    /// True if it is, at least in part, a straight-line estimate at a usual speed.
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
    /// Whether the vendor is open now; null if the opening hours aren't known or can't be parsed.
    @Nullable public var isOpen: Bool?
    /// Whether the vendor will be open on arrival, when leaving at `departAt`; null if the opening
    /// hours aren't known or can't be parsed.
    @Nullable public var isOpenOnArrival: Bool?
    public var acceptsStamps: StampAcceptance
    /// Straight-line distance in metres.
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

/// Vendors within reach.
public struct VendorsAnswer: Codable, Sendable, Hashable {
    /// A change of a limit that would bring vendors within reach.
    public struct Help: Codable, Sendable, Hashable {
        /// Name of the limit: a query parameter, and a field of the customer's mobility.
        public var limit: String
        /// Value that the limit would need.
        public var value: Int
        /// Number of vendors within reach with that value.
        public var vendors: Int

        public init(limit: String, value: Int, vendors: Int) {
            (self.limit, self.value, self.vendors) = (limit, value, vendors)
        }
    }

    public var items: [VendorMatch]
    /// Number of vendors that match everything else but are out of reach.
    public var beyondLimits: Int
    /// Changes that would help if no vendor is within the limits. Each of them is enough by itself;
    /// if no single one is, all of them are needed together.
    public var helps: [Help]
    /// Cursor of the next page for `?after=`; null on the last page.
    @Nullable public var next: String?
    /// Attribution to show with the list, as the data require; null if there is none.
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

/// A suggested correction of a vendor, with at least one field. Absent fields stay as they are.
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
    /// True if the vendor no longer exists.
    public var isGone: Bool?
    /// The vendor of which this one is a duplicate.
    public var duplicateOf: VendorID?
    /// Note to the operator who decides.
    public var note: String?

    public init() {}
}

/// A correction of a vendor that a customer suggested.
public struct VendorSuggestion: Codable, Sendable, Hashable {
    /// Decision on a suggestion; `open` until an operator decides.
    public enum Status: String, Codable, Sendable, CaseIterable { case open, accepted, declined }

    public var id: VendorSuggestionID
    public var vendor: VendorID
    /// Name of the vendor when the suggestion was made.
    public var vendorName: String
    public var change: VendorSuggestionBody
    public var status: Open<Status>
    public var suggestedAt: Date
    /// Null while the suggestion is open.
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

/// A vendor that a customer saved.
public struct SavedVendor: Codable, Sendable, Hashable {
    public var vendor: Vendor
    public var savedAt: Date

    public init(vendor: Vendor, savedAt: Date) { (self.vendor, self.savedAt) = (vendor, savedAt) }
}

/// An import of vendors and its progress.
public struct VendorImport: Codable, Sendable, Hashable {
    /// Whether an import is running or done.
    public enum Status: String, Codable, Sendable, CaseIterable { case running, done }

    /// A row that was refused, and why.
    public struct Refused: Codable, Sendable, Hashable {
        /// Line in a CSV file, whose header is line 1; in GeoJSON, the position of the feature in
        /// the list, from 1.
        public var line: Int
        /// Field that is wrong; null if it isn't a single one.
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
    /// Number of rows in the file.
    public var rows: Int
    /// Number of rows processed so far.
    public var done: Int
    public var added = 0
    public var changed = 0
    /// Rows that changed nothing: vendors that were up to date, and rows that aren't vendors.
    public var unchanged = 0
    /// The first 1,000 refused rows. A list of imports leaves them out.
    public var refused: [Refused] = []
    /// Number of all refused rows.
    public var refusedCount = 0
    public var startedAt: Date

    public init(id: VendorImportID, name: String, rows: Int, startedAt: Date) {
        (self.id, self.name, self.rows, self.startedAt) = (id, name, rows, startedAt)
        (done, status) = (0, Open(.running))
    }
}

/// Two vendors that may be duplicates.
public struct VendorPair: Codable, Sendable, Hashable {
    public var one: Vendor
    public var other: Vendor
    /// Distance between the two in metres.
    public var meters: Int

    public init(one: Vendor, other: Vendor, meters: Int) {
        (self.one, self.other, self.meters) = (one, other, meters)
    }
}

/// Marks a vendor as a duplicate of another.
public struct DuplicateBody: Codable, Sendable, Hashable {
    /// The vendor that stays in the lists.
    public var of: VendorID

    public init(of: VendorID) { self.of = of }
}

/// How much is known about the vendors of one kind.
public struct VendorCoverage: Codable, Sendable, Hashable {
    public var kind: VendorKind
    public var vendors: Int
    public var withReadableHours: Int
    public var withStampsKnown: Int
    public var withAccessibility: Int
    /// Number of vendors that have not been updated for a year.
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
