/// The passages of trips in one time zone, of similar length and with similar detours.
struct PassageTable {
    struct Kind: Hashable {
        let zone: Int
        /// The index of the smallest of `detours` that is not below the trip's.
        let detour: Int
        let level: Int
    }

    struct Entry {
        let onwards: UInt64
        let slot: UInt32
        /// Where and when, as bits. Bit 31 is set for a trip that is made once; the sixteen bits below are
        /// `Passage.parts`. The lowest seven are the weekdays of the passage, bit 0 for Monday. For a trip that is
        /// made once, the lowest fifteen are its day, which repeats after ninety years.
        let marks: UInt32

        static let once: UInt32 = 1 << 31
        static func parts(_ parts: UInt16) -> UInt32 { UInt32(parts) << 15 }
        static func day(_ day: Day) -> UInt32 { UInt32(bitPattern: day.number) & 0x7FFF }

        @inline(__always)
        func isOn(_ day: UInt32, _ weekday: UInt32) -> Bool {
            marks & Self.once == 0 ? marks & weekday != 0 : marks & 0x7FFF == day
        }
    }

    /// Detour classes in seconds. Passengers who aren't picked up are searched near the line only.
    static let detours = [0, 300, 900, 1_800]
    /// The finest grid level by detour class, so that a search need not visit many cells.
    private static let leastLevels = [0, 0, 1, 2]

    let kind: Kind
    let grid: Grid
    /// By cell: bits of the tenths of an hour that have entries.
    private(set) var tenths: [UInt32: SIMD4<UInt64>] = [:]
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

    static func key(_ cell: UInt32, _ tenth: Int) -> UInt64 {
        UInt64(cell) << 8 | UInt64(tenth)
    }

    mutating func add(_ trip: Trip, slot: UInt32) {
        for passage in trip.passages(grid) {
            let (tenth, days) = Self.time(of: passage, trip.schedule)
            let marks = days | Entry.parts(passage.parts)
            let key = Self.key(passage.cell, tenth)
            Self.append(
                Entry(onwards: passage.onwards, slot: slot, marks: marks),
                to: &entries[key, default: []])
            tenths[passage.cell, default: .zero][tenth >> 6] |= 1 << UInt64(tenth & 63)
            count += 1
        }
    }

    /// Grows arrays by a quarter instead of doubling them, which saves memory.
    private static func append(_ entry: Entry, to entries: inout [Entry]) {
        if entries.count == entries.capacity {
            entries.reserveCapacity(entries.count + entries.count / 4 + 1)
        }
        entries.append(entry)
    }

    mutating func remove(_ trip: Trip, slot: UInt32) {
        for passage in trip.passages(grid) {
            let (tenth, _) = Self.time(of: passage, trip.schedule)
            let key = Self.key(passage.cell, tenth)
            // The newest entries are at the end.
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
            var rest = tenths[passage.cell] ?? .zero
            rest[tenth >> 6] &= ~(1 << UInt64(tenth & 63))
            tenths[passage.cell] = rest == .zero ? nil : rest
        }
    }

    private static func time(of passage: Passage, _ schedule: Schedule) -> (Int, UInt32) {
        let (later, tenth) = Int(passage.tenth).quotientAndRemainder(
            dividingBy: Trip.tenthsOfDay)
        guard schedule.repeats else {
            return (tenth, Entry.day(schedule.firstDay + later) | Entry.once)
        }
        let (mask, turn) = (UInt32(schedule.weekdays), UInt32(later % 7))
        return (tenth, (mask << turn | mask >> (7 - turn)) & 0x7F)
    }

    /// Maximum distance of a passenger from the line, in metres.
    func reach(walk: Double, maxDetour: Double) -> Double {
        let detour = min(Double(Self.detours[kind.detour]), maxDetour)
        return walk + detour * TripRules.drivingMetersPerSecond / 2
    }
}
