import AsyncHTTPClient
import Contracts
import Foundation
import Geo
import ServiceKit

/// What somebody looks for.
public struct PlaceSearch: Sendable, Hashable {
    public var text: String
    public var limit: Int
    /// As in `Accept-Language`.
    public var language: String
    /// Where alone to look.
    public var within: BoundingBox?

    public init(text: String, limit: Int, language: String, within: BoundingBox?) {
        self.text = text
        self.limit = limit
        self.language = language
        self.within = within
    }
}

/// Finds places by their words, and words for places; without a geocoder, coordinates alone.
public struct Places: Sendable {
    /// Answers that are remembered, of either kind.
    static let mostRemembered = 2_000
    /// A day: towns seldom change, and the usage policy asks not to ask again.
    static let rememberedSeconds = 86_400.0
    static let longestName = 120
    private static let longestAttribution = 200
    /// Decimals of degrees: about a metre.
    private static let decimals = 5

    private struct Question: Hashable, Sendable {
        let search: PlaceSearch?
        let place: String
        let language: String
    }

    private let geocoder: Nominatim?
    private let clock: ServiceClock
    private let remembered = BoundedCache<Question, PlacesAnswer>(
        most: mostRemembered, seconds: rememberedSeconds)

    init(_ geocoder: Nominatim?, clock: ServiceClock) {
        self.geocoder = geocoder
        self.clock = clock
    }

    public init(_ config: GeocoderConfig, client: HTTPClient, clock: ServiceClock) {
        self.init(config.server.map { Nominatim($0, client: client) }, clock: clock)
    }

    /// Best first. Coordinates that somebody has typed are understood without asking.
    public func search(_ search: PlaceSearch) async -> PlacesAnswer {
        if let point = Self.coordinate(in: search.text) { return Self.bare(point) }
        let none = PlacesAnswer(items: [], source: .coordinates, attribution: nil)
        var normal = search
        normal.text = search.text.lowercased()
        let question = Question(search: normal, place: "", language: search.language)
        return await answer(question) { geocoder in
            try await geocoder.search(search)
        } ?? none
    }

    /// What is there; the coordinates themselves when nobody knows.
    public func reverse(_ point: Coordinate, language: String) async -> PlacesAnswer {
        let place = "\(Self.degrees(point.latitude)),\(Self.degrees(point.longitude))"
        let question = Question(search: nil, place: place, language: language)
        let found = await answer(question) { geocoder in
            [try await geocoder.reverse(point, language: language)]
        }
        guard let found, !found.items.isEmpty else { return Self.bare(point) }
        return found
    }

    /// Remembered, or asked for now; nil when the geocoder can't say.
    private func answer(
        _ question: Question, _ ask: (Nominatim) async throws -> [Nominatim.Item]
    ) async -> PlacesAnswer? {
        guard let geocoder else { return nil }
        if let known = remembered.value(of: question, at: clock.now) { return known.value }
        guard let items = try? await ask(geocoder) else { return nil }
        let answer = PlacesAnswer(
            items: items.compactMap { FoundPlace($0) }.prefix(question.search?.limit ?? 1).map(
                \.self),
            source: .geocoder,
            attribution: items.lazy.compactMap {
                Self.line($0.licence, most: Self.longestAttribution)
            }.first)
        remembered.keep(answer, of: question, at: clock.now)
        return answer
    }

    // MARK: Coordinates

    static func bare(_ point: Coordinate) -> PlacesAnswer {
        let address = "\(degrees(point.latitude)), \(degrees(point.longitude))"
        return PlacesAnswer(
            items: [
                FoundPlace(
                    latitude: point.latitude, longitude: point.longitude, name: nil,
                    address: address)
            ], source: .coordinates, attribution: nil)
    }

    static func degrees(_ value: Double) -> String { String(format: "%.\(decimals)f", value) }

    /// "22.2819, 114.1556", latitude first; without a comma only when both have a decimal point,
    /// since "12 34" is rather a house.
    static func coordinate(in text: String) -> Coordinate? {
        let hasComma = text.contains { ",，;".contains($0) }
        let parts = text.split { $0.isWhitespace || ",，;°".contains($0) }
        guard parts.count == 2, hasComma || parts.allSatisfy({ $0.contains(".") }),
            parts.allSatisfy({ $0.allSatisfy { "+-.0123456789".contains($0) } }),
            let latitude = Double(parts[0]), let longitude = Double(parts[1])
        else { return nil }
        let point = Coordinate(latitude: latitude, longitude: longitude)
        return point.isOnGlobe ? point : nil
    }

    /// One line without control characters, cut at a comma or a space where that is near; nil for
    /// nothing.
    static func line(_ text: String?, most: Int) -> String? {
        guard let text else { return nil }
        let plain = text.unicodeScalars.prefix(4 * most).map { scalar in
            scalar.properties.generalCategory == .control ? " " : String(scalar)
        }.joined()
        let words = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words.count > most else { return words.isEmpty ? nil : words }
        let head = words.prefix(most)
        let end = head.lastIndex { $0 == "," || $0 == "，" } ?? head.lastIndex(of: " ")
        guard let end, head.distance(from: head.startIndex, to: end) > most / 2 else {
            return String(head)
        }
        return String(head[..<end])
    }
}
