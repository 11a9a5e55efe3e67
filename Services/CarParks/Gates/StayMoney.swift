import Contracts
import Foundation
import ServiceKit
import Store

// The amount due for a stay: its lines, its bill, and the payment that settles it.

/// The unpaid amount of a stay.
struct OwedForStay {
    let due: Money
    let lines: [StayLine]
    let until: Date
    /// The booking that is exceeded; nil for a drive-up.
    let booking: BookingRecord?
}

extension SessionStore {
    /// The unpaid amount of the stay at that time; nil if nothing is due. Since no card can be charged less than the
    /// least amount of its currency, a smaller rest is waived, and a smaller first amount is raised to it.
    func owed(
        for record: inout SessionRecord, in carPark: CarParkRecord, at time: Date
    ) throws -> OwedForStay? {
        guard record.order == nil else { return nil }
        let booking = try record.session.booking.flatMap { try transaction.bookings.find($0) }
        let lines = try lines(of: record, by: booking, in: carPark, until: time)
        let total = lines.reduce(0) { $0 + $1.amount }
        let unpaid = Money(
            amount: max(0, total - record.paid) + (record.claim ?? 0), currency: record.currency)
        let due = record.paid > 0 ? unpaid.withoutSmall : unpaid.atLeastChargeable
        guard due.amount > 0 else {
            (record.session.due, record.session.isPaid) = (nil, record.paid > 0)
            return nil
        }
        (record.session.due, record.session.isPaid) = (due, false)
        return OwedForStay(
            due: due,
            lines: (lines.less(record.paid) + record.claimLines).raised(
                by: due.amount - unpaid.amount),
            until: time, booking: booking)
    }

    /// All charges of the stay until that time, besides its booking.
    func lines(
        of record: SessionRecord, by booking: BookingRecord?, in carPark: CarParkRecord,
        until time: Date
    ) throws -> [StayLine] {
        if record.isWrittenOff == true { return [] }
        if let price = record.lostTicket {
            return [StayLine(kind: StayLine.lostTicket, amount: price)]
        }
        return try record.carried
            + (booking.map { $0.overstayLines(until: time, carPark.days) }
                ?? driveUpLines(of: record, in: carPark, until: time))
    }

    /// Withdraws the stay's bill unless it is paid.
    func dropBill(of record: inout SessionRecord, at now: Date) throws {
        if let bill = record.bill, !record.settled.contains(bill), try transaction.isOpen(bill) {
            try transaction.withdraw(bill, at: now)
        }
        (record.bill, record.billed) = (nil, nil)
    }

    /// Publishes the bill, unless payments already has the same amount.
    func bill(
        _ owed: OwedForStay, for record: inout SessionRecord, in carPark: CarParkRecord, _ now: Date
    ) throws {
        guard record.billed != owed.due, let person = record.payer else { return }
        try dropBill(of: &record, at: now)
        let id = BillID.new(at: now)
        (record.bill, record.billed) = (id, owed.due)
        let bill = record.draft(id, person, owed, in: carPark)
        try transaction.bills.publish(bill, session: record.session.id, at: now)
        if let booking = owed.booking, owed.lines.contains(where: { $0.kind == StayLine.overstay })
        {
            try CarParkNotices.announceOverstay(bill, of: booking, at: now, in: transaction)
        }
    }

    /// Bills a vehicle that has left and whose payer was not known then.
    func billAfterwards(
        _ record: inout SessionRecord, in carPark: CarParkRecord, _ now: Date
    ) throws {
        guard let left = record.session.leftAt,
            let owed = try owed(for: &record, in: carPark, at: left)
        else { return }
        try bill(owed, for: &record, in: carPark, now)
    }

    /// Settles the paid bill of a stay. A payment that is no longer needed is refunded, also if a lost ticket's stay is
    /// gone.
    func settle(_ payment: Payment, of id: ParkingSessionID, at now: Date) throws {
        let stay = try find(id)
        if stay?.settled.contains(payment.bill) == true { return }
        guard var record = stay, record.bill == payment.bill else {
            guard let known = try transaction.bills.find(payment.bill), known.bill.returns == nil
            else { return }
            return try transaction.bills.giveBack(
                payment.forBill.amount, of: payment.bill, "not needed any more", at: now)
        }
        record.settled.append(payment.bill)
        if let told = record.guestTold, payment.isByCard {
            record.keepGuest(told, of: payment.bill)
        }
        record.guestTold = nil
        record.paid += payment.forBill.amount - (record.claim ?? 0)
        if let claim = record.claim { record.paidClaims = (record.paidClaims ?? 0) + claim }
        (record.claim, record.isClaim) = (nil, nil)
        record.paidAt = now
        (record.session.isPaid, record.session.due, record.billed) = (true, nil, nil)
        // The vehicle may still be inside: its stay ended at the desk.
        if record.lostTicket != nil, record.session.leftAt == nil { record.session.leftAt = now }
        if record.session.leftAt != nil, record.session.exitGate == nil {
            record.mayLeaveUntil = now.addingTimeInterval(try graceAfterEnd(of: record))
        }
        try keep(&record, at: now)
        if record.session.leftAt != nil, let person = record.person,
            try transaction.isGone(person)
        {
            try forget(&record, at: now)
        }
    }
}

extension SessionRecord {
    /// The bill as it is to be published.
    func draft(
        _ id: BillID, _ person: PersonID, _ owed: OwedForStay, in carPark: CarParkRecord
    ) -> Bill {
        if let booking = owed.booking {
            return booking.overstayBill(
                id, lines: owed.lines,
                from: carried.isEmpty ? booking.stay.end : session.enteredAt, until: owed.until)
        }
        var facts = Bill.Facts.parking(reference, plates: [session.plate], in: carPark.place)
        (facts.from, facts.until) = (session.enteredAt, owed.until)
        var bill = Bill(
            id: id, product: .parking, version: 1, payer: person, currency: owed.due.currency,
            facts: facts)
        bill.pricedAt = session.enteredAt
        if self.person == nil {
            bill.isGuest = true
            (bill.facts.details, bill.facts.plates) = ([], [session.plate])
        }
        bill.lines = owed.lines.map { $0.bill(in: owed.due.currency) }
        return bill
    }
}

extension BookingRecord {
    /// The price of an overstay of one space: the cheapest combination at the booking's prices, and the fee; nothing
    /// within the grace.
    func overstayLines(until time: Date, _ days: LocalDays) -> [StayLine] {
        guard time.timeIntervalSince(stay.end) > BookingLimits.grace else { return [] }
        let charges = stay.overstayCharges(until: time, days)
        guard charges.amount <= Money.largestAmount / 2 else {
            return [
                StayLine(kind: StayLine.overstay, amount: Money.largestAmount / 2),
                StayLine(kind: StayLine.overstayFee, amount: stay.overstayFee),
            ]
        }
        return charges.map { charge in
            StayLine(
                kind: StayLine.overstay, amount: charge.amount, quantity: charge.quantity,
                unit: charge.kind.text(count: charge.quantity), unitPrice: charge.price)
        } + [StayLine(kind: StayLine.overstayFee, amount: stay.overstayFee)]
    }
}
