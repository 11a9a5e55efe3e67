import Foundation

/// All trips in memory; finds those that take a passenger along, best first.
///
/// It has no locks: its owner is an actor.
///
/// **Method.** `Trip.fit` alone defines what fits; the index chooses which trips to ask. Offers of rides have been
/// found by searches in the road network from both ends of each offer (R. Geisberger, D. Luxen, S. Neubauer, P.
/// Sanders and L. Volker, "Fast Detour Computation for Ride Sharing", ATMOS 2010) and, for moving cars, by cells of a
/// grid with the times at which a car is in them (S. Ma, Y. Zheng and O. Wolfson, "T-Share: A Large-Scale Dynamic
/// Taxi Ridesharing Service", ICDE 2013). Here a trip keeps to its line, so cells along the line are enough. For each
/// cell that it touches, and each tenth of an hour of the local day in which it does, a trip has an entry of 16
/// bytes: its weekdays there, the sixteenths of the cell that it touches, and a signature (B. Bloom, "Space/Time
/// Trade-offs in Hash Coding with Allowable Errors", CACM 1970) of 64 bits of the cells that follow. Long routes, and
/// those with long detours, have larger cells, so that the entries of a trip and the cells of a search stay few.
///
/// A search takes the cells around its start, tenth by tenth from the beginning of its window, nearest cells first.
/// It asks every trip whose entry has that day, a sixteenth within reach and, in its signature, a cell around the
/// end. Once it has the maximum number of results it leaves out what can't be better than the worst of them, and
/// stops when nothing else is left.
///
/// **Nothing that fits is lost.** Let a pick-up be at the place P of the line, at t seconds after the departure. (1)
/// On the plane of the search P is within reach of the start, so it is in the box around it. The line is cut into
/// pieces, each contained in its box, so the cell of P, and its sixteenth, are among the trip's and among those of
/// the search. (2) Seconds since the trip's local midnight and t give a tenth of an hour and a day. The departure is
/// that local time minus some offset of the zone, so the pick-up is in the window exactly when local time and t are
/// in the window moved by that offset. The search uses all offsets of any day on which such a trip may have departed,
/// including the one before a gap. (3) The drop-off is onwards from P, in this piece or in a later one, so its cell's
/// bit is in the signature, and it is in the box around the end. (4) An entry represents its trip on that day: the
/// trip is asked for its whole line, once. (5) An entry that is left out because of its cost would cost more than the
/// worst of a full list, by waiting until that tenth and walking to that sixteenth alone.
public final class TripIndex {
    /// By slot; a free slot has a trip without contents.
    var trips: ContiguousArray<Trip> = []
    var tables: [PassageTable] = []
    var zones: [Zone] = []
    /// For each slot, the search that last asked the trip, and the days for which it asked.
    var asked: [UInt64] = []
    var searches: UInt32 = 0
    /// The times of every slot, contiguous.
    var times: [Times] = []

    private var slots: [UUID: UInt32] = [:]
    private var places: [Place] = []
    private var free: [UInt32] = []
    private var tableNumbers: [PassageTable.Kind: Int] = [:]
    private var zoneNumbers: [Zone: Int] = [:]
    private var vertices = 0

    struct Times {
        let secondOfDay: Int32
        /// The number of midnights during the trip.
        let lastMidnight: Int32
    }

    private struct Place {
        var table: Int32
        var fingerprint: UInt64
    }

    /// The sum of `Trip.fingerprint` over all trips, in any order; to be compared with the same sum over a store.
    public private(set) var digest: UInt64 = 0

    public init() {}

    public convenience init(_ trips: some Sequence<Trip>) {
        self.init()
        insert(contentsOf: trips)
    }

    public var count: Int { slots.count }

    public var ids: some Collection<UUID> { slots.keys }

    public func trip(_ id: UUID) -> Trip? {
        slots[id].map { trips[Int($0)] }
    }

    public func insert(contentsOf trips: some Sequence<Trip>) {
        trips.forEach { insert($0) }
    }

    /// Replaces the trip with the same id, unless that is newer.
    @discardableResult
    public func insert(_ trip: Trip) -> Bool {
        if let slot = slots[trip.id] {
            let old = trips[Int(slot)]
            guard trip.version >= old.version else { return false }
            take(out: old, of: slot)
        }
        let fingerprint = trip.fingerprint
        let table = tableNumber(of: trip)
        let slot = place(trip, Place(table: Int32(table), fingerprint: fingerprint))
        slots[trip.id] = slot
        tables[table].add(trip, slot: slot)
        digest &+= fingerprint
        vertices += trip.way.vertices.count
        return true
    }

    /// False if there is none.
    @discardableResult
    public func remove(_ id: UUID) -> Bool {
        guard let slot = slots.removeValue(forKey: id) else { return false }
        take(out: trips[Int(slot)], of: slot)
        return true
    }

    /// Approximate memory use, without the allocator's overhead.
    public var estimatedBytes: Int {
        let entries = tables.reduce(0) { $0 + $1.count }
        let keys = tables.reduce(0) { $0 + $1.entries.capacity + $1.tenths.capacity }
        return vertices * MemoryLayout<Way.Vertex>.stride
            + trips.count * (MemoryLayout<Trip>.stride + 128)
            + entries * MemoryLayout<PassageTable.Entry>.stride * 9 / 8 + keys * 48
    }

    // MARK: Slots

    private func take(out trip: Trip, of slot: UInt32) {
        let place = places[Int(slot)]
        tables[Int(place.table)].remove(trip, slot: slot)
        digest &-= place.fingerprint
        vertices -= trip.way.vertices.count
        trips[Int(slot)] = trip.emptied
        free.append(slot)
    }

    private func place(_ trip: Trip, _ place: Place) -> UInt32 {
        let second = trip.schedule.secondOfDay
        let time = Times(
            secondOfDay: Int32(second),
            lastMidnight: Int32((second + trip.way.durationSeconds + 1) / 86_400))
        guard let slot = free.popLast() else {
            trips.append(trip)
            asked.append(0)
            times.append(time)
            places.append(place)
            return UInt32(trips.count - 1)
        }
        trips[Int(slot)] = trip
        // The slot's previous trip may have been asked, this one has not.
        asked[Int(slot)] = 0
        times[Int(slot)] = time
        places[Int(slot)] = place
        return slot
    }

    private func tableNumber(of trip: Trip) -> Int {
        let zone = trip.schedule.zone
        let number = zoneNumbers[zone] ?? zones.count
        if number == zones.count {
            zoneNumbers[zone] = number
            zones.append(zone)
        }
        let kind = PassageTable.kind(of: trip, zone: number)
        if let known = tableNumbers[kind] { return known }
        tableNumbers[kind] = tables.count
        tables.append(PassageTable(kind))
        return tables.count - 1
    }
}
