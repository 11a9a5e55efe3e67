import Contracts
import Foundation
import ProductKit
import ServiceKit
import Store

/// A vehicle that stands at a gate, or has passed it.
struct Passing: Sendable {
    /// Identified by its plate, which was read, or by a booking's ticket.
    enum Vehicle: Sendable {
        case read(String)
        case ticket(BookingRecord)

        /// Nil if nothing identifies the vehicle.
        init?(of body: PassageBody, _ ticket: BookingRecord?) {
            if let plate = body.plate?.plateCharacters, !plate.isEmpty {
                self = .read(plate)
            } else if let ticket, !ticket.stay.vehicles.isEmpty {
                self = .ticket(ticket)
            } else {
                return nil
            }
        }

        /// The plates it may have.
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
    /// The ticket used to pass; nil if the plate was read.
    let ticket: BookingRecord?
    let carPark: CarParkRecord
    let gate: GateID
    let at: Date
    /// The passage has already happened and is only recorded.
    let isLate: Bool
    /// The vehicle's current stay; for a late passage, its stay at that time.
    let stay: SessionRecord?

    var facts: PassageFacts {
        PassageFacts(
            direction: direction, isLate: isLate, isTicketGood: isTicketGood, stay: stayFact)
    }

    /// A ticket is good at the entrance until its booking ends, and at the exit afterwards too.
    private var isTicketGood: Bool {
        guard let ticket else { return true }
        return ticket.isPaid && (direction == .out || at < ticket.stay.end)
    }

    /// A repeated reading, also by another gate whose clock may differ, is the same entry within `GateUseCases.ahead`.
    private var stayFact: PassageFacts.Stay {
        guard let known = stay?.session else { return .none }
        if known.exitGate != nil { return .left }
        return at.timeIntervalSince(known.enteredAt) <= GateUseCases.ahead
            ? .justBegun : .underWay
    }

    /// The vehicle's current booking, or else its next one.
    func booked(_ current: BookingRecord?, of bookings: [BookingRecord]) -> EntryFacts.Booked {
        if let current { return .now(current.id) }
        guard let next = bookings.first(where: { $0.opensAt > at }) else { return .nothing }
        return next.stay.start <= at + GateUseCases.soon ? .soon(next.id) : .later(next.id)
    }
}

extension GateStore {
    /// Chooses the vehicle of a ticket: at an entrance one that is outside; at an exit one that is inside, preferably
    /// on that booking.
    func passing(
        _ vehicle: Passing.Vehicle, _ body: PassageBody, at gate: GateID, of carPark: CarParkRecord,
        _ now: Date
    ) throws -> Passing {
        let isLate = body.isLate(at: now)
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
    /// The bookings that let the vehicle in, now or later. For a late passage they include bookings that are over by
    /// now.
    func admitting(_ passing: Passing) throws -> [BookingRecord] {
        if let ticket = passing.ticket, !passing.isLate { return [ticket] }
        let over: [BookingStatus] = passing.isLate ? [.noShow, .completed] : []
        return try list(
            ofPlate: passing.plate, in: passing.carPark.id, endingAfter: passing.at,
            [.confirmed, .active] + over
        ).filter { booking in
            guard booking.isPaid || booking.mayHaveEntered(at: passing.at) else { return false }
            return try booking.id == passing.ticket?.id
                || transaction.plates.admits(passing.plate, on: booking)
        }
    }

    /// The booking whose time it is, if one of its spaces is free; otherwise the vehicle is a drive-up. The earliest of
    /// several is used, or among several people's the one that begins nearest to now.
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
    /// Moves a booking's vehicles that are inside to their next bookings.
    func carryOn(_ id: BookingID, at now: Date) throws {
        guard let booking = try transaction.bookings.find(id),
            let carPark = try transaction.carParks.find(booking.stay.carPark.id)
        else { return }
        for plate in Set(booking.stay.vehicles.map(\.plate.plateCharacters)) {
            guard var record = try inside(carPark.id, plate: plate) else { continue }
            try carryOn(&record, in: carPark, until: now, now)
        }
    }

    /// Moves a stay to the bookings that have begun while the vehicle is inside. Drivers who came early pay the
    /// drive-up until then; drivers who booked more time simply stay.
    func carryOn(
        _ record: inout SessionRecord, in carPark: CarParkRecord, until time: Date, _ now: Date
    ) throws {
        while let step = try takeOver(&record, in: carPark, until: time) {
            if step.isAnothers { try dropBill(of: &record, at: now) }
            if let claim = step.leftClaim { try leaveClaim(claim, of: record, at: now) }
            try keep(&record, at: now)
            try transaction.bookings.enter(step.next, at: step.moment, now)
            if let current = step.current {
                try transaction.bookings.leave(current.id, at: step.moment, now)
            }
        }
    }

    /// A stay as `carryOn` would move it, of which nothing is stored.
    func carriedOn(
        _ record: SessionRecord, in carPark: CarParkRecord, until time: Date
    ) throws -> SessionRecord {
        var record = record
        while try takeOver(&record, in: carPark, until: time) != nil {}
        return record
    }

    /// A booking that takes a stay over.
    private struct TakeOver {
        let current: BookingRecord?
        let next: BookingRecord
        let moment: Date
        /// It is of somebody else than the stay was.
        let isAnothers: Bool
        /// What earlier stays owe, which stays open for the plate: somebody else may have owed it.
        let leftClaim: Int?
    }

    /// Moves a stay to the booking that takes over by then, in memory; nil if none does.
    private func takeOver(
        _ record: inout SessionRecord, in carPark: CarParkRecord, until time: Date
    ) throws -> TakeOver? {
        guard let (current, next) = try following(record, until: time) else { return nil }
        let moment = max(next.stay.start, current?.stay.end ?? record.session.enteredAt)
        record.carried = try lines(of: record, by: current, in: carPark, until: moment)
            .filter { $0.amount != 0 }
        let isAnothers = record.person != next.person
        let claim = record.claim
        if isAnothers, claim != nil,
            try !transaction.plates.isProven(record.session.plate, for: next.person)
        {
            record.claim = nil
        }
        (record.session.booking, record.person) = (next.id, next.person)
        record.kind = next.stay.kind
        return TakeOver(
            current: current, next: next, moment: moment, isAnothers: isAnothers,
            leftClaim: record.claim == nil ? claim : nil)
    }

    /// The stay's booking, and the one that takes over by then.
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
                try countInside(of: next.id) < next.stay.spaces,
                try next.person == current?.person
                    || transaction.plates.admits(record.session.plate, on: next)
            else { return false }
            // A booking that was current and free at the entry would already have been used.
            guard let current else { return max(next.stay.start, next.createdAt) > since }
            return next.stay.start <= since + BookingLimits.grace || next.person == current.person
        }
        return next.map { (current, $0) }
    }

    // MARK: Late

    /// Continues or ends a stay whose entry is reported late, by the facts that are known to have followed.
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

    /// Ends a stay whose end nobody saw. Unpaid charges are written off; what is open of earlier stays of the plate
    /// may stay open.
    func finish(
        _ record: inout SessionRecord, at time: Date, keepsClaim: Bool = false, _ now: Date
    ) throws {
        try dropBill(of: &record, at: now)
        record.session.due = nil
        if keepsClaim, record.person == nil, let claim = record.claim {
            record.session.due = Money(amount: claim, currency: record.currency)
            (record.isClaim, record.isWrittenOff) = (true, true)
        } else {
            record.claim = nil
        }
        record.session.leftAt = max(time, record.session.enteredAt)
        try keep(&record, at: now)
        if let person = record.person, try transaction.isGone(person) {
            try forget(&record, at: now)
        }
    }
}
