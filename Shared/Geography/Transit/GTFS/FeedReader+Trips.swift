import Foundation
import Geo

extension FeedReader {
    /// The latest time in a feed: ten days, of which trains around the world need seven.
    static let mostHours = 240
    /// Maximum number of stop times that frequencies may expand to; each takes some bytes.
    private static let mostRepeated = 20_000_000

    // MARK: Trips

    mutating func readTrips() throws(FeedRefusal) {
        var table = try required("trips.txt", needs: ["route_id", "service_id", "trip_id"])
        let (id, route) = (table.column("trip_id"), table.column("route_id"))
        let (service, headsign) = (table.column("service_id"), table.column("trip_headsign"))
        let (shape, wheelchair) = (
            table.column("shape_id"), table.column("wheelchair_accessible")
        )
        let block = table.column("block_id")
        while next(&table) {
            guard isNew(table[id], "trip_id", in: trips, table),
                let line = place(of: table[route], "route_id", in: routes, table),
                let days = place(of: table[service], "service_id", in: services, table)
            else { continue }
            if !table[shape].isEmpty, shapes[table[shape]] == nil {
                warning(table, "shape_id \"\(table[shape])\" is not known: it is left out.")
            }
            trips[table[id]] = feed.trips.count
            tripLines.append(table.rows.line)
            feed.trips.append(
                .init(
                    id: table[id], route: line, service: days, headsign: table[headsign],
                    shape: shapes[table[shape]], wheelchair: access(table[wheelchair], table),
                    block: table[block]))
        }
        guard !feed.trips.isEmpty else { throw refused("The feed has no trip.") }
    }

    /// The seconds of a time that may exceed 24:00; nil if it is malformed.
    static func seconds(_ text: String) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, (1...3).contains(parts[0].count), parts[1].count == 2,
            parts[2].count == 2
        else { return nil }
        var numbers = [0, 0, 0]
        for (place, part) in parts.enumerated() {
            for digit in part {
                guard (48...57).contains(digit) else { return nil }
                numbers[place] = numbers[place] * 10 + Int(digit) - 48
            }
        }
        guard numbers[0] < mostHours, numbers[1] < 60, numbers[2] < 60 else { return nil }
        return numbers[0] * 3_600 + numbers[1] * 60 + numbers[2]
    }

    // MARK: Stop times

    /// A row of a trip that has not been checked as a whole yet.
    private struct Row {
        static let none: Int32 = -1

        let trip: Int32
        let line: Int32
        let time: Feed.StopTime
        /// `shape_dist_traveled`; NaN if missing.
        let distance: Double

        var isTimed: Bool { time.arrival != Self.none }
        var order: UInt64 { UInt64(UInt32(trip)) << 32 | UInt64(UInt32(time.sequence)) }
    }

    mutating func readStopTimes() throws(FeedRefusal) {
        let table = try required("stop_times.txt", needs: ["trip_id", "stop_sequence"])
        var rows = rows(of: table)
        if zip(rows, rows.dropFirst()).contains(where: { $0.order > $1.order }) {
            rows.sort { ($0.order, $0.line) < ($1.order, $1.line) }
        }
        feed.stopTimes.reserveCapacity(rows.count)
        var hasTimes = [Bool](repeating: false, count: feed.trips.count)
        var start = 0
        while start < rows.count {
            let trip = rows[start].trip
            var end = start
            while end < rows.count, rows[end].trip == trip { end += 1 }
            hasTimes[Int(trip)] = true
            add(rows[start..<end], to: Int(trip))
            start = end
        }
        for (trip, hasTimes) in hasTimes.enumerated() where !hasTimes {
            report.add(
                .error, "trips.txt", tripLines[trip],
                "Trip \"\(feed.trips[trip].id)\" has no stop times: it is left out.")
        }
    }

    private mutating func rows(of table: Table) -> [Row] {
        var table = table
        let (trip, stop) = (table.column("trip_id"), table.column("stop_id"))
        let (arrival, departure) = (table.column("arrival_time"), table.column("departure_time"))
        let (sequence, distance) = (
            table.column("stop_sequence"), table.column("shape_dist_traveled")
        )
        let (pickUp, dropOff) = (table.column("pickup_type"), table.column("drop_off_type"))
        var rows: [Row] = []
        while next(&table) {
            guard let tripPlace = place(of: table[trip], "trip_id", in: trips, table),
                let stopPlace = stopPlace(table[stop], table),
                let arrives = time(table[arrival], "arrival_time", table),
                let departs = time(table[departure], "departure_time", table)
            else { continue }
            guard let order = Self.number(table[sequence], in: 0...Int(Int32.max)) else {
                error(
                    table, "stop_sequence \"\(table[sequence])\" is no number: the row is left out."
                )
                continue
            }
            let known = arrives == Row.none ? departs : arrives
            rows.append(
                Row(
                    trip: Int32(tripPlace), line: Int32(clamping: table.rows.line),
                    time: .init(
                        stop: Int32(stopPlace), sequence: Int32(order), arrival: known,
                        departure: departs == Row.none ? known : departs,
                        canBoard: canStop(table[pickUp], "pickup_type", table),
                        canAlight: canStop(table[dropOff], "drop_off_type", table)),
                    distance: Self.distance(table[distance])))
        }
        return rows
    }

    /// NaN for what is no distance.
    private static func distance(_ text: String) -> Double {
        Double(text).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } ?? .nan
    }

    /// Whether passengers can board, or alight, also by arrangement; false, and a warning in the report, for an
    /// unknown value.
    private mutating func canStop(_ text: String, _ column: String, _ table: Table) -> Bool {
        guard let type = Self.number(text, in: 0...3) else {
            warning(table, "\(column) \"\(text)\" is none: it is read as 1, not available.")
            return false
        }
        return type != 1
    }

    private mutating func stopPlace(_ id: String, _ table: Table) -> Int? {
        guard !id.isEmpty else {
            warning(table, "It names no stop, as rides on demand do: the row is left out.")
            return nil
        }
        guard let stop = place(of: id, "stop_id", in: stops, table) else { return nil }
        guard feed.stops[stop].kind == .platform else {
            error(table, "Nothing stops at a place as \"\(id)\": the row is left out.")
            return nil
        }
        return stop
    }

    /// `none` for an empty text; nil, and an error in the report, if it isn't a time.
    private mutating func time(_ text: String, _ column: String, _ table: Table) -> Int32? {
        if text.isEmpty { return Row.none }
        if let seconds = Self.seconds(text) { return Int32(seconds) }
        error(table, "\(column) \"\(text)\" is no time: the row is left out.")
        return nil
    }

    /// Leaves out a trip that makes no sense.
    private mutating func add(_ rows: ArraySlice<Row>, to trip: Int) {
        func refuse(_ row: Row, _ text: String) {
            report.add(
                .error, "stop_times.txt", Int(row.line),
                "\(text): trip \"\(feed.trips[trip].id)\" is left out.")
        }
        guard let first = rows.first, let last = rows.last else { return }
        guard rows.count > 1 else { return refuse(first, "It is the only stop") }
        guard first.isTimed, last.isTimed else {
            return refuse(
                first.isTimed ? last : first, "The first and the last stop have to have times")
        }
        var latest = first.time.arrival
        for (row, earlier) in zip(rows, [nil] + rows.map(Optional.some)) {
            if let earlier, earlier.time.sequence == row.time.sequence {
                return refuse(row, "stop_sequence \(row.time.sequence) is there twice")
            }
            guard row.isTimed else { continue }
            guard row.time.arrival >= latest else { return refuse(row, "It goes back in time") }
            guard row.time.departure >= row.time.arrival else {
                return refuse(row, "It departs before it arrives")
            }
            latest = row.time.departure
        }
        let start = feed.stopTimes.count
        feed.stopTimes += rows.allSatisfy(\.isTimed) ? rows.map(\.time) : interpolated(Array(rows))
        feed.trips[trip].stopTimes = start..<feed.stopTimes.count
    }

    /// Fills missing times by the distance travelled, else by the straight lines between stops, else evenly.
    private func interpolated(_ rows: [Row]) -> [Feed.StopTime] {
        var times = rows.map(\.time)
        var known = 0
        for next in rows.indices.dropFirst() where rows[next].isTimed {
            let gap = known...next
            known = next
            guard gap.count > 2 else { continue }
            let places = places(of: rows[gap])
            let (start, end) = (times[gap.lowerBound].departure, times[gap.upperBound].arrival)
            let length = (places.last ?? 0) - (places.first ?? 0)
            for (place, row) in zip(places, gap).dropFirst().dropLast() {
                let share = (place - (places.first ?? 0)) / length
                let time = start + Int32((share * Double(end - start)).rounded())
                (times[row].arrival, times[row].departure) = (time, time)
            }
        }
        return times
    }

    /// The position of each row along the way, in any unit; the last is greater than the first.
    private func places(of rows: ArraySlice<Row>) -> [Double] {
        let travelled = rows.map(\.distance)
        if zip(travelled, travelled.dropFirst()).allSatisfy({ $0 <= $1 }),
            let first = travelled.first, let last = travelled.last, last > first
        {
            return travelled
        }
        var straight = [0.0]
        for (a, b) in zip(rows, rows.dropFirst()) {
            let step = Geo.distanceMeters(
                feed.stops[Int(a.time.stop)].at, feed.stops[Int(b.time.stop)].at)
            straight.append((straight.last ?? 0) + step)
        }
        return (straight.last ?? 0) > 0 ? straight : rows.indices.map(Double.init)
    }

    // MARK: Frequencies

    mutating func readFrequencies() throws(FeedRefusal) {
        guard
            var table = try table(
                "frequencies.txt", needs: ["trip_id", "start_time", "end_time", "headway_secs"])
        else { return }
        let (trip, exact) = (table.column("trip_id"), table.column("exact_times"))
        let (start, end) = (table.column("start_time"), table.column("end_time"))
        let headway = table.column("headway_secs")
        var repeated = 0
        while next(&table) {
            guard let place = place(of: table[trip], "trip_id", in: trips, table) else { continue }
            guard let first = Self.seconds(table[start]), let last = Self.seconds(table[end]),
                first < last
            else {
                error(
                    table,
                    "\"\(table[start])\" to \"\(table[end])\" is no time: the row is left out.")
                continue
            }
            guard let seconds = Self.number(table[headway], in: 1...ServiceDay.seconds) else {
                error(table, "headway_secs \"\(table[headway])\" is none: the row is left out.")
                continue
            }
            repeated +=
                ((last - first - 1) / seconds + 1) * feed.trips[place].stopTimes.count
            guard repeated <= Self.mostRepeated else {
                return error(
                    table,
                    "That would be more than \(Self.mostRepeated) stop times: "
                        + "this and all rows after it are left out.")
            }
            let exactness = Self.number(table[exact], in: 0...1)
            if exactness == nil {
                warning(table, "exact_times \"\(table[exact])\" is none: it is read as 0.")
            }
            feed.frequencies.append(
                .init(
                    trip: place, start: first, end: last, headway: seconds,
                    isExact: exactness == 1))
        }
    }
}
