import Contracts
import Foundation
import ServiceKit
import Store

/// Reports on a car park's past, for operators.
struct CarParkReports: Sendable {
    /// The longest interval of a report, in seconds.
    static let longest: TimeInterval = 31 * 86_400
    private static let hour: TimeInterval = 3_600

    let database: Database

    func report(on id: CarParkID, from: Date, until: Date) async throws -> CarParkReport {
        guard from < until, until.timeIntervalSince(from) <= Self.longest else {
            throw Refusal.invalid("until", "Use a time at most 31 days after `from`.")
        }
        return try await database.read { transaction in
            let carPark = try transaction.carParks.require(id)
            let stays = try transaction.sessions.list(in: id, from: from, until: until)
            let bookings = try transaction.bookings.paid(of: id, from: from, until: until)
            let arrivals = stays.filter { $0.session.enteredAt >= from }
            let ended = stays.compactMap { stay in
                stay.session.leftAt.flatMap { $0 < until ? (stay, left: $0) : nil }
            }
            let seconds = ended.reduce(0) {
                $0 + $1.left.timeIntervalSince($1.0.session.enteredAt)
            }
            let revenue =
                bookings.reduce(0) { $0 + $1.paid }
                + ended.reduce(0) { $0 + $1.0.paid - $1.0.returned }
            let spaces = carPark.body.capacity.total
            let days = until.timeIntervalSince(from) / 86_400
            return CarParkReport(
                from: from, until: until, spaces: spaces,
                hours: Self.hours(of: stays, from: from, until: until), arrivals: arrivals.count,
                turnover: spaces > 0 ? Double(arrivals.count) / Double(spaces) / days : nil,
                averageStaySeconds: ended.isEmpty ? nil : seconds / Double(ended.count),
                bookings: bookings.count,
                revenue: Money(amount: revenue, currency: carPark.body.currency))
        }
    }

    private static func hours(
        of stays: [SessionRecord], from: Date, until: Date
    ) -> [CarParkReport.Hour] {
        let taken = stays.map {
            Inventory.Taken(
                from: $0.session.enteredAt, until: $0.session.leftAt ?? .distantFuture, spaces: 1)
        }
        return stride(
            from: from.timeIntervalSince1970, to: until.timeIntervalSince1970, by: hour
        ).map { second in
            let at = Date(timeIntervalSince1970: second)
            let end = min(at.addingTimeInterval(hour), until)
            return CarParkReport.Hour(
                at: at, vehicles: Inventory.peak(of: taken, from: at, until: end))
        }
    }
}

extension SessionStore {
    /// The stays that overlap the interval.
    fileprivate func list(
        in carPark: CarParkID, from: Date, until: Date
    ) throws -> [SessionRecord] {
        try transaction.rows(
            """
            SELECT body FROM sessions
            WHERE car_park = ? AND entered_at < ? AND (left_at IS NULL OR left_at > ?)
            """, carPark, until, from
        ).map { try $0.json() }
    }
}

extension BookingStore {
    fileprivate func paid(
        of carPark: CarParkID, from: Date, until: Date
    ) throws -> [BookingRecord] {
        try transaction.rows(
            "SELECT body FROM bookings WHERE car_park = ? AND starts_at >= ? AND starts_at < ?",
            carPark, from, until
        ).map { try $0.json(as: BookingRecord.self) }.filter { $0.paid > 0 }
    }
}
