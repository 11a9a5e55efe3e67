import AsyncHTTPClient
import Contracts
import Foundation
import Geo
import Logging
import Maps
import ServiceKit

/// What somebody looks for.
public struct PlaceSearch: Sendable, Hashable {
    public var text: String
    public var limit: Int
    /// As in `Accept-Language`.
    public var language: String
    /// Around whom to look first, where maps of our own are looked into.
    public var near: Coordinate?
    /// Where alone to look, beyond maps of our own around `near`.
    public var within: BoundingBox?

    public init(
        text: String, limit: Int, language: String, near: Coordinate? = nil, within: BoundingBox?
    ) {
        self.text = text
        self.limit = limit
        self.language = language
        self.near = near
        self.within = within
    }
}

/// Finds places by their words, and words for places: in the house's maps where they reach, else by a geocoder;
/// without either, coordinates alone.
public struct Geocoder: Sendable {
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

    private let book: AddressBook?
    private let geocoder: Nominatim?
    private let clock: ServiceClock
    private let remembered = BoundedCache<Question, PlacesAnswer>(
        most: mostRemembered, seconds: rememberedSeconds)

    private let logger = Logger(label: "geocoder")

    init(_ geocoder: Nominatim?, in book: AddressBook? = nil, clock: ServiceClock) {
        self.book = book
        self.geocoder = geocoder
        self.clock = clock
    }

    public init(
        _ maps: MapsConfig, _ geocoder: GeocoderConfig, client: HTTPClient, clock: ServiceClock
    ) {
        self.init(
            geocoder.server.map { Nominatim($0, client: client) },
            in: maps.folder.map { AddressBook(MapFolder($0)) }, clock: clock)
    }

    /// Best first. Coordinates that somebody has typed are understood without asking.
    public func search(_ search: PlaceSearch) async -> PlacesAnswer {
        if let point = Self.coordinate(in: search.text) { return Self.bare(point) }
        let none = PlacesAnswer(items: [], source: .coordinates, attribution: nil)
        let found = await inBook { book in
            try await book.search(
                search.text, near: search.near, within: search.within, language: search.language,
                limit: search.limit)
        }
        if let found { return found }
        var normal = search
        normal.near = nil
        normal.text = search.text.lowercased()
        let question = Question(search: normal, place: "", language: search.language)
        return await answer(question) { geocoder in
            try await geocoder.search(search)
        } ?? none
    }

    /// What is there; the coordinates themselves when nobody knows.
    public func reverse(_ point: Coordinate, language: String) async -> PlacesAnswer {
        let known = await inBook { try await $0.reverse(point, language: language) }
        if let known { return known }
        let place = "\(Self.degrees(point.latitude)),\(Self.degrees(point.longitude))"
        let question = Question(search: nil, place: place, language: language)
        let found = await answer(question) { geocoder in
            [try await geocoder.reverse(point, language: language)]
        }
        guard let found, !found.items.isEmpty else { return Self.bare(point) }
        return found
    }

    /// What the signs at a point say, where a map of the house's own has it: nobody outside is asked.
    public func addressOnMaps(of point: Coordinate) async -> String? {
        await inBook { try await $0.reverse(point, language: "") }?.items.first?.address
    }

    /// Nil where no map reaches, or where it can't be read: somebody else may know.
    private func inBook(
        _ look: (AddressBook) async throws -> PlacesAnswer?
    ) async -> PlacesAnswer? {
        guard let book else { return nil }
        do {
            return try await look(book)
        } catch {
            logger.error("a map's addresses can't be read", metadata: ["error": "\(error)"])
            return nil
        }
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
