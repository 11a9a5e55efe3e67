import Contracts
import Foundation
import ServiceKit
import Store

/// The amount due for a stay.
struct StayOffer: Sendable {
    let stay: ParkingSessionID
    let carPark: CarParkRecord
    let enteredAt: Date
    let hasLeft: Bool
    /// How long the driver may take to leave after paying, in seconds.
    let grace: TimeInterval
    /// Without tax on top.
    let due: Money
    /// The bill as it would be published.
    let bill: Bill

    func view(
        _ token: String, _ claims: LookupClaims, _ charge: BillCharge, in language: Language
    ) -> ParkingLookup {
        ParkingLookup(
            token: token, carPark: carPark.body.name, timeZone: carPark.body.timeZone,
            enteredAt: enteredAt, lines: bill.lines.views(in: language), tax: charge.tax,
            due: charge.charge, expiresAt: claims.expiresAt,
            secondsToLeave: hasLeft ? nil : Int(grace))
    }
}

extension [Bill.Line] {
    /// As people see them.
    func views(in language: Language) -> [ParkingLookup.Line] {
        map { line in
            var view = ParkingLookup.Line(
                kind: line.kind, text: line.text[language], amount: line.amount)
            guard let unit = line.unit else { return view }
            (view.quantity, view.unit) = (line.quantity, unit[language])
            view.unitPrice = line.unitPrice
            return view
        }
    }
}

extension SessionStore {
    /// The newest stay that the question is about, if it may be paid by anybody who knows it: not one of a booking or
    /// of a valet's order.
    func asked(_ question: LookupQuestion) throws -> SessionRecord? {
        let rows =
            if let plate = question.plate {
                try transaction.rows(
                    "SELECT body FROM sessions WHERE plate = ? ORDER BY id DESC LIMIT ?", plate,
                    GuestPayments.mostStays)
            } else {
                try transaction.rows(
                    """
                    SELECT sessions.body AS body FROM stay_codes
                    JOIN sessions ON sessions.id = stay_codes.session
                    WHERE stay_codes.code = ? ORDER BY sessions.id DESC LIMIT ?
                    """, question.code, GuestPayments.mostStays)
            }
        return try rows.map { try $0.json(as: SessionRecord.self) }.first { record in
            record.isOpenToGuests && question.knows(record)
        }
    }

    /// The amount due; nil for nothing.
    func offer(of record: SessionRecord, at now: Date) throws -> StayOffer? {
        guard let carPark = try transaction.carParks.find(record.session.carPark) else {
            return nil
        }
        var record = record
        let session = record.session
        guard let owed = try owed(for: &record, in: carPark, at: session.leftAt ?? now) else {
            return nil
        }
        return StayOffer(
            stay: session.id, carPark: carPark, enteredAt: session.enteredAt,
            hasLeft: session.leftAt != nil, grace: try grace(of: record), due: owed.due,
            bill: record.draft(
                .new(at: now), record.payer ?? .new(at: now), owed, in: carPark))
    }

    /// The amount due for a stay, without tax on top; nil for nothing.
    func due(of record: SessionRecord, _ now: Date) throws -> Money? {
        try offer(of: record, at: now)?.due
    }

    /// A stay that never was, with a price, so that a wrong question costs the same work. Nil without car parks.
    func decoy(for question: LookupQuestion, at now: Date) throws -> StayOffer? {
        let known = try question.carPark.flatMap { try transaction.carParks.find($0) }
        guard let carPark = try known ?? transaction.carParks.any() else { return nil }
        let earliest = now.addingTimeInterval(-GateUseCases.kept)
        let entered = question.enteredAt ?? now.addingTimeInterval(-7_200)
        let record = SessionRecord(
            session: ParkingSession(
                id: .new(at: now), carPark: carPark.id, plate: question.plate ?? "",
                enteredAt: min(now, max(earliest, entered)), booking: nil,
                entryGate: .new(at: now)),
            kind: .general, currency: carPark.body.currency)
        if let offer = try offer(of: record, at: now) { return offer }
        let owed = OwedForStay(
            due: .zero(carPark.body.currency), lines: [], until: now, booking: nil)
        return StayOffer(
            stay: record.session.id, carPark: carPark, enteredAt: now, hasLeft: false,
            grace: BookingLimits.grace, due: owed.due,
            bill: record.draft(.new(at: now), .new(at: now), owed, in: carPark))
    }

    enum Charge: Sendable {
        /// Somebody has paid since the price was shown, maybe by the same request.
        case paid(BillID)
        case open(BillID, PersonID)
        /// The price has expired, so only a payment that has begun is finished.
        case late(BillID)
    }

    /// The bill for the price that was shown. It belongs to the driver if they are known, and to a guest otherwise.
    /// When the price has expired, only a bill that was made in time is found.
    func charge(
        _ stay: ParkingSessionID, _ claims: LookupClaims, at now: Date
    ) throws -> Charge {
        guard var record = try find(stay) else { throw Refusal.parkingLookupExpired }
        // Stored times are less exact than the one in the token.
        if let bill = record.settled.last, let at = record.paidAt,
            at > claims.toldAt.addingTimeInterval(-1)
        {
            return .paid(bill)
        }
        guard now < claims.expiresAt else {
            guard record.isOpenToGuests, record.billed == claims.due, let bill = record.bill
            else { throw Refusal.parkingLookupExpired }
            return .late(bill)
        }
        guard record.isOpenToGuests,
            let carPark = try transaction.carParks.find(record.session.carPark),
            let owed = try owed(
                for: &record, in: carPark, at: record.session.leftAt ?? claims.toldAt),
            owed.due == claims.due
        else { throw Refusal.parkingLookupExpired }
        record.guestTold = claims.asking(after: record.guestTold)
        let bill = try bill(owed, toAnybody: &record, in: carPark, now)
        return .open(bill.id, bill.payer)
    }

    func paid(_ payment: Payment, of stay: ParkingSessionID) throws -> ParkingPayment {
        guard let record = try find(stay) else { throw Refusal.parkingLookupExpired }
        let carPark = try transaction.carParks.find(record.session.carPark)?.body
        var answer = ParkingPayment(
            payment, reference: record.reference, carPark: carPark?.name ?? "",
            timeZone: carPark?.timeZone ?? "UTC", enteredAt: record.session.enteredAt)
        guard payment.status == .succeeded else { return answer }
        answer.paidAt = record.paidAt
        answer.leaveBy =
            record.session.leftAt == nil
            ? record.paidAt?.addingTimeInterval(try grace(of: record)) : record.mayLeaveUntil
        return answer
    }
}

extension CarParkStore {
    /// Any car park; nil if there is none.
    func any() throws -> CarParkRecord? {
        try transaction.row("SELECT body FROM car_parks ORDER BY id LIMIT 1")?.json()
    }
}

extension SessionRecord {
    /// Whether anybody who knows the stay may pay for it.
    var isOpenToGuests: Bool {
        !hasSpace && (session.leftAt == nil || session.due != nil) && !session.plate.isEmpty
    }
}
