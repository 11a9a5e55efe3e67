import CSV
import Foundation
import Geo

extension Feed {
    /// Reads a feed from an archive or a folder, and reports its problems. Throws if nothing in it can be used.
    public static func read(_ path: String) throws(FeedRefusal) -> (feed: Feed, report: FeedReport)
    {
        try FeedReader.read(FeedSource(path))
    }

    public static func read(
        archive: Data
    ) throws(FeedRefusal) -> (feed: Feed, report: FeedReport) {
        try FeedReader.read(FeedSource(archive: archive))
    }

    /// `files` has names such as `stops.txt`.
    public static func read(
        files: [String: Data]
    ) throws(FeedRefusal) -> (feed: Feed, report: FeedReport) {
        try FeedReader.read(.files(files))
    }
}

/// Reads the tables of a feed; tables that others refer to come first.
struct FeedReader {
    let source: FeedSource
    var feed: Feed
    var report = FeedReport()
    var agencies: [String: Int] = [:]
    var stops: [String: Int] = [:]
    var routes: [String: Int] = [:]
    var services: [String: Int] = [:]
    var shapes: [String: Int] = [:]
    var trips: [String: Int] = [:]
    /// The lines of trips, for problems that are found later.
    var tripLines: [Int] = []

    static func read(_ source: FeedSource) throws(FeedRefusal) -> (feed: Feed, report: FeedReport) {
        var reader = FeedReader(source: source, feed: Feed(timeZone: .gmt))
        try reader.readAgencies()
        try reader.readStops()
        try reader.readRoutes()
        try reader.readServices()
        try reader.readShapes()
        try reader.readTrips()
        try reader.readStopTimes()
        try reader.keepUsableTrips()
        try reader.readFrequencies()
        try reader.readTransfers()
        try reader.readInfo()
        return (reader.feed, reader.report)
    }

    // MARK: Tables

    func refused(_ reason: String) -> FeedRefusal {
        FeedRefusal(reason: reason, report: report)
    }

    mutating func error(_ table: Table, _ text: String) {
        report.add(.error, table.name, table.rows.line, text)
    }

    mutating func warning(_ table: Table, _ text: String) {
        report.add(.warning, table.name, table.rows.line, text)
    }

    /// A table with its name.
    struct Table {
        let name: String
        var rows: CSVTable

        subscript(_ column: Int) -> String { rows[column] }
        func column(_ name: String) -> Int { rows.column(name) }
    }

    /// Nil if the feed has no such table, or if it lacks a required column.
    mutating func table(_ name: String, needs columns: [String]) throws(FeedRefusal) -> Table? {
        guard let bytes = try source.bytes(name) else { return nil }
        let table = Table(name: name, rows: CSVTable(bytes))
        let header = table.rows.header
        guard !header.isEmpty else {
            report.add(.error, name, nil, "It is empty.")
            return nil
        }
        for (place, column) in header.enumerated() where header[..<place].contains(column) {
            report.add(.warning, name, 1, "The column \(column) is there twice: the first is read.")
        }
        let missing = columns.filter { !header.contains($0) }
        guard missing.isEmpty else {
            report.add(.error, name, 1, "It has no column \(missing.joined(separator: ", ")).")
            return nil
        }
        return table
    }

    mutating func required(_ name: String, needs columns: [String]) throws(FeedRefusal) -> Table {
        if let table = try table(name, needs: columns) { return table }
        if report.problems.last?.file != name {
            let folder = source.folder(of: name).map {
                " It is in the folder \($0), and has to be at the root."
            }
            report.add(.error, name, nil, "It is missing.\(folder ?? "")")
        }
        throw refused("The feed can't be used: \(report.problems.last?.description ?? name)")
    }

    /// Reads the next valid row.
    mutating func next(_ table: inout Table) -> Bool {
        while table.rows.next() {
            switch table.rows.fault {
            case .quotes:
                error(table, "A quote is not closed, or something follows it: the row is left out.")
                continue
            case .notUTF8: warning(table, "It is not in UTF-8.")
            case nil: break
            }
            let (count, columns) = (table.rows.fieldCount, table.rows.header.count)
            if count > columns {
                error(
                    table, "It has \(count) fields for \(columns) columns: the row is left out.")
                continue
            }
            if count < columns {
                warning(
                    table, "It has \(count) fields for \(columns) columns: the others are empty.")
            }
            return true
        }
        return false
    }

    /// Whether an id is new. False, and an error in the report, if it is empty or already used.
    mutating func isNew(
        _ id: String, _ column: String, in known: [String: Int], _ table: Table
    ) -> Bool {
        if id.isEmpty {
            error(table, "\(column) is empty: the row is left out.")
            return false
        }
        if known[id] != nil {
            error(table, "\(column) \"\(id)\" is there twice: the row is left out.")
            return false
        }
        return true
    }

    /// The index of the id that a row refers to; nil, and an error in the report, if it is unknown.
    mutating func place(
        of id: String, _ column: String, in known: [String: Int], _ table: Table
    ) -> Int? {
        if let place = known[id] { return place }
        error(table, "\(column) \"\(id)\" is not known: the row is left out.")
        return nil
    }

    /// Nil, and an error in the report, if it isn't a point.
    mutating func coordinate(_ latitude: String, _ longitude: String, _ table: Table) -> Coordinate?
    {
        guard let north = Double(latitude), let east = Double(longitude),
            case let point = Coordinate(latitude: north, longitude: east), point.isOnGlobe
        else {
            error(table, "\"\(latitude), \(longitude)\" is no place on Earth: the row is left out.")
            return nil
        }
        guard abs(north) > 1e-3 || abs(east) > 1e-3 else {
            error(table, "Latitude and longitude are 0, as of what has none: the row is left out.")
            return nil
        }
        return point
    }

    /// 0 for an empty text; nil if it isn't a number in the range.
    static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
        if text.isEmpty { return range.contains(0) ? 0 : nil }
        return Int(text).flatMap { range.contains($0) ? $0 : nil }
    }

    // MARK: What is known of the feed itself

    private mutating func readAgencies() throws(FeedRefusal) {
        var table = try required(
            "agency.txt", needs: ["agency_name", "agency_url", "agency_timezone"])
        let (id, name) = (table.column("agency_id"), table.column("agency_name"))
        let (url, zone) = (table.column("agency_url"), table.column("agency_timezone"))
        var zoneName: String?
        while next(&table) {
            guard let timeZone = TimeZone(identifier: table[zone]) else {
                error(
                    table, "agency_timezone \"\(table[zone])\" is not known: the row is left out.")
                continue
            }
            let isFirst = zoneName == nil
            guard isFirst || agencies[table[id]] == nil else {
                error(table, "agency_id \"\(table[id])\" is there twice: the row is left out.")
                continue
            }
            if table[name].isEmpty { warning(table, "agency_name is empty.") }
            if !isFirst, zoneName != table[zone] {
                warning(
                    table,
                    "agency_timezone is not that of the first agency, which holds for all of the feed."
                )
            }
            if isFirst { (zoneName, feed.timeZone) = (table[zone], timeZone) }
            agencies[table[id]] = feed.agencies.count
            feed.agencies.append(.init(id: table[id], name: table[name], url: table[url]))
        }
        guard !feed.agencies.isEmpty else { throw refused("The feed has no agency.") }
    }

    private mutating func readInfo() throws(FeedRefusal) {
        guard
            var table = try table(
                "feed_info.txt",
                needs: ["feed_publisher_name", "feed_publisher_url", "feed_lang"]),
            next(&table)
        else { return }
        feed.info = .init(
            publisher: table[table.column("feed_publisher_name")],
            url: table[table.column("feed_publisher_url")],
            language: table[table.column("feed_lang")],
            version: table[table.column("feed_version")])
    }

    /// Leaves out trips without stop times, which were already reported, and refuses a feed without any other trip.
    private mutating func keepUsableTrips() throws(FeedRefusal) {
        let usable = feed.trips.filter { !$0.stopTimes.isEmpty }
        feed.trips = usable
        trips = Dictionary(
            uniqueKeysWithValues: usable.enumerated().map { ($0.element.id, $0.offset) })
        guard !usable.isEmpty else { throw refused("The feed has no trip that can be used.") }
        guard feed.days != nil else {
            report.add(.error, "calendar.txt", nil, "No trip runs on any day.")
            throw refused("The feed has no day on which a trip runs.")
        }
    }
}
