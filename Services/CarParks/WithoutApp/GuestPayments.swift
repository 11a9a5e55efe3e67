import Contracts
import Crypto
import Foundation
import Hummingbird
import JWTKit
import Pictures
import ServiceKit
import Store

/// What a lookup found, signed: only who has it pays, and at the price that was told.
struct LookupClaims: JWTPayload, Hashable {
    let stay: ParkingSessionID
    let due: Money
    /// In seconds since 2001, exactly as the price was made: a second may make another price.
    let told: TimeInterval

    init(_ stay: ParkingSessionID, _ due: Money, at now: Date) {
        (self.stay, self.due) = (stay, due)
        told = now.timeIntervalSinceReferenceDate
    }

    var toldAt: Date { Date(timeIntervalSinceReferenceDate: told) }
    var expiresAt: Date { toldAt.addingTimeInterval(GuestPayments.kept) }

    /// The service compares its times with its own clock.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// Payments by drivers without an account. A plate alone tells nothing: each wrong question gets the
/// same answer after the same work, and is counted.
struct GuestPayments: Sendable {
    /// How far the time of an entry may be off, in seconds.
    static let tolerance: TimeInterval = 600
    /// Wrong questions about a plate or code, known or not, before everybody has to wait.
    static let mostTries = 5
    /// How long wrong questions count, in seconds, from the first.
    static let triesKept: TimeInterval = 3_600
    /// How long a price is kept, in seconds.
    static let kept: TimeInterval = 600
    /// The newest stays of a plate or code that are looked at.
    static let mostStays = 20

    let gates: GateUseCases
    let keys: SigningKeys

    private enum Found: Sendable {
        /// In seconds.
        case wait(Int)
        case stay(StayOffer, isRight: Bool)
        /// There is no car park.
        case nothing
    }

    func lookUp(
        _ body: ParkingLookupBody, in language: Language
    ) async throws -> ParkingLookup {
        let question = try LookupQuestion(body)
        let now = gates.clock.now
        let found: Found = try await gates.database.write { transaction in
            if let wait = try transaction.lookups.wait(for: question, at: now) {
                return .wait(wait)
            }
            let stay = try transaction.sessions.asked(question)
            let offer = try stay.flatMap { try transaction.sessions.offer(of: $0, at: now) }
            try transaction.lookups.count(question, isRight: offer != nil, at: now)
            let shown = try offer ?? transaction.sessions.decoy(for: question, at: now)
            return shown.map { .stay($0, isRight: offer != nil) } ?? .nothing
        }
        switch found {
        case .wait(let seconds): throw Refusal.tooManyLookups.retrying(after: seconds)
        case .nothing: throw Refusal.parkingNothingFound
        case .stay(let offer, let isRight):
            let claims = LookupClaims(offer.stay, offer.due, at: now)
            let token = try await keys.sign(claims)
            guard isRight else { throw Refusal.parkingNothingFound }
            return offer.view(token, claims, in: language)
        }
    }

    /// Pays what was looked up. After the payer's further step, the same request finishes the payment.
    func pay(_ body: ParkingPayBody) async throws -> ParkingPayment {
        guard let claims = try? await keys.verify(body.lookup, as: LookupClaims.self),
            gates.clock.now < claims.expiresAt
        else { throw Refusal.parkingLookupExpired }
        let now = gates.clock.now
        let charge = try await gates.database.write { transaction in
            try transaction.sessions.charge(claims, at: now)
        }
        let payment: Payment
        switch charge {
        case .paid(let bill): payment = try await gates.bookings.cashier.payment(of: bill)
        case .open(let bill, let payer):
            payment = try await gates.bookings.pay(bill, PayBody(token: body.token), by: payer) {
                throw Refusal.parkingLookupExpired
            }
        }
        if payment.status == .succeeded { try await gates.bookings.settle(payment) }
        return try await gates.database.read { transaction in
            guard let record = try transaction.sessions.find(claims.stay) else {
                throw Refusal.parkingLookupExpired
            }
            return try transaction.sessions.paid(payment, of: record)
        }
    }

    /// The code for the exits of a car park.
    func payCode(_ id: CarParkID, at origin: String) async throws -> PayCode {
        guard let url = URL(string: origin), ["http", "https"].contains(url.scheme ?? ""),
            url.host != nil, url.path.isEmpty, url.query == nil
        else { throw Refusal.invalid("origin", "Use an address as https://valet.example.org.") }
        _ = try await gates.database.read { try $0.carParks.require(id) }
        let text = "\(origin)/pay?carPark=\(id)"
        let code = try QRCode(text)
        return PayCode(
            url: text,
            qrCode: QRPicture(size: code.size + 2 * QRCode.quietZone, path: code.path))
    }

    func sweep() async throws {
        let now = gates.clock.now
        try await gates.database.sweep { try $0.lookups.sweep(before: now, limit: $1) }
        // They may name a plate.
        _ = try await gates.database.write { transaction in
            try transaction.execute("DELETE FROM gate_openings WHERE expires_at <= ?", now)
        }
    }
}

/// The routes of drivers without an account, and of operators who let them out.
struct GuestRoutes: Sendable {
    let guests: GuestPayments
    let fines: FineUseCases

    func add(to router: Router<Context>) {
        router.on(WithoutAppEndpoints.lookUpParking) {
            try await guests.lookUp($0.body, in: $0.language)
        }
        router.on(WithoutAppEndpoints.payForParking) { try await guests.pay($0.body) }
        router.on(WithoutAppEndpoints.payCode) {
            try await guests.payCode($0.id(or: .carParkUnknown), at: $0.query.origin)
        }
        router.on(WithoutAppEndpoints.openGate) {
            try await guests.gates.open($0.id(or: .gateUnknown), $0.body, by: $0.person.person)
        }
        router.on(WithoutAppEndpoints.receiveForFine) {
            try await fines.receive(
                $0.id(or: .fineUnknown), $0.body, by: $0.person.person, once: $0.idempotency)
        }
        router.on(WithoutAppEndpoints.receiveForStay) {
            try await guests.gates.receive(
                $0.id(or: .parkingSessionUnknown), $0.body, by: $0.person.person,
                once: $0.idempotency)
        }
    }
}

/// A checked question about a stay.
struct LookupQuestion: Sendable {
    let carPark: CarParkID?
    /// Letters and digits only.
    let plate: String?
    let enteredAt: Date?
    let code: String?

    init(_ body: ParkingLookupBody) throws {
        carPark = body.carParkId
        plate = try body.plate.map { try Check.plate($0, "plate").plateCharacters }
        enteredAt = body.enteredAt
        code = try body.code.map { BookingReference.typed(try Check.text($0, "code", 1...20)) }
        guard code != nil || plate != nil else {
            throw Refusal.invalid("plate", "Enter the plate, or the code of the ticket.")
        }
        guard code != nil || enteredAt != nil else {
            throw Refusal.invalid("enteredAt", "Enter when you drove in.")
        }
    }

    /// Whether it is about this stay, and not only about its plate.
    func knows(_ record: SessionRecord) -> Bool {
        let session = record.session
        guard carPark == nil || carPark == session.carPark else { return false }
        if let code { return code == record.reference }
        guard let enteredAt else { return false }
        return abs(enteredAt.timeIntervalSince(session.enteredAt)) <= GuestPayments.tolerance
    }

    /// Under which wrong questions are counted: not the plate itself, which may be nobody's business.
    var subject: String {
        SHA256.hash(data: Data((plate ?? "code \(code ?? "")").utf8)).hex
    }
}

/// What has to be paid for a stay.
struct StayOffer: Sendable {
    let stay: ParkingSessionID
    let carPark: CarParkRecord
    let enteredAt: Date
    let hasLeft: Bool
    let lines: [StayLine]
    let due: Money

    fileprivate func view(
        _ token: String, _ claims: LookupClaims, in language: Language
    ) -> ParkingLookup {
        ParkingLookup(
            token: token, carPark: carPark.body.name, timeZone: carPark.body.timeZone,
            enteredAt: enteredAt,
            lines: lines.map { line in
                ParkingLookup.Line(
                    kind: line.kind,
                    text: CarParkNotices.words.text("bill.\(line.kind)", in: language),
                    amount: Money(amount: line.amount, currency: due.currency))
            }, due: due, expiresAt: claims.expiresAt,
            secondsToLeave: hasLeft ? nil : Int(BookingLimits.grace))
    }
}

extension SessionStore {
    /// The newest stay that the question is about, if it may be paid by anybody who knows it: not one of a booking or
    /// of a valet's order.
    fileprivate func asked(_ question: LookupQuestion) throws -> SessionRecord? {
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

    /// What is due for a stay; nil for nothing.
    fileprivate func offer(of record: SessionRecord, at now: Date) throws -> StayOffer? {
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
            hasLeft: session.leftAt != nil, lines: owed.lines.filter { $0.amount > 0 },
            due: owed.due)
    }

    /// A stay that never was, with a price, so that a wrong question costs the same work. Nil without car parks.
    fileprivate func decoy(for question: LookupQuestion, at now: Date) throws -> StayOffer? {
        let known = try question.carPark.flatMap { try transaction.carParks.find($0) }
        guard let carPark = try known ?? transaction.carParks.any() else { return nil }
        let record = SessionRecord(
            session: ParkingSession(
                id: .new(at: now), carPark: carPark.id, plate: question.plate ?? "",
                enteredAt: question.enteredAt ?? now.addingTimeInterval(-7_200), booking: nil,
                entryGate: .new(at: now)),
            kind: .general, currency: carPark.body.currency)
        return try offer(of: record, at: now)
            ?? StayOffer(
                stay: record.session.id, carPark: carPark, enteredAt: now, hasLeft: false,
                lines: [], due: .zero(carPark.body.currency))
    }

    fileprivate enum Charge: Sendable {
        /// Somebody has paid since the price was told, maybe by the same request.
        case paid(BillID)
        case open(BillID, PersonID)
    }

    /// The bill for the price that was told. It belongs to the driver if they are known, and to a guest otherwise.
    fileprivate func charge(_ claims: LookupClaims, at now: Date) throws -> Charge {
        guard var record = try find(claims.stay) else { throw Refusal.parkingLookupExpired }
        // Stored times are less exact than the one in the token.
        if let bill = record.settled.last, let at = record.paidAt,
            at > claims.toldAt.addingTimeInterval(-1)
        {
            return .paid(bill)
        }
        guard record.isOpenToGuests,
            let carPark = try transaction.carParks.find(record.session.carPark),
            let owed = try owed(
                for: &record, in: carPark, at: record.session.leftAt ?? claims.toldAt),
            owed.due == claims.due
        else { throw Refusal.parkingLookupExpired }
        let bill = try bill(owed, toAnybody: &record, in: carPark, now)
        return .open(bill.id, bill.payer)
    }

    fileprivate func paid(_ payment: Payment, of record: SessionRecord) throws -> ParkingPayment {
        let carPark = try transaction.carParks.find(record.session.carPark)?.body
        var answer = ParkingPayment(
            payment, reference: record.reference, carPark: carPark?.name ?? "",
            timeZone: carPark?.timeZone ?? "UTC", enteredAt: record.session.enteredAt)
        guard payment.status == .succeeded else { return answer }
        answer.paidAt = record.paidAt
        answer.leaveBy =
            record.session.leftAt == nil
            ? record.paidAt?.addingTimeInterval(BookingLimits.grace) : record.mayLeaveUntil
        return answer
    }
}

extension CarParkStore {
    /// Any car park; nil if there is none.
    fileprivate func any() throws -> CarParkRecord? {
        try transaction.row("SELECT body FROM car_parks ORDER BY id LIMIT 1")?.json()
    }
}

extension SessionRecord {
    /// Whether anybody who knows the stay may pay for it.
    fileprivate var isOpenToGuests: Bool {
        !hasSpace && (session.leftAt == nil || session.due != nil) && !session.plate.isEmpty
    }
}

extension Transaction {
    var lookups: LookupStore { LookupStore(transaction: self) }
    var stayCodes: StayCodes { StayCodes(transaction: self) }
}

/// Wrong questions about stays.
struct LookupStore {
    let transaction: Transaction

    /// Seconds until a question may be asked again; nil if it may now.
    func wait(for question: LookupQuestion, at now: Date) throws -> Int? {
        let end: Date? = try transaction.row(
            "SELECT ends_at FROM lookup_tries WHERE subject = ? AND ends_at > ? AND tries >= ?",
            question.subject, now, GuestPayments.mostTries)?.get("ends_at")
        return end.map { Int($0.timeIntervalSince(now).rounded(.up)) }
    }

    /// Counts a wrong question, and forgets them after a right one.
    func count(_ question: LookupQuestion, isRight: Bool, at now: Date) throws {
        let tries = isRight ? 0 : 1
        try transaction.execute(
            """
            INSERT INTO lookup_tries (subject, tries, ends_at) VALUES (?, ?, ?)
            ON CONFLICT (subject) DO UPDATE SET
                tries = CASE WHEN lookup_tries.ends_at <= ? OR excluded.tries = 0
                    THEN excluded.tries ELSE lookup_tries.tries + 1 END,
                ends_at = CASE WHEN lookup_tries.ends_at <= ?
                    THEN excluded.ends_at ELSE lookup_tries.ends_at END
            """, question.subject, tries, now.addingTimeInterval(GuestPayments.triesKept), now,
            now)
    }

    func sweep(before now: Date, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM lookup_tries WHERE subject IN (
                SELECT subject FROM lookup_tries WHERE ends_at <= ? LIMIT ?)
            """, now, limit)
    }
}

/// The codes of stays that may be paid by them, and counts of wrong ones.
struct StayCodes {
    static let migration = Migration(
        "without-app-1",
        """
        CREATE TABLE stay_codes (
            code TEXT NOT NULL,
            session TEXT NOT NULL,
            PRIMARY KEY (code, session))
        """,
        """
        CREATE TABLE lookup_tries (
            subject TEXT NOT NULL PRIMARY KEY,
            tries BIGINT NOT NULL,
            ends_at BIGINT NOT NULL)
        """,
        "CREATE INDEX lookup_tries_by_end ON lookup_tries (ends_at)",
        """
        CREATE TABLE gate_openings (
            gate TEXT NOT NULL PRIMARY KEY,
            session TEXT,
            plate TEXT,
            expires_at BIGINT NOT NULL)
        """)

    let transaction: Transaction

    /// Keeps the code while something may be due for the stay.
    func keep(_ record: SessionRecord) throws {
        let id = record.session.id
        if record.isOpenToGuests {
            try transaction.execute(
                "INSERT INTO stay_codes (code, session) VALUES (?, ?) ON CONFLICT DO NOTHING",
                record.reference, id)
        } else {
            try transaction.execute(
                "DELETE FROM stay_codes WHERE code = ? AND session = ?", record.reference, id)
        }
    }
}
