import Foundation
import Geo
import Store

/// Creates the index of a map's streets, house numbers and named places.
public struct AddressIndexMaker {
    /// osmium's filters for the features that it reads.
    public static let filters = ["nwr/name", "nwr/addr:housenumber", "w/addr:interpolation"]

    /// Maximum distance of a street, a house or a place from the town or village that it belongs to.
    private static let localityMeters = 10_000.0
    /// Cell size in degrees; a search for towns looks at the cell of a point and its neighbours.
    private static let localityCell = 0.1
    /// Types of settlements, the most important first (wiki.openstreetmap.org/wiki/Key:place).
    private static let settlements = [
        "city", "town", "village", "suburb", "hamlet", "quarter", "neighbourhood",
    ]
    /// Types of settlements whose names are used in addresses.
    private static let localities: Set = ["city", "town", "village", "hamlet"]

    private struct Settlement {
        let names: PlaceNames
        let at: Coordinate
        let kind: String
    }

    private struct Street {
        var names: PlaceNames
        var lines: [[Coordinate]] = []
    }

    private struct House {
        /// Whether it belongs to a named place in the house, such as a shop.
        let isNamed: Bool
        let number: String
        /// Empty for the end of a line that has the street.
        var street: String
        let city: String?
        let country: String?
        var interpolation: HouseInterpolation?
        let at: Coordinate
    }

    /// A line along a street with houses at some of its points, and unmapped ones between them.
    private struct HouseLine {
        let interpolation: HouseInterpolation
        let street: String?
        let points: [Coordinate]
    }

    private struct Named {
        let names: PlaceNames
        let tags: [String: String]
        let at: Coordinate
    }

    /// Two addresses nearby with the same doorstep are the same house.
    private struct Doorstep: Hashable {
        /// Degrees, about a kilometre: streets of the same name in different districts are different streets.
        private static let size = 0.01

        let number, street: String
        let cell: Cell

        init(_ house: House, number: String? = nil) {
            self.number = number ?? house.number
            (street, cell) = (house.street, Cell(house.at, Self.size))
        }
    }

    private var settlements: [Settlement] = []
    private var streets: [[String]: Street] = [:]
    private var ways: [(names: PlaceNames, points: [Coordinate])] = []
    private var houses: [House] = []
    /// Houses without a street.
    private var bareHouses: [House] = []
    private var houseLines: [HouseLine] = []
    private var places: [Named] = []
    private var towns: [Cell: [Settlement]] = [:]
    /// How often each country is tagged in a cell.
    private var countries: [Cell: [String: Int]] = [:]
    private var orders: [Cell: Bool] = [:]

    private struct Cell: Hashable {
        let row, column: Int

        init(_ point: Coordinate, _ size: Double) {
            row = Int((point.latitude / size).rounded(.down))
            column = Int((point.longitude / size).rounded(.down))
        }

        init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
    }

    /// Creates the file from the output of `osmium export`. Returns the number of entries by kind.
    public static func make(_ path: String, from features: URL) throws -> MapFacts.Counts {
        var maker = AddressIndexMaker()
        try MapFeature.each(of: features) { maker.read($0) }
        return try maker.write(to: path)
    }

    private mutating func read(_ feature: MapFeature) {
        let tags = feature.tags
        guard let at = feature.middle else { return }
        let interpolation = tags["addr:interpolation"].flatMap(HouseInterpolation.init)
        let street = tags["addr:street"] ?? tags["addr:place"]
        if let number = tags["addr:housenumber"] {
            let house = House(
                isNamed: tags["name"] != nil, number: number, street: street ?? "",
                city: tags["addr:city"], country: HouseOrder.country(tags),
                interpolation: interpolation, at: at)
            if street != nil { houses.append(house) } else { bareHouses.append(house) }
        } else if let interpolation, case .line(let points) = feature.shape {
            houseLines.append(
                HouseLine(interpolation: interpolation, street: street, points: points))
        }
        if let country = HouseOrder.country(tags) {
            countries[Cell(at, Self.localityCell), default: [:]][country, default: 0] += 1
        }
        guard let names = PlaceNames(tags: tags) else { return }
        let isRoad = tags["highway"] != nil && tags["area"] != "yes"
        switch feature.shape {
        case .line(let points) where isRoad:
            if points.count > 1 { ways.append((names, points)) }
        // A closed way appears as a line and as an area; one of them is enough.
        case .line: break
        case .area where isRoad: break
        default:
            if let kind = tags["place"], Self.settlements.contains(kind) {
                settlements.append(Settlement(names: names, at: at, kind: kind))
            } else if tags["boundary"] == nil {
                places.append(Named(names: names, tags: tags, at: at))
            }
        }
    }

    // MARK: What belongs to what

    private mutating func gather() {
        for town in settlements where Self.localities.contains(town.kind) {
            towns[Cell(town.at, Self.localityCell), default: []].append(town)
        }
        // Ways with the same name in the same town are one street.
        for way in ways {
            let town = locality(of: way.points[way.points.count / 2])?.values[""] ?? ""
            let key = [Self.key(way.names), town]
            streets[key, default: Street(names: way.names)].lines.append(way.points)
            streets[key]?.names.values.merge(way.names.values) { known, _ in known }
            streets[key]?.names.others.formUnion(way.names.others)
        }
        // Streets with the same name in the next town share their translations, which are not tagged everywhere.
        let translations = streets.reduce(into: [String: [String: String]]()) { names, street in
            names[street.key[0], default: [:]].merge(street.value.names.values) { min($0, $1) }
        }
        for key in streets.keys {
            streets[key]?.names.values.merge(translations[key[0]] ?? [:]) { own, _ in own }
        }
    }

    private func locality(of point: Coordinate) -> PlaceNames? {
        let cell = Cell(point, Self.localityCell)
        var nearest: (meters: Double, names: PlaceNames)?
        for row in cell.row - 1...cell.row + 1 {
            for column in cell.column - 1...cell.column + 1 {
                for town in towns[Cell(row: row, column: column)] ?? [] {
                    let meters = Geo.distanceMeters(town.at, point)
                    if meters < min(nearest?.meters ?? .infinity, Self.localityMeters) {
                        nearest = (meters, town.names)
                    }
                }
            }
        }
        return nearest?.names
    }

    /// If the country is not tagged, uses the country that is tagged most often nearby, or else that of the time
    /// zone.
    private mutating func isNumberFirst(_ country: String?, at point: Coordinate) -> Bool {
        if let country { return HouseOrder.isNumberFirst(in: country) }
        let cell = Cell(point, Self.localityCell)
        if let known = orders[cell] { return known }
        let most = countries[cell]?.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
        let isFirst = HouseOrder.isNumberFirst(in: most ?? TimeZones.zone(at: point)?.country)
        orders[cell] = isFirst
        return isFirst
    }

    // MARK: The file

    private mutating func write(to path: String) throws -> MapFacts.Counts {
        gather()
        var counts = MapFacts.Counts()
        counts.streets = streets.count
        counts.places = places.count + settlements.count
        let entries = sortedEntries()
        counts.addresses = entries.count { $0.entry.kind == .address }
        try SQLiteFile.make(path) { transaction in
            for statement in AddressIndex.schema { try transaction.execute(statement) }
            var writer = EntryWriter(transaction)
            for (entry, lines) in entries { try writer.add(entry, lines: lines) }
            try writer.finish()
        }
        return counts
    }

    private typealias Line = (entry: AddressEntry, lines: [[Coordinate]])

    /// Sorted by importance: a search only ranks the matching entries with the lowest numbers. Settlements come
    /// first, then short names, of which a search is likely to contain most.
    private mutating func sortedEntries() -> [Line] {
        let (towns, streets) = (settlementEntries(), streetEntries())
        let named = Dictionary(grouping: streets) { Self.key($0.entry.names) }
        let rest = streets + placeEntries(in: named) + houseEntries(in: named)
        let lengths = rest.map { line in
            line.entry.titles.map { AddressWords.words(of: $0).count }.min() ?? 0
        }
        let order = rest.indices.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
        return towns + order.map { rest[$0] }
    }

    private func settlementEntries() -> [Line] {
        let ranks = Dictionary(
            uniqueKeysWithValues: Self.settlements.enumerated().map { ($1, $0) })
        return settlements.sorted { (ranks[$0.kind] ?? 0) < (ranks[$1.kind] ?? 0) }.map { town in
            var entry = AddressEntry(kind: .settlement, at: town.at)
            entry.names = town.names
            entry.locality = locality(of: town.at).flatMap { $0 == town.names ? nil : $0 }
            return (entry, [])
        }
    }

    private func streetEntries() -> [Line] {
        streets.sorted { $0.key.joined() < $1.key.joined() }.compactMap { _, street in
            let longest = street.lines.max { $0.count < $1.count } ?? []
            guard !longest.isEmpty else { return nil }
            var entry = AddressEntry(kind: .street, at: longest[longest.count / 2])
            entry.names = street.names
            entry.locality = locality(of: entry.at)
            return (entry, street.lines)
        }
    }

    private mutating func placeEntries(in streets: [String: [Line]]) -> [Line] {
        places.map { place in
            var entry = AddressEntry(kind: .place, at: place.at)
            entry.names = place.names
            entry.number = place.tags["addr:housenumber"]
            entry.isNumberFirst = isNumberFirst(HouseOrder.country(place.tags), at: place.at)
            entry.street = place.tags["addr:street"].map {
                Self.street($0, near: place.at, of: streets)
            }
            entry.locality = locality(of: place.at)
            entry.city = place.tags["addr:city"]
            return (entry, [])
        }
    }

    /// Merges addresses with the same number and street nearby into one house, however many shops are in it. Its
    /// position is that of its own entry, if there is one.
    private mutating func houseEntries(in streets: [String: [Line]]) -> [Line] {
        let own = Set(houses.map { Doorstep($0) })
        var written: Set<Doorstep> = []
        let byPoint = Dictionary((houses + bareHouses).map { ($0.at, $0) }) { first, _ in first }
        let all =
            houses.filter { !$0.isNamed } + houses.filter(\.isNamed)
            + houseLines.flatMap { Self.houses(on: $0, among: byPoint) }
        return all.compactMap { house in
            guard written.insert(Doorstep(house)).inserted else { return nil }
            var entry = AddressEntry(kind: .address, at: house.at)
            entry.number = house.number
            entry.furtherNumbers = HouseNumber.parts(of: house.number, by: house.interpolation)
                .filter { !own.contains(Doorstep(house, number: $0)) }
            entry.city = house.city
            entry.isNumberFirst = isNumberFirst(house.country, at: house.at)
            entry.street = Self.street(house.street, near: house.at, of: streets)
            entry.locality = locality(of: house.at) ?? house.city.map { PlaceNames(["": $0]) }
            return (entry, [[house.at]])
        }
    }

    /// The line's houses that are not on the map: the ones between two of its points, at estimated
    /// positions, and those of its points that have no street of their own.
    private static func houses(
        on line: HouseLine, among houses: [Coordinate: House]
    ) -> [House] {
        let known = line.points.indices.compactMap { index in
            houses[line.points[index]].map { (index: index, house: $0) }
        }
        guard let street = line.street ?? known.first?.house.street, !street.isEmpty else {
            return []
        }
        var found = known.map(\.house).filter(\.street.isEmpty)
        for (first, last) in zip(known, known.dropFirst()) {
            let points = Array(line.points[first.index...last.index])
            found += Self.houses(
                from: first.house, to: last.house, line.interpolation, along: points)
        }
        for index in found.indices { found[index].street = street }
        return found
    }

    private static func houses(
        from first: House, to last: House, _ interpolation: HouseInterpolation,
        along points: [Coordinate]
    ) -> [House] {
        guard let (from, to) = HouseNumber.ends(first.number, last.number) else { return [] }
        let numbers = interpolation.between(from, to)
        return numbers.enumerated().map { index, number in
            // Letters are spaced evenly.
            let share =
                from.number == to.number
                ? Double(index + 1) / Double(numbers.count + 1)
                : Double((Int(number) ?? from.number) - from.number)
                    / Double(to.number - from.number)
            return House(
                isNamed: false, number: number, street: first.street, city: first.city,
                country: first.country, at: points.at(share: share))
        }
    }

    /// The street's names in all languages, if it is on the map.
    private static func street(
        _ name: String, near point: Coordinate, of streets: [String: [Line]]
    ) -> PlaceNames {
        let names = PlaceNames(["": name])
        return (streets[key(names)] ?? []).min {
            Geo.distanceMeters($0.entry.at, point) < Geo.distanceMeters($1.entry.at, point)
        }?.entry.names ?? names
    }

    private static func key(_ names: PlaceNames?) -> String {
        SearchWords.of(names?.values[""] ?? "").joined(separator: " ")
    }
}

extension [Coordinate] {
    /// The point after a share of the line's length, from 0 to 1.
    fileprivate func at(share: Double) -> Coordinate {
        let lengths = zip(self, dropFirst()).map { Geo.distanceMeters($0, $1) }
        var rest = share * lengths.reduce(0, +)
        for (index, length) in lengths.enumerated() {
            guard rest > length else {
                let (from, to) = (self[index], self[index + 1])
                let part = length == 0 ? 0 : rest / length
                return Coordinate(
                    latitude: from.latitude + part * (to.latitude - from.latitude),
                    longitude: from.longitude + part * (to.longitude - from.longitude))
            }
            rest -= length
        }
        return self[count - 1]
    }
}

private struct EntryWriter {
    private let transaction: Transaction
    private let encoder = JSONEncoder()
    private var entries = 0
    private var lines = 0
    /// All words except numbers.
    private var vocabulary: Set<String> = []
    /// Cache for streets and towns, which have many houses.
    private var known: [PlaceNames: String] = [:]

    init(_ transaction: Transaction) { self.transaction = transaction }

    mutating func add(_ entry: AddressEntry, lines: [[Coordinate]]) throws {
        entries += 1
        let (titles, surroundings) = (entry.titles, entry.surroundings)
        try transaction.execute(
            """
            INSERT INTO entries (
                id, kind, latitude, longitude, titles, surroundings, names, number, number_first,
                street, locality)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            entries, entry.kind.rawValue, entry.at.latitude, entry.at.longitude,
            titles.joined(separator: "\n"), surroundings.joined(separator: " "),
            try entry.names.map(text), entry.number, entry.isNumberFirst, try shared(entry.street),
            try shared(entry.locality))
        let words = Set(titles.flatMap(AddressWords.words(of:))).union(surroundings)
        vocabulary.formUnion(words.filter { !$0.contains(where: \.isNumber) })
        try transaction.execute(
            "INSERT INTO words (rowid, text, cell) VALUES (?, ?, ?)", entries,
            words.sorted().joined(separator: " "),
            AddressCells.names(at: entry.at).joined(separator: " "))
        for line in lines { try add(line) }
    }

    func finish() throws {
        try transaction.execute(
            "INSERT INTO vocabulary (words) VALUES (?)",
            vocabulary.sorted().joined(separator: "\n"))
    }

    private mutating func add(_ line: [Coordinate]) throws {
        let (latitudes, longitudes) = (line.map(\.latitude), line.map(\.longitude))
        guard let south = latitudes.min(), let north = latitudes.max(),
            let west = longitudes.min(), let east = longitudes.max()
        else { return }
        lines += 1
        try transaction.execute(
            "INSERT INTO boxes (id, south, north, west, east) VALUES (?, ?, ?, ?, ?)",
            lines, south, north, west, east)
        try transaction.execute(
            "INSERT INTO lines (id, entry, points) VALUES (?, ?, ?)",
            lines, entries, try encoder.encode(zip(latitudes, longitudes).map { [$0, $1] }))
    }

    private mutating func shared(_ names: PlaceNames?) throws -> String? {
        guard let names else { return nil }
        if let known = known[names] { return known }
        let made = try text(names)
        known[names] = made
        return made
    }

    private func text(_ names: PlaceNames) throws -> String {
        String(decoding: try encoder.encode(names), as: UTF8.self)
    }
}
