import Contracts
import Crypto
import EventBus
import Foundation
import ServiceKit
import Store

/// What gates ask, and what stays cost; each function is one transaction, but for those that ask for money.
struct GateUseCases: Sendable {
    /// The same vehicle within so many seconds is one passage.
    static let same: TimeInterval = 10
    /// How long passages are kept, in seconds: a gate may be cut off for some days.
    static let kept: TimeInterval = 7 * 86_400
    /// How far ahead a gate's clock may be.
    static let ahead: TimeInterval = 120

    let database: Database
    let clock: ServiceClock
    let bookings: BookingUseCases
    let tickets: Tickets
    /// Who recognises plates.
    let recognitions: Owners

    // MARK: Gates

    func add(_ body: GateBody, by person: PersonID) async throws -> NewGate {
        let name = try Check.text(body.name, "name", 1...60)
        let now = clock.now
        let gate = Gate(id: .new(at: now), carParkId: body.carParkId, name: name)
        let token = Self.newToken()
        return try await database.write { transaction in
            _ = try transaction.requireCarPark(body.carParkId)
            try transaction.record("add-gate", gate.id, by: person, at: now)
            try transaction.keep(gate, tokenHash: Self.hash(token))
            return NewGate(id: gate.id, token: token)
        }
    }

    func rotateToken(of id: GateID, by person: PersonID) async throws -> NewGate {
        let (now, token) = (clock.now, Self.newToken())
        return try await database.write { transaction in
            guard let known = try transaction.gate(id) else { throw CarParkError.gateUnknown }
            try transaction.record("rotate-gate-token", id, by: person, at: now)
            try transaction.keep(known.gate, tokenHash: Self.hash(token))
            return NewGate(id: id, token: token)
        }
    }

    private static func newToken() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
    }

    private static func hash(_ token: String) -> String {
        SHA256.hash(data: Data(token.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    // MARK: Passages

    /// A vehicle passes, or wants to. Who is let in has a stay from then on; who may not leave without paying pays, if
    /// they have said that they will.
    func pass(_ id: GateID, token: String, _ body: PassageBody) async throws -> PassageAnswer {
        let answer = try await passOnce(id, token: token, body)
        guard answer.reason == .paymentDue, let session = answer.session,
            try await payByItself(session, at: body.at)
        else { return answer }
        return try await passOnce(id, token: token, body)
    }

    private func passOnce(
        _ id: GateID, token: String, _ body: PassageBody
    ) async throws -> PassageAnswer {
        let (given, now) = (Self.hash(token), clock.now)
        guard body.at <= now.addingTimeInterval(Self.ahead),
            body.at >= now.addingTimeInterval(-Self.kept)
        else { throw InvalidRequest("at", "Within the last seven days.") }
        var (body, reference) = (body, String?.none)
        if let ticket = body.ticket { reference = await tickets.reference(of: ticket) }
        if body.plate == nil, let recognition = body.recognitionId {
            // A stranger has nothing looked up.
            _ = try await database.read { try $0.requireGate(id, given) }
            body.plate = try await plate(of: recognition)
        }
        return try await database.write { [body, reference] transaction in
            let known = try transaction.requireGate(id, given)
            guard
                let plate = try transaction.plate(
                    of: body, reference, in: known.carParkId)
            else {
                return PassageAnswer(open: false, .unreadable)
            }
            if let earlier = try transaction.answer(to: body, plate: plate, at: id) {
                return earlier
            }
            let carPark = try transaction.requireCarPark(known.carParkId)
            let answer =
                switch body.direction {
                case .in: try transaction.enter(plate, carPark, by: id, at: body.at, now)
                case .out: try transaction.leave(plate, carPark, by: id, at: body.at, now)
                }
            // Who is refused may try again at once: with a paid stay, say.
            if answer.open { try transaction.keep(answer, to: body, plate: plate, at: id) }
            return answer
        }
    }

    /// Nil when nothing was found on the picture.
    private func plate(of id: RecognitionID) async throws -> String? {
        let made = try await recognitions.newest(
            at: "/internal/recognitions/\(id)", as: RecognitionMade.self)
        guard let made else { throw CarParkError.recognitionUnknown }
        return made.plate
    }

    func sweep() async throws {
        let limit = clock.now.addingTimeInterval(-Self.kept)
        try await database.sweep { try $0.sweepPassages(before: limit, limit: $1) }
        try await database.sweep { try $0.sweepAllocations(before: limit, limit: $1) }
    }

    // MARK: Stays

    /// Has a stay paid whose vehicle stands at the exit, if its owner has said yes to that. False: it is not paid.
    private func payByItself(_ id: ParkingSessionID, at time: Date) async throws -> Bool {
        let payer = try await database.read { transaction in
            try transaction.session(id)?.person.flatMap { person in
                try transaction.autoPay(of: person).paymentMethodId.map { (person, $0) }
            }
        }
        guard let (person, method) = payer else { return false }
        do {
            let body = PayBody(paymentMethodId: method)
            return try await pay(id, body, by: person, at: time).status == .succeeded
        } catch is any ServiceError {
            // Declined, or nobody can say: they pay by hand, which charges nothing twice.
            return false
        }
    }

    /// Pays a stay as it is now, or was: there is some time then to drive out.
    func pay(
        _ id: ParkingSessionID, _ body: PayBody, by person: PersonID, at time: Date? = nil
    ) async throws -> Payment {
        let now = clock.now
        let bill = try await database.write { transaction in
            try transaction.requireStanding(of: person)
            guard var record = try transaction.session(id), record.person == person else {
                throw CarParkError.sessionUnknown
            }
            let carPark = try transaction.requireCarPark(record.session.carPark)
            let owed = try transaction.owed(
                for: &record, in: carPark, at: record.session.leftAt ?? time ?? now)
            if let owed { try transaction.bill(owed, for: &record, in: carPark, now) }
            try transaction.keep(&record, at: now)
            guard owed != nil, let bill = record.bill else { throw CarParkError.nothingDue }
            return bill
        }
        let payment = try await bookings.pay(bill, body, by: person)
        if payment.status == .succeeded { try await bookings.settle(payment) }
        return payment
    }
}

extension Transaction {
    fileprivate func requireGate(_ id: GateID, _ tokenHash: String) throws -> Gate {
        guard let known = try gate(id), known.tokenHash == tokenHash else {
            throw CarParkError.gateToken
        }
        return known.gate
    }

    /// The plate that was read, or the first of the ticket's booking.
    fileprivate func plate(
        of passage: PassageBody, _ reference: String?, in carPark: CarParkID
    ) throws -> String? {
        if let plate = passage.plate?.plateCharacters, !plate.isEmpty { return plate }
        guard let reference, let booking = try booking(byReference: reference),
            booking.stay.carPark.id == carPark
        else { return nil }
        let plates = booking.stay.vehicles.map(\.plate.plateCharacters)
        // In: one that is not inside yet; out: one that is.
        return try plates.first {
            (try sessionInside(carPark, plate: $0) == nil) == (passage.direction == .in)
        } ?? plates.first
    }

    fileprivate func enter(
        _ plate: String, _ carPark: CarParkRecord, by gate: GateID, at time: Date, _ now: Date
    ) throws -> PassageAnswer {
        if let inside = try sessionInside(carPark.id, plate: plate) {
            return PassageAnswer(
                open: false, .alreadyInside, booking: inside.session.booking,
                session: inside.session.id)
        }
        var booking = try booking(ofPlate: plate, in: carPark.id, at: time)
        // A booking may name more vehicles than spaces: who comes when all are taken drives up.
        if let known = booking, try inside(of: known.id) >= known.stay.spaces { booking = nil }
        guard booking != nil || carPark.isOpen && carPark.isOpen(at: time) else {
            return PassageAnswer(open: false, .closed)
        }
        let order = booking == nil ? try valetOrder(ofPlate: plate, in: carPark.id) : nil
        let kind = booking?.stay.kind ?? .general
        let live = try liveSpaces(of: [carPark], at: now)[carPark.id] ?? []
        let free = live.first { $0.kind == kind }?.free ?? 0
        guard booking != nil || order != nil || free > 0 else {
            return PassageAnswer(open: false, .full)
        }
        let session = ParkingSession(
            id: .new(at: now), carPark: carPark.id, plate: plate, enteredAt: time,
            booking: booking?.id, entryGate: gate)
        var record = SessionRecord(session: session, kind: kind, currency: carPark.body.currency)
        record.order = order
        if order == nil { record.person = try booking?.person ?? owner(ofPlate: plate) }
        try keep(&record, at: now)
        if var entered = booking, entered.status == .confirmed {
            let version = entered.version
            try entered.enter(at: time)
            try update(entered, readAt: version)
            try announce(entered, .entered, at: now)
        }
        return PassageAnswer(
            open: true, record.hasSpace ? .booked : .driveUp, booking: booking?.id,
            session: session.id)
    }

    fileprivate func leave(
        _ plate: String, _ carPark: CarParkRecord, by gate: GateID, at time: Date, _ now: Date
    ) throws -> PassageAnswer {
        guard var record = try sessionInside(carPark.id, plate: plate) else {
            return PassageAnswer(open: false, .unknown)
        }
        let time = max(time, record.session.enteredAt)
        let owed = try owed(for: &record, in: carPark, at: time)
        // Who has booked is let out, and pays what is beyond it afterwards.
        guard owed == nil || record.session.booking != nil else {
            try keep(&record, at: now)
            return PassageAnswer(
                open: false, .paymentDue, session: record.session.id, due: record.session.due)
        }
        if let owed { try bill(owed, for: &record, in: carPark, now) }
        (record.session.leftAt, record.session.exitGate) = (time, gate)
        try keep(&record, at: now)
        if let person = record.person, try isGone(person) { try forget(&record, at: now) }
        if let id = record.session.booking { try leave(id, at: time, now) }
        let reason: PassageAnswer.Reason =
            owed != nil ? .billed : record.paid > 0 ? .paid : record.hasSpace ? .booked : .free
        return PassageAnswer(
            open: true, reason, booking: record.session.booking, session: record.session.id,
            due: record.session.due)
    }

    /// The last of a booking's vehicles has left.
    private func leave(_ id: BookingID, at time: Date, _ now: Date) throws {
        guard var booking = try booking(id), booking.status == .active, try inside(of: id) == 0
        else { return }
        let version = booking.version
        try booking.leave(at: time)
        try update(booking, readAt: version)
        if booking.status == .completed {
            try shorten(id, to: max(time, booking.stay.start))
            try unscheduleAll(of: id)
        }
        try announce(booking, .left, at: now)
    }

    /// What is to be paid for the stay until then, beside what is paid; nil for nothing.
    fileprivate func owed(
        for record: inout SessionRecord, in carPark: CarParkRecord, at time: Date
    ) throws -> OwedForStay? {
        guard record.order == nil else { return nil }
        let booking = try record.session.booking.flatMap { try self.booking($0) }
        let lines =
            try booking.map { $0.overstayLines(until: time, carPark.days) }
            ?? driveUpLines(of: record, in: carPark, until: time)
        let total = lines.reduce(0) { $0 + $1.amount }
        guard total > record.paid else {
            (record.session.due, record.session.isPaid) = (nil, record.paid > 0)
            return nil
        }
        let due = Money(amount: total - record.paid, currency: record.currency)
        (record.session.due, record.session.isPaid) = (due, false)
        return OwedForStay(due: due, lines: lines, until: time, booking: booking)
    }

    /// Tells payments of it, unless it knows.
    fileprivate func bill(
        _ owed: OwedForStay, for record: inout SessionRecord, in carPark: CarParkRecord, _ now: Date
    ) throws {
        guard record.billed != owed.due, let person = record.person else { return }
        if let old = record.bill, try isOpen(old) { try withdraw(old, at: now) }
        let id = BillID.new(at: now)
        (record.bill, record.billed) = (id, owed.due)
        try publish(
            record.bill(id, person, owed, in: carPark), session: record.session.id, at: now)
        if let booking = owed.booking {
            try announceOverstay(of: booking, owed.due.amount, at: now)
        }
    }

    /// By the cheapest hourly product of the class, a started hour; the first minutes are free, and those after
    /// paying.
    private func driveUpLines(
        of record: SessionRecord, in carPark: CarParkRecord, until time: Date
    ) throws -> [(kind: String, amount: Int)] {
        let since = record.paidAt ?? record.session.enteredAt
        guard time.timeIntervalSince(since) > BookingLimits.grace else {
            return [("driveUp", record.paid)]
        }
        let amount = try rate(of: record.kind, in: carPark)
            .amount(from: record.session.enteredAt, until: time)
        return [("driveUp", max(record.paid, amount))]
    }

    /// A stay's bill is paid.
    func settle(_ payment: Payment, of id: ParkingSessionID, at now: Date) throws {
        guard var record = try session(id) else { return }
        guard record.bill == payment.bill else {
            guard let known = try bill(payment.bill), known.bill.returns == nil else { return }
            return try giveBack(
                payment.amount.amount, of: payment.bill, "not needed any more", at: now)
        }
        guard !record.session.isPaid else { return }
        record.paid += payment.amount.amount
        record.paidAt = now
        (record.session.isPaid, record.session.due, record.billed) = (true, nil, nil)
        try keep(&record, at: now)
    }
}

extension SessionRecord {
    /// By a booking, or by a valet's order.
    fileprivate var hasSpace: Bool { session.booking != nil || order != nil }
}

/// What a stay costs beside what is paid.
private struct OwedForStay {
    let due: Money
    let lines: [(kind: String, amount: Int)]
    let until: Date
    /// That it is beyond; nil for a drive-up.
    let booking: BookingRecord?
}

extension SessionRecord {
    fileprivate func bill(
        _ id: BillID, _ person: PersonID, _ owed: OwedForStay, in carPark: CarParkRecord
    ) -> Bill {
        if let booking = owed.booking {
            return booking.overstayBill(
                id, lines: owed.lines, from: booking.stay.end, until: owed.until)
        }
        var bill = Bill(
            id: id, product: .parking, version: 1, payer: person, currency: owed.due.currency,
            facts: Bill.Facts(
                title: CarParkNotices.words.text("bill.title"), reference: session.plate,
                from: session.enteredAt, until: owed.until, place: carPark.body.name))
        bill.lines = [
            Bill.Line(
                kind: "driveUp", text: CarParkNotices.words.text("bill.driveUp"), amount: owed.due)
        ]
        return bill
    }
}

extension BookingRecord {
    /// What a vehicle is beyond the booking: started units of one space at its price, and the fee; nothing within the
    /// grace.
    func overstayLines(until time: Date, _ days: LocalDays) -> [(kind: String, amount: Int)] {
        guard time.timeIntervalSince(stay.end) > BookingLimits.grace else { return [] }
        let units =
            stay.product.kind.quantity(from: stay.end, until: time, days)
            ?? CarParkRules.mostQuantity
        let amount = min(Money.largestAmount / 2, stay.product.price * units)
        return [("overstay", amount), ("overstayFee", stay.overstayFee)]
    }
}
