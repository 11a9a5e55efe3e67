/// A point that somebody looked for, with the words for it.
public struct FoundPlace: Codable, Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    /// What a person calls it, as "Star Ferry Pier"; nil for a bare address.
    @Nullable public var name: String?
    /// One line, at most 200 characters, fit for `Place.address`.
    public var address: String

    public init(latitude: Double, longitude: Double, name: String?, address: String) {
        self.latitude = latitude
        self.longitude = longitude
        self.name = name
        self.address = address
    }
}

/// Answer of `GET /v1/places` and `GET /v1/places/reverse`, best first.
public struct PlacesAnswer: Codable, Sendable, Hashable {
    public enum Source: String, Codable, Sendable, CaseIterable {
        /// The house's own maps.
        case map
        case geocoder
        /// Coordinates as typed or given: neither map nor geocoder, or it is away.
        case coordinates
    }

    public var items: [FoundPlace]
    public var source: Source
    /// Whom to name beside the list, as the data ask.
    @Nullable public var attribution: String?

    public init(items: [FoundPlace], source: Source, attribution: String?) {
        self.items = items
        self.source = source
        self.attribution = attribution
    }
}

extension PlacesAnswer: SchemaNamed {
    public static var schemaName: String { "Places" }
}

extension PlacesAnswer.Source: SchemaNamed {
    public static var schemaName: String { "PlacesSource" }
}
