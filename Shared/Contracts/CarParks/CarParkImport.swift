/// `POST /v1/admin/car-parks/imports`: GeoJSON (RFC 7946) whose properties are OpenStreetMap's tags, as
/// `osmium export --add-unique-id=type_id` writes them of what has `amenity=parking`.
public struct CarParkImport: Codable, Sendable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case featureCollection = "FeatureCollection"
    }

    public var type: Kind
    /// Read one by one, so that one that can't be read keeps no other out.
    public var features: [JSONValue]
    /// Of those that name none: further members, as RFC 7946 §6.1 allows.
    public var timeZone: String?
    public var currency: String?

    public init(_ features: [JSONValue], timeZone: String? = nil, currency: String? = nil) {
        (type, self.features) = (.featureCollection, features)
        (self.timeZone, self.currency) = (timeZone, currency)
    }
}

/// What became of an import.
public struct CarParkImportAnswer: Codable, Sendable, Hashable {
    /// One that can't be taken, and why.
    public struct Refused: Codable, Sendable, Hashable {
        /// Its place in the list, from 0.
        public var index: Int
        @Nullable public var source: String?
        @Nullable public var field: String?
        public var detail: String

        public init(index: Int, source: String?, field: String?, detail: String) {
            (self.index, self.detail) = (index, detail)
            self.source = source
            self.field = field
        }
    }

    public var added = 0
    public var changed = 0
    /// As they were already, or removed by an operator.
    public var unchanged = 0
    /// Private ones, and what is no car park.
    public var leftOut = 0
    public var refused: [Refused] = []

    public init() {}
}
