import Foundation
import Testing

@testable import Transit

/// A timetable of trips that a test writes down, in Malta.
///
/// Stops are named by a letter, and are kilometres apart unless they have the letter in common: `C1` and `C2` are
/// platforms of the station `PC`, and so near to each other that one walks.
struct Lines {
    struct Trip {
        let id: String
        let line: String
        /// For example `A 21:05, C 21:14`; times may exceed 24:00.
        let calls: String
        var block = ""
        /// `S` runs every day, `M` on Mondays, `W` at weekends.
        var service = "S"
    }

    static let monday = ServiceDay(number: 20_458)

    var trips: [Trip]
    /// Rows of transfers.txt, of which the last two fields are trips.
    var transfers: [String] = []
    var rules = TransferRules()

    private static func calls(_ trip: Trip) -> [(stop: String, time: String)] {
        trip.calls.split(separator: ", ").map { call in
            let parts = call.split(separator: " ").map(String.init)
            return (parts[0], parts[1] + ":00")
        }
    }

    private var files: [String: String] {
        var stops = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
        var (times, rows) = (
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n",
            "route_id,service_id,trip_id,block_id\n"
        )
        for id in Set(trips.flatMap { Self.calls($0).map(\.stop) }).sorted() {
            let letter = id.prefix(1)
            let north = 35.9 + 0.03 * Double(letter.utf8.first ?? 0)
            guard let platform = Int(id.dropFirst()) else {
                stops += "\(id),\(id),\(north),14.5,0,\n"
                continue
            }
            if !stops.contains("P\(letter),") { stops += "P\(letter),\(letter),\(north),14.5,1,\n" }
            stops += "\(id),\(id),\(north),\(14.5 + 0.001 * Double(platform)),0,P\(letter)\n"
        }
        for trip in trips {
            rows += "\(trip.line),\(trip.service),\(trip.id),\(trip.block)\n"
            for (place, call) in Self.calls(trip).enumerated() {
                times += "\(trip.id),\(call.time),\(call.time),\(call.stop),\(place + 1)\n"
            }
        }
        let routes = Set(trips.map(\.line)).sorted().map { "\($0),\($0),3\n" }.joined()
        return [
            "agency.txt": "agency_name,agency_url,agency_timezone\nBus,http://a,Europe/Malta\n",
            "stops.txt": stops, "stop_times.txt": times, "trips.txt": rows,
            "routes.txt": "route_id,route_short_name,route_type\n" + routes,
            "calendar.txt":
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "S,1,1,1,1,1,1,1,20260101,20261231\nM,1,0,0,0,0,0,0,20260101,20261231\n"
                + "W,0,0,0,0,0,1,1,20260101,20261231\n",
            "transfers.txt":
                "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_trip_id\n"
                + transfers.map { $0 + "\n" }.joined(),
        ]
    }

    func timetable() throws -> Timetable {
        let (feed, report) = try Feed.read(files: files.mapValues { Data($0.utf8) })
        #expect(report.problems == [])
        return Timetable([feed], rules: rules)
    }
}

extension Timetable {
    /// A time of a Monday, such as `21:05`.
    static func time(_ clock: String) throws -> Date {
        let seconds = try #require(FeedReader.seconds(clock + ":00"))
        let start = Lines.monday.start(in: TimeZone(identifier: "Europe/Malta") ?? .gmt)
        return Date(timeIntervalSince1970: Double(start + seconds))
    }

    private static func clock(_ date: Date) throws -> String {
        let seconds = Int(date.timeIntervalSince(try time("00:00")))
        return String(ServiceDay.clock(seconds).dropLast(3))
    }

    /// Journeys as text: `1 A 21:05 C 21:14, +2 C 21:14 E 21:30`, with a plus where passengers stay seated.
    /// - Parameters:
    ///   - from: Stops with the minutes of the walk there, for example `A 0, B 10`.
    ///   - time: Of departure, or of arrival if it begins with `by`.
    func found(
        _ from: String, _ to: String, _ time: String, maxTransfers: Int = 5
    ) throws -> [String] {
        func ends(_ text: String) throws -> [StopAccess] {
            try text.split(separator: ", ").map { end in
                let parts = end.split(separator: " ").map(String.init)
                let minutes = parts.count > 1 ? try #require(Int(parts[1])) : 0
                return .init(stop: try #require(stop(parts[0])), seconds: minutes * 60)
            }
        }
        let clock = String(time.split(separator: " ").last ?? "")
        let query = TransitQuery(
            access: try ends(from), egress: try ends(to),
            time: time.hasPrefix("by")
                ? .arriveBy(try Self.time(clock)) : .departAt(try Self.time(clock)),
            rules: RideRules(maxTransfers: maxTransfers))
        return try journeys(query).map { journey in
            try journey.rides.map { ride in
                let (first, last) = (ride.calls[0], ride.calls[ride.calls.count - 1])
                let departs = try Self.clock(ride.departsAt)
                let arrives = try Self.clock(ride.arrivesAt)
                return "\(ride.isSeated ? "+" : "")\(ride.line.shortName) "
                    + "\(first.name) \(departs) \(last.name) \(arrives)"
            }.joined(separator: ", ")
        }
    }

    /// A trip's departures on the Monday with what is known of delays, as `Lines.Trip.calls` writes them; nil if
    /// nothing is.
    func calls(_ trip: String) -> String? {
        for layer in layers where layer.day == Lines.monday {
            for pattern in layer.patterns.patterns {
                for run in 0..<Int(pattern.runCount) {
                    let found = layer.patterns.runs[Int(pattern.firstRun) + run].trip
                    guard feeds[layer.feed].trips[Int(found)].id == trip else { continue }
                    let first = pattern.firstTime + run * Int(pattern.length)
                    return pattern.stops.enumerated().map { place, stop in
                        let time = layer.patterns.departures[first + place]
                        let clock = ServiceDay.clock(Int(time)).dropLast(3)
                        return "\(stops[Int(layer.patterns.stops[stop])].id) \(clock)"
                    }.joined(separator: ", ")
                }
            }
        }
        return nil
    }
}
