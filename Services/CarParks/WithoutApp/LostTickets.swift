import Contracts
import Foundation
import ServiceKit
import Store

// Drivers who have lost their ticket pay a price of its own at the desk.

extension GateUseCases {
    func lostTicketPrice(in id: CarParkID, in language: Language) async throws -> ParkingDue {
        let now = clock.now
        let offer = try await database.read { transaction in
            let carPark = try transaction.carParks.require(id)
            let record = try transaction.sessions.withoutTicket("", in: carPark, now)
            guard let offer = try transaction.sessions.offer(of: record, at: now) else {
                throw Refusal.lostTicketWithoutPrice
            }
            return offer
        }
        return try await due(by: offer.bill, within: offer.grace, in: language)
    }

    /// Records that a driver without a ticket has paid. A repeat with the same key gets the same answer.
    func receive(
        _ body: LostTicketBody, in id: CarParkID, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> ReceivedPayment {
        let plate = try Check.plate(body.plate, "plate").plateCharacters
        let payment = ReceiveBody(
            body.means, given: body.given, drawerId: body.drawerId, note: body.note)
        let now = clock.now
        let received: ReceivedPayment
        do {
            received = try await bookings.receive(payment, by: person, once: key) {
                try $0.sessions.chargeLostTicket(of: plate, in: id, now)
            }
        } catch let refusal as Refusal {
            // It may have been paid, or be paid just now: the bill stays for a repeat. What is paid already is settled.
            if refusal.problem.status < 500, refusal.problem.code != "payment.in_progress" {
                try await database.write {
                    try $0.sessions.takeBackLostTicket(of: plate, in: id, now)
                }
            }
            throw refusal
        }
        let bill = received.payment.bill
        guard let stay = try await database.read({ try $0.bills.find(bill)?.session }) else {
            throw Refusal.parkingPaymentReturned
        }
        try await settle(received.payment, of: stay)
        return received
    }
}

extension SessionStore {
    /// A stay whose entry nobody knows, at the price of a lost ticket.
    fileprivate func withoutTicket(
        _ plate: String, in carPark: CarParkRecord, _ now: Date
    ) throws -> SessionRecord {
        let gate: GateID? = try transaction.row(
            "SELECT id FROM gates WHERE car_park = ? ORDER BY id LIMIT 1", carPark.id)?.get("id")
        var session = ParkingSession(
            id: .new(at: now), carPark: carPark.id, plate: plate, enteredAt: now, booking: nil,
            entryGate: gate ?? .new(at: now))
        session.leftAt = now
        var record = SessionRecord(
            session: session, kind: .general, currency: carPark.body.currency)
        record.lostTicket = try lostTicketPrice(in: carPark.id)
        return record
    }

    private func lostTicketPrice(in carPark: CarParkID) throws -> Int {
        guard let price = try transaction.tariffs.latest(of: carPark)?.lostTicketPrice, price > 0
        else { throw Refusal.lostTicketWithoutPrice }
        return price
    }

    /// Bills a lost ticket to the vehicle's stay, or to one that begins and ends now.
    fileprivate func chargeLostTicket(
        of plate: String, in id: CarParkID, _ now: Date
    ) throws -> BillID {
        let carPark = try transaction.carParks.require(id)
        var record: SessionRecord
        if let known = try inside(id, plate: plate) {
            record = known
            try carryOn(&record, in: carPark, until: now, now)
            guard !record.hasSpace else { throw Refusal.nothingDueForParking }
            record.lostTicket = try lostTicketPrice(in: id)
        } else if let known = try newest(of: plate, in: id), known.isLostTicketOpen {
            record = known
        } else {
            record = try withoutTicket(plate, in: carPark, now)
        }
        guard let owed = try owed(for: &record, in: carPark, at: now) else {
            throw Refusal.nothingDueForParking
        }
        return try bill(owed, toAnybody: &record, in: carPark, now).id
    }

    /// Withdraws the bill of a lost ticket that was not paid. If the vehicle has left meanwhile, or an operator has
    /// ended its stay, the price stays due.
    fileprivate func takeBackLostTicket(
        of plate: String, in id: CarParkID, _ now: Date
    ) throws {
        guard var record = try newest(of: plate, in: id), record.isLostTicketOpen else { return }
        let (enteredAt, leftAt) = (record.session.enteredAt, record.session.leftAt)
        guard leftAt == nil || leftAt == enteredAt else { return }
        try dropBill(of: &record, at: now)
        (record.lostTicket, record.session.due) = (nil, nil)
        try keep(&record, at: now)
        guard leftAt != nil else { return }
        // It was never there.
        try transaction.execute("DELETE FROM sessions WHERE id = ?", record.session.id)
    }
}

extension SessionRecord {
    /// The price of a lost ticket is billed and not paid.
    fileprivate var isLostTicketOpen: Bool {
        guard lostTicket != nil, let bill else { return false }
        return !settled.contains(bill)
    }
}
