import AsyncHTTPClient
import CSV
import Foundation
import Geo
import Support
import Transit

/// Valhalla's own public transport with the trips of one day of a feed: the peer of journeys from door to door, by its
/// `multimodal` (valhalla.github.io/valhalla/api/turn-by-turn/api-reference).
final class ValhallaTransit {
    private static let programs = "/opt/openvalet/routers/valhalla"
    /// As long as ours: to and from stops, and from one to another.
    private static let (walkMeters, changeMeters) = (1_000, 300)
    private static let buildLimit: Duration = .seconds(1_200)

    /// Arguments: programs, folder, extract, port.
    private static let script = """
        cd "$2" && python3 "$1/valhalla_build_config.py" --mjolnir-tile-dir "$2/tiles" \\
            --mjolnir-transit-dir "$2/transit" --mjolnir-transit-feeds-dir "$2/feeds" \\
            --httpd-service-listen "tcp://127.0.0.1:$4" \\
            --httpd-service-loopback "ipc://$2/loopback" \\
            --httpd-service-interrupt "ipc://$2/interrupt" --loki-service-proxy "ipc://$2/loki" \\
            --thor-service-proxy "ipc://$2/thor" --odin-service-proxy "ipc://$2/odin" \\
            >config.json 2>>log &&
        "$1/bin/valhalla_ingest_transit" -c config.json >>log 2>&1 &&
        "$1/bin/valhalla_convert_transit" -c config.json >>log 2>&1 &&
        "$1/bin/valhalla_build_tiles" -c config.json "$3" >>log 2>&1
        "$1/bin/valhalla_service" config.json 1 >>log 2>&1
        """

    private let folder: TestFolder
    private let process: ChildProcess
    private let url: String
    private let timeZone: TimeZone

    init(_ feed: Feed, on day: ServiceDay, extract: URL) async throws {
        folder = try TestFolder("valhalla")
        for (name, text) in feed.unrolled(on: day) {
            try folder.write(text, to: "feeds/feed/\(name)")
        }
        let port = try FreePort.find()
        url = "http://127.0.0.1:\(port)"
        timeZone = feed.timeZone
        process = try ChildProcess(
            Self.script, [Self.programs, folder.url.path, extract.path, String(port)])
        let isServing = try await eventually(within: Self.buildLimit) {
            (try? await HTTPClient.shared.execute(
                HTTPClientRequest(url: "\(url)/status"), timeout: .seconds(5))) != nil
        }
        guard isServing else {
            let log = try? String(
                contentsOf: folder.url.appending(path: "log"), encoding: .utf8)
            throw RunningSystem.Failure(
                description: "no Valhalla: \(log?.suffix(2_000) ?? "")")
        }
    }

    private struct Answer: Decodable {
        struct Trip: Decodable {
            let legs: [Leg]
            let summary: Summary
        }
        struct Summary: Decodable { let time: Double }
        struct Leg: Decodable { let maneuvers: [Maneuver] }
        struct Maneuver: Decodable { let transit_info: Transit? }
        struct Transit: Decodable { let short_name: String? }

        let trip: Trip
    }

    /// Lines in their order, and the seconds until one is there; nil where it knows no way.
    struct Found {
        let lines: [String]
        let seconds: Double
    }

    func journey(
        from start: Coordinate, to end: Coordinate, at time: Date
    ) async throws -> Found? {
        var style = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
        style = style.dateTimeSeparator(.standard).time(includingFractionalSeconds: false)
        let local = time.formatted(style).prefix(16)
        let locations = [start, end].map { #"{"lat":\#($0.latitude),"lon":\#($0.longitude)}"# }
        let question = """
            {"locations":[\(locations.joined(separator: ","))],"costing":"multimodal",
            "costing_options":{"pedestrian":{"transit_start_end_max_distance":\(Self.walkMeters),
            "transit_transfer_max_distance":\(Self.changeMeters)}},"date_time":{"type":1,"value":"\(local)"}}
            """
        var request = HTTPClientRequest(url: "\(url)/route")
        request.method = .POST
        request.body = .bytes(Data(question.utf8))
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let body = try await answer.body.collect(upTo: 4 * 1_024 * 1_024)
        guard answer.status == .ok else { return nil }
        let trip = try JSONDecoder().decode(Answer.self, from: body).trip
        return Found(
            lines: trip.legs.flatMap(\.maneuvers).compactMap { $0.transit_info?.short_name },
            seconds: trip.summary.time)
    }
}

extension Feed {
    /// Seconds by which the trip's times are moved, once for each time that it runs on its days.
    func shifts(ofTrip number: Int, _ frequencies: [Int: [Frequency]]) -> [Int] {
        let first = Int(stopTimes[trips[number].stopTimes].first?.departure ?? 0)
        return frequencies[number]?.flatMap { part in
            stride(from: part.start, to: part.end, by: part.headway).map { $0 - first }
        } ?? [0]
    }

    /// Tables of a feed whose trips run on this day alone, each written out.
    fileprivate func unrolled(on day: ServiceDay) -> [String: String] {
        let frequencies = Dictionary(grouping: frequencies, by: \.trip)
        var (tripRows, timeRows) = (
            "route_id,service_id,trip_id,trip_headsign\n",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        )
        for (number, trip) in trips.enumerated() where services[trip.service].runs(on: day) {
            for (run, shift) in shifts(ofTrip: number, frequencies).enumerated() {
                tripRows += "r\(trip.route),day,t\(number)-\(run),\(trip.headsign.csvField)\n"
                for (place, time) in stopTimes[trip.stopTimes].enumerated() {
                    let times = [time.arrival, time.departure].map {
                        ServiceDay.clock(Int($0) + shift)
                    }
                    timeRows +=
                        "t\(number)-\(run),\(times.joined(separator: ",")),s\(time.stop),\(place)\n"
                }
            }
        }
        let stopRows = stops.enumerated().map { number, stop in
            "s\(number),\(stop.name.csvField),\(stop.at.latitude),\(stop.at.longitude)\n"
        }
        let routeRows = routes.enumerated().map { number, route in
            "r\(number),a,\(route.shortName.csvField),\(route.longName.csvField),\(route.mode.routeType)\n"
        }
        return [
            "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\n"
                + "a,All,https://www.openstreetmap.org,\(timeZone.identifier)\n",
            "calendar.txt":
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "day,1,1,1,1,1,1,1,\(day),\(day)\n",
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n" + stopRows.joined(),
            "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\n"
                + routeRows.joined(),
            "trips.txt": tripRows, "stop_times.txt": timeRows,
        ]
    }
}
