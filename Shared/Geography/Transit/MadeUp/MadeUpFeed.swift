import CSV
import Foundation
import Geo
import Gzipping

/// A GTFS feed with made-up times for real lines: for tests, for trials, and where no timetable is published. All
/// fields about its origin say so. The same lines and days make the same feed, byte for byte.
public struct MadeUpFeed: Sendable {
    public static let publisher = "OpenValet: a made-up timetable"
    static let agency = "Made-up times"
    private static let address = "https://www.openstreetmap.org/copyright"

    /// Seconds between departures in a part of the day.
    private struct Headway {
        let start: Int
        let end: Int
        let seconds: Int
    }

    /// Seconds at each stop.
    private static let dwellSeconds = 20
    /// How much longer streets are than the straight line, if the route is unknown.
    private static let detourFactor = 1.3

    private let lines: [MadeUpLine]
    private let timeZone: TimeZone
    private let days: ClosedRange<ServiceDay>

    /// Leaves out lines with fewer than two stops. Nil if none is left.
    public init?(_ lines: [MadeUpLine], timeZone: TimeZone, days: ClosedRange<ServiceDay>) {
        self.lines = lines.map { line in
            var line = line
            // A stop that is listed twice in a row counts once.
            line.stops = line.stops.enumerated().filter { place, stop in
                place == 0 || stop.id != line.stops[place - 1].id
            }.map(\.element)
            return line
        }.filter { $0.stops.count > 1 }.sorted { ($0.ref, $0.id) < ($1.ref, $1.id) }
        (self.timeZone, self.days) = (timeZone, days)
        guard !self.lines.isEmpty else { return nil }
    }

    /// A zip archive; its files are dated to the first day.
    public var archive: Data {
        let time = Date(timeIntervalSince1970: Double(days.lowerBound.start(in: .gmt)))
        return Zip.archive(files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, at: time)
    }

    /// The tables by file name.
    public var files: [String: Data] {
        var files: [String: String] = [:]
        files["README.txt"] = Self.readme
        files["agency.txt"] =
            "agency_id,agency_name,agency_url,agency_timezone\n"
            + "made-up,\(Self.agency),\(Self.address),\(timeZone.identifier)\n"
        files["feed_info.txt"] =
            "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version\n"
            + "\(Self.publisher),\(Self.address),mul,\(days.lowerBound),\(days.upperBound),made up\n"
        files["attributions.txt"] =
            "attribution_id,organization_name,is_producer,attribution_url\n"
            + "osm,© OpenStreetMap contributors,1,\(Self.address)\n"
        files["calendar.txt"] =
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
            + "weekdays,1,1,1,1,1,0,0,\(days.lowerBound),\(days.upperBound)\n"
            + "weekends,0,0,0,0,0,1,1,\(days.lowerBound),\(days.upperBound)\n"
        files["stops.txt"] = stopRows
        files["routes.txt"] = routeRows
        files["trips.txt"] = tripRows
        files["stop_times.txt"] = stopTimeRows
        files["frequencies.txt"] = frequencyRows
        files["shapes.txt"] = shapeRows
        return files.mapValues { Data($0.utf8) }
    }

    private static let readme = """
        The times in this timetable are made up. Lines, stops and their order are those of OpenStreetMap; when
        vehicles run, and how fast, is guessed, the same for every line of a kind. Nobody should wait for one of them.

        Lines and stops: © OpenStreetMap contributors, ODbL 1.0 (\(address)).

        """

    // MARK: Tables

    private var stopRows: String {
        var (rows, seen) = (
            "stop_id,stop_name,stop_lat,stop_lon,wheelchair_boarding\n", Set<String>()
        )
        for stop in lines.flatMap(\.stops) where seen.insert(stop.id).inserted {
            rows +=
                "\(stop.id.csvField),\(stop.name.csvField),\(stop.at.fields),\(stop.wheelchair.rawValue)\n"
        }
        return rows
    }

    private var routeRows: String {
        lines.reduce("route_id,agency_id,route_short_name,route_long_name,route_type\n") {
            $0
                + "\($1.id.csvField),made-up,\($1.ref.csvField),\($1.name.csvField),\($1.mode.routeType)\n"
        }
    }

    private static let services = ["weekdays", "weekends"]

    private var tripRows: String {
        var rows =
            "route_id,service_id,trip_id,trip_headsign,shape_id,wheelchair_accessible\n"
        for line in lines {
            let shape = line.geometry.count > 1 ? line.id : ""
            for service in Self.services {
                rows +=
                    "\(line.id.csvField),\(service),\("\(line.id) \(service)".csvField),"
                    + "\((line.stops.last?.name ?? "").csvField),\(shape.csvField),"
                    + "\(line.wheelchair.rawValue)\n"
            }
        }
        return rows
    }

    private var stopTimeRows: String {
        var rows = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,timepoint\n"
        for line in lines {
            let times = Self.seconds(of: line)
            for service in Self.services {
                let trip = "\(line.id) \(service)".csvField
                for (place, stop) in line.stops.enumerated() {
                    let isEnd = place == 0 || place == times.count - 1
                    let departs = times[place] + (isEnd ? 0 : Self.dwellSeconds)
                    rows +=
                        "\(trip),\(ServiceDay.clock(times[place])),\(ServiceDay.clock(departs)),\(stop.id.csvField),"
                        + "\(place),0\n"
                }
            }
        }
        return rows
    }

    private var frequencyRows: String {
        var rows = "trip_id,start_time,end_time,headway_secs,exact_times\n"
        for line in lines {
            for service in Self.services {
                for part in Self.headways(of: line, isWeekend: service == "weekends") {
                    rows +=
                        "\("\(line.id) \(service)".csvField),\(ServiceDay.clock(part.start)),"
                        + "\(ServiceDay.clock(part.end)),\(part.seconds),1\n"
                }
            }
        }
        return rows
    }

    private var shapeRows: String {
        var rows = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
        for line in lines where line.geometry.count > 1 {
            for (place, point) in line.geometry.enumerated() {
                rows += "\(line.id.csvField),\(point.fields),\(place)\n"
            }
        }
        return rows
    }

    // MARK: Times

    /// Seconds from the first departure to each stop.
    private static func seconds(of line: MadeUpLine) -> [Int] {
        let metersPerSecond = speed(of: line.mode)
        var times = [0]
        for (a, b) in zip(line.stops, line.stops.dropFirst()) {
            let meters = Geo.distanceMeters(a.at, b.at) * detourFactor
            let dwell = times.count == 1 ? 0 : dwellSeconds
            times.append((times.last ?? 0) + dwell + max(20, Int(meters / metersPerSecond)))
        }
        return times
    }

    /// Metres per second between stops, including acceleration and braking.
    private static func speed(of mode: TransitMode) -> Double {
        switch mode {
        case .rail, .monorail: 17
        case .subway: 11
        case .ferry: 6
        case .tram, .trolleybus, .cableTram, .funicular, .aerialLift: 6.5
        case .bus, .taxi, .other: 7.5
        }
    }

    /// Shares of the usual headway, each with the hours after the first departure from which it applies.
    private static let weekday: [(hour: Int, share: Double)] = [
        (0, 1), (1, 0.5), (4, 1), (10, 0.5), (14, 1.5), (19, 0),
    ]
    private static let weekend: [(hour: Int, share: Double)] = [(1, 2), (14, 2.5), (19, 0)]
    private static let firstHour = 5

    /// More frequent on weekday mornings and afternoons. Lines start at different minutes; the last departures are at
    /// about midnight.
    private static func headways(of line: MadeUpLine, isWeekend: Bool) -> [Headway] {
        let usual = [.tram, .subway].contains(line.mode) ? 600 : 1_800
        let first = firstHour * 3_600 + Int(number(of: line.id) % UInt64(usual / 60)) * 60
        let parts = isWeekend ? weekend : weekday
        return zip(parts, parts.dropFirst()).map { part, next in
            Headway(
                start: first + part.hour * 3_600, end: first + next.hour * 3_600,
                seconds: Int(Double(usual) * part.share))
        }
    }

    /// FNV-1a (Fowler, Noll and Vo): the same on every machine, unlike Swift's hashes.
    private static func number(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension Feed {
    /// Whether its times are made up by `MadeUpFeed`.
    public var isMadeUp: Bool { info?.publisher == MadeUpFeed.publisher }
}

extension Coordinate {
    /// Accurate to about a centimetre.
    fileprivate var fields: String {
        [latitude, longitude].map { String(format: "%.7f", $0) }.joined(separator: ",")
    }
}
