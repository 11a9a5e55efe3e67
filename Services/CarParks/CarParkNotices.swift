import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Notices to people about their bookings.
enum CarParkNotices {
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    /// Without a text, the notice only makes apps refresh.
    private static func notice(
        of booking: BookingRecord, _ cause: any Event.Type, _ key: String?, refund: Int = 0,
        push: Notice.Push? = nil
    ) -> Notice {
        let zone = TimeZone(identifier: booking.stay.carPark.timeZone) ?? .gmt
        let days = LocalDays(zone)
        let (start, end) = (booking.stay.start, booking.stay.end)
        let withYear = days.day(of: start).year != days.day(of: end).year
        let values: [String: Catalogue.Value] = [
            "reference": .text(booking.reference), "name": .text(booking.stay.carPark.name),
            "start": .time(start, in: zone, withYear: withYear),
            "end": .time(end, in: zone, withYear: withYear),
            "amount": .money(Money(amount: refund, currency: booking.stay.currency)),
        ]
        let message = key.map {
            words.message(to: .person(booking.person), $0, values, push: push)
        }
        let state = SubjectState(
            product: .parking, kind: "booking", version: booking.version.number,
            link: "/bookings/\(booking.id)",
            data: .object([
                "id": .text(booking.id.description), "reference": .text(booking.reference),
                "status": .text(booking.status.rawValue),
            ]), about: [booking.person])
        return Notice(
            subject: booking.id.description, state: state, cause: cause,
            [message ?? Notice.Message(to: .person(booking.person))])
    }

    /// Announces a booking's step in the transaction that makes it.
    static func announce(
        _ booking: BookingRecord, _ step: BookingStep, refund: Int = 0, at now: Date,
        in transaction: Transaction
    ) throws {
        try transaction.publish(
            BookingChanged(
                booking: booking.id, step: step, status: booking.status, person: booking.person,
                carPark: booking.stay.carPark.id, kind: booking.stay.kind,
                spaces: booking.stay.spaces, start: booking.stay.start, end: booking.stay.end,
                version: booking.version.number), at: now)
        let key: String? =
            switch step {
            case .paid: "booking-confirmed"
            case .expired: "booking-expired"
            case .changed: refund > 0 ? "booking-changed-refund" : "booking-changed"
            case .cancelled: refund > 0 ? "booking-cancelled-refund" : "booking-cancelled"
            case .missed: "booking-missed"
            case .held, .entered, .left: nil
            }
        try transaction.publish(
            NoticeIssued(
                notice(
                    of: booking, BookingChanged.self, key, refund: refund,
                    push: key == nil ? nil : .receipt)), at: now)
    }

    static func announce(
        _ reminder: BookingWork.Reminder, of booking: BookingRecord, at now: Date,
        in transaction: Transaction
    ) throws {
        try transaction.publish(
            NoticeIssued(
                notice(
                    of: booking, BookingChanged.self, reminder.rawValue,
                    push: reminder == .ending ? .now : .soon)), at: now)
    }

    /// Announces the refund of a payment that came too late.
    static func announceReturn(
        of booking: BookingRecord, _ amount: Int, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(
            NoticeIssued(
                notice(
                    of: booking, BookingChanged.self, "payment-returned", refund: amount,
                    push: .receipt)), at: now)
    }

    /// Alerts operators of a person whose holds end unpaid; the lines show the last booking.
    static func alertOperators(
        ofUnpaid count: Int, last booking: BookingRecord, at now: Date, in transaction: Transaction
    ) throws {
        let message = words.message(
            to: .operators, "holds-unpaid",
            [
                "count": .text(String(count)), "name": .text(booking.stay.carPark.name),
                "reference": .text(booking.reference),
            ], push: .soon)
        try transaction.publish(
            NoticeIssued(
                Notice(
                    subject: booking.id.description, cause: BookingChanged.self, [message])),
            at: now)
    }

    /// Tells a known driver who was let out, or whose stay an operator ended, what they still have to pay. It leads to
    /// their stays.
    static func announceBill(
        of stay: ParkingSession, to person: PersonID, _ amount: Money, at carPark: String,
        _ now: Date, in transaction: Transaction
    ) throws {
        let message = words.message(
            to: .person(person), "stay-billed",
            ["name": .text(carPark), "amount": .money(amount)], push: .receipt)
        // Announced once, so it has one version.
        let state = SubjectState(
            product: .parking, kind: "stay", version: 1, link: "/stays", data: .object([:]),
            about: [])
        try transaction.publish(
            NoticeIssued(
                Notice(
                    subject: stay.id.description, state: state, cause: BillChanged.self, [message])
            ), at: now)
    }

    static func announceOverstay(
        of booking: BookingRecord, _ amount: Int, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(
            NoticeIssued(
                notice(
                    of: booking, BookingChanged.self, "overstay", refund: amount, push: .receipt)),
            at: now)
    }
}
