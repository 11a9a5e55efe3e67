import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Scheduled work of bookings: expiring holds and unpaid changes, beginning and ending bookings, and reminders.
enum BookingWork {
    static let expiry = "expiry"
    static let change = "change"
    static let begin = "begin"
    static let end = "end"

    /// Reminders, and when they are sent.
    enum Reminder: String, CaseIterable {
        case day = "reminder-day"
        case hour = "reminder-hour"
        case ending = "reminder-ending"

        func time(of stay: BookingRecord.Stay) -> Date {
            switch self {
            case .day: stay.start.addingTimeInterval(-86_400)
            case .hour: stay.start.addingTimeInterval(-3_600)
            case .ending: stay.end.addingTimeInterval(-900)
            }
        }

        /// A vehicle that never came, or has left, needs no reminder of the end.
        var statuses: Set<BookingStatus> { self == .ending ? [.active] : [.confirmed] }
    }

    static func queue(
        _ bookings: BookingUseCases, _ environment: ServiceEnvironment,
        with others: [String: WorkQueue.Handler] = [:]
    ) -> WorkQueue {
        var handlers: [String: WorkQueue.Handler] = [
            expiry: WorkQueue.once(BookingID.init, bookings.expire),
            change: WorkQueue.once(BillID.init, bookings.giveUp),
            begin: WorkQueue.once(BookingID.init, bookings.begin),
            end: WorkQueue.once(BookingID.init, bookings.end),
        ]
        for reminder in Reminder.allCases {
            handlers[reminder.rawValue] = WorkQueue.once(BookingID.init) {
                try await bookings.remind(reminder, of: $0)
            }
        }
        return WorkQueue(
            bookings.database, now: { bookings.clock.now }, logger: environment.logger,
            handlers: handlers.merging(others) { own, _ in own })
    }
}

extension BookingUseCases {
    fileprivate func remind(_ reminder: BookingWork.Reminder, of id: BookingID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard let booking = try transaction.bookings.find(id),
                reminder.statuses.contains(booking.status), reminder.time(of: booking.stay) <= now
            else { return }
            try CarParkNotices.announce(reminder, of: booking, at: now, in: transaction)
        }
    }
}

extension BookingStore {
    /// Schedules the reminders that are still ahead.
    func scheduleReminders(of booking: BookingRecord, at now: Date) throws {
        for reminder in BookingWork.Reminder.allCases {
            let time = reminder.time(of: booking.stay)
            if time > now {
                try transaction.schedule(reminder.rawValue, booking.id, at: time)
            } else {
                try transaction.unschedule(reminder.rawValue, booking.id)
            }
        }
        try transaction.schedule(BookingWork.begin, booking.id, at: booking.stay.start)
        try transaction.schedule(BookingWork.end, booking.id, at: booking.stay.end)
    }

    func unscheduleAll(of id: BookingID) throws {
        for kind in [BookingWork.expiry, BookingWork.begin, BookingWork.end]
            + BookingWork.Reminder.allCases.map(\.rawValue)
        {
            try transaction.unschedule(kind, id)
        }
    }
}
