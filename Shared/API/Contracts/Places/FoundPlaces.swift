/// A place that a search found, with its name and address.
public struct FoundPlace: Codable, Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    /// Name of the place, for example "Star Ferry Pier"; null for a plain address.
    @Nullable public var name: String?
    /// Address in one line; it can be used as the `address` of a `Place`.
    public var address: String

    public init(latitude: Double, longitude: Double, name: String?, address: String) {
        self.latitude = latitude
        self.longitude = longitude
        self.name = name
        self.address = address
    }
}

/// Places, best match first.
public struct PlacesAnswer: Codable, Sendable, Hashable {
    /// Where the places come from: `map` (the platform's own maps), `geocoder`, or `coordinates` if
    /// they are only the coordinates of the request.
    public enum Source: String, Codable, Sendable, CaseIterable {
        /// The platform's own maps.
        case map
        case geocoder
        /// Coordinates as given, because neither a map nor a geocoder has an answer.
        case coordinates
    }

    public var items: [FoundPlace]
    public var source: Source
    /// Attribution to show with the list, as its data require; null if they require none.
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
