/// Trips of one time zone, of about one size and with about the same detour.
struct Shelf {
    struct Kind: Hashable {
        let zone: Int
        /// The number of the least of `detours` that the trip's is not above.
        let detour: Int
        let level: Int
    }

    /// One passage of one trip.
    struct Entry {
        let onwards: UInt64
        let slot: UInt32
        /// Of a trip that repeats the weekdays of the passage, bit 0 for Monday; of another its day, with
        /// the highest bit set.
        let days: UInt32
    }

    /// Seconds. Who is not fetched is looked for near the line alone.
    static let detours = [0, 300, 900, 1_800]
    /// A search should not have to look into many cells.
    private static let leastLevels = [0, 0, 1, 2]

    let kind: Kind
    let grid: Grid
    /// The quarters in which there is something.
    private(set) var quarters: [UInt32: UInt128] = [:]
    private(set) var entries: [UInt64: [Entry]] = [:]
    private(set) var count = 0

    init(_ kind: Kind) {
        self.kind = kind
        grid = Grid(level: kind.level)
    }

    static func kind(of trip: Trip, zone: Int) -> Kind {
        let detour = detours.firstIndex { trip.maxDetourSeconds <= $0 } ?? detours.count - 1
        return Kind(zone: zone, detour: detour, level: trip.level(from: leastLevels[detour]))
    }

    static func key(_ cell: UInt32, _ quarter: Int) -> UInt64 {
        UInt64(cell) << 8 | UInt64(quarter)
    }

    mutating func add(_ trip: Trip, slot: UInt32) {
        for passage in trip.passages(grid) {
            let (quarter, days) = Self.time(of: passage, trip.schedule)
            let key = Self.key(passage.cell, quarter)
            Self.append(
                Entry(onwards: passage.onwards, slot: slot, days: days),
                to: &entries[key, default: []])
            quarters[passage.cell, default: 0] |= 1 << UInt128(quarter)
            count += 1
        }
    }

    /// Arrays double; a fourth more is enough, and a fourth less memory.
    private static func append(_ entry: Entry, to entries: inout [Entry]) {
        if entries.count == entries.capacity {
            entries.reserveCapacity(entries.count + entries.count / 4 + 1)
        }
        entries.append(entry)
    }

    mutating func remove(_ trip: Trip, slot: UInt32) {
        for passage in trip.passages(grid) {
            let (quarter, _) = Self.time(of: passage, trip.schedule)
            let key = Self.key(passage.cell, quarter)
            // The newest is at the end.
            guard var left = entries.removeValue(forKey: key) else { continue }
            if let index = left.lastIndex(where: { $0.slot == slot }) {
                left.swapAt(index, left.count - 1)
                left.removeLast()
                count -= 1
            }
            guard left.isEmpty else {
                entries[key] = left
                continue
            }
            let rest = (quarters[passage.cell] ?? 0) & ~(1 << UInt128(quarter))
            quarters[passage.cell] = rest == 0 ? nil : rest
        }
    }

    private static func time(of passage: Passage, _ schedule: Schedule) -> (Int, UInt32) {
        let (later, quarter) = Int(passage.quarter).quotientAndRemainder(
            dividingBy: Trip.quartersOfDay)
        guard schedule.repeats else { return (quarter, day(schedule.firstDay + later)) }
        let (mask, turn) = (UInt32(schedule.weekdays), UInt32(later % 7))
        return (quarter, (mask << turn | mask >> (7 - turn)) & 0x7F)
    }

    static func day(_ day: Day) -> UInt32 { UInt32(bitPattern: day.number) | 1 << 31 }

    /// How far from the line a passenger may be.
    func reach(walk: Double, maxDetour: Double) -> Double {
        let detour = min(Double(Self.detours[kind.detour]), maxDetour)
        return walk + detour * TripRules.drivingMetersPerSecond / 2
    }
}
