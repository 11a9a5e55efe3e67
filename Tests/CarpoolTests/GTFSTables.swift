import Answers
import Contracts
import Foundation
import Support
import Testing
import TripSearch

@testable import Carpool

/// The tables of the feed, read by somebody else's unzip.
struct GTFSTables: Sendable {
    typealias Row = [String: String]

    let archive: Data
    let files: [String: [Row]]

    init(_ bench: Bench) async throws {
        let answer = try await bench.call(.get, "/v1/carpool/gtfs", as: nil)
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "application/zip")
        archive = answer.data
        let folder = try TestFolder("gtfs")
        let path = "\(folder.path)/feed.zip"
        try archive.write(to: URL(filePath: path))
        let script = """
            import csv, io, json, sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            print(json.dumps({name: list(csv.DictReader(io.TextIOWrapper(archive.open(name))))
                for name in archive.namelist()}))
            """
        let text = try Command.output("python3", ["-c", script, path])
        files = try JSONDecoder().decode([String: [Row]].self, from: Data(text.utf8))
    }

    func rows(_ table: String) -> [Row] { files["\(table).txt"] ?? [] }

    func column(_ name: String, of table: String) -> [String] {
        rows(table).compactMap { $0[name] }
    }

    /// The days of each service.
    var services: [String: Set<Day>] {
        var services: [String: Set<Day>] = [:]
        for row in rows("calendar") {
            guard let first = Self.day(row["start_date"]), let last = Self.day(row["end_date"]),
                first <= last
            else { continue }
            let days = (first...last).filter { row[GTFSRules.weekdays[$0.weekday]] == "1" }
            services[row["service_id"] ?? "", default: []].formUnion(days)
        }
        for row in rows("calendar_dates") {
            guard let day = Self.day(row["date"]) else { continue }
            if row["exception_type"] == "1" {
                services[row["service_id"] ?? "", default: []].insert(day)
            } else {
                services[row["service_id"] ?? "", default: []].remove(day)
            }
        }
        return services
    }

    /// When a trip of ours leaves its first stop, sorted: times count from noon minus twelve hours (stop_times.txt).
    func departures(of id: UUID) throws -> [Date] {
        let zone = try #require(column("agency_timezone", of: "agency").first)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let services = services
        var found: [Date] = []
        for trip in rows("trips") where trip["route_id"] == id.uuidString.lowercased() {
            let first = rows("stop_times").first { $0["trip_id"] == trip["trip_id"] }
            let second = try #require(Self.second(first?["departure_time"]))
            for day in services[trip["service_id"] ?? ""] ?? [] {
                let (year, month, number) = day.parts
                let noon = try #require(
                    calendar.date(
                        from: DateComponents(year: year, month: month, day: number, hour: 12)))
                found.append(noon.addingTimeInterval(TimeInterval(second - 43_200)))
            }
        }
        return found.sorted()
    }

    static func day(_ text: String?) -> Day? {
        guard let text, text.wholeMatch(of: /\d{8}/) != nil else { return nil }
        return Day("\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))")
    }

    static func second(_ text: String?) -> Int? {
        guard let parts = text?.wholeMatch(of: /(\d{2,3}):([0-5]\d):([0-5]\d)/)?.output,
            let hours = Int(parts.1), let minutes = Int(parts.2), let seconds = Int(parts.3)
        else { return nil }
        return hours * 3_600 + minutes * 60 + seconds
    }
}

/// The rules of GTFS Schedule (gtfs.org/documentation/schedule/reference) for the files that our feed has.
struct GTFSRules {
    static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    private static let primaryKeys = [
        "agency": ["agency_id"], "stops": ["stop_id"], "routes": ["route_id"],
        "trips": ["trip_id"], "stop_times": ["trip_id", "stop_sequence"],
        "calendar": ["service_id"], "calendar_dates": ["service_id", "date"],
        "shapes": ["shape_id", "shape_pt_sequence"],
    ]

    /// Fields that may not be empty.
    private static let required = [
        "agency": ["agency_name", "agency_url", "agency_timezone"],
        "stops": ["stop_name", "stop_lat", "stop_lon"],
        "routes": ["route_long_name", "route_type"], "trips": ["route_id", "service_id"],
        "stop_times": ["arrival_time", "departure_time", "stop_id"],
        "calendar": weekdays + ["start_date", "end_date"], "calendar_dates": ["exception_type"],
        "shapes": ["shape_pt_lat", "shape_pt_lon"],
        "feed_info": ["feed_publisher_name", "feed_publisher_url", "feed_lang"],
    ]

    /// Files, fields, and the fields that they refer to.
    private static let foreignKeys = [
        ("routes", "agency_id", [("agency", "agency_id")]),
        ("trips", "route_id", [("routes", "route_id")]),
        (
            "trips", "service_id",
            [("calendar", "service_id"), ("calendar_dates", "service_id")]
        ),
        ("trips", "shape_id", [("shapes", "shape_id")]),
        ("stop_times", "trip_id", [("trips", "trip_id")]),
        ("stop_times", "stop_id", [("stops", "stop_id")]),
    ]

    /// Whether a value has the type of its field.
    private static func isValid(_ value: String, _ field: String) -> Bool {
        switch field {
        case "agency_timezone": TimeZone(identifier: value) != nil
        case "agency_url", "route_url", "feed_publisher_url":
            ["http", "https"].contains(URL(string: value)?.scheme)
        case "stop_lat", "shape_pt_lat": Double(value).map { abs($0) <= 90 } ?? false
        case "stop_lon", "shape_pt_lon": Double(value).map { abs($0) <= 180 } ?? false
        // One of the extended types.
        case "route_type": Int(value).map((100...1_799).contains) ?? false
        case "pickup_type", "drop_off_type": ["0", "1", "2", "3"].contains(value)
        case "bikes_allowed": ["0", "1", "2"].contains(value)
        case "exception_type": ["1", "2"].contains(value)
        case "arrival_time", "departure_time": GTFSTables.second(value) != nil
        case "start_date", "end_date", "date": GTFSTables.day(value) != nil
        case "timepoint": ["0", "1"].contains(value)
        default: weekdays.contains(field) ? ["0", "1"].contains(value) : true
        }
    }

    private let tables: GTFSTables
    private var problems: [String] = []

    private init(_ tables: GTFSTables) { self.tables = tables }

    /// The rules that the feed breaks, one sentence each.
    static func problems(of tables: GTFSTables) -> [String] {
        var rules = GTFSRules(tables)
        rules.checkFields()
        rules.checkKeys()
        rules.checkAgencies()
        rules.checkDays()
        rules.checkLines()
        return rules.problems
    }

    private mutating func require(_ isRight: Bool, _ problem: @autoclosure () -> String) {
        if !isRight { problems.append(problem()) }
    }

    private mutating func checkFields() {
        for table in ["agency", "stops", "routes", "trips", "stop_times"] {
            require(!tables.rows(table).isEmpty, "\(table).txt has no row.")
        }
        for (table, fields) in Self.required {
            for (row, field) in tables.rows(table).flatMap({ row in fields.map { (row, $0) } }) {
                require(row[field]?.isEmpty == false, "\(table).txt: \(field) is missing.")
            }
        }
        for (file, rows) in tables.files {
            for (field, value) in rows.flatMap({ Array($0) }) where !value.isEmpty {
                require(Self.isValid(value, field), "\(file): \(field) can't be \(value).")
            }
        }
    }

    private mutating func checkKeys() {
        for (table, fields) in Self.primaryKeys {
            let keys = tables.rows(table).map { row in fields.map { row[$0] ?? "" } }
            require(Set(keys).count == keys.count, "\(table).txt has a row twice.")
            require(keys.allSatisfy { !$0.contains("") }, "\(table).txt has a row without id.")
        }
        for (table, field, others) in Self.foreignKeys {
            let known = Set(others.flatMap { tables.column($0.1, of: $0.0) })
            for value in tables.column(field, of: table) where !value.isEmpty {
                require(known.contains(value), "\(table).txt: there is no \(field) \(value).")
            }
        }
    }

    /// agency.txt: "If multiple agencies are specified in the dataset, each must have the same agency_timezone."
    private mutating func checkAgencies() {
        let zones = Set(tables.column("agency_timezone", of: "agency"))
        require(zones.count == 1, "The time zones are \(zones.sorted()).")
    }

    private mutating func checkDays() {
        for row in tables.rows("calendar") {
            let ends = (GTFSTables.day(row["start_date"]), GTFSTables.day(row["end_date"]))
            guard let first = ends.0, let last = ends.1 else { continue }
            require(first <= last, "calendar.txt: a service ends before it starts.")
        }
        let services = tables.services
        for service in tables.column("service_id", of: "trips") {
            require(services[service]?.isEmpty == false, "\(service) runs on no day.")
        }
    }

    /// stop_times.txt: times may not decrease, shape_dist_traveled has to increase. shapes.txt: the same, and a line
    /// has two points.
    private mutating func checkLines() {
        let shapes = Dictionary(grouping: tables.rows("shapes")) { $0["shape_id"] ?? "" }
            .mapValues { Self.sorted($0, by: "shape_pt_sequence") }
        for (id, rows) in shapes {
            require(rows.count > 1, "Shape \(id) has one point.")
            requireIncreasing(rows, "Shape \(id)")
        }
        let times = Dictionary(grouping: tables.rows("stop_times")) { $0["trip_id"] ?? "" }
            .mapValues { Self.sorted($0, by: "stop_sequence") }
        for trip in tables.rows("trips") {
            let id = trip["trip_id"] ?? ""
            let rows = times[id] ?? []
            require(rows.count > 1, "Trip \(id) has fewer than two stops.")
            requireIncreasing(rows, "Trip \(id)")
            let clock = rows.flatMap { [$0["arrival_time"], $0["departure_time"]] }
                .compactMap(GTFSTables.second)
            require(clock == clock.sorted(), "Trip \(id) goes back in time.")
            guard let shape = trip["shape_id"], !shape.isEmpty else { continue }
            let ends = (
                Self.meters(rows.last), Self.meters(shapes[shape]?.last),
                Self.meters(rows.first), Self.meters(shapes[shape]?.first)
            )
            require(
                ends.0 ?? .nan <= ends.1 ?? .nan && ends.2 ?? .nan >= ends.3 ?? .nan,
                "Trip \(id) has stops beyond its shape.")
        }
    }

    private mutating func requireIncreasing(_ rows: [GTFSTables.Row], _ name: String) {
        let meters = rows.compactMap { Self.meters($0) }
        let isIncreasing = zip(meters, meters.dropFirst()).allSatisfy { $0 < $1 }
        require(
            meters.count == rows.count && isIncreasing,
            "\(name): shape_dist_traveled does not increase.")
    }

    private static func meters(_ row: GTFSTables.Row?) -> Double? {
        row?["shape_dist_traveled"].flatMap { Double($0) }
    }

    private static func sorted(_ rows: [GTFSTables.Row], by field: String) -> [GTFSTables.Row] {
        rows.sorted { Int($0[field] ?? "") ?? -1 < Int($1[field] ?? "") ?? -1 }
    }
}
