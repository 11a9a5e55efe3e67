import Contracts
import Foundation
import Geo
import Store
import Threads

/// Streets, house numbers and named places of one map.
struct AddressIndex {
    /// Entries that are looked at, of those that fit a search.
    static let mostCandidates = 200
    /// Degrees of a cell, and of the search around a point, which doubles up to the last.
    static let cellDegrees = 0.1
    static let nearDegrees = [0.001, 0.004, 0.01]
    /// A house is named rather than its street up to so much farther away.
    static let houseMeters = 40.0

    /// `words` has what is looked for, without marks and capitals; `boxes` what is around a point.
    static let schema = [
        """
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, latitude REAL NOT NULL,
            longitude REAL NOT NULL, folded TEXT NOT NULL, names TEXT, number TEXT,
            number_first INTEGER NOT NULL, street TEXT, locality TEXT)
        """,
        "CREATE VIRTUAL TABLE words USING fts5(text, cell, content='', tokenize='ascii', prefix='1 2 3')",
        "CREATE VIRTUAL TABLE boxes USING rtree(id, south, north, west, east)",
        "CREATE TABLE lines (id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, points BLOB NOT NULL)",
    ]

    private let file: SQLiteFile

    init(_ path: String) throws { file = try SQLiteFile(path: path) }

    static func cell(_ point: Coordinate) -> String { cell(cellNumbers(point)) }

    private static func cell(_ numbers: (row: Int, column: Int)) -> String {
        "c\(numbers.row)x\(numbers.column)"
    }

    private static func cellNumbers(_ point: Coordinate) -> (row: Int, column: Int) {
        (
            Int(((point.latitude + 90) / cellDegrees).rounded(.down)),
            Int(((point.longitude + 180) / cellDegrees).rounded(.down))
        )
    }

    struct Found: Comparable {
        /// What somebody means who types so.
        enum Fit: Int {
            /// Its name is the search, not only the beginning or a part of it.
            case exact
            /// A house whose number is among the words: before the shops in it.
            case house
            case named
            /// A house in a street that is looked for without a number.
            case within
        }

        let entry: AddressEntry
        let fit: Fit
        let meters: Double

        static func < (one: Self, other: Self) -> Bool {
            (one.fit.rawValue, one.meters) < (other.fit.rawValue, other.meters)
        }

        static func == (one: Self, other: Self) -> Bool {
            (one.fit, one.meters) == (other.fit, other.meters)
        }
    }

    /// What has all the words, the last of which may be half typed: exact names first, each by distance.
    func search(
        _ words: [String], around center: Coordinate?, within box: BoundingBox?, limit: Int
    ) throws -> [Found] {
        guard !words.isEmpty else { return [] }
        return try file.read { transaction in
            let found = try find(words, around: center, within: box, in: transaction)
            // Few houses are on the map: the street, where the number is not.
            let rest = words.filter { $0.first?.isNumber != true }
            let all =
                found.isEmpty && rest.count < words.count
                ? try find(rest, around: center, within: box, in: transaction) : found
            return all.sorted().prefix(limit).map(\.self)
        }
    }

    private func find(
        _ words: [String], around center: Coordinate?, within box: BoundingBox?,
        in transaction: Transaction
    ) throws -> [Found] {
        guard let last = words.last else { return [] }
        // Words are letters and digits alone: nothing here can leave its quotes.
        let whole = words.dropLast().map { "\"\($0)\"" }
        let text = "text : (\((whole + ["\"\(last)\"*"]).joined(separator: " AND ")))"
        var queries = [text]
        if let center {
            let (row, column) = Self.cellNumbers(center)
            let cells = (row - 1...row + 1).flatMap { row in
                (column - 1...column + 1).map { "\"\(Self.cell((row, $0)))\"" }
            }
            queries.insert("\(text) AND cell : (\(cells.joined(separator: " OR ")))", at: 0)
        }
        let query = words.joined(separator: " ")
        var found: [Int: Found] = [:]
        for match in queries where found.count < Self.mostCandidates {
            let rows = try transaction.rows(
                """
                SELECT entries.* FROM words JOIN entries ON entries.id = words.rowid
                WHERE words MATCH ? AND latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?
                ORDER BY words.rowid LIMIT ?
                """,
                match, box?.south ?? -90, box?.north ?? 90, box?.west ?? -180, box?.east ?? 180,
                Self.mostCandidates)
            for row in rows {
                let entry = try AddressEntry(row)
                let names = try row.get("folded", as: String.self).split(separator: "\n")
                found[try row.get("id")] = Found(
                    entry: entry,
                    fit: names.contains { $0 == query } ? .exact : entry.fit(words),
                    meters: center.map { Geo.distanceMeters($0, entry.at) } ?? 0)
            }
        }
        // Without a point, by importance.
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The nearest house, or the nearest street where no house is, and its point that is nearest; nil where
    /// neither is near.
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
                // Beyond the reach something nearer may lie in no box that was looked at.
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

extension Coordinate {
    /// The nearest point of a line and how far it is, on a plane that touches the Earth here. Positions are latitude,
    /// longitude.
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

extension AddressEntry {
    fileprivate init(_ row: Row) throws {
        func names(_ column: String) throws -> PlaceNames? {
            try row.getIfPresent(column, as: String.self).map {
                try JSONDecoder().decode(PlaceNames.self, from: Data($0.utf8))
            }
        }
        self.init(
            kind: Kind(rawValue: try row.get("kind")) ?? .place,
            at: Coordinate(
                latitude: try row.get("latitude"), longitude: try row.get("longitude")))
        self.names = try names("names")
        number = try row.getIfPresent("number")
        // A map of an earlier release does not say.
        isNumberFirst = (try? row.get("number_first")) ?? true
        street = try names("street")
        locality = try names("locality")
    }

    /// How it fits words that it has all of, none of which is its name.
    fileprivate func fit(_ words: [String]) -> AddressIndex.Found.Fit {
        guard kind == .address else { return .named }
        let number = Set(SearchWords.of(self.number ?? ""))
        guard number.isSubset(of: words) else {
            return words.contains { $0.first?.isNumber == true } ? .named : .within
        }
        let isAll = street?.values.values.contains {
            number.union(SearchWords.of($0)) == Set(words)
        }
        return isAll == true ? .exact : .house
    }

    /// As somebody who reads these languages would write it on a letter.
    func place(_ languages: [String]) -> FoundPlace { place(languages, at: at) }

    func place(_ languages: [String], at point: Coordinate) -> FoundPlace {
        let name = names?.best(languages)
        let (first, second) =
            isNumberFirst
            ? (number, street?.best(languages)) : (street?.best(languages), number)
        let house = [first, second].compactMap(\.self).joined(separator: " ")
        let parts = [name, house, locality?.best(languages)].compactMap(\.self)
        return FoundPlace(
            latitude: point.latitude, longitude: point.longitude, name: name,
            address: parts.filter { !$0.isEmpty }.joined(separator: ", "))
    }
}
