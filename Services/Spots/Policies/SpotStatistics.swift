import Contracts
import Foundation
import ServiceKit
import Store

// Statistics of durations: one line per day and area.

extension SpotUseCases {
    /// The most spots in one answer; the newest count.
    private static let most = 50_000
    static let usualSpan: TimeInterval = 7 * 86_400

    func statistics(in span: TimeSpan) async throws -> [SpotStatistics] {
        let found: [SpotRecord] = try await database.read { transaction in
            try transaction.rows(
                """
                SELECT body FROM spots WHERE created_at >= ? AND created_at < ?
                ORDER BY created_at DESC LIMIT ?
                """, span.from, span.to, Self.most
            ).map { try $0.json() }
        }
        let groups = Dictionary(grouping: found) { Day(day: $0.createdAt.utcDay, area: $0.area) }
        return groups.map { SpotStatistics($0.key, $0.value) }.sorted {
            ($1.day, $0.area.description) < ($0.day, $1.area.description)
        }
    }
}

private struct Day: Hashable {
    let day: String
    let area: ServiceAreaID
}

extension Date {
    fileprivate var utcDay: String { String(Wire.text(self).prefix(10)) }
}

extension SpotStatistics {
    fileprivate init(_ key: Day, _ spots: [SpotRecord]) {
        func times(_ seconds: (SpotRecord) -> Double?) -> SpotTimes {
            SpotTimes(spots.compactMap(seconds).sorted())
        }
        self.init(
            day: key.day, area: key.area, offered: spots.count,
            handedOver: spots.count { $0.status == .handedOver },
            failed: spots.count { $0.status == .failed },
            offerToFirstRequest: times { $0.requestedAt?.timeIntervalSince($0.createdAt) },
            requestToAnswer: times(\.answerSeconds),
            approvalToArrival: times { spot in
                spot.reservation.flatMap { $0.arrivedAt?.timeIntervalSince($0.approvedAt) }
            })
    }
}

extension SpotTimes {
    /// Percentiles of sorted values, by nearest rank.
    fileprivate init(_ sorted: [Double]) {
        func rank(_ share: Double) -> Double? {
            sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
        }
        self.init(
            count: sorted.count,
            mean: sorted.isEmpty ? nil : sorted.reduce(0, +) / Double(sorted.count),
            median: rank(0.5), p90: rank(0.9))
    }
}
