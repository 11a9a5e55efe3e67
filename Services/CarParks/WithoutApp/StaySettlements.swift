import Contracts
import Foundation
import ProductKit
import ServiceKit
import Store

// Ends of stays by people: paid at the desk, let out, or billed later.

extension GateUseCases {
    /// Records that the driver has paid at the desk; the exit then opens for the plate. A repeat with the same key gets
    /// the same answer.
    func receive(
        _ id: ParkingSessionID, _ body: ReceiveBody, by person: PersonID,
        once key: IdempotencyKey?
    ) async throws -> ReceivedPayment {
        let now = clock.now
        let received = try await bookings.receive(body, by: person, once: key) { transaction in
            guard let (known, carPark) = try transaction.sessions.atDesk(id) else {
                throw Refusal.parkingSessionUnknown
            }
            var record = known
            if record.session.leftAt == nil {
                try transaction.sessions.carryOn(&record, in: carPark, until: now, now)
            }
            guard
                let owed = try transaction.sessions.owed(
                    for: &record, in: carPark, at: record.session.leftAt ?? now)
            else { throw Refusal.nothingDueForParking }
            return try transaction.sessions.bill(owed, toAnybody: &record, in: carPark, now).id
        }
        try await settle(received.payment, of: id)
        return received
    }

    /// The amount that the driver would pay at the desk now.
    func due(of id: ParkingSessionID, in language: Language) async throws -> ParkingDue {
        let now = clock.now
        let (bill, grace) = try await database.read { transaction in
            guard let record = try transaction.sessions.atDesk(id, asOf: now) else {
                throw Refusal.parkingSessionUnknown
            }
            return (
                try transaction.sessions.offer(of: record, at: now)?.bill,
                try transaction.sessions.graceAfterEnd(of: record)
            )
        }
        return try await due(by: bill, within: grace, in: language)
    }

    /// The amount that a person would pay for their stay now, and their payment that waits.
    func due(
        of id: ParkingSessionID, for person: PersonID, in language: Language
    ) async throws -> ParkingDue {
        let now = clock.now
        let (bill, known, grace) = try await database.read { transaction in
            guard let record = try transaction.sessions.find(id), record.person == person else {
                throw Refusal.parkingSessionUnknown
            }
            return (
                try transaction.sessions.nextBill(of: record, at: now), record.bill,
                try transaction.sessions.grace(of: record)
            )
        }
        var answer = try await due(by: bill, within: grace, in: language)
        if bill != nil {
            answer.payment = try await bookings.waitingPayment(of: known, by: person)
        }
        return answer
    }

    /// The amount due by a bill that need not be published; nothing without one.
    func due(
        by bill: Bill?, within grace: TimeInterval, in language: Language
    ) async throws -> ParkingDue {
        guard let bill else { return ParkingDue(lines: [], due: nil, secondsToLeave: Int(grace)) }
        let charge = try await bookings.cashier.charge(of: bill)
        return ParkingDue(
            lines: bill.lines.views(in: language), tax: charge.tax, due: charge.charge,
            secondsToLeave: Int(grace))
    }
}

extension SessionStore {
    /// A stay of which somebody asks at the desk; nil for none that is paid there.
    fileprivate func atDesk(_ id: ParkingSessionID) throws -> (SessionRecord, CarParkRecord)? {
        guard let record = try find(id), record.order == nil else { return nil }
        return (record, try transaction.carParks.require(record.session.carPark))
    }

    /// The same with the bookings that have begun by now, of which nothing is stored yet.
    fileprivate func atDesk(_ id: ParkingSessionID, asOf now: Date) throws -> SessionRecord? {
        guard let (record, carPark) = try atDesk(id) else { return nil }
        guard record.session.leftAt == nil else { return record }
        return try carriedOn(record, in: carPark, until: now)
    }

    /// The bill that the driver would pay in the app: an open one of a stay that is over, also in a car park that has
    /// been removed. Nil if nothing is due.
    fileprivate func nextBill(of record: SessionRecord, at now: Date) throws -> Bill? {
        if record.session.leftAt != nil {
            guard record.session.due != nil else { return nil }
            if let id = record.bill, try transaction.isOpen(id) {
                return try transaction.bills.find(id)?.bill
            }
        }
        return try atDesk(record.session.id, asOf: now).flatMap { try offer(of: $0, at: now)?.bill }
    }

    /// The stay of a plate that began last; nil for none.
    func newest(of plate: String, in carPark: CarParkID) throws -> SessionRecord? {
        try transaction.row(
            """
            SELECT body FROM sessions WHERE plate = ? AND car_park = ?
            ORDER BY entered_at DESC LIMIT 1
            """, plate, carPark)?.json()
    }
}

extension SessionStore {
    /// Bills a stay to its driver, or to a guest if it belongs to nobody.
    func bill(
        _ owed: OwedForStay, toAnybody record: inout SessionRecord, in carPark: CarParkRecord,
        _ now: Date
    ) throws -> (id: BillID, payer: PersonID) {
        if record.payer == nil { record.guest = .new(at: now) }
        try bill(owed, for: &record, in: carPark, now)
        try keep(&record, at: now)
        guard let bill = record.bill, let payer = record.payer else {
            throw StoreError(.other, "a stay has no bill")
        }
        return (bill, payer)
    }

    /// Lets a vehicle out whose stay may not be paid: the amount due is billed, or stays open for the plate.
    func letOut(
        _ record: inout SessionRecord, in carPark: CarParkRecord, by gate: GateID, at time: Date,
        _ now: Date
    ) throws -> PassageAnswer {
        record.session.exitGate = gate
        try finishUnpaid(&record, in: carPark, at: time, now)
        if let id = record.session.booking {
            try transaction.bookings.leave(id, at: time, now)
        }
        return PassageAnswer(
            open: true, .opened, booking: record.session.booking, session: record.session.id,
            due: record.session.due, code: record.code)
    }

    /// Ends a stay. The amount due is billed, or stays open for the plate if the driver is not known.
    func finishUnpaid(
        _ record: inout SessionRecord, in carPark: CarParkRecord, at time: Date, _ now: Date
    ) throws {
        let time = max(time, record.session.enteredAt)
        try carryOn(&record, in: carPark, until: time, now)
        let owed = try owed(for: &record, in: carPark, at: time)
        if let owed {
            try bill(owed, for: &record, in: carPark, now)
            // An overstay of a booking is announced with its bill.
            if record.person != nil, owed.booking == nil,
                let known = try record.bill.flatMap({ try transaction.bills.find($0) })
            {
                try CarParkNotices.announce(
                    known.bill, of: record.session.id, at: carPark.body.name, now,
                    in: transaction)
            }
        }
        record.isClaim = owed != nil && record.person == nil ? true : nil
        record.session.leftAt = time
        try keep(&record, at: now)
        if let person = record.person, try transaction.isGone(person) {
            try forget(&record, at: now)
        }
    }

    /// The exit of a vehicle whose stay an operator has just ended; nil for any other passage.
    func leaveAfterEnd(_ passing: Passing, _ now: Date) throws -> PassageAnswer? {
        guard passing.direction == .out, passing.stay == nil, !passing.isLate else { return nil }
        guard var record = try newest(of: passing.plate, in: passing.carPark.id),
            record.session.exitGate == nil,
            let end = record.mayLeaveUntil, passing.at <= end
        else { return nil }
        record.session.exitGate = passing.gate
        try keep(&record, at: now)
        let reason: PassageAnswer.Reason =
            record.session.due != nil ? .billed : record.paid > 0 ? .paid : .free
        return PassageAnswer(
            open: true, reason, booking: record.session.booking, session: record.session.id,
            due: record.session.due, code: record.code)
    }

    /// Adds what is still open for the plate to a new stay of the vehicle.
    func collectClaims(for record: inout SessionRecord, at now: Date) throws {
        let session = record.session
        var sum = 0
        for row in try transaction.rows(
            """
            SELECT body FROM sessions
            WHERE plate = ? AND car_park = ? AND is_inside = 0 AND person IS NULL
            ORDER BY entered_at DESC LIMIT ?
            """, session.plate, session.carPark, GateUseCases.mostUnclaimed)
        {
            var earlier: SessionRecord = try row.json()
            guard earlier.isClaim == true, earlier.currency == record.currency,
                let due = earlier.session.due
            else { continue }
            try dropBill(of: &earlier, at: now)
            (earlier.session.due, earlier.isClaim, earlier.claim) = (nil, nil, nil)
            try keep(&earlier, at: now)
            sum = min(Money.largestAmount / 2, sum + due.amount)
        }
        if sum > 0 { record.claim = sum }
    }

    /// Leaves what earlier stays owe open for the plate when somebody else's booking takes over a stay.
    func leaveClaim(_ claim: Int, of record: SessionRecord, at now: Date) throws {
        let stay = record.session
        let before = stay.enteredAt.addingTimeInterval(-1)
        var session = ParkingSession(
            id: .new(at: now), carPark: stay.carPark, plate: stay.plate, enteredAt: before,
            booking: nil, entryGate: stay.entryGate)
        session.leftAt = before
        session.due = Money(amount: claim, currency: record.currency)
        var open = SessionRecord(session: session, kind: record.kind, currency: record.currency)
        (open.claim, open.isClaim, open.isWrittenOff) = (claim, true, true)
        try keep(&open, at: now)
    }
}

extension SessionRecord {
    /// The part of the price that earlier stays add.
    var claimLines: [StayLine] {
        claim.map { [StayLine(kind: StayLine.earlier, amount: $0)] } ?? []
    }
}
