import Contracts
import Crypto
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// The use cases of gates and stays. Each function is one transaction, except those that take payments.
struct GateUseCases: Sendable {
    /// Two reports of the same vehicle within this time are one passage, in seconds.
    static let same: TimeInterval = 10
    /// How long passages are kept, in seconds, since a gate may be offline for days.
    static let kept: TimeInterval = 7 * 86_400
    /// How far, in seconds, a gate's clock may be ahead of ours or differ from another gate's. Two entries within it
    /// are one.
    static let ahead: TimeInterval = 120
    /// A passage older than this, in seconds, is recorded as a fact, not answered as a request.
    static let waiting: TimeInterval = 60
    /// Seconds before a booking's start within which an early arrival is let in as a drive-up until the
    /// booking begins, or refused as too early if the car park is closed or full.
    static let soon: TimeInterval = 86_400
    /// Maximum length of a ticket's code, in characters.
    static let longestTicket = 4_000
    /// Maximum number of unclaimed stays of a plate that are assigned to a person at once.
    static let mostUnclaimed = 100
    /// How long the plate of an unclaimed stay is kept, in seconds.
    static let strangersKept: TimeInterval = 30 * 86_400

    let database: Database
    let clock: ServiceClock
    let bookings: BookingUseCases
    let tickets: Tickets
    /// The services that recognise plates.
    let recognitions: Owners

    // MARK: Gates

    func add(_ body: GateBody, by person: PersonID) async throws -> NewGate {
        let name = try Check.text(body.name, "name", 1...60)
        let now = clock.now
        let gate = Gate(id: .new(at: now), carParkId: body.carParkId, name: name)
        let token = Self.newToken()
        return try await database.write { transaction in
            _ = try transaction.carParks.require(body.carParkId)
            try transaction.record("carparks.add-gate", gate.id, by: person, at: now)
            try transaction.gates.keep(gate, tokenHash: Self.hash(token))
            return NewGate(id: gate.id, token: token)
        }
    }

    func rotateToken(of id: GateID, by person: PersonID) async throws -> NewGate {
        let (now, token) = (clock.now, Self.newToken())
        return try await database.write { transaction in
            guard let known = try transaction.gates.find(id) else { throw Refusal.gateUnknown }
            try transaction.record("carparks.rotate-gate-token", id, by: person, at: now)
            try transaction.gates.keep(known.gate, tokenHash: Self.hash(token))
            return NewGate(id: id, token: token)
        }
    }

    private static func newToken() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
    }

    private static func hash(_ token: String) -> String {
        SHA256.hash(data: Data(token.utf8)).hex
    }

    // MARK: Passages

    /// Answers a gate about a vehicle that passes or wants to. Opening an entrance begins a stay. A stay without a
    /// booking that has to be paid, at the exit or afterwards, is paid at once if its owner has agreed to automatic
    /// payment.
    func pass(_ id: GateID, token: String, _ reported: PassageBody) async throws -> PassageAnswer {
        let now = clock.now
        var body = reported.byOurClock(at: now)
        guard body.at <= now.addingTimeInterval(Self.ahead),
            body.at >= now.addingTimeInterval(-Self.kept)
        else { throw Refusal.invalid("at", "Use a time within the last seven days.") }
        body.plate = try Check.optionalText(body.plate, "plate", most: Vehicle.longestPlate)
        body.ticket = try Check.optionalText(body.ticket, "ticket", most: Self.longestTicket)
        // Nothing is looked up for a caller without a valid token.
        let gate = try await database.read { try $0.gates.require(id, Self.hash(token)) }
        var reference: String?
        if let ticket = body.ticket { reference = await tickets.reference(of: ticket) }
        if (body.plate ?? "").plateCharacters.isEmpty, let recognition = body.recognitionId {
            body.plate = try await plate(of: recognition)
        }
        let answer = try await answer(to: body, ticket: reference, at: gate)
        // Nobody waits for what an open gate says.
        guard !answer.open, !body.isLate(at: clock.now) else { return answer }
        return await withTax(answer, at: body.at)
    }

    /// The answer after an automatic payment, and then after an opening by an operator: no opening is used up by a
    /// vehicle that needs none.
    private func answer(
        to body: PassageBody, ticket reference: String?, at gate: Gate
    ) async throws -> PassageAnswer {
        let answer = try await decide(body, ticket: reference, at: gate, usesOpening: false)
        let isOwed = answer.reason == .paymentDue || answer.reason == .billed
        if isOwed, answer.booking == nil, let session = answer.session,
            try await payByItself(session, at: body.at)
        {
            // The stay is paid, so no look-up or check may block the exit now.
            return try await decide(body, ticket: reference, at: gate, usesOpening: false)
        }
        let now = clock.now
        guard !answer.open, !body.isLate(at: now),
            try await database.read({ try $0.gates.opening(at: gate.id, now) != nil })
        else { return answer }
        return try await decide(body, ticket: reference, at: gate, usesOpening: true)
    }

    private func decide(
        _ body: PassageBody, ticket reference: String?, at gate: Gate, usesOpening: Bool
    ) async throws -> PassageAnswer {
        let now = clock.now
        return try await database.write { transaction in
            let ticket = try reference.flatMap { try transaction.bookings.find(byReference: $0) }
            guard
                var vehicle = Passing.Vehicle(
                    of: body, ticket?.stay.carPark.id == gate.carParkId ? ticket : nil)
            else {
                return try transaction.gates.answerUnreadable(
                    body, at: gate, usesOpening: usesOpening, now)
            }
            if case .read(let plate) = vehicle {
                vehicle = .read(try transaction.gates.meant(by: plate, body, at: gate, now))
            }
            if let earlier = try transaction.gates.earlierAnswer(
                to: body, plates: vehicle.plates, at: gate.id)
            {
                return earlier
            }
            let carPark = try transaction.carParks.require(gate.carParkId)
            let passing = try transaction.gates.passing(
                vehicle, body, at: gate.id, of: carPark, now)
            var answer = try transaction.gates.decide(passing, now)
            if !answer.open, usesOpening,
                let opened = try transaction.gates.openOnce(passing, body, at: gate, now)
            {
                answer = opened
            } else if answer.open, !passing.isLate, let ticket, ticket.isPaid,
                ticket.stay.vehicles.contains(where: {
                    $0.plate.plateCharacters == body.plate?.plateCharacters
                })
            {
                try transaction.plates.prove(
                    passing.plate, for: ticket.person, by: .ticket, at: now)
            }
            // A refusal is not stored: the driver may try again at once, for example after paying.
            if answer.open || passing.isLate {
                try transaction.gates.keep(answer, to: body, plate: passing.plate, at: gate.id)
            }
            return answer
        }
    }

    /// Nil if the picture shows no plate.
    private func plate(of id: RecognitionID) async throws -> String? {
        do {
            guard let made = try await recognitions.newest(InternalEndpoints.recognition(id)) else {
                throw Refusal.gateRecognitionUnknown
            }
            return made.plate
        } catch is Peer.Failure {
            throw Refusal.unavailable("We can't look up the recognition at the moment.")
        }
    }

    func sweep() async throws {
        let limit = clock.now.addingTimeInterval(-Self.kept)
        try await database.sweep { try $0.gates.sweepPassages(before: limit, limit: $1) }
        try await database.sweep { try $0.inventory.sweep(before: limit, limit: $1) }
        let now = clock.now
        try await database.sweep(batch: 100) {
            try $0.sessions.forgetStrangers(
                before: now.addingTimeInterval(-Self.strangersKept), limit: $1, at: now)
        }
    }

    // MARK: Stays

    /// Pays the amount due for a stay, after which the driver has some time to leave. A repeat with the same key gets
    /// the payment that the key made; until it has made one, each attempt pays the amount due by then. `time` is given
    /// by a gate, where the driver can't confirm a payment.
    func pay(
        _ id: ParkingSessionID, _ body: PayBody, by person: PersonID, at time: Date? = nil,
        once key: IdempotencyKey? = nil
    ) async throws -> Payment {
        let now = clock.now
        let asked: BillID? = try await database.answer(once: key)
        let bill = try await database.write(once: asked == nil ? key : nil) { transaction in
            try transaction.requireStanding(of: person)
            guard var record = try transaction.sessions.find(id), record.person == person else {
                throw Refusal.parkingSessionUnknown
            }
            // The bill that was made first, or its replacement. Ids follow the time.
            if let asked, let paid = record.settled.last(where: { $0 >= asked }) { return paid }
            record.guestTold = LookupClaims.nobody
            if record.session.leftAt != nil {
                guard record.session.due != nil else { throw Refusal.nothingDueForParking }
                // Also for a car park that has been removed.
                if let bill = record.bill, try transaction.isOpen(bill) {
                    try transaction.sessions.keep(&record, at: now)
                    return bill
                }
            }
            let carPark = try transaction.carParks.require(record.session.carPark)
            if record.session.leftAt == nil {
                try transaction.sessions.carryOn(&record, in: carPark, until: now, now)
            }
            let owed = try transaction.sessions.owed(
                for: &record, in: carPark, at: record.session.leftAt ?? time ?? now)
            if let owed { try transaction.sessions.bill(owed, for: &record, in: carPark, now) }
            try transaction.sessions.keep(&record, at: now)
            guard owed != nil, let bill = record.bill else { throw Refusal.nothingDueForParking }
            return bill
        }
        let isAtGate = time != nil
        let payment = try await bookings.pay(bill, body, by: person, isOffSession: isAtGate) {
            // The bill was replaced because another device asked in the next hour, or an operator has ended the stay.
            try await pay(id, body, by: person, at: time)
        }
        if payment.status == .succeeded { try await settle(payment, of: id) }
        return payment
    }

    /// Settles a payment of a stay. Throws if the stay does not need it any more, so that it goes back.
    func settle(_ payment: Payment, of id: ParkingSessionID) async throws {
        try await bookings.settle(payment)
        let stay = try await database.read { try $0.sessions.find(id) }
        guard stay?.settled.contains(payment.bill) == true else {
            throw Refusal.parkingPaymentReturned
        }
    }

    /// Ends a stay whose vehicle left unseen by a gate. If something is due, the operator says what becomes of it.
    func end(
        _ id: ParkingSessionID, _ body: EndSessionBody, by person: PersonID
    ) async throws -> ParkingSession {
        let (now, reason) = (clock.now, try Check.text(body.reason, "reason", 1...500))
        return try await database.write { transaction in
            guard var record = try transaction.sessions.find(id) else {
                throw Refusal.parkingSessionUnknown
            }
            guard record.session.leftAt == nil else { throw Refusal.parkingSessionEnded }
            let carPark = try transaction.carParks.find(record.session.carPark)
            // As the desk does, so that both show the same amount due.
            if let carPark {
                try transaction.sessions.carryOn(&record, in: carPark, until: now, now)
            }
            var written = reason
            if let due = try transaction.sessions.due(of: record, now) {
                guard let settlement = body.settlement else { throw Refusal.settlementRequired }
                written += " (\(settlement.words): \(due.text(in: .english)))"
            }
            try transaction.record(
                "carparks.end-parking-session", id, by: person, reason: written, at: now)
            let booking = record.session.booking
            record.mayLeaveUntil = now.addingTimeInterval(
                try transaction.sessions.graceAfterEnd(of: record))
            if body.settlement == .later, let carPark {
                try transaction.sessions.finishUnpaid(&record, in: carPark, at: now, now)
            } else {
                try transaction.sessions.finish(&record, at: now, now)
            }
            if let booking { try transaction.bookings.leave(booking, at: now, now) }
            return record.session
        }
    }
}

extension EndSessionBody.Settlement {
    /// For the audit log.
    fileprivate var words: String {
        switch self {
        case .writeOff: "written off"
        case .later: "billed later"
        }
    }
}

extension GateStore {
    fileprivate func require(_ id: GateID, _ tokenHash: String) throws -> Gate {
        guard let known = try find(id), known.tokenHash == tokenHash else {
            throw Refusal.gateTokenInvalid
        }
        return known.gate
    }

    /// Gathers the facts of a passage in steps, and acts on the decision.
    fileprivate func decide(_ passing: Passing, _ now: Date) throws -> PassageAnswer {
        if let answer = try transaction.sessions.leaveAfterEnd(passing, now) { return answer }
        if let refusal = passing.facts.refusal {
            let known = refusal == .alreadyInside ? passing.stay?.session : nil
            return PassageAnswer(
                open: false, refusal, booking: known?.booking, session: known?.id)
        }
        switch passing.direction {
        case .in: return try enter(passing, now)
        case .out:
            guard var stay = passing.stay else { return PassageAnswer(open: false, .unknown) }
            return try transaction.sessions.leave(&stay, passing, now)
        }
    }

    /// A vehicle at the entrance is not inside, so an earlier stay whose exit nobody saw ends here, whether
    /// the gate opens or not.
    private func enter(_ passing: Passing, _ now: Date) throws -> PassageAnswer {
        if var earlier = passing.stay {
            try transaction.sessions.finish(&earlier, at: passing.at, keepsClaim: true, now)
        }
        let answer = try admit(passing, now)
        if let id = passing.stay?.session.booking {
            try transaction.bookings.leave(id, at: passing.at, now)
        }
        return answer
    }

    /// Begins a stay, unless the gate stays shut.
    private func admit(_ passing: Passing, _ now: Date) throws -> PassageAnswer {
        let (carPark, bookings) = (passing.carPark, try transaction.bookings.admitting(passing))
        let current = try transaction.bookings.current(of: bookings, at: passing.at)
        let facts = EntryFacts(
            isLate: passing.isLate, booked: passing.booked(current, of: bookings),
            hasTicket: passing.ticket != nil,
            isClosed: carPark.openingState(at: passing.at) == .closed)
        let decision = try facts.decision {
            try transaction.valetSpaces.order(
                ofPlate: passing.plate, in: carPark.id, at: passing.at)
        } hasFreeSpace: {
            let live = try transaction.carParks.liveSpaces(of: [carPark], at: now)[carPark.id] ?? []
            return (live.first { $0.kind == .general }?.free ?? 0) > 0
        }
        guard decision.open else {
            return PassageAnswer(open: false, decision.reason, booking: decision.booking)
        }
        var stay = try begin(passing, by: current, order: decision.order, now)
        if passing.isLate { try transaction.sessions.catchUp(&stay, passing, now) }
        // By now, a booking may have taken over a stay that was reported late.
        return PassageAnswer(
            open: true, stay.hasSpace ? .booked : decision.reason, booking: decision.booking,
            session: stay.session.id, code: stay.code)
    }

    /// Begins a stay. If its entry is reported late and a later one is known, the stay ends at that one.
    func begin(
        _ passing: Passing, by booking: BookingRecord?, order: OrderID?, _ now: Date
    ) throws -> SessionRecord {
        let carPark = passing.carPark
        var session = ParkingSession(
            id: .new(at: now), carPark: carPark.id, plate: passing.plate,
            enteredAt: passing.at, booking: booking?.id, entryGate: passing.gate)
        if passing.isLate {
            session.leftAt = try transaction.sessions.nextEntry(
                ofPlate: passing.plate, to: carPark.id, after: passing.at)
        }
        var record = SessionRecord(
            session: session, kind: booking?.stay.kind ?? .general,
            currency: carPark.body.currency)
        record.order = order
        if order == nil {
            record.person =
                try booking?.person ?? transaction.plates.owners(of: passing.plate).first
        }
        if record.payer == nil, order == nil, !passing.isLate {
            try transaction.sessions.collectClaims(for: &record, at: now)
        }
        try transaction.sessions.keep(&record, at: now)
        if let booking { try transaction.bookings.enter(booking, at: passing.at, now) }
        return record
    }
}

extension BookingStore {
    /// Marks a booking as active when its first vehicle enters.
    func enter(_ known: BookingRecord, at time: Date, _ now: Date) throws {
        guard known.status != .active else { return }
        var booking = known
        try booking.enter(at: time)
        try update(&booking)
        try CarParkNotices.announce(booking, .entered, at: now, in: transaction)
    }

    /// Updates a booking when its last vehicle has left.
    func leave(_ id: BookingID, at time: Date, _ now: Date) throws {
        guard var booking = try find(id), booking.status == .active,
            try transaction.sessions.countInside(of: id) == 0
        else { return }
        try booking.leave(at: time)
        try update(&booking)
        if booking.status == .completed {
            try transaction.inventory.shorten(id, to: time)
            try unscheduleAll(of: id)
        } else if booking.stay.end <= now {
            // The earlier check found a vehicle inside.
            try transaction.schedule(BookingWork.end, id, at: now)
        }
        try CarParkNotices.announce(booking, .left, at: now, in: transaction)
    }
}

extension SessionStore {
    func leave(
        _ record: inout SessionRecord, _ passing: Passing, _ now: Date
    ) throws -> PassageAnswer {
        let carPark = passing.carPark
        let time = max(passing.at, record.session.enteredAt)
        try carryOn(&record, in: carPark, until: time, now)
        let owed = try owed(for: &record, in: carPark, at: time)
        let decision = ExitFacts(
            isLate: passing.isLate, isOwing: owed != nil,
            hasBooking: record.session.booking != nil, hasOrder: record.order != nil,
            hasPaid: record.paid > 0
        ).decision
        let answer = PassageAnswer(
            open: decision.open, decision.reason, booking: record.session.booking,
            session: record.session.id, due: record.session.due, code: record.code)
        guard decision.open else {
            try keep(&record, at: now)
            return answer
        }
        if let owed { try bill(owed, for: &record, in: carPark, now) }
        record.isClaim = owed != nil && record.person == nil ? true : nil
        (record.session.leftAt, record.session.exitGate) = (time, passing.gate)
        try keep(&record, at: now)
        if let person = record.person, try transaction.isGone(person) {
            try forget(&record, at: now)
        }
        if let id = record.session.booking { try transaction.bookings.leave(id, at: time, now) }
        return answer
    }
}

extension PassageBody {
    /// The passage has happened, and is not answered as a request.
    func isLate(at now: Date) -> Bool { now.timeIntervalSince(at) > GateUseCases.waiting }

    /// Corrects the time of a passage if the gate says when it sent it, which shows how far its clock is off.
    fileprivate func byOurClock(at now: Date) -> PassageBody {
        guard let sentAt else { return self }
        var body = self
        body.at += now.timeIntervalSince(sentAt)
        return body
    }
}

extension SessionRecord {
    /// Has the space of a booking or of a valet's order.
    var hasSpace: Bool { session.booking != nil || order != nil }
}
