/// Car parks to import as GeoJSON (RFC 7946), with OpenStreetMap's tags as properties.
///
/// `osmium export --add-unique-id=type_id` writes such a file from features with `amenity=parking`.
public struct CarParkImport: Codable, Sendable {
    /// A GeoJSON FeatureCollection.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case featureCollection = "FeatureCollection"
    }

    public var type: Kind
    /// Points or areas, each with its own `id`; at most 1,000. Each is read separately, so that one
    /// that can't be read doesn't affect the others.
    public var features: [JSONValue]
    /// IANA name, for features without a `timeZone` property. When absent, it is derived from the
    /// position of each feature and, near a border, its `addr:country`.
    ///
    /// A further member, as RFC 7946 §6.1 allows.
    public var timeZone: String?
    /// ISO 4217 code, for features without a `currency` property. When absent, it is derived like
    /// the time zone.
    ///
    /// A further member, as RFC 7946 §6.1 allows.
    public var currency: String?

    public init(_ features: [JSONValue], timeZone: String? = nil, currency: String? = nil) {
        (type, self.features) = (.featureCollection, features)
        (self.timeZone, self.currency) = (timeZone, currency)
    }
}

/// The result of an import.
public struct CarParkImportAnswer: Codable, Sendable, Hashable {
    /// A feature that could not be imported, and the reason.
    public struct Refused: Codable, Sendable, Hashable {
        /// Its position in `features`, from 0.
        public var index: Int
        /// Id of the feature; null if it has none that can be read.
        @Nullable public var source: String?
        /// The field that is wrong; null if no single field is.
        @Nullable public var field: String?
        /// Why the feature could not be imported.
        public var detail: String

        public init(index: Int, source: String?, field: String?, detail: String) {
            (self.index, self.detail) = (index, detail)
            self.source = source
            self.field = field
        }
    }

    public var added = 0
    public var changed = 0
    /// Number of car parks that were up to date already, or that an operator had removed.
    public var unchanged = 0
    /// Number of features left out: private car parks, and features that are not car parks.
    public var leftOut = 0
    /// Features that could not be imported, with the reasons.
    public var refused: [Refused] = []

    public init() {}
}
