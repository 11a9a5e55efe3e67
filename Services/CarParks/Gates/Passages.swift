import Contracts
import Foundation
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
    }

    let plate: String
    /// By which it wants to pass; nil where its plate was read.
    let ticket: BookingRecord?
    let carPark: CarParkRecord
    let gate: GateID
    let at: Date
    /// It has happened: what is told now is only recorded.
    let isLate: Bool

    /// Read again, or by another gate, whose clock may differ.
    func isSameEntry(as stay: ParkingSession) -> Bool {
        at.timeIntervalSince(stay.enteredAt) <= GateUseCases.ahead
    }
}

extension Transaction {
    /// Which of a ticket's vehicles it is: in, one that is not inside; out, one that is, by that booking if need be.
    func passing(
        _ vehicle: Passing.Vehicle, _ body: PassageBody, at gate: GateID, of carPark: CarParkRecord,
        _ now: Date
    ) throws -> Passing {
        let isLate = now.timeIntervalSince(body.at) > GateUseCases.waiting
        func passing(_ plate: String, _ ticket: BookingRecord?) -> Passing {
            Passing(
                plate: plate, ticket: ticket, carPark: carPark, gate: gate, at: body.at,
                isLate: isLate)
        }
        switch vehicle {
        case .read(let plate): return passing(plate, nil)
        case .ticket(let ticket):
            let stays = try vehicle.plates.compactMap {
                try isLate
                    ? stay(ofPlate: $0, in: carPark.id, at: body.at)
                    : sessionInside(carPark.id, plate: $0)
            }
            let inside = stays.map(\.session.plate)
            let plate =
                switch body.direction {
                case .in: vehicle.plates.first { !inside.contains($0) }
                case .out:
                    stays.first { $0.session.booking == ticket.id }?.session.plate ?? inside.first
                }
            return passing(plate ?? vehicle.plates[0], ticket)
        }
    }

    // MARK: Bookings

    /// By which it may enter, now or later; where it comes late, also those that are over by now.
    func bookings(of passing: Passing) throws -> [BookingRecord] {
        if let ticket = passing.ticket, !passing.isLate {
            return ticket.isPaid && passing.at < ticket.stay.end ? [ticket] : []
        }
        let over: [BookingStatus] = passing.isLate ? [.noShow, .completed] : []
        return try bookings(
            ofPlate: passing.plate, in: passing.carPark.id, endingAfter: passing.at,
            [.confirmed, .active] + over
        ).filter { $0.isPaid || $0.mayHaveEntered(at: passing.at) }
    }

    /// The one whose time it is, if a space of it is free: who comes when all are taken drives up. The earliest of
    /// several; of several people's the one that begins nearest to now.
    func current(of bookings: [BookingRecord], at time: Date) throws -> BookingRecord? {
        let found = try bookings.filter {
            try $0.opensAt <= time && inside(of: $0.id) < $0.stay.spaces
        }
        guard Set(found.map(\.person)).count > 1 else { return found.first }
        func distance(_ booking: BookingRecord) -> TimeInterval {
            abs(booking.stay.start.timeIntervalSince(time))
        }
        return found.min { distance($0) < distance($1) }
    }

    /// The vehicles of a booking that are inside go on with what is booked.
    func carryOn(_ id: BookingID, at now: Date) throws {
        guard let booking = try booking(id), let carPark = try carPark(booking.stay.carPark.id)
        else { return }
        for plate in Set(booking.stay.vehicles.map(\.plate.plateCharacters)) {
            guard var record = try sessionInside(carPark.id, plate: plate) else { continue }
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
            try enter(next, at: moment, now)
            if let current { try leave(current.id, at: moment, now) }
        }
    }

    /// The booking that a stay is in, and that which takes it over by then.
    private func following(
        _ record: SessionRecord, until time: Date
    ) throws -> (current: BookingRecord?, next: BookingRecord)? {
        let current = try record.session.booking.flatMap { try booking($0) }
        let since = current?.stay.end ?? record.session.enteredAt
        guard record.order == nil, since <= time else { return nil }
        let next = try bookings(
            ofPlate: record.session.plate, in: record.session.carPark, endingAfter: since,
            [.confirmed, .active, .noShow]
        ).first { next in
            guard next.id != current?.id, next.stay.start <= time,
                try inside(of: next.id) < next.stay.spaces
            else { return false }
            // What was booked and free when it came would have let it in.
            guard let current else { return max(next.stay.start, next.createdAt) > since }
            return next.stay.start <= since + BookingLimits.grace || next.person == current.person
        }
        return next.map { (current, $0) }
    }

    // MARK: Late

    /// A vehicle has entered while its gate was cut off: it has its stay, whatever it would have been told.
    func enterLate(_ passing: Passing, _ now: Date) throws -> PassageAnswer {
        let (carPark, plate, time) = (passing.carPark, passing.plate, passing.at)
        let earlier = try stay(ofPlate: plate, in: carPark.id, at: time)
        if let known = earlier?.session, known.exitGate != nil || passing.isSameEntry(as: known) {
            return PassageAnswer(
                open: false, .alreadyInside, booking: known.booking, session: known.id)
        }
        let next = try nextEntry(ofPlate: plate, to: carPark.id, after: time)
        if var stay = earlier { try finish(&stay, at: time, now) }
        let booking = try current(of: bookings(of: passing), at: time)
        var record = try begin(passing, by: booking, until: next, now)
        let exit = try strayExit(
            ofPlate: plate, from: carPark.id, after: time, before: next ?? .distantFuture)
        if let exit {
            let left = Passing(
                plate: plate, ticket: nil, carPark: carPark, gate: exit.gate, at: exit.at,
                isLate: true)
            _ = try leave(&record, left, now)
        } else if let next {
            if let booking { try leave(booking.id, at: next, now) }
        } else {
            try carryOn(&record, in: carPark, until: now, now)
        }
        if let id = earlier?.session.booking { try leave(id, at: time, now) }
        return PassageAnswer(
            open: true, record.hasSpace ? .booked : .driveUp, booking: booking?.id,
            session: record.session.id)
    }

    /// A vehicle has left while its gate was cut off: it pays afterwards. What is known of no stay waits for its entry.
    func leaveLate(_ passing: Passing, _ now: Date) throws -> PassageAnswer {
        guard
            var record = try stay(
                ofPlate: passing.plate, in: passing.carPark.id, at: passing.at),
            record.session.exitGate == nil
        else { return PassageAnswer(open: false, .unknown) }
        return try leave(&record, passing, now)
    }

    /// Ends a stay of which nobody saw the end: what is not paid by then is not asked for.
    func finish(_ record: inout SessionRecord, at time: Date, _ now: Date) throws {
        try dropBill(of: &record, at: now)
        record.session.due = nil
        record.session.leftAt = max(time, record.session.enteredAt)
        try keep(&record, at: now)
        if let person = record.person, try isGone(person) { try forget(&record, at: now) }
    }
}
