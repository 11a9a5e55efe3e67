import Contracts
import Foundation
import ServiceKit
import Store

extension OrderQueries {
    /// Counts the orders that were placed in the span:
    ///
    /// - waiting: from placing until a valet first had the job, even if they gave it back later.
    ///   Orders ahead are left out, because nobody waits for a valet who was ordered for tomorrow.
    /// - `matched`: had a valet for the drop-off at some time. `unfulfilled`: ended so, without ever
    ///   having had one.
    /// - offers: of both legs; at most the last hundred per order.
    /// - hour: a full hour in UTC, by the time of placing. `finished` counts those of the hour's
    ///   orders that are finished by now.
    /// - median: for an even number, the mean of the two middle values.
    func statistics(in span: TimeSpan) async throws -> OrderStatistics {
        try await database.read { transaction in
            let states = try transaction.statistics.states(in: span)
            let counts = Dictionary(states.map { ($0.status, $0.placed) }) { $0 + $1 }
            let unfulfilled = states.first { $0.status == .unfulfilled }
            return OrderStatistics(
                from: span.from, to: span.to, placed: states.reduce(0) { $0 + $1.placed },
                byStatus: Dictionary(
                    uniqueKeysWithValues: OrderStatus.allCases.map {
                        ($0.rawValue, counts[$0] ?? 0)
                    }),
                waiting: try transaction.statistics.waiting(in: span),
                acceptance: OrderStatistics.Acceptance(
                    matched: states.reduce(0) { $0 + $1.matched },
                    unfulfilled: unfulfilled.map { $0.placed - $0.matched } ?? 0,
                    offersMade: states.reduce(0) { $0 + $1.offersMade },
                    offersAccepted: states.reduce(0) { $0 + $1.offersAccepted }),
                hours: try transaction.statistics.hours(in: span))
        }
    }
}

/// The number of orders in one state.
private struct StateCount {
    let status: OrderStatus
    let placed: Int
    let matched: Int
    let offersMade: Int
    let offersAccepted: Int
}

extension Transaction {
    var statistics: StatisticsStore { StatisticsStore(transaction: self) }
}

/// Counts and waits of orders, from the index `orders_statistics` alone; no order is read.
struct StatisticsStore {
    let transaction: Transaction

    private static let microsecondsPerHour = 3_600_000_000
    private static let microsecondsPerSecond = 1_000_000.0

    /// Waits of the span's orders, with their hours.
    private static let waits = """
        waits AS (
            SELECT created_at / \(microsecondsPerHour) AS hour, matched_at - created_at AS wait
            FROM orders
            WHERE created_at >= ? AND created_at < ? AND matched_at IS NOT NULL AND is_ahead = 0)
        """

    fileprivate func states(in span: TimeSpan) throws -> [StateCount] {
        try transaction.rows(
            """
            SELECT status, COUNT(*) AS placed, COUNT(matched_at) AS matched,
                CAST(SUM(offers_made) AS BIGINT) AS made,
                CAST(SUM(offers_accepted) AS BIGINT) AS accepted
            FROM orders WHERE created_at >= ? AND created_at < ? GROUP BY status
            """, span.from, span.to
        ).map { row in
            StateCount(
                status: try row.get("status"), placed: try row.get("placed"),
                matched: try row.get("matched"), offersMade: try row.get("made"),
                offersAccepted: try row.get("accepted"))
        }
    }

    /// The two middle ranks of the median are equal for an odd number; the 90th percentile is the smallest wait
    /// that at least nine tenths do not exceed.
    fileprivate func waiting(in span: TimeSpan) throws -> OrderStatistics.Waiting {
        let row = try transaction.row(
            """
            WITH \(Self.waits), ranked AS (
                SELECT wait, ROW_NUMBER() OVER (ORDER BY wait) AS place, COUNT(*) OVER () AS size
                FROM waits)
            SELECT COUNT(*) AS orders,
                CAST(AVG(CASE WHEN place IN ((size + 1) / 2, (size + 2) / 2) THEN wait END)
                    AS DOUBLE PRECISION) AS median,
                MIN(CASE WHEN place = (size * 9 + 9) / 10 THEN wait END) AS p90
            FROM ranked
            """, span.from, span.to)
        return OrderStatistics.Waiting(
            orders: try row?.get("orders") ?? 0, medianSeconds: try Self.seconds(row, "median"),
            p90Seconds: try Self.seconds(row, "p90"))
    }

    fileprivate func hours(in span: TimeSpan) throws -> [OrderStatistics.Hour] {
        let counts = try transaction.rows(
            """
            SELECT created_at / \(Self.microsecondsPerHour) AS hour, COUNT(*) AS placed,
                CAST(SUM(CASE WHEN status = 'finished' THEN 1 ELSE 0 END) AS BIGINT) AS finished
            FROM orders WHERE created_at >= ? AND created_at < ? GROUP BY hour
            """, span.from, span.to)
        let medians = try transaction.rows(
            """
            WITH \(Self.waits), ranked AS (
                SELECT hour, wait, ROW_NUMBER() OVER (PARTITION BY hour ORDER BY wait) AS place,
                    COUNT(*) OVER (PARTITION BY hour) AS size
                FROM waits)
            SELECT hour, CAST(AVG(wait) AS DOUBLE PRECISION) AS median FROM ranked
            WHERE place IN ((size + 1) / 2, (size + 2) / 2) GROUP BY hour
            """, span.from, span.to)
        var hours = Dictionary(
            uniqueKeysWithValues: span.hours.map { hour in
                let start = TimeSpan.start(ofHour: hour)
                return (
                    hour,
                    OrderStatistics.Hour(
                        startsAt: start, placed: 0, finished: 0, medianWaitSeconds: nil)
                )
            })
        for row in counts {
            let hour = try row.get("hour", as: Int.self)
            hours[hour]?.placed = try row.get("placed")
            hours[hour]?.finished = try row.get("finished")
        }
        for row in medians {
            hours[try row.get("hour", as: Int.self)]?.medianWaitSeconds = try Self.seconds(
                row, "median")
        }
        return hours.values.sorted { $0.startsAt < $1.startsAt }
    }

    private static func seconds(_ row: Row?, _ column: String) throws -> Double? {
        try row?.getIfPresent(column, as: Double.self).map { $0 / microsecondsPerSecond }
    }
}
