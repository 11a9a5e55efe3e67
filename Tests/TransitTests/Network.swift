import Foundation
import Geo
import TripMaker

@testable import Transit

/// A small network by itself, without the library's types: what a feed is written from, and what brute force reads.
struct Network {
    struct Stop {
        let id: String
        let at: Coordinate
        let wheelchair: Int
    }

    struct Call {
        let stop: Int
        var arrival: Int
        var departure: Int
        var canBoard = true
        var canAlight = true
    }

    struct Trip {
        let id: String
        let service: Int
        let mode: Int
        let wheelchair: Int
        var calls: [Call]
        /// Start, end and headway; none: once, as the calls say.
        var frequencies: [(start: Int, end: Int, headway: Int)] = []

        /// What is added to the calls.
        var shifts: [Int] {
            frequencies.isEmpty
                ? [0]
                : frequencies.flatMap { part in
                    stride(from: part.start, to: part.end, by: part.headway).map {
                        $0 - calls[0].departure
                    }
                }
        }
    }

    struct Service {
        let weekdays: Int
        /// Days since 1970, both included; nil: only what is added.
        let days: ClosedRange<Int>?
        var added: Set<Int> = []
        var removed: Set<Int> = []

        func runs(_ day: Int) -> Bool {
            if removed.contains(day) { return false }
            // 1970-01-05 was a Monday.
            let weekday = ((day - 4) % 7 + 7) % 7
            return added.contains(day)
                || days?.contains(day) == true && weekdays >> weekday & 1 == 1
        }
    }

    struct Transfer {
        let from: Int
        let to: Int
        let type: Int
        let seconds: Int
    }

    var zone: TimeZone
    var stops: [Stop] = []
    var services: [Service] = []
    var trips: [Trip] = []
    var transfers: [Transfer] = []

    // MARK: As a feed

    static func date(_ day: Int) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
        return String(
            format: "%04d%02d%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }

    static func clock(_ seconds: Int) -> String {
        String(format: "%02d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60)
    }

    var files: [String: String] {
        var files = [
            "agency.txt": "agency_name,agency_url,agency_timezone\nA,http://a,\(zone.identifier)\n",
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,wheelchair_boarding\n",
            "routes.txt": "route_id,route_short_name,route_type\n",
            "trips.txt": "route_id,service_id,trip_id,wheelchair_accessible\n",
            "stop_times.txt":
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n",
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\n",
            "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\n",
            "calendar.txt":
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n",
            "calendar_dates.txt": "service_id,date,exception_type\n",
        ]
        for stop in stops {
            files["stops.txt"]! +=
                "\(stop.id),\(stop.id),\(stop.at.latitude),\(stop.at.longitude),\(stop.wheelchair)\n"
        }
        for mode in [0, 3] { files["routes.txt"]! += "r\(mode),R\(mode),\(mode)\n" }
        for (number, service) in services.enumerated() {
            if let days = service.days {
                let flags = (0..<7).map { "\(service.weekdays >> $0 & 1)" }.joined(separator: ",")
                files["calendar.txt"]! +=
                    "s\(number),\(flags),\(Self.date(days.lowerBound)),\(Self.date(days.upperBound))\n"
            }
            for day in service.added.sorted() {
                files["calendar_dates.txt"]! += "s\(number),\(Self.date(day)),1\n"
            }
            for day in service.removed.sorted() {
                files["calendar_dates.txt"]! += "s\(number),\(Self.date(day)),2\n"
            }
        }
        for trip in trips {
            files["trips.txt"]! += "r\(trip.mode),s\(trip.service),\(trip.id),\(trip.wheelchair)\n"
            for (place, call) in trip.calls.enumerated() {
                files["stop_times.txt"]! +=
                    "\(trip.id),\(Self.clock(call.arrival)),\(Self.clock(call.departure)),"
                    + "\(stops[call.stop].id),\(place * 2 + 1),\(call.canBoard ? 0 : 1),"
                    + "\(call.canAlight ? 0 : 1)\n"
            }
            for part in trip.frequencies {
                files["frequencies.txt"]! +=
                    "\(trip.id),\(Self.clock(part.start)),\(Self.clock(part.end)),\(part.headway)\n"
            }
        }
        for transfer in transfers {
            files["transfers.txt"]! +=
                "\(stops[transfer.from].id),\(stops[transfer.to].id),\(transfer.type),"
                + "\(transfer.type == 2 ? "\(transfer.seconds)" : "")\n"
        }
        return files
    }

    func feed() throws -> Feed {
        try Feed.read(files: files.mapValues { Data($0.utf8) }).feed
    }

    // MARK: Made at random

    static func random(_ zone: String, night: Int, _ random: inout SeededNumbers) -> Network {
        var network = Network(zone: TimeZone(identifier: zone) ?? .gmt)
        for number in 0..<Int.random(in: 4...12, using: &random) {
            network.stops.append(
                Stop(
                    id: "S\(number)",
                    at: Coordinate(
                        latitude: 35.9 + .random(in: 0...0.012, using: &random),
                        longitude: 14.5 + .random(in: 0...0.012, using: &random)),
                    wheelchair: Int.random(in: 0...2, using: &random) == 0 ? 2 : 1))
        }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let days = random.chance(0.8) ? (night - 5)...(night + 4) : nil
            var service = Service(
                weekdays: random.chance(0.5) ? 127 : Int.random(in: 0...127, using: &random),
                days: days)
            for day in (night - 2)...(night + 2) {
                if random.chance(days == nil ? 0.7 : 0.1) {
                    service.added.insert(day)
                } else if random.chance(0.1) {
                    service.removed.insert(day)
                }
            }
            network.services.append(service)
        }
        for number in 0..<Int.random(in: 3...14, using: &random) {
            network.addTrip("T\(number)", &random)
        }
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            network.transfers.append(
                Transfer(
                    from: network.anyStop(&random), to: network.anyStop(&random),
                    type: [0, 1, 2, 2, 3].randomElement(using: &random) ?? 0,
                    seconds: .random(in: 0...900, using: &random)))
        }
        return network
    }

    private func anyStop(_ random: inout SeededNumbers) -> Int {
        .random(in: stops.indices, using: &random)
    }

    /// Now and then as another one at another time, or a little faster or slower, so that trips share stops and
    /// overtake each other.
    private mutating func addTrip(_ id: String, _ random: inout SeededNumbers) {
        var now = Int.random(in: 0...(30 * 12), using: &random) * 300
        var calls: [Call] = []
        let model = random.chance(0.5) ? trips.randomElement(using: &random) : nil
        let path =
            model?.calls.map(\.stop)
            ?? (0..<Int.random(in: 2...6, using: &random)).map { _ in anyStop(&random) }
        if random.chance(0.1) { now += 86_400 }
        for stop in path {
            let arrival = now
            if random.chance(0.3) { now += Int.random(in: 0...300, using: &random) }
            calls.append(
                Call(
                    stop: stop, arrival: arrival, departure: now,
                    canBoard: !random.chance(0.07), canAlight: !random.chance(0.07)))
            now += Int.random(in: 0...20, using: &random) * 60
        }
        var trip = Trip(
            id: id, service: .random(in: services.indices, using: &random),
            mode: model?.mode ?? (random.chance(0.7) ? 3 : 0),
            wheelchair: random.chance(0.6) ? 1 : .random(in: 0...2, using: &random), calls: calls)
        if random.chance(0.25) {
            let start = Int.random(in: 0...20, using: &random) * 3_600
            trip.frequencies.append(
                (start, start + 7_200, .random(in: 5...50, using: &random) * 60))
        }
        trips.append(trip)
    }
}
