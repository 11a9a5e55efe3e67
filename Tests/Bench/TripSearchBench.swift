import Foundation
import TripMaker
import TripSearch

/// The search of trips, in memory and on one core, among made-up ones of a small country.
struct TripSearchBench {
    struct Figures {
        let count: Int
        /// Seconds of reading them from their bytes and putting them into the index.
        let load: Double
        /// What the process has grown by for a trip, and what the index itself says.
        let memory, estimate: Double
        /// Seconds of each.
        let search, connections, insert, remove: Sample
        /// A second.
        let rate: Double
        /// Seconds of one search that asks every trip, and how much of what it finds the index finds.
        let brute, recall: Double
        /// Results of a search, in the mean.
        let found: Double
    }

    static let seed: UInt64 = 1
    static let changes = 2_000
    /// Trips that brute force asks in all.
    static let asked = 4_000_000
    private static let warmUp = 100
    /// Searches for two lifts in a row.
    private static let connected = 200

    let count: Int
    let searches: Int

    func run() -> Figures {
        var maker = TripMaker(seed: Self.seed, firstDay: Day("2026-11-30") ?? .earliest)
        // As a store has them.
        let rows = (0..<count).map { _ in maker.trip().encoded }
        let queries = maker.queries(searches)
        let before = Self.residentBytes
        let index = TripIndex()
        let load = Self.seconds {
            for row in rows { Trip(encoded: row).map { _ = index.insert($0) } }
        }
        let memory = Double(Self.residentBytes - before) / Double(count)
        let estimate = Double(index.estimatedBytes) / Double(count)
        for query in queries.prefix(Self.warmUp) { _ = index.search(query) }
        var found = 0
        let search = Sample(
            queries.map { query in
                Self.seconds { found += index.search(query).count }
            })
        let connections = Sample(
            queries.prefix(Self.connected).map { query in
                Self.seconds { _ = index.connections(query) }
            })
        let (insert, remove) = changes(of: index, &maker)
        let (brute, recall) = bruteForce(index, queries)
        return Figures(
            count: count, load: load, memory: memory, estimate: estimate, search: search,
            connections: connections, insert: insert, remove: remove,
            rate: Double(search.count) / search.sorted.reduce(0, +), brute: brute, recall: recall,
            found: Double(found) / Double(searches))
    }

    private func changes(of index: TripIndex, _ maker: inout TripMaker) -> (Sample, Sample) {
        let trips = maker.trips(Self.changes)
        let insert = trips.map { trip in Self.seconds { index.insert(trip) } }
        let remove = trips.map { trip in Self.seconds { index.remove(trip.id) } }
        return (Sample(insert), Sample(remove))
    }

    private func bruteForce(_ index: TripIndex, _ queries: [TripQuery]) -> (Double, Double) {
        let trips = index.ids.compactMap { index.trip($0) }
        let some = queries.prefix(min(max(4, Self.asked / count), 200))
        var (seconds, found, expected) = (0.0, 0, 0)
        for query in some {
            var fits: [Fit] = []
            seconds += Self.seconds {
                for trip in trips {
                    let first = trip.schedule.day(at: query.departAfter) - 1
                    let last = trip.schedule.day(at: query.departBefore)
                    for day in first...last {
                        if let fit = trip.fit(query, on: day) { fits.append(fit) }
                    }
                }
                fits = Array(fits.sorted(by: Fit.isBetter).prefix(query.limit))
            }
            expected += fits.count
            found += Set(index.search(query)).intersection(fits).count
        }
        return (seconds / Double(some.count), Double(found) / Double(max(expected, 1)))
    }

    private static func seconds(_ body: () -> Void) -> Double {
        let begun = ContinuousClock.now
        body()
        return (ContinuousClock.now - begun).inSeconds
    }

    /// Of this process, by the kernel's pages of 4 KiB.
    private static var residentBytes: Int {
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * 4_096
    }
}

extension TripSearchBench.Figures {
    /// What was measured of GetALift's own search among as many, on its database as it comes and with the
    /// index that it lacks.
    static let original = "GetALift's own search: 638 ms, 122 ms with an index"

    var rows: String {
        func milliseconds(_ value: Double) -> String { String(format: "%.2f", value * 1_000) }
        let trips = "\(count.formatted(.number.locale(Locale(identifier: "en_US")))) trips"
        let beside = count == 100_000 ? "; \(Self.original)" : ""
        return """
            | trips that pass both ends within 1 km and 3 hours, among \(trips), p50 | \
            \(milliseconds(search.p50)) ms | asking each of them in the same run: \
            \(milliseconds(brute)) ms, \(Int(brute / search.p50)) times as long\(beside) |
            | the same, p99 | \(milliseconds(search.p99)) ms | \
            \(Int(rate)) searches/s on one core, \(String(format: "%.1f", found)) results each; \
            \(String(format: "%.2f", recall * 100)) % of what asking each of them finds |
            | two lifts in a row among \(trips), p50 | \(milliseconds(connections.p50)) ms | \
            p99: \(milliseconds(connections.p99)) ms |
            | one of \(trips) more or less, p99 | \(milliseconds(insert.p99)) ms, \
            \(milliseconds(remove.p99)) ms | – |
            | reading \(trips) from their bytes, with the index | \
            \(String(format: "%.1f", load)) s | – |
            | memory of one of \(trips), its way and the index | \(Int(memory)) bytes | \
            by its own estimate: \(Int(estimate)) bytes |
            """
    }
}
