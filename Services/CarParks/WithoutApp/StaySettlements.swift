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
        if let known: ReceivedPayment = try await database.answer(once: key) { return known }
        let now = clock.now
        let bill = try await database.write { transaction in
            guard var record = try transaction.sessions.find(id), record.order == nil else {
                throw Refusal.parkingSessionUnknown
            }
            let carPark = try transaction.carParks.require(record.session.carPark)
            let left = record.session.leftAt
            if left == nil {
                try transaction.sessions.carryOn(&record, in: carPark, until: now, now)
            }
            guard
                let owed = try transaction.sessions.owed(
                    for: &record, in: carPark, at: left ?? now)
            else { throw Refusal.nothingDueForParking }
            return try transaction.sessions.bill(owed, toAnybody: &record, in: carPark, now).id
        }
        let received = try await bookings.cashier.receive(bill, body, by: person)
        try await bookings.settle(received.payment)
        return try await database.write(once: key) { _ in received }
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
        if let owed { try bill(owed, for: &record, in: carPark, now) }
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
        let newest = try transaction.row(
            """
            SELECT body FROM sessions WHERE plate = ? AND car_park = ?
            ORDER BY entered_at DESC LIMIT 1
            """, passing.plate, passing.carPark.id)
        guard var record: SessionRecord = try newest?.json(), record.session.exitGate == nil,
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
}

extension SessionRecord {
    /// What earlier stays add to the price.
    var claimLines: [StayLine] {
        claim.map { [StayLine(kind: "earlier", amount: $0)] } ?? []
    }
}
