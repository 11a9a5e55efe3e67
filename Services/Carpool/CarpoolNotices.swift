import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import TripSearch

/// Notices to people about rides.
enum CarpoolNotices {
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    /// Local time of the trip.
    private static func time(_ date: Date, of trip: TripRecord) -> Catalogue.Value {
        .time(date, in: TimeZone(identifier: trip.plan.timeZone) ?? .gmt)
    }

    private static func values(
        _ seat: SeatRecord, of trip: TripRecord
    ) -> [String: Catalogue.Value] {
        [
            "reference": .text(trip.reference),
            "time": time(seat.pickUpAt, of: trip),
        ]
    }

    private static func notice(_ seat: SeatRecord, _ messages: [Notice.Message]) -> Notice {
        let link = seat.ride.map { "/lift/rides/\($0)" } ?? "/lift/requests"
        let state = SubjectState(
            product: .carpool, kind: "seat", version: seat.version.number, link: link,
            data: .object([
                "id": .text(seat.id.description), "status": .text(seat.status.rawValue),
                "trip": .text(seat.trip.description),
            ]), about: [seat.driver, seat.passenger])
        return Notice(
            subject: seat.id.description, state: state, cause: SeatRequestChanged.self, messages)
    }
}

/// The reason for a notice about a seat: a key of the catalogue, and its recipient.
enum SeatMessage: Sendable {
    case requested, rodeAlongAutomatically
    case accepted, declined, expired
    case passengerCancelled, driverCancelled, rideCancelled, tripRemoved
    case changed, asksAgain, passengerAgrees
    case leftOut
    case started, confirm, notInTheCar, disputed, decided
    case owed

    /// Both sides are notified of a decision.
    fileprivate func goes(to side: RideSide) -> Bool { self == .decided || text.to == side }

    fileprivate var text: (to: RideSide, key: String, push: Notice.Push) {
        switch self {
        case .requested: (.driver, "requested", .now)
        case .rodeAlongAutomatically: (.driver, "taken", .soon)
        case .accepted: (.passenger, "accepted", .now)
        case .declined: (.passenger, "declined", .soon)
        case .expired: (.passenger, "expired", .soon)
        case .passengerCancelled: (.driver, "passenger-cancelled", .now)
        case .driverCancelled: (.passenger, "driver-cancelled", .now)
        case .rideCancelled: (.passenger, "ride-cancelled", .now)
        case .tripRemoved: (.passenger, "trip-removed", .now)
        case .changed: (.passenger, "changed", .soon)
        case .asksAgain: (.passenger, "asks-again", .now)
        case .passengerAgrees: (.driver, "agrees", .soon)
        case .leftOut: (.passenger, "left-out", .soon)
        case .started: (.passenger, "started", .now)
        case .confirm: (.driver, "confirm", .soon)
        case .notInTheCar: (.passenger, "not-in-the-car", .soon)
        case .disputed: (.driver, "disputed", .soon)
        case .decided: (.passenger, "decided", .soon)
        case .owed: (.passenger, "owed", .soon)
        }
    }
}

extension CarpoolNotices {
    /// Publishes a change of a seat request, in the transaction that makes it. Driver and passenger both get
    /// the new state; only the side that `message` is for gets a text as well.
    static func announce(
        _ seat: SeatRecord, of trip: TripRecord, _ message: SeatMessage?, at now: Date,
        in transaction: Transaction
    ) throws {
        try transaction.publish(
            SeatRequestChanged(
                request: seat.id, trip: seat.trip, ride: seat.ride, status: seat.status,
                driver: seat.driver, passenger: seat.passenger, seats: seat.seats,
                version: seat.version.number), at: now)
        let values = values(seat, of: trip)
        let messages = [(RideSide.driver, seat.driver), (.passenger, seat.passenger)].map {
            side, person in
            guard let message, message.goes(to: side) else {
                return Notice.Message(to: .person(person))
            }
            let text = message.text
            return words.message(to: .person(person), "seat-\(text.key)", values, push: text.push)
        }
        try transaction.publish(NoticeIssued(notice(seat, messages)), at: now)
    }

    /// Announces a trip's step. Its driver sees it on their other devices.
    static func announce(
        _ trip: TripRecord, _ step: TripStep, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(
            TripChanged(
                trip: trip.id, step: step, status: trip.status, driver: trip.driver,
                seats: trip.plan.seats, isWeekly: trip.plan.repeats != nil,
                version: trip.version.number),
            at: now)
        try tell(
            [Notice.Message(to: .person(trip.driver))], of: trip, about: [trip.driver], at: now,
            in: transaction)
    }

    /// Notifies people whose saved searches the trip fits.
    static func tell(
        _ people: [(PersonID, Fit)], of trip: TripRecord, at now: Date, in transaction: Transaction
    ) throws {
        let messages = people.map { person, fit in
            words.message(
                to: .person(person), "saved-search", ["time": time(fit.pickUp.at, of: trip)],
                push: .soon)
        }
        for part in messages.chunks(of: Notice.mostMessages) {
            try tell(part, of: trip, about: people.map(\.0), at: now, in: transaction)
        }
    }

    private static func tell(
        _ messages: [Notice.Message], of trip: TripRecord, about people: [PersonID], at now: Date,
        in transaction: Transaction
    ) throws {
        let state = SubjectState(
            product: .carpool, kind: "trip", version: trip.version.number,
            link: "/lift/trips/\(trip.id)",
            data: .object([
                "id": .text(trip.id.description), "status": .text(trip.status.rawValue),
            ]), about: people)
        try transaction.publish(
            NoticeIssued(
                Notice(
                    subject: trip.id.description, state: state, cause: TripChanged.self, messages)),
            at: now)
    }
}
