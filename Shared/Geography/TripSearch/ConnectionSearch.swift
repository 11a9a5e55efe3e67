import Foundation

extension TripIndex {
    /// Two lifts in a row, best first: for each first lift on a day the best connection.
    ///
    /// First lifts pass near the start within the window, second ones pass near the end until the latest arrival. The
    /// cheapest of both are found like trips in `search`. The places for changing from first lifts are put into the
    /// cells around them. Each second route is followed through these cells, and boarded at the nearest place of each
    /// segment. All of it is bounded: `mostHalves` trips on either side, with `mostTransferPlaces` places each, which
    /// need some 10 MB during the search.
    public func connections(_ query: TripQuery) -> [Connection] {
        guard let probe = ConnectionProbe(query) else { return [] }
        let firsts = halves(probe.from, without: probe.direct)
        guard !firsts.isEmpty else { return [] }
        var junction = Junction(probe, firsts.map(\.half), limit: query.limit)
        for (half, cost) in halves(probe.to, without: probe.direct) {
            // No connection is better than the time until the drop-off of its second lift.
            if cost > junction.worst { break }
            junction.join(half)
        }
        return junction.connections
    }

    /// The cheapest by walking and waiting, best first.
    private func halves(_ probe: Probe, without direct: Probe) -> [(half: Half, cost: Double)] {
        let near = nearCells(probe)
        let calendars = zones.indices.map { number in
            near[number].isEmpty ? nil : Calendar(zones[number], probe)
        }
        let moments = calendars.indices.flatMap { number in
            calendars[number]?.moments(zone: number, probe) ?? []
        }.sorted { $0.bound < $1.bound }
        startAsking()
        var best: [Passing] = []
        for moment in moments {
            if best.count == TripRules.mostHalves, moment.bound > best[best.count - 1].cost {
                break
            }
            guard let calendar = calendars[moment.zone] else { continue }
            for cell in near[moment.zone] where cell.has(moment.tenth) {
                look(into: cell, moment, calendar, probe, direct, &best)
            }
        }
        return best.map { passing in
            let trip = trips[Int(passing.slot)]
            return (
                Half(trip, on: passing.day, departure: passing.departure, probe), passing.cost
            )
        }
    }

    private struct Passing {
        let slot: UInt32
        let day: Day
        let departure: Int
        let cost: Double
    }

    private func look(
        into cell: NearCell, _ moment: Moment, _ calendar: Calendar, _ probe: Probe,
        _ direct: Probe, _ best: inout [Passing]
    ) {
        let key = PassageTable.key(cell.cell, moment.tenth)
        guard let entries = tables[cell.table].entries[key] else { return }
        let weekday = UInt32(1) << UInt32(moment.day.weekday)
        let day = PassageTable.Entry.day(moment.day)
        for entry in entries where entry.isOn(day, weekday) {
            let slot = Int(entry.slot)
            for earlier in 0...Int(times[slot].lastMidnight) {
                let departureDay = moment.day - earlier
                guard
                    let departure = calendar.departure(
                        on: departureDay, Int(times[slot].secondOfDay)),
                    asks(slot, departure.number),
                    let cost = trips[slot].passingCost(
                        probe, on: departureDay, departure: departure.seconds),
                    trips[slot].match(direct, on: departureDay, departure: departure.seconds)
                        == nil
                else { continue }
                if best.count == TripRules.mostHalves {
                    guard cost < best[best.count - 1].cost else { continue }
                    best.removeLast()
                }
                let place = best.firstIndex { cost < $0.cost } ?? best.count
                best.insert(
                    Passing(
                        slot: entry.slot, day: departureDay, departure: departure.seconds,
                        cost: cost), at: place)
            }
        }
    }
}

extension Trip {
    /// The least cost of walking and waiting, in seconds, to where the trip passes the probe's start in its window;
    /// nil if it does not.
    fileprivate func passingCost(_ probe: Probe, on day: Day, departure: Int) -> Double? {
        guard seats >= probe.seats, runs(on: day), !probe.excluded.contains(driver) else {
            return nil
        }
        var least = Double.infinity
        way.forEachPlace(near: probe.from, within: probe.walk) { _, _, meters, seconds in
            let at = Double(departure) + seconds
            guard at >= probe.after, at <= probe.before else { return }
            least = min(
                least,
                meters / TripRules.walkingMetersPerSecond
                    + TripRules.waitingWeight * (at - probe.after))
        }
        return least < .infinity ? least : nil
    }
}

/// Combines first and second lifts.
private struct Junction {
    /// A place where the passenger may leave a first lift.
    private struct Place {
        let first: Int
        let trip: UUID
        let stop: Half.Stop
        /// Where the passenger boarded.
        let start: Half.Stop
        /// The cost so far, excluding the time since the beginning of the window, which is added later.
        let cost: Double
        /// Seconds since the beginning of the window.
        let moment: Double
        let plane: Plane
    }

    private struct Found {
        let place: Int
        let second: Half
        let pickUp: Half.Stop
        let dropOff: Half.Stop
        let waitSeconds: Double
        let score: Double
    }

    private static let grid = Grid(level: 0)

    private let probe: ConnectionProbe
    private let firsts: [Half]
    private let limit: Int
    private var places: [Place] = []
    /// Indices of the places that can be reached from a cell, sorted by time.
    private var cells: [UInt32: [Int]] = [:]
    /// By the index of the first lift.
    private var found: [Int: Found] = [:]

    init(_ probe: ConnectionProbe, _ firsts: [Half], limit: Int) {
        (self.probe, self.firsts, self.limit) = (probe, firsts, limit)
        for (number, half) in firsts.enumerated() { add(half, number) }
        places.sort { $0.moment < $1.moment }
        for (number, place) in places.enumerated() {
            Self.grid.forEachCell(in: place.plane.box(probe.transfer)) { row, column in
                cells[Grid.cell(row: row, column: column), default: []].append(number)
            }
        }
    }

    private mutating func add(_ half: Half, _ number: Int) {
        for stop in half.places() {
            let starts = half.stops.filter {
                $0.meters < stop.meters
                    && half.hasSeats(probe.from.seats, from: $0.seconds, to: stop.seconds)
            }.map { (start: $0, cost: cost(of: $0, half)) }
            guard let best = starts.min(by: { $0.cost < $1.cost }) else { continue }
            let (a, b) = (
                half.trip.way.vertices[stop.segment], half.trip.way.vertices[stop.segment + 1]
            )
            places.append(
                Place(
                    first: number, trip: half.trip.id, stop: stop, start: best.start,
                    cost: best.cost,
                    moment: half.moment(stop), plane: Plane(at: Plane.point(a, b, part: stop.part)))
            )
        }
    }

    /// Waiting costs half of riding, which is counted from the beginning of the window.
    private func cost(of start: Half.Stop, _ half: Half) -> Double {
        start.walk / TripRules.walkingMetersPerSecond
            - (1 - TripRules.waitingWeight) * half.moment(start)
    }

    /// Connections with a higher score are useless.
    private(set) var worst = Double.infinity

    mutating func join(_ second: Half) {
        guard let last = second.stops.last else { return }
        var isBetter = false
        let vertices = second.trip.way.vertices
        let wait = TripRules.transferWait
        let longest =
            wait.upperBound + probe.transfer / TripRules.walkingMetersPerSecond
        for segment in 0...last.segment {
            let (a, b) = (vertices[segment], vertices[segment + 1])
            if a.latitude == b.latitude && a.longitude == b.longitude { continue }
            let earliest = second.begins + Double(a.seconds) - longest
            let latest = second.begins + Double(b.seconds) - wait.lowerBound
            Self.grid.forEachCell(from: a, to: b) { cell in
                guard let near = cells[cell] else { return }
                let first = near.partitioningIndex { places[$0].moment >= earliest }
                for number in near[first...] {
                    if places[number].moment > latest { break }
                    if meet(number, second, segment, a, b) { isBetter = true }
                }
            }
        }
        if isBetter, found.count >= limit {
            worst = found.values.map(\.score).sorted()[limit - 1]
        }
    }

    /// Whether this is the best connection of its first lift so far.
    private mutating func meet(
        _ number: Int, _ second: Half, _ segment: Int, _ a: Way.Vertex, _ b: Way.Vertex
    ) -> Bool {
        let place = places[number]
        let near = place.plane.nearest(a, b)
        guard near.squared <= probe.transfer * probe.transfer,
            place.trip != second.trip.id
        else { return false }
        let meters =
            second.meters[segment] + near.part
            * (second.meters[segment + 1] - second.meters[segment])
        let pickUp = Half.Stop(
            segment: segment, part: near.part, walk: near.squared.squareRoot(),
            seconds: Double(a.seconds) + near.part * Double(b.seconds - a.seconds), meters: meters)
        let walked = pickUp.walk / TripRules.walkingMetersPerSecond
        let wait = second.moment(pickUp) - place.moment - walked
        guard TripRules.transferWait.contains(wait) else { return false }
        let until = place.cost + place.moment + walked + TripRules.waitingWeight * wait
        let known = found[place.first]?.score ?? .infinity
        guard until < known else { return false }
        var best: Found?
        for dropOff in second.stops where dropOff.meters > meters {
            let score =
                until + dropOff.seconds - pickUp.seconds
                + dropOff.walk / TripRules.walkingMetersPerSecond
            guard score < best?.score ?? known,
                second.hasSeats(probe.from.seats, from: pickUp.seconds, to: dropOff.seconds)
            else { continue }
            best = Found(
                place: number, second: second, pickUp: pickUp, dropOff: dropOff,
                waitSeconds: wait, score: score)
        }
        guard let best else { return false }
        found[place.first] = best
        return true
    }

    var connections: [Connection] {
        let all = found.map { number, found in
            let (half, place) = (firsts[number], places[found.place])
            return Connection(
                first: half.fit(
                    from: place.start, to: place.stop, waitSeconds: half.moment(place.start)),
                second: found.second.fit(
                    from: found.pickUp, to: found.dropOff, waitSeconds: found.waitSeconds),
                score: found.score)
        }
        return Array(all.sorted(by: Connection.isBetter).prefix(limit))
    }
}

extension Grid {
    /// Cells that the line between two vertices may touch; some may repeat.
    fileprivate func forEachCell(
        from a: Way.Vertex, to b: Way.Vertex, _ body: (_ cell: UInt32) -> Void
    ) {
        let (north, east) = (Int(b.latitude) - Int(a.latitude), Way.eastward(a, b))
        let pieces = 1 + max(abs(north), abs(east)) / size
        for piece in 0..<pieces {
            let (y0, y1) = (north * piece / pieces, north * (piece + 1) / pieces)
            let (x0, x1) = (east * piece / pieces, east * (piece + 1) / pieces)
            let box = Box(
                south: Int(a.latitude) + min(y0, y1), north: Int(a.latitude) + max(y0, y1),
                west: Int(a.longitude) + min(x0, x1), east: Int(a.longitude) + max(x0, x1))
            forEachCell(in: box) { row, column in body(Grid.cell(row: row, column: column)) }
        }
    }
}

extension [Int] {
    /// The first index from which on all elements satisfy the condition. No earlier element may satisfy it.
    fileprivate func partitioningIndex(_ isSo: (Int) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isSo(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
