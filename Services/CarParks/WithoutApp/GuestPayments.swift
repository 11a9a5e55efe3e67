import Contracts
import Foundation
import JWTKit
import Pictures
import ServiceKit
import Store

/// A signed lookup: only its holder can pay, at the price shown.
struct LookupClaims: JWTPayload, Hashable {
    enum Subject: Codable, Sendable, Hashable {
        case stay(ParkingSessionID)
        case fine(FineID)
    }

    let subject: Subject
    /// Without tax on top.
    let due: Money
    /// In seconds since 2001, exactly as the price was made: a second may make another price.
    let told: TimeInterval

    init(_ subject: Subject, _ due: Money, at now: Date) {
        (self.subject, self.due) = (subject, due)
        told = now.timeIntervalSinceReferenceDate
    }

    /// Stands for somebody who is no guest, and for several guests of whom any may have paid.
    static let nobody: TimeInterval = 0

    /// The payer of the payment after this request, unless payments says otherwise; `told` is of the request before.
    func asking(after told: TimeInterval?) -> TimeInterval {
        told == nil || told == self.told ? self.told : Self.nobody
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
    static let mostTries = 3
    /// The first wait, in seconds. It doubles with each further wrong question.
    static let firstWait: TimeInterval = 3_600
    /// How long wrong questions count, in seconds, from the first. Waits end then, so that a plate whose wait would be
    /// longer is answered only by the code until then.
    static let triesKept: TimeInterval = 86_400
    /// How long a price is kept, in seconds.
    static let kept: TimeInterval = 600
    /// The newest stays of a plate or code that are looked at.
    static let mostStays = 20

    let gates: GateUseCases
    let fines: FineUseCases
    let keys: SigningKeys

    private enum Found: Sendable {
        /// In seconds.
        case wait(Int)
        case stay(StayOffer, isRight: Bool)
        case fine(FineRecord)
        /// There is no car park.
        case nothing
    }

    /// The wait after so many wrong questions, in seconds; nil for none.
    static func wait(after tries: Int) -> TimeInterval? {
        guard tries >= mostTries else { return nil }
        return firstWait * TimeInterval(1 << min(tries - mostTries, 5))
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
            let fine = offer == nil ? try transaction.fines.asked(question) : nil
            let isRight = offer != nil || fine != nil
            try transaction.lookups.count(question, isRight: isRight, at: now)
            if let fine { return .fine(fine) }
            let shown = try offer ?? transaction.sessions.decoy(for: question, at: now)
            return shown.map { .stay($0, isRight: offer != nil) } ?? .nothing
        }
        switch found {
        case .wait(let seconds): throw Refusal.tooManyLookups.retrying(after: seconds)
        case .nothing: throw Refusal.parkingNothingFound
        case .stay(let offer, let isRight):
            let claims = LookupClaims(.stay(offer.stay), offer.due, at: now)
            let token = try await keys.sign(claims)
            let charge = try await gates.bookings.cashier.charge(of: offer.bill)
            guard isRight else { throw Refusal.parkingNothingFound }
            return offer.view(token, claims, charge, in: language)
        case .fine(let fine):
            let claims = LookupClaims(.fine(fine.id), fine.amount, at: now)
            let bill = fine.guestBill(.new(at: now), to: .new(at: now))
            let charge = try await gates.bookings.cashier.charge(of: bill)
            return fine.lookup(try await keys.sign(claims), claims, charge, of: bill, in: language)
        }
    }

    /// Pays what was looked up. After the payer's further step, the same request finishes the payment, however long
    /// that took.
    func pay(_ body: ParkingPayBody, in language: Language) async throws -> ParkingPayment {
        // Before anything is charged.
        let address = try body.email.map { try Check.mailAddress($0, "email") }
        guard let claims = try? await keys.verify(body.lookup, as: LookupClaims.self) else {
            throw Refusal.parkingLookupExpired
        }
        let payment =
            switch claims.subject {
            case .stay(let stay): try await pay(stay, claims, body.token)
            case .fine(let fine): try await fines.pay(fine, body.token, asGuest: claims)
            }
        let (answer, isTheirs) = try await gates.database.read { transaction in
            var answer =
                switch claims.subject {
                case .stay(let stay): try transaction.sessions.paid(payment, of: stay)
                case .fine(let fine):
                    try transaction.fines.require(fine, for: .operator).paid(payment)
                }
            let isTheirs = try claims.isPayer(of: payment.bill, in: transaction)
            // The card is the business of the guest who pays.
            if !isTheirs { (answer.brand, answer.last4, answer.clientSecret) = (nil, nil, nil) }
            return (answer, isTheirs)
        }
        // The payment counts, whether its receipt can be sent or not.
        if isTheirs, payment.status == .succeeded, let address {
            try? await gates.bookings.cashier.mail(payment.bill, to: address, in: language)
        }
        return answer
    }

    private func pay(
        _ stay: ParkingSessionID, _ claims: LookupClaims, _ token: String
    ) async throws -> Payment {
        let now = gates.clock.now
        let charge = try await gates.database.write { transaction in
            try transaction.sessions.charge(stay, claims, at: now)
        }
        let payment = try await pay(charge, token, claims)
        if payment.status == .succeeded { try await gates.settle(payment, of: stay) }
        return payment
    }

    private func pay(
        _ charge: SessionStore.Charge, _ token: String, _ claims: LookupClaims
    ) async throws -> Payment {
        switch charge {
        case .paid(let bill): return try await gates.bookings.cashier.payment(of: bill)
        case .open(let bill, let payer):
            return try await gates.bookings.pay(bill, token, by: payer, asGuest: claims)
        case .late(let bill):
            guard let payment = try await gates.bookings.cashier.resume(bill) else {
                throw Refusal.parkingLookupExpired
            }
            return payment
        }
    }

    /// The receipt of what the guest has paid, as long as the stay or fine is known.
    func receipt(_ body: ParkingReceiptBody) async throws -> PaymentDocument {
        guard let claims = try? await keys.verify(body.lookup, as: LookupClaims.self),
            try await gates.database.read({ try claims.isPayer(of: body.bill, in: $0) })
        else { throw Refusal.documentUnknown }
        return try await gates.bookings.cashier.receipt(of: body.bill)
    }

    // MARK: QR codes

    /// The code for the exits of a car park.
    func payCode(_ id: CarParkID, at origin: String) async throws -> PayCode {
        _ = try await gates.database.read { try $0.carParks.require(id) }
        return try payCode("?carPark=\(id)", at: origin)
    }

    /// The code for a notice on the windscreen.
    func payCode(_ id: FineID, at origin: String) async throws -> PayCode {
        let fine = try await fines.fine(id, for: .operator)
        guard fine.isPayable else { throw fine.notPossible }
        return try payCode("/\(fine.reference)", at: origin)
    }

    private func payCode(_ path: String, at origin: String) throws -> PayCode {
        guard let url = URL(string: origin), ["http", "https"].contains(url.scheme ?? ""),
            url.host != nil, url.path.isEmpty, url.query == nil
        else { throw Refusal.invalid("origin", "Use an address as https://valet.example.org.") }
        let text = "\(origin)/pay\(path)"
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

extension BookingUseCases {
    /// Pays a guest's bill, and keeps that this guest has begun the payment.
    func pay(
        _ bill: BillID, _ token: String, by payer: PersonID, asGuest claims: LookupClaims
    ) async throws -> Payment {
        let now = clock.now
        switch try await cashier.pay(bill, by: payer, method: nil, token: token) {
        case .payment(let payment):
            try await database.write { try claims.keepPayer(of: bill, in: $0, at: now) }
            return payment
        case .settledBefore: return try await cashier.payment(of: bill)
        case .notDue: throw Refusal.parkingLookupExpired
        }
    }
}

extension LookupClaims {
    /// Whether this guest has paid the bill by card, or is paying it.
    fileprivate func isPayer(of bill: BillID, in transaction: Transaction) throws -> Bool {
        let payer =
            switch subject {
            case .stay(let id): try transaction.sessions.find(id)?.guest(of: bill)
            case .fine(let id): try transaction.fines.find(id)?.guest(of: bill)
            }
        return payer == told
    }

    fileprivate func keepPayer(
        of bill: BillID, in transaction: Transaction, at now: Date
    ) throws {
        switch subject {
        case .stay(let id):
            guard var record = try transaction.sessions.find(id) else { return }
            record.keepGuest(told, of: bill)
            try transaction.sessions.keep(&record, at: now)
        case .fine(let id):
            guard var fine = try transaction.fines.find(id) else { return }
            fine.keepGuest(told, of: bill)
            try fineTable.update(&fine, in: transaction)
        }
    }
}

extension Payment {
    var isByCard: Bool { means == nil || means == .known(.card) }
}
