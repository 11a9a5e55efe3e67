import AsyncHTTPClient
import Contracts
import Foundation
import Geo
import ServiceKit

/// A Nominatim server (nominatim.org/release-docs/latest/api), or one that answers like it.
///
/// The usage policy of OpenStreetMap's own (operations.osmfoundation.org/policies/nominatim) asks for
/// a User-Agent that names application and contact, for at most one request a second of all users
/// together, for remembering answers, and for no search while somebody types.
struct Nominatim: Sendable {
    /// Of one answer, in bytes.
    static let largestAnswer = 512 * 1_024
    /// A waiting person would rather have nothing than wait longer for their turn.
    static let longestWait: Duration = .seconds(2)
    /// Nominatim's for "building": as exact as it gets.
    private static let exactZoom = 18

    private let source: JSONSource
    private let limiter: RateLimiter

    init(_ source: JSONSource, perSecond: Double) {
        self.source = source
        limiter = RateLimiter(perSecond: perSecond)
    }

    init(_ config: GeocoderConfig.Server, client: HTTPClient) {
        self.init(
            JSONSource(
                "nominatim", config.url, client: client,
                .init(time: config.limit, largestAnswer: Self.largestAnswer),
                userAgent: "OpenValet (\(config.contact))"),
            perSecond: config.perSecond)
    }

    /// The part of an answer that we read; numbers come as texts.
    struct Item: Decodable, Sendable {
        var lat: String?
        var lon: String?
        var name: String?
        var display_name: String?
        var licence: String?
    }

    func search(_ search: PlaceSearch) async throws -> [Item] {
        var query = [
            ("format", "jsonv2"), ("q", search.text), ("limit", String(search.limit)),
            ("accept-language", search.language),
        ]
        if let box = search.within {
            let corners = [box.west, box.north, box.east, box.south].map { degrees in
                String(format: "%.5f", degrees)
            }
            query += [("viewbox", corners.joined(separator: ",")), ("bounded", "1")]
        }
        try await takeTurn()
        return try await source.get("/search", query, as: [Item].self)
    }

    /// What is at a point; without a place when nothing is.
    func reverse(_ point: Coordinate, language: String) async throws -> Item {
        try await takeTurn()
        return try await source.get(
            "/reverse",
            [
                ("format", "jsonv2"), ("lat", Geocoder.degrees(point.latitude)),
                ("lon", Geocoder.degrees(point.longitude)), ("zoom", String(Self.exactZoom)),
                ("accept-language", language),
            ], as: Item.self)
    }

    private func takeTurn() async throws {
        guard !source.isAway, try await limiter.turn(within: Self.longestWait) else {
            throw RoutingError.away
        }
    }
}

extension FoundPlace {
    /// Nil when it can't be a place. Somebody else's words: shortened, and made one line.
    init?(_ item: Nominatim.Item) {
        guard let latitude = item.lat.flatMap(Double.init),
            let longitude = item.lon.flatMap(Double.init),
            Coordinate(latitude: latitude, longitude: longitude).isOnGlobe
        else { return nil }
        let name = Geocoder.line(item.name, most: Geocoder.longestName)
        guard let address = Geocoder.line(item.display_name, most: Check.longestAddress) ?? name
        else { return nil }
        self.init(latitude: latitude, longitude: longitude, name: name, address: address)
    }
}
