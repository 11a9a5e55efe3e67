import Contracts
import Foundation
import Geo
import Gzipping
import ServiceKit
import TripSearch

/// The open trips as a GTFS Schedule feed (gtfs.org/documentation/schedule/reference), for journey planners. Each trip
/// is a route of type 1551, which is carpooling in the extended types. Passengers get in and out anywhere along it, as
/// arranged with the driver.
///
/// The feed contains no names and no addresses of homes: stops lie along the route, none within 300 metres of its ends.
enum GTFSFeed {
    /// The most trips in a feed; others are left out.
    static let mostTrips = 20_000
    /// The distance between two stops, and the least one between a stop and an end of the route, in metres.
    private static let stopMeters = 1_000.0
    private static let doorMeters = 300.0

    private struct Stop: Sendable {
        let id: String
        let point: Coordinate
        let meters: Double
        let seconds: Int
    }

    /// - Parameter address: The address of the apps.
    static func archive(of trips: [IndexedTrip], address: URL, at now: Date) -> Data {
        var tables = [
            "agency": "agency_id,agency_name,agency_url,agency_timezone\n",
            "stops": "stop_id,stop_name,stop_lat,stop_lon\n",
            "routes": "route_id,agency_id,route_long_name,route_type,route_url\n",
            "trips": "route_id,service_id,trip_id,shape_id,bikes_allowed\n",
            "stop_times":
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,"
                + "drop_off_type,shape_dist_traveled,timepoint\n",
            "calendar":
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,"
                + "start_date,end_date\n",
            "calendar_dates": "service_id,date,exception_type\n",
            "shapes": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n",
            "feed_info":
                "feed_publisher_name,feed_publisher_url,feed_lang,feed_version\n"
                + "OpenValet,\(address.absoluteString),en,\(Wire.text(now))\n",
        ]
        var (zones, stops) = (Set<String>(), Set<String>())
        let today = Day(number: Int((now.timeIntervalSince1970 / 86_400).rounded(.down)))
        for trip in trips.prefix(mostTrips) {
            let places = self.stops(along: trip.way)
            guard places.count > 1 else { continue }
            let (id, zone) = (trip.id.uuidString.lowercased(), trip.schedule.timeZone)
            if zones.insert(zone).inserted {
                tables["agency"]? += "\(zone),OpenValet,\(address.absoluteString),\(zone)\n"
            }
            for stop in places where stops.insert(stop.id).inserted {
                tables["stops"]? += "\(stop.id),Meeting point,\(stop.point.row)\n"
            }
            let link = address.appending(path: "lift/trips/\(id)").absoluteString
            tables["routes"]? += "\(id),\(zone),Carpool,1551,\(link)\n"
            tables["trips"]? += "\(id),\(id),\(id),\(id),0\n"
            tables["stop_times"]? += stopTimes(of: trip, id, at: places)
            tables["calendar"]? += calendar(of: trip, id, from: today)
            tables["calendar_dates"]? += exceptions(of: trip, id, from: today)
            tables["shapes"]? += shape(of: trip.way, id)
        }
        let files = tables.sorted { $0.key < $1.key }
            .map { (name: "\($0.key).txt", data: Data($0.value.utf8)) }
        return Zip.archive(files, at: now)
    }

    /// Passengers get in at every stop but the last, and out at every stop but the first, as arranged with the driver.
    private static func stopTimes(
        of trip: IndexedTrip, _ id: String, at stops: [Stop]
    ) -> String {
        stops.enumerated().map { index, stop in
            let time = clock(trip.schedule.secondOfDay + stop.seconds)
            let (getsIn, getsOut) = (index < stops.count - 1 ? 3 : 1, index > 0 ? 3 : 1)
            return "\(id),\(time),\(time),\(stop.id),\(index),\(getsIn),\(getsOut),"
                + "\(Int(stop.meters)),0\n"
        }.joined()
    }

    private static func calendar(of trip: IndexedTrip, _ id: String, from today: Day) -> String {
        let schedule = trip.schedule
        guard schedule.repeats else { return "" }
        let days = (0..<7).map { String(schedule.weekdays >> UInt8($0) & 1) }
        let first = max(schedule.firstDay, today)
        // A trip without an end is published for a year.
        let last = max(schedule.until ?? today + 365, first)
        return "\(id),\(days.joined(separator: ",")),\(first.compact),\(last.compact)\n"
    }

    private static func exceptions(of trip: IndexedTrip, _ id: String, from today: Day) -> String {
        guard trip.schedule.repeats else {
            return trip.runs(on: trip.schedule.firstDay)
                ? "\(id),\(trip.schedule.firstDay.compact),1\n" : ""
        }
        return Set(trip.schedule.exceptions + trip.cancelled).filter { $0 >= today }.sorted()
            .map { "\(id),\($0.compact),2\n" }.joined()
    }

    private static func shape(of way: Way, _ id: String) -> String {
        let length = way.lengthMeters
        var (meters, last, text) = (0.0, Coordinate?.none, "")
        for (index, point) in way.coordinates.enumerated() {
            if let last { meters += Geo.distanceMeters(last, point) }
            last = point
            guard (doorMeters...max(doorMeters, length - doorMeters)).contains(meters) else {
                continue
            }
            text += "\(id),\(point.row),\(index),\(Int(meters))\n"
        }
        return text
    }

    private static func stops(along way: Way) -> [Stop] {
        let last = way.lengthMeters - doorMeters
        var (stops, meters, next) = ([Stop](), 0.0, doorMeters)
        for (start, end) in zip(way.vertices, way.vertices.dropFirst()) {
            let length = Geo.distanceMeters(start.coordinate, end.coordinate)
            while next <= min(meters + length, last), length > 0 {
                let share = (next - meters) / length
                let seconds =
                    Double(start.seconds) + share * Double(end.seconds - start.seconds)
                let point = Coordinate(
                    latitude: start.coordinate.latitude
                        + share * (end.coordinate.latitude - start.coordinate.latitude),
                    longitude: start.coordinate.longitude
                        + share * (end.coordinate.longitude - start.coordinate.longitude))
                stops.append(
                    Stop(
                        id: point.row.replacing(",", with: "_"), point: point, meters: next,
                        seconds: Int(seconds)))
                next += stopMeters
            }
            meters += length
        }
        return stops
    }

    /// Counted from twelve hours before noon, so it may exceed 24 hours.
    private static func clock(_ second: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
    }
}

extension Coordinate {
    /// Rounded to about a metre.
    fileprivate var row: String {
        func text(_ degrees: Double) -> String { String(format: "%.5f", degrees) }
        return "\(text(latitude)),\(text(longitude))"
    }
}

extension Day {
    /// As in `20261224`.
    fileprivate var compact: String { description.replacing("-", with: "") }
}

/// The feed, cached for up to `age`.
actor GTFSFeeds {
    /// The longest age of the cached feed, in seconds.
    static let age: TimeInterval = 60

    private let finder: TripFinder
    private let address: URL
    private let clock: ServiceClock
    private var made: (archive: Data, at: Date)?

    init(finder: TripFinder, address: URL, clock: ServiceClock) {
        (self.finder, self.address, self.clock) = (finder, address, clock)
    }

    func archive() async throws -> Data {
        let now = clock.now
        if let made, now.timeIntervalSince(made.at) < Self.age { return made.archive }
        let trips = try await finder.trips(most: GTFSFeed.mostTrips)
        let archive = GTFSFeed.archive(of: trips, address: address, at: now)
        made = (archive, now)
        return archive
    }
}
