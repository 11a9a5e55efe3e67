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
/// Its time zone is the most frequent one of its trips; the times of other trips are converted. Trips without a
/// future day, and those too short for two stops, are left out.
enum GTFSFeed {
    /// The most trips in a feed; others are left out.
    static let mostTrips = 20_000
    /// The distance between two stops, and the least one between a stop and an end of the route, in metres.
    private static let stopMeters = 1_000.0
    private static let doorMeters = 300.0
    private static let agency = "openvalet"

    /// A place along a route, in metres and seconds from its start.
    private struct Mark {
        let point: Coordinate
        let meters: Double
        let seconds: Double

        /// The id of a stop here.
        var stop: String { point.row.replacing(",", with: "_") }
    }

    /// - Parameter address: The address of the apps.
    static func archive(of trips: [IndexedTrip], address: URL, at now: Date) -> Data {
        let trips = trips.prefix(mostTrips)
        let zone = zone(of: trips)
        var tables = headers
        tables["agency"]? +=
            "\(agency),OpenValet,\(address.absoluteString),\(zone?.timeZone ?? "UTC")\n"
        tables["feed_info"]? += "OpenValet,\(address.absoluteString),en,\(Wire.text(now))\n"
        var stops = Set<String>()
        for trip in trips {
            let marks = marks(of: trip.way)
            let places = self.stops(along: marks)
            let timings = zone.map { ServiceDays.all(of: trip, by: $0, from: now) } ?? []
            guard places.count > 1, !timings.isEmpty else { continue }
            let id = trip.id.uuidString.lowercased()
            for stop in places where stops.insert(stop.stop).inserted {
                tables["stops"]? += "\(stop.stop),Meeting point,\(stop.point.row)\n"
            }
            let link = address.appending(path: "lift/trips/\(id)").absoluteString
            tables["routes"]? += "\(id),\(agency),Carpool,1551,\(link)\n"
            tables["shapes"]? += shape(along: marks, id)
            for (index, days) in timings.enumerated() {
                let time = clock(days.second).replacing(":", with: "")
                let service = index == 0 ? id : "\(id)-\(time)"
                tables["trips"]? += "\(id),\(service),\(service),\(id),0\n"
                tables["stop_times"]? += stopTimes(from: days.second, service, at: places)
                guard trip.schedule.repeats else {
                    tables["calendar_dates"]? +=
                        days.driven.map { "\(service),\($0.compact),1\n" }.joined()
                    continue
                }
                let period = timings.count == 1 ? period(of: trip, days, now) : days.span
                tables["calendar"]? += calendar(of: days, service, in: period)
                tables["calendar_dates"]? +=
                    days.exceptions(in: period).map { "\(service),\($0.compact),2\n" }.joined()
            }
        }
        let files = tables.sorted { $0.key < $1.key }
            .map { (name: "\($0.key).txt", data: Data($0.value.utf8)) }
        return Zip.archive(files, at: now)
    }

    private static let headers = [
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
        "feed_info": "feed_publisher_name,feed_publisher_url,feed_lang,feed_version\n",
    ]

    /// Nil without trips.
    private static func zone(of trips: some Sequence<IndexedTrip>) -> FeedClock? {
        let counts = trips.reduce(into: [String: Int]()) {
            $0[$1.schedule.timeZone, default: 0] += 1
        }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.flatMap { FeedClock($0.key) }
    }

    // MARK: Days

    /// From the first day or today to the last day, at most for a year.
    private static func period(
        of trip: IndexedTrip, _ days: ServiceDays, _ now: Date
    ) -> ClosedRange<Day> {
        let (schedule, today) = (trip.schedule, trip.schedule.day(at: now))
        let first = min(max(schedule.firstDay, today), days.span.lowerBound)
        let end = today + ServiceDays.most
        return first...max(min(schedule.until ?? end, end), days.span.upperBound)
    }

    private static func calendar(
        of days: ServiceDays, _ service: String, in period: ClosedRange<Day>
    ) -> String {
        let weekdays = (0..<7).map { String(days.weekdays >> UInt8($0) & 1) }
        return "\(service),\(weekdays.joined(separator: ",")),"
            + "\(period.lowerBound.compact),\(period.upperBound.compact)\n"
    }

    /// Passengers get in at every stop but the last, and out at every stop but the first, as arranged with the driver.
    private static func stopTimes(
        from second: Int, _ trip: String, at stops: [Mark]
    ) -> String {
        stops.enumerated().map { index, stop in
            let time = clock(second + Int(stop.seconds))
            let (getsIn, getsOut) = (index < stops.count - 1 ? 3 : 1, index > 0 ? 3 : 1)
            return "\(trip),\(time),\(time),\(stop.stop),\(index),\(getsIn),\(getsOut),"
                + "\(Int(stop.meters)),0\n"
        }.joined()
    }

    /// Counted from the start of the day of service, so it may exceed 24 hours.
    private static func clock(_ second: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
    }

    // MARK: Places

    /// The vertices of a route without what is near its ends, which begins and ends between two of them; empty if
    /// nothing remains.
    private static func marks(of way: Way) -> [Mark] {
        let (first, last) = (doorMeters, way.lengthMeters - doorMeters)
        guard first < last else { return [] }
        var (marks, meters) = ([Mark](), 0.0)
        for (start, end) in zip(way.vertices, way.vertices.dropFirst()) {
            let length = Geo.distanceMeters(start.coordinate, end.coordinate)
            let (from, to) = (
                Mark(
                    point: start.coordinate, meters: meters, seconds: Double(start.seconds)),
                Mark(
                    point: end.coordinate, meters: meters + length, seconds: Double(end.seconds))
            )
            meters += length
            if from.meters <= first, first < to.meters { marks.append(mark(first, from, to)) }
            if to.meters > first, to.meters < last { marks.append(to) }
            if from.meters < last, last <= to.meters { marks.append(mark(last, from, to)) }
        }
        return marks
    }

    private static func mark(_ meters: Double, _ from: Mark, _ to: Mark) -> Mark {
        let share = (meters - from.meters) / (to.meters - from.meters)
        func between(_ one: Double, _ other: Double) -> Double { one + share * (other - one) }
        // The shorter way around the Earth, as `Way` does.
        let east = Geo.normalizedLongitude(to.point.longitude - from.point.longitude)
        return Mark(
            point: Coordinate(
                latitude: between(from.point.latitude, to.point.latitude),
                longitude: Geo.normalizedLongitude(from.point.longitude + share * east)),
            meters: meters, seconds: between(from.seconds, to.seconds))
    }

    private static func stops(along marks: [Mark]) -> [Mark] {
        var (stops, next) = ([Mark](), doorMeters)
        for (from, to) in zip(marks, marks.dropFirst()) where to.meters > from.meters {
            while next <= to.meters {
                stops.append(mark(next, from, to))
                next += stopMeters
            }
        }
        return stops
    }

    /// From its first mark to its last, in whole metres, each more than the one before.
    private static func shape(along marks: [Mark], _ id: String) -> String {
        guard let last = marks.last else { return "" }
        var (text, meters) = ("", -1)
        let kept = marks.dropLast().filter { Int($0.meters) < Int(last.meters) } + [last]
        for (index, mark) in kept.enumerated() where Int(mark.meters) > meters {
            meters = Int(mark.meters)
            text += "\(id),\(mark.point.row),\(index),\(meters)\n"
        }
        return text
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
        // Meanwhile, somebody else may have asked.
        if let made, now.timeIntervalSince(made.at) < Self.age { return made.archive }
        let archive = GTFSFeed.archive(of: trips, address: address, at: now)
        made = (archive, now)
        return archive
    }
}
