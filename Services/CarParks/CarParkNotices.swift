import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// Notices to people about their bookings.
enum CarParkNotices {
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    /// Without a text, the notice only makes apps refresh.
    private static func notice(
        of booking: BookingRecord, _ cause: any Event.Type, _ key: String?,
        amount: Catalogue.Value? = nil, push: Notice.Push? = nil
    ) -> Notice {
        let zone = TimeZone(identifier: booking.stay.carPark.timeZone) ?? .gmt
        let days = LocalDays(zone)
        let (start, end) = (booking.stay.start, booking.stay.end)
        let withYear = days.day(of: start).year != days.day(of: end).year
        var values: [String: Catalogue.Value] = [
            "reference": .text(booking.reference), "name": .text(booking.stay.carPark.name),
            "start": .time(start, in: zone, withYear: withYear),
            "end": .time(end, in: zone, withYear: withYear),
        ]
        values["amount"] = amount
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
                    of: booking, BookingChanged.self, key,
                    amount: .money(Money(amount: refund, currency: booking.stay.currency)),
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
        of booking: BookingRecord, _ amount: Money, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(
            NoticeIssued(
                notice(
                    of: booking, BookingChanged.self, "payment-returned", amount: .money(amount),
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
    static func announce(
        _ bill: Bill, of stay: ParkingSessionID, at carPark: String, _ now: Date,
        in transaction: Transaction
    ) throws {
        let message = words.message(
            to: .person(bill.payer), "stay-billed", ["name": .text(carPark), "amount": .charge],
            push: .receipt)
        // Announced once, so it has one version.
        let state = SubjectState(
            product: .parking, kind: "stay", version: 1, link: "/stays", data: .object([:]),
            about: [])
        try transaction.publish(
            Notice(
                subject: stay.description, state: state, cause: BillChanged.self, [message]),
            of: bill, at: now)
    }

    static func announceOverstay(
        _ bill: Bill, of booking: BookingRecord, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(
            notice(
                of: booking, BookingChanged.self, "overstay", amount: .charge, push: .receipt),
            of: bill, at: now)
    }
}
