import Contracts
import Foundation
import ProductKit
import ServiceKit
import Store

/// A vehicle that stands at a gate, or has passed it.
struct Passing: Sendable {
    /// By its plate, which was read, or by a booking's ticket.
    enum Vehicle: Sendable {
        case read(String)
        case ticket(BookingRecord)

        /// Nil when nothing says which one it is.
        init?(of body: PassageBody, _ ticket: BookingRecord?) {
            if let plate = body.plate?.plateCharacters, !plate.isEmpty {
                self = .read(plate)
            } else if let ticket, !ticket.stay.vehicles.isEmpty {
                self = .ticket(ticket)
            } else {
                return nil
            }
        }

        /// Which it may be.
        var plates: [String] {
            switch self {
            case .read(let plate): [plate]
            case .ticket(let booking): booking.stay.vehicles.map(\.plate.plateCharacters)
            }
        }

        var ticket: BookingRecord? {
            if case .ticket(let booking) = self { booking } else { nil }
        }
    }

    let direction: PassageDirection
    let plate: String
    /// By which it wants to pass; nil where its plate was read.
    let ticket: BookingRecord?
    let carPark: CarParkRecord
    let gate: GateID
    let at: Date
    /// It has happened: what is told now is only recorded.
    let isLate: Bool
    /// The stay in which the vehicle is, or for a late passage was at that time.
    let stay: SessionRecord?

    var facts: PassageFacts {
        PassageFacts(
            direction: direction, isLate: isLate, isTicketGood: isTicketGood, stay: stayFact)
    }

    /// A ticket is good at the entrance until its booking's end, and at the exit also afterwards.
    private var isTicketGood: Bool {
        guard let ticket else { return true }
        return ticket.isPaid && (direction == .out || at < ticket.stay.end)
    }

    /// An entry read again, or by another gate whose clock may differ, is the same within `GateUseCases.ahead`.
    private var stayFact: PassageFacts.Stay {
        guard let known = stay?.session else { return .none }
        if known.exitGate != nil { return .left }
        return at.timeIntervalSince(known.enteredAt) <= GateUseCases.ahead
            ? .justBegun : .underWay
    }

    /// What is booked for the vehicle, by the booking that is current, or else the next.
    func booked(_ current: BookingRecord?, of bookings: [BookingRecord]) -> EntryFacts.Booked {
        if let current { return .now(current.id) }
        guard let next = bookings.first(where: { $0.opensAt > at }) else { return .nothing }
        return next.stay.start <= at + GateUseCases.soon ? .soon(next.id) : .later(next.id)
    }
}

extension GateStore {
    /// Which of a ticket's vehicles it is: in, one that is not inside; out, one that is, by that booking if need be.
    func passing(
        _ vehicle: Passing.Vehicle, _ body: PassageBody, at gate: GateID, of carPark: CarParkRecord,
        _ now: Date
    ) throws -> Passing {
        let isLate = now.timeIntervalSince(body.at) > GateUseCases.waiting
        let known = try vehicle.plates.map { plate in
            let inside =
                try isLate
                ? transaction.sessions.find(ofPlate: plate, in: carPark.id, at: body.at)
                : transaction.sessions.inside(carPark.id, plate: plate)
            return (plate: plate, stay: inside)
        }
        let ticket = vehicle.ticket
        let found =
            switch body.direction {
            case .in: known.first { $0.stay == nil }
            case .out:
                known.first { $0.stay?.session.booking == ticket?.id }
                    ?? known.first { $0.stay != nil }
            }
        let one = found ?? known[0]
        return Passing(
            direction: body.direction, plate: one.plate, ticket: ticket, carPark: carPark,
            gate: gate, at: body.at, isLate: isLate, stay: one.stay)
    }
}

extension BookingStore {
    /// The bookings by which it may enter, now or later; where it comes late, also those that are over by now.
    func admitting(_ passing: Passing) throws -> [BookingRecord] {
        if let ticket = passing.ticket, !passing.isLate { return [ticket] }
        let over: [BookingStatus] = passing.isLate ? [.noShow, .completed] : []
        return try list(
            ofPlate: passing.plate, in: passing.carPark.id, endingAfter: passing.at,
            [.confirmed, .active] + over
        ).filter { $0.isPaid || $0.mayHaveEntered(at: passing.at) }
    }

    /// The one whose time it is, if a space of it is free: who comes when all are taken drives up. The earliest of
    /// several; of several people's the one that begins nearest to now.
    func current(of bookings: [BookingRecord], at time: Date) throws -> BookingRecord? {
        let found = try bookings.filter {
            try $0.opensAt <= time && transaction.sessions.countInside(of: $0.id) < $0.stay.spaces
        }
        guard Set(found.map(\.person)).count > 1 else { return found.first }
        func distance(_ booking: BookingRecord) -> TimeInterval {
            abs(booking.stay.start.timeIntervalSince(time))
        }
        return found.min { distance($0) < distance($1) }
    }
}

extension SessionStore {
    /// The vehicles of a booking that are inside go on with what is booked.
    func carryOn(_ id: BookingID, at now: Date) throws {
        guard let booking = try transaction.bookings.find(id),
            let carPark = try transaction.carParks.find(booking.stay.carPark.id)
        else { return }
        for plate in Set(booking.stay.vehicles.map(\.plate.plateCharacters)) {
            guard var record = try inside(carPark.id, plate: plate) else { continue }
            try carryOn(&record, in: carPark, until: now, now)
        }
    }

    /// A booking whose time begins while its vehicle is inside takes the stay over: who came early pays the drive-up
    /// until then, and who has booked on stays.
    func carryOn(
        _ record: inout SessionRecord, in carPark: CarParkRecord, until time: Date, _ now: Date
    ) throws {
        while let (current, next) = try following(record, until: time) {
            let moment = max(next.stay.start, current?.stay.end ?? record.session.enteredAt)
            record.carried = try lines(of: record, by: current, in: carPark, until: moment)
                .filter { $0.amount > 0 }
            if record.person != next.person { try dropBill(of: &record, at: now) }
            (record.session.booking, record.person) = (next.id, next.person)
            record.kind = next.stay.kind
            try keep(&record, at: now)
            try transaction.bookings.enter(next, at: moment, now)
            if let current { try transaction.bookings.leave(current.id, at: moment, now) }
        }
    }

    /// The booking that a stay is in, and that which takes it over by then.
    private func following(
        _ record: SessionRecord, until time: Date
    ) throws -> (current: BookingRecord?, next: BookingRecord)? {
        let current = try record.session.booking.flatMap { try transaction.bookings.find($0) }
        let since = current?.stay.end ?? record.session.enteredAt
        guard record.order == nil, since <= time else { return nil }
        let next = try transaction.bookings.list(
            ofPlate: record.session.plate, in: record.session.carPark, endingAfter: since,
            [.confirmed, .active, .noShow]
        ).first { next in
            guard next.id != current?.id, next.stay.start <= time,
                try countInside(of: next.id) < next.stay.spaces
            else { return false }
            // What was booked and free when it came would have let it in.
            guard let current else { return max(next.stay.start, next.createdAt) > since }
            return next.stay.start <= since + BookingLimits.grace || next.person == current.person
        }
        return next.map { (current, $0) }
    }

    // MARK: Late

    /// A stay whose entry is reported late is carried on, or ended, by what is known to have followed.
    func catchUp(_ record: inout SessionRecord, _ passing: Passing, _ now: Date) throws {
        let (carPark, next) = (passing.carPark, record.session.leftAt)
        let exit = try transaction.gates.strayExit(
            ofPlate: passing.plate, from: carPark.id, after: passing.at,
            before: next ?? .distantFuture)
        if let exit {
            let left = Passing(
                direction: .out, plate: passing.plate, ticket: nil, carPark: carPark,
                gate: exit.gate, at: exit.at, isLate: true, stay: record)
            _ = try leave(&record, left, now)
        } else if let next {
            if let booking = record.session.booking {
                try transaction.bookings.leave(booking, at: next, now)
            }
        } else {
            try carryOn(&record, in: carPark, until: now, now)
        }
    }

    /// Ends a stay of which nobody saw the end: what is not paid by then is not asked for.
    func finish(_ record: inout SessionRecord, at time: Date, _ now: Date) throws {
        try dropBill(of: &record, at: now)
        record.session.due = nil
        record.session.leftAt = max(time, record.session.enteredAt)
        try keep(&record, at: now)
        if let person = record.person, try transaction.isGone(person) {
            try forget(&record, at: now)
        }
    }
}
