import AsyncHTTPClient
import Contracts
import EventBus
import Foundation
import Geo
import Logging
import Maps
import ServiceKit

public struct PlaceSearch: Sendable, Hashable {
    public var text: String
    public var limit: Int
    /// In the form of `Accept-Language`.
    public var language: String
    /// Searches our own maps around this point first.
    public var near: Coordinate?
    /// Restricts results to this box, except on our own maps around `near`.
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

/// Finds places by their words, and addresses of points: on the platform's own maps if they cover the area, else with
/// a geocoder. Without either, places are only coordinates.
public struct Geocoder: Sendable {
    /// Maximum number of cached answers of each kind.
    static let mostRemembered = 2_000
    /// One day: towns rarely change, and the usage policy asks clients not to repeat requests.
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

    /// Results, best first. Typed coordinates are recognised without a request.
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

    /// The address at a point, or its coordinates if it is unknown.
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

    /// The address at a point as local signs write it, from the platform's own maps only.
    public func addressOnMaps(of point: Coordinate) async -> String? {
        await inBook { try await $0.reverse(point, language: "") }?.items.first?.address
    }

    /// Nil if no map covers the area, or if it can't be read: the geocoder may know.
    private func inBook(
        _ look: (AddressBook) async throws -> PlacesAnswer?
    ) async -> PlacesAnswer? {
        guard let book else { return nil }
        do {
            return try await look(book)
        } catch {
            logger.error(
                "the addresses of a map could not be read",
                metadata: ["error": "\(loggable(error))"])
            return nil
        }
    }

    /// A cached or new answer; nil if the geocoder can't answer.
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

    /// Reads "22.2819, 114.1556", latitude first. Without a comma both need a decimal point, since "12 34" is more
    /// likely a house number.
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

    /// One line without control characters, cut at a nearby comma or space; nil if empty.
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
