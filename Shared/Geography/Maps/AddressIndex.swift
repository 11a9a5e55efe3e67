import Foundation
import Geo
import Store
import Threads

/// Streets, house numbers and named places of one map.
final class AddressIndex {
    /// Maximum number of matching entries that a search ranks.
    static let mostCandidates = 200
    /// Sizes of the search around a point, in degrees; tried in order.
    static let nearDegrees = [0.001, 0.004, 0.01]
    /// The distance of a house from some point of its street, in metres; farther away is a street of the same name.
    private static let streetMeters = 5_000.0
    /// A house is preferred to its street up to this much farther away, in metres.
    static let houseMeters = 40.0
    /// Maximum number of mistakes in one word.
    private static let mostMistakes = 2

    /// `words` has the searchable text, without marks and capitals; `vocabulary` all its words, one per line; `boxes`
    /// the bounds for searches around a point.
    static let schema = [
        """
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, latitude REAL NOT NULL,
            longitude REAL NOT NULL, titles TEXT NOT NULL, surroundings TEXT NOT NULL, names TEXT,
            number TEXT, number_first INTEGER NOT NULL, street TEXT, locality TEXT)
        """,
        "CREATE VIRTUAL TABLE words USING fts5(text, cell, content='', tokenize='ascii', prefix='1 2 3 4 5 6')",
        "CREATE TABLE vocabulary (words TEXT NOT NULL)",
        "CREATE VIRTUAL TABLE boxes USING rtree(id, south, north, west, east)",
        "CREATE TABLE lines (id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, points BLOB NOT NULL)",
    ]

    private let file: SQLiteFile
    /// Maps of earlier releases have none; mistyped words are not found in them.
    private let hasVocabulary: Bool
    /// Loaded when needed: most processes only ask for the address at a point.
    private var vocabulary: Vocabulary?

    init(_ path: String) throws {
        file = try SQLiteFile(path: path)
        hasVocabulary = try file.read { transaction in
            try !transaction.rows("SELECT 1 FROM sqlite_schema WHERE name = 'vocabulary'").isEmpty
        }
    }

    struct Found: Comparable {
        let entry: AddressEntry
        let fit: AddressFit
        let meters: Double

        static func < (one: Self, other: Self) -> Bool {
            (one.fit, one.meters) < (other.fit, other.meters)
        }

        static func == (one: Self, other: Self) -> Bool {
            (one.fit, one.meters) == (other.fit, other.meters)
        }
    }

    fileprivate struct Candidate {
        let id: Int
        let kind: AddressEntry.Kind
        let at: Coordinate
        let fit: AddressFit
        let meters: Double

        var isSureHouse: Bool { kind == .address && fit.isSure }
    }

    private typealias Candidates = [Int: Candidate]

    /// Where to search: nearest to a point first, or only within a rectangle.
    private struct Region {
        let center: Coordinate?
        let box: BoundingBox?
    }

    /// Entries with all the words, the last of which may be incomplete. Sorted by mistakes, then by how much of the
    /// name was typed, then by distance. Corrects mistyped words, and leaves out words that the map does not have,
    /// unless an entry has exactly this name.
    func search(
        _ typed: TypedAddress, around center: Coordinate?, within box: BoundingBox?, limit: Int
    ) throws -> [Found] {
        let region = Region(center: center, box: box)
        return try file.read { transaction in
            // Without a point, sorted by importance.
            let best = try candidates(typed, region, limit, transaction).values.sorted {
                ($0.fit, $0.meters, $0.id) < ($1.fit, $1.meters, $1.id)
            }.prefix(limit)
            return try best.map { candidate in
                let rows = try transaction.rows(
                    "SELECT * FROM entries WHERE id = ?", candidate.id)
                return Found(
                    entry: try AddressEntry(rows[0]), fit: candidate.fit, meters: candidate.meters)
            }
        }
    }

    private func candidates(
        _ typed: TypedAddress, _ region: Region, _ limit: Int, _ transaction: Transaction
    ) throws -> Candidates {
        var found = try find(typed.all, region, transaction)
        guard !found.isSure else { return found }
        let readings = found.isEmpty || typed.hasDigit ? typed.readings() : .init()
        if let written = readings.written {
            let street = try find(written, region, transaction)
            if street.isSure { return street }
        }
        for reading in readings.whole where !found.isSure {
            let more = try find(reading, region, transaction)
            let wanted = found.isEmpty ? more : more.filter { $0.value.isSureHouse }
            found.merge(wanted) { old, _ in old }
        }
        // Maps contain few houses: find the street if the number is missing.
        var streets: Candidates = [:]
        if found.isEmpty {
            (found, streets) = try houseOrStreet(readings, region, transaction)
            if streets.isSure, found.isEmpty { return streets }
        }
        try correct(typed.all, &found, region, limit, transaction)
        for reading in readings.whole.suffix(2) + readings.bare where found.isEmpty {
            try correct(reading, &found, region, limit, transaction)
        }
        for reading in readings.respaced where found.isEmpty {
            try correct(reading, &found, region, limit, transaction)
        }
        for reading in readings.shortened where found.isEmpty {
            found = try find(reading, region, transaction).filter { $0.value.fit.kind == .exact }
        }
        guard found.isEmpty else { return found }
        for reading in readings.streets {
            try correct(reading, &streets, region, limit, transaction)
        }
        return streets
    }

    /// The house with its street alone, unless the street is elsewhere in the town that was typed; and the street,
    /// which is wanted if there is no such house.
    private func houseOrStreet(
        _ readings: TypedAddress.Readings, _ region: Region, _ transaction: Transaction
    ) throws -> (houses: Candidates, streets: Candidates) {
        var streets: Candidates = [:]
        for reading in readings.streets.prefix(1) {
            streets = try find(reading, region, transaction)
        }
        let inTown = streets.values.filter(\.fit.isSure).map(\.at)
        for reading in readings.bare {
            let houses = try find(reading, region, transaction).filter { _, house in
                house.fit.isSure
                    && (inTown.isEmpty
                        || inTown.contains {
                            Geo.distanceMeters($0, house.at) <= Self.streetMeters
                        })
            }
            if !houses.isEmpty { return (houses, streets) }
        }
        for reading in readings.streets.dropFirst() where !streets.isSure {
            let more = try find(reading, region, transaction).filter {
                $0.value.kind != .settlement
            }
            streets.merge(more) { old, _ in old }
        }
        return ([:], streets)
    }

    /// If few entries match, and none by its exact name, adds those with one mistake in a word, or else with two.
    private func correct(
        _ reading: TypedAddress.Reading, _ found: inout Candidates, _ region: Region, _ limit: Int,
        _ transaction: Transaction
    ) throws {
        guard hasVocabulary, found.count < limit, !found.isSure else { return }
        let spelt = found.count
        for mistakes in 1...Self.mostMistakes where found.count == spelt {
            found.merge(try find(reading, mistakes: mistakes, region, transaction)) { spelt, _ in
                spelt
            }
        }
    }

    private func find(
        _ reading: TypedAddress.Reading, mistakes: Int? = nil, _ region: Region,
        _ transaction: Transaction
    ) throws -> Candidates {
        let (all, isHalf) = (reading.words, reading.isHalf)
        guard !all.isEmpty else { return [:] }
        let words = StreetWords.withoutArticles(all)
        var sought = words.enumerated().map { index, word in
            SoughtWord(word, isHalf: isHalf && index == words.count - 1, mistakes: mistakes)
        }
        let known = mistakes == nil ? nil : try vocabulary(transaction)
        let text = "text : (\(sought.map { $0.expression(known) }.joined(separator: " AND ")))"
        let rings = region.center.map(AddressCells.around) ?? []
        let queries =
            rings.map { cells in
                "\(text) AND cell : (\(cells.map { "\"\($0)\"" }.joined(separator: " OR ")))"
            } + [text]
        let columns =
            hasVocabulary
            ? "id, kind, latitude, longitude, titles, surroundings" : "entries.*"
        var found: Candidates = [:]
        for query in queries where found.count < Self.mostCandidates {
            let rows = try transaction.rows(
                """
                SELECT \(columns) FROM words JOIN entries ON entries.id = words.rowid
                WHERE words MATCH ? AND latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?
                ORDER BY words.rowid LIMIT ?
                """,
                query, region.box?.south ?? -90, region.box?.north ?? 90,
                region.box?.west ?? -180, region.box?.east ?? 180, Self.mostCandidates)
            for row in rows {
                let id = try row.get("id", as: Int.self)
                guard found[id] == nil,
                    let fit = try self.words(row).fit(
                        &sought, articles: all.count - words.count, leftOut: reading.leftOut)
                else { continue }
                let at = Coordinate(
                    latitude: try row.get("latitude"), longitude: try row.get("longitude"))
                let meters = region.center.map { Geo.distanceMeters($0, at) } ?? 0
                let kind = AddressEntry.Kind(rawValue: try row.get("kind")) ?? .place
                found[id] = Candidate(id: id, kind: kind, at: at, fit: fit, meters: meters)
            }
        }
        return found
    }

    private func words(_ row: Row) throws -> AddressWords {
        if hasVocabulary {
            return AddressWords(
                titles: try row.get("titles"), surroundings: try row.get("surroundings"))
        }
        let entry = try AddressEntry(row)
        return AddressWords(
            titles: entry.titles.joined(separator: "\n"),
            surroundings: entry.surroundings.joined(separator: " "))
    }

    private func vocabulary(_ transaction: Transaction) throws -> Vocabulary {
        if let vocabulary { return vocabulary }
        let rows = try transaction.rows("SELECT words FROM vocabulary")
        let words = try rows.map { try $0.get("words", as: String.self) }
        let made = Vocabulary(words.flatMap { $0.split(separator: "\n").map(String.init) })
        vocabulary = made
        return made
    }

    /// The nearest house, or else the nearest street, with its nearest point; nil if neither is nearby.
    func nearest(
        to point: Coordinate
    ) throws -> (entry: AddressEntry, at: Coordinate, meters: Double)? {
        try file.read { transaction in
            for reach in Self.nearDegrees {
                let wide = reach / max(0.01, cos(point.latitude * .pi / 180))
                let rows = try transaction.rows(
                    """
                    SELECT entries.*, lines.points FROM boxes
                    JOIN lines ON lines.id = boxes.id JOIN entries ON entries.id = lines.entry
                    WHERE south <= ? AND north >= ? AND west <= ? AND east >= ?
                    """, point.latitude + reach, point.latitude - reach, point.longitude + wide,
                    point.longitude - wide)
                let found = try rows.map { row in
                    let line = try JSONDecoder().decode([[Double]].self, from: row.get("points"))
                    let (at, meters) = point.nearest(ofLine: line)
                    return (entry: try AddressEntry(row), at: at, meters: meters)
                }
                let nearest = found.min { Self.weight($0) < Self.weight($1) }
                // Beyond the reach, a box that was not searched may contain something nearer.
                if let nearest, nearest.meters <= reach * 111_000 { return nearest }
            }
            return nil
        }
    }

    private static func weight(
        _ found: (entry: AddressEntry, at: Coordinate, meters: Double)
    ) -> Double {
        found.entry.kind == .address ? found.meters - houseMeters : found.meters
    }
}

extension [Int: AddressIndex.Candidate] {
    /// Whether one of them has exactly the typed name.
    fileprivate var isSure: Bool { values.contains(where: \.fit.isSure) }
}

extension Coordinate {
    /// The nearest point of a line and its distance in metres, on a plane that touches the Earth here. Positions are
    /// latitude, longitude.
    fileprivate func nearest(ofLine line: [[Double]]) -> (at: Coordinate, meters: Double) {
        let scale = (Geo.earthRadiusMeters * .pi / 180)
        let narrow = scale * cos(latitude * .pi / 180)
        let points = line.map { (x: ($0[1] - longitude) * narrow, y: ($0[0] - latitude) * scale) }
        guard var from = points.first else { return (self, .infinity) }
        var nearest = from
        for to in points.dropFirst() {
            let (width, height) = (to.x - from.x, to.y - from.y)
            let length = width * width + height * height
            let part = length == 0 ? 0 : -(from.x * width + from.y * height) / length
            let along = min(1, max(0, part))
            let foot = (x: from.x + along * width, y: from.y + along * height)
            if hypot(foot.x, foot.y) < hypot(nearest.x, nearest.y) { nearest = foot }
            from = to
        }
        let at = Coordinate(
            latitude: latitude + nearest.y / scale, longitude: longitude + nearest.x / narrow)
        return (at, hypot(nearest.x, nearest.y))
    }
}
