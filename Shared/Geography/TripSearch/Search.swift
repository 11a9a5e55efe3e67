import Foundation

extension TripIndex {
    /// Trips that fit, best first, each day of a trip separately.
    public func search(_ query: TripQuery) -> [Fit] {
        let probe = Probe(query)
        guard probe.straight > 0 else { return [] }
        var near = nearCells(probe)
        let calendars = zones.indices.map { number in
            near[number].isEmpty ? nil : Calendar(zones[number], probe)
        }
        for number in near.indices { near[number].sort { $0.bound < $1.bound } }
        var moments = calendars.indices.flatMap { number in
            calendars[number]?.moments(zone: number, probe) ?? []
        }
        moments.sort { $0.bound < $1.bound }
        startAsking()
        var best = Best(limit: query.limit)
        for moment in moments {
            if moment.bound > best.worst { break }
            guard let calendar = calendars[moment.zone] else { continue }
            for cell in near[moment.zone] {
                if moment.bound + cell.bound > best.worst { break }
                guard cell.has(moment.tenth) else { continue }
                look(into: cell, moment, calendar, probe, &best)
            }
        }
        return best.candidates.map { candidate in
            trips[Int(candidate.slot)].fit(
                candidate.match, probe, on: candidate.day, departure: candidate.departure)
        }.sorted(by: Fit.isBetter)
    }

    // MARK: Where

    struct NearCell {
        let table: Int
        let cell: UInt32
        let tenths: SIMD4<UInt64>
        /// The least cost of the walk to it.
        let bound: Double
        /// The least cost of the walk to each sixteenth; infinite if out of reach.
        let bounds: SIMD16<Float>
        /// Bits of the cells around the end of the search.
        let end: UInt64

        func has(_ tenth: Int) -> Bool { tenths[tenth >> 6] >> UInt64(tenth & 63) & 1 == 1 }

        /// Sixteenths that cost no more, in the form of an entry.
        func parts(within cost: Double) -> UInt32 {
            let cost = Float(min(cost, 1e9))
            var parts: UInt16 = 0
            for part in 0..<16 where bounds[part] <= cost { parts |= 1 << UInt16(part) }
            return PassageTable.Entry.parts(parts)
        }
    }

    /// By zone.
    func nearCells(_ probe: Probe) -> [[NearCell]] {
        var near = [[NearCell]](repeating: [], count: zones.count)
        for (number, table) in tables.enumerated() where table.count > 0 {
            let reach = table.reach(walk: probe.walk, maxDetour: probe.maxDetour)
            let grid = table.grid
            var end: UInt64 = 0
            grid.forEachCell(in: probe.to.box(reach)) { row, column in
                end |= Grid.bit(of: Grid.cell(row: row, column: column))
            }
            var found: [NearCell] = []
            grid.forEachCell(in: probe.from.box(reach)) { row, column in
                let cell = Grid.cell(row: row, column: column)
                guard let tenths = table.tenths[cell] else { return }
                let bounds = probe.from.bounds(
                    of: grid, row, column, walk: probe.walk, reach: reach)
                let least = bounds.min()
                guard least < .infinity else { return }
                found.append(
                    NearCell(
                        table: number, cell: cell, tenths: tenths, bound: Double(least),
                        bounds: bounds, end: end))
            }
            near[table.kind.zone] += found
        }
        return near
    }

    // MARK: When

    struct Moment {
        let zone: Int
        let day: Day
        let tenth: Int
        /// The least cost of waiting for it.
        let bound: Double
    }

    /// The days of one zone on which a trip under way in the window may have departed.
    struct Calendar {
        private let first: Int
        private let offsets: [Zone.Offsets]

        init(_ zone: Zone, _ probe: Probe) {
            let days = { (seconds: Double) in Int(seconds.rounded(.down)).floored(by: 86_400) }
            // A local date differs by at most a day.
            first = days(probe.after) - Way.mostSeconds / 86_400 - 2
            offsets = (first...(days(probe.before) + 1)).map { zone.offsets(on: Day(number: $0)) }
        }

        /// Nil if it isn't one of these days.
        func departure(on day: Day, _ secondOfDay: Int) -> (number: Int, seconds: Int)? {
            let number = Int(day.number) - first
            guard offsets.indices.contains(number) else { return nil }
            let local = Int(day.number) * 86_400 + secondOfDay
            return (number, offsets[number].instant(ofLocal: local))
        }

        func moments(zone: Int, _ probe: Probe) -> [Moment] {
            let length = Trip.secondsOfTenth
            return Set(offsets.flatMap { [$0.before, $0.after] }).flatMap { offset in
                let (after, before) = (probe.after + Double(offset), probe.before + Double(offset))
                // Times are accurate to less than a millionth of a second.
                let first = Int((after - 0.001).rounded(.down)).floored(by: length)
                let last = Int((before + 0.001).rounded(.down)).floored(by: length)
                return (first...last).map { number in
                    let day = number.floored(by: Trip.tenthsOfDay)
                    let wait = max(0, Double(number * length) - after)
                    return Moment(
                        zone: zone, day: Day(number: day),
                        tenth: number - day * Trip.tenthsOfDay,
                        bound: TripRules.waitingWeight * wait)
                }
            }
        }
    }

    // MARK: Trips of a cell

    func startAsking() {
        searches &+= 1
        if searches == 0 {
            for slot in asked.indices { asked[slot] = 0 }
            searches = 1
        }
    }

    /// Marks a trip, by its slot, as asked for that day. False if it already was.
    @inline(__always)
    func asks(_ slot: Int, _ day: Int) -> Bool {
        var days = asked[slot]
        if days >> 32 != UInt64(searches) { days = UInt64(searches) << 32 }
        let bit = UInt64(1) << UInt64(day)
        guard days & bit == 0 else { return false }
        asked[slot] = days | bit
        return true
    }

    private func look(
        into cell: NearCell, _ moment: Moment, _ calendar: Calendar, _ probe: Probe,
        _ best: inout Best
    ) {
        let key = PassageTable.key(cell.cell, moment.tenth)
        guard let entries = tables[cell.table].entries[key] else { return }
        let weekday = UInt32(1) << UInt32(moment.day.weekday)
        let day = PassageTable.Entry.day(moment.day)
        var worst = best.worst
        var parts = cell.parts(within: worst - moment.bound)
        for entry in entries
        where entry.onwards & cell.end != 0 && entry.marks & parts != 0
            && entry.isOn(day, weekday)
        {
            ask(entry.slot, moment.day, calendar, probe, &best)
            guard best.worst < worst else { continue }
            worst = best.worst
            parts = cell.parts(within: worst - moment.bound)
        }
    }

    /// Asks a trip that passes on that day, and departed then or earlier.
    private func ask(
        _ slot: UInt32, _ day: Day, _ calendar: Calendar, _ probe: Probe, _ best: inout Best
    ) {
        let (number, times) = (Int(slot), times[Int(slot)])
        for earlier in 0...Int(times.lastMidnight) {
            let departureDay = day - earlier
            guard let departure = calendar.departure(on: departureDay, Int(times.secondOfDay))
            else { continue }
            guard asks(number, departure.number) else { continue }
            // Without copies: each copy of a trip counts references.
            let match = trips.withUnsafeBufferPointer {
                $0[number].match(probe, on: departureDay, departure: departure.seconds)
            }
            guard let match else { continue }
            best.add(
                Candidate(
                    slot: slot, trip: trips[number].id, day: departureDay,
                    departure: departure.seconds,
                    match: match, score: match.score(probe, departure: departure.seconds)))
        }
    }

    struct Candidate {
        let slot: UInt32
        let trip: UUID
        let day: Day
        let departure: Int
        let match: Match
        let score: Double
    }

    /// The best results so far, best first.
    struct Best {
        let limit: Int
        private(set) var candidates: [Candidate] = []

        init(limit: Int) {
            self.limit = limit
            candidates.reserveCapacity(limit + 1)
        }

        /// The worst useful score. A little above the true one, since bounds are rounded.
        var worst: Double {
            guard candidates.count == limit, let last = candidates.last else { return .infinity }
            return last.score + 1e-6
        }

        mutating func add(_ candidate: Candidate) {
            if candidates.count == limit, let last = candidates.last {
                guard Self.isBetter(candidate, last) else { return }
                candidates.removeLast()
            }
            let place = candidates.firstIndex { Self.isBetter(candidate, $0) }
            candidates.insert(candidate, at: place ?? candidates.count)
        }

        /// Like `Fit.isBetter`.
        private static func isBetter(_ a: Candidate, _ b: Candidate) -> Bool {
            if a.score != b.score { return a.score < b.score }
            let first = Double(a.departure) + a.match.pickUp.seconds
            let second = Double(b.departure) + b.match.pickUp.seconds
            if first != second { return first < second }
            if a.trip != b.trip { return Fit.isBefore(a.trip, b.trip) }
            return a.day < b.day
        }
    }
}

extension Plane {
    /// A box around all places within that distance on the plane, and a metre more.
    func box(_ meters: Double) -> Box {
        let (up, across) = ((meters + 1) / north, (meters + 1) / east)
        func whole(_ value: Double) -> Int { Int(value.rounded(.down)) }
        return Box(
            south: whole(latitude - up), north: whole(latitude + up) + 1,
            west: whole(longitude - across), east: whole(longitude + across) + 1)
    }

    /// The least cost of the walk to each sixteenth of a cell; infinite if all of it is out of reach.
    func bounds(
        of grid: Grid, _ row: Int, _ column: Int, walk: Double, reach: Double
    ) -> SIMD16<Float> {
        let fine = grid.quartered
        var bounds = SIMD16<Float>(repeating: .infinity)
        for part in 0..<16 {
            let meters = leastMeters(to: fine, row * 4 + part / 4, column * 4 + part % 4)
            guard meters <= reach else { continue }
            // Rounding must not increase it.
            bounds[part] = Float(max(0, TripRules.cost(meters: meters, walk: walk) - 0.01))
        }
        return bounds
    }

    /// A lower bound of the distance to the cell.
    private func leastMeters(to grid: Grid, _ row: Int, _ column: Int) -> Double {
        let margin = Double(2 * Grid.margin)
        let size = Double(grid.size)
        let south = Double(row) * size - 90e6
        let west = Double(column) * size - 180e6
        let up = max(0, south - latitude, latitude - south - size) - margin
        var across = abs(west + size / 2 - longitude)
        across = min(across, 360e6 - across) - size / 2 - margin
        let (y, x) = (max(0, up) * north, max(0, across) * east)
        return (x * x + y * y).squareRoot()
    }
}
