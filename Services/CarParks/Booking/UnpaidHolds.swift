import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Limits of holds that nobody pays for, so that no account empties a car park without paying.
enum UnpaidHolds {
    /// The most unpaid bookings of one person at once.
    static let most = 3
    /// How long a hold that ended unpaid counts, in seconds.
    static let remembered: TimeInterval = 86_400
    /// The least that a hold counts, in seconds, so that booking and cancelling in a loop ends in a wait.
    static let least: TimeInterval = 10
    /// The number of holds that may end unpaid without a wait.
    static let forgiven = 1
    /// The wait after one more, in seconds. It doubles with each further one, up to the longest.
    static let firstWait: TimeInterval = 300
    static let longestWait: TimeInterval = 86_400
    /// The number of unpaid holds of one person that alerts operators.
    static let alarming = 3

    /// Seconds from the end of the last of so many unpaid holds until the person may book again.
    static func wait(after count: Int) -> TimeInterval {
        guard count > forgiven else { return 0 }
        return min(longestWait, firstWait * exp2(Double(count - forgiven - 1)))
    }
}

extension BookingRecord {
    /// How long it took spaces without being paid, in seconds.
    fileprivate var unpaidTime: TimeInterval {
        abandonedAt.map { max(UnpaidHolds.least, $0.timeIntervalSince(createdAt)) } ?? 0
    }
}

extension [BookingRecord] {
    /// How long these took spaces without being paid, as a number of full holds of `hold` seconds. A hold that is given
    /// up at once, for example to choose another time, hardly counts.
    fileprivate func unpaidHolds(of hold: TimeInterval) -> Int {
        Int((reduce(0) { $0 + $1.unpaidTime } / hold).rounded())
    }

    /// When the person may book again. A hold that hardly counts begins no wait.
    fileprivate func waitEnd(of hold: TimeInterval) -> Date? {
        let ended = compactMap { booking in booking.abandonedAt.map { (at: $0, booking) } }
            .sorted { $0.at < $1.at }
        var (time, count, end) = (0.0, 0, Date?.none)
        for (at, booking) in ended {
            time += booking.unpaidTime
            let next = Int((time / hold).rounded())
            if next > count { (count, end) = (next, at + UnpaidHolds.wait(after: next)) }
        }
        return end
    }
}

extension BookingStore {
    /// Throws while the person has too many unpaid bookings, or has to wait because earlier ones ended unpaid.
    func requireFewHolds(of person: PersonID, at now: Date, _ limits: BookingLimits) throws {
        let open: Int? = try transaction.row(
            """
            SELECT COUNT(*) AS count FROM bookings
            WHERE person = ? AND is_current = 1 AND status = ?
            """, person, BookingStatus.held)?.get("count")
        guard open ?? 0 < UnpaidHolds.most else {
            throw Refusal.tooManyBookings.because(
                "Pay for or cancel one of your \(UnpaidHolds.most) unpaid bookings first.")
        }
        let abandoned = try abandoned(by: person, at: now, limits)
        if let end = abandoned.waitEnd(of: limits.hold), end > now {
            throw Refusal.bookingTooSoon.retrying(
                after: Int(end.timeIntervalSince(now).rounded(.up)))
        }
    }

    /// Alerts operators when the person's unpaid holds reach `UnpaidHolds.alarming` with this one.
    func alertOperators(
        about booking: BookingRecord, at now: Date, _ limits: BookingLimits
    ) throws {
        guard booking.abandonedAt != nil else { return }
        let all = try abandoned(by: booking.person, at: now, limits)
        let before = all.filter { $0.id != booking.id }
        let count = all.unpaidHolds(of: limits.hold)
        guard before.unpaidHolds(of: limits.hold) < UnpaidHolds.alarming,
            count >= UnpaidHolds.alarming
        else { return }
        try CarParkNotices.alertOperators(
            ofUnpaid: count, last: booking, at: now, in: transaction)
    }

    /// The person's bookings whose hold ended unpaid and still counts. Identifiers sort by their time of creation.
    private func abandoned(
        by person: PersonID, at now: Date, _ limits: BookingLimits
    ) throws -> [BookingRecord] {
        let earliest = now - UnpaidHolds.remembered
        return try transaction.rows(
            "SELECT body FROM bookings WHERE person = ? AND id > ? AND is_current = 0",
            person, BookingID.new(at: earliest - limits.hold)
        ).map { try $0.json() as BookingRecord }.filter {
            $0.abandonedAt ?? .distantPast > earliest
        }
    }
}
