import Contracts
import EventBus
import Foundation
import Maps
import ProductKit
import ServiceKit
import Store

// The price of a ride paid through the platform: charged once the ride is confirmed, refunded if it did not happen.

extension SeatRecord {
    fileprivate func bill(of trip: TripRecord, in area: KnownArea?) -> Bill {
        let words = CarpoolNotices.words
        let (origin, destination) = (trip.plan.origin, trip.plan.destination)
        var facts = Bill.Facts(
            title: words.text("bill.title"), reference: trip.reference, from: pickUpAt,
            until: dropOffAt, fields: [Bill.Field("seatRequest", .text(id.description))])
        let ends = [origin.address, destination.address].compactMap(\.self)
        facts.place = ends.isEmpty ? nil : ends.joined(separator: " → ")
        facts.locate(at: origin.coordinate, zone: trip.plan.timeZone)
        facts.site = area.map {
            Bill.Site(.area, id: $0.id.description, name: $0.feature.properties.name)
        }
        let currency = currency ?? ""
        var bill = Bill(
            id: bill, product: .carpool, version: 1, payer: passenger, currency: currency,
            facts: facts)
        bill.pricedAt = createdAt
        bill.lines = [
            Bill.Line(
                kind: "seat", text: words.text("bill.seat"), quantity: seats,
                amount: Money(amount: price, currency: currency), payee: driver,
                commission: Money(
                    amount: price * trip.policy.commissionPercent / 100, currency: currency))
        ]
        return bill
    }
}

extension SeatStore {
    /// Makes a confirmed ride due for payment.
    func charge(
        _ seat: inout SeatRecord, of trip: TripRecord, in areas: KnownAreas, at now: Date
    ) throws {
        seat.owe()
        guard seat.isOwed else { return }
        let area = try trip.area.flatMap { try areas.area($0, in: transaction) }
        try transaction.publish(seat.bill(of: trip, in: area), at: now)
        try transaction.schedule(CarpoolWork.charge, seat.id, at: now)
    }

    /// Refunds a ride that did not happen, and cancels what is due.
    func giveBack(_ seat: inout SeatRecord, at now: Date) throws {
        guard try transaction.isOpen(seat.bill) else { return }
        if seat.isPaid {
            try transaction.amend(seat.bill, at: now) { bill in
                bill.returns = [
                    Bill.Return(id: .new(at: now), amount: bill.total, reason: "didNotRide")
                ]
            }
        } else {
            seat.owesNothing()
            try transaction.unschedule(CarpoolWork.charge, seat.id)
            try transaction.withdraw(seat.bill, at: now)
        }
    }
}

extension RideUseCases {
    /// Charges the payment method of the seat; if it is declined, the passenger pays by hand.
    func charge(_ id: SeatRequestID) async throws -> WorkQueue.Outcome {
        guard let seat = try await database.read({ try $0.seats.find(id) }), seat.isOwed,
            let method = seat.method
        else { return .done }
        do {
            switch try await cashier.pay(
                seat.bill, by: seat.passenger, method: method, isOffSession: true)
            {
            case .payment(let payment) where payment.status == .succeeded:
                try await database.write { try $0.seats.markPaid(seat.bill) }
            case .settledBefore: try await database.write { try $0.seats.markPaid(seat.bill) }
            // Payments asks the passenger to confirm it.
            case .payment(let payment) where payment.status == .requiresAction: break
            case .payment, .notDue: try await tellOwed(id)
            }
            return .done
        } catch let refusal as Refusal where refusal.code == "payment.in_progress" {
            return .again
        } catch let refusal as Refusal where !(Refusal.unavailable ~= refusal) {
            try await tellOwed(id)
            return .done
        }
    }

    private func tellOwed(_ id: SeatRequestID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard let seat = try transaction.seats.find(id), seat.isOwed else { return }
            try CarpoolNotices.announce(
                seat, of: try transaction.trips.require(seat.trip), .owed, at: now, in: transaction)
        }
    }

    /// Records a payment.
    func settle(_ payment: Payment, _ delivery: Delivery) async throws {
        try await database.apply(delivery) { try $0.seats.markPaid(payment.bill) }
    }
}

extension SeatStore {
    fileprivate func markPaid(_ bill: BillID) throws {
        guard var seat = try find(bill.as(SeatRequestID.self)) else { return }
        if seat.pay() { try update(&seat) }
    }
}
