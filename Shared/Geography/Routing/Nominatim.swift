import AsyncHTTPClient
import Contracts
import Foundation
import Geo
import ServiceKit

/// A Nominatim server (nominatim.org/release-docs/latest/api), or a compatible one.
///
/// The usage policy of OpenStreetMap's server (operations.osmfoundation.org/policies/nominatim) requires a User-Agent
/// that names application and contact, at most one request per second for all users together, cached answers, and no
/// search while somebody types.
struct Nominatim: Sendable {
    /// Maximum size of an answer, in bytes.
    static let largestAnswer = 512 * 1_024
    /// Longest wait for a turn; beyond it a person would rather get no answer.
    static let longestWait: Duration = .seconds(2)
    /// Nominatim's zoom level for "building", the most exact one.
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

    /// The part of an answer that we read; numbers are strings.
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

    /// The address at a point; without a place if there is none.
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
    /// Nil if it can't be a place. The text comes from a foreign service, so it is shortened to one line.
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
