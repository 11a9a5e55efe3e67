import Contracts
import EventBus
import Foundation
import ServiceKit

/// A fine: of which vehicle, for what, how much, and how far it has got. Pure.
struct FineRecord: Document, Hashable {
    struct Appeal: Codable, Sendable, Hashable {
        /// Nil when their account is gone.
        var person: PersonID?
        var text: String
        var photos: [PictureID] = []
        let at: Date
    }

    struct Decision: Codable, Sendable, Hashable {
        let outcome: FineDecisionBody.Outcome
        let text: String
        let at: Date
    }

    /// What may follow what, and what it is called: every transition there is.
    static let transitions: [(step: FineStep, from: Set<FineStatus>, to: FineStatus)] = [
        (.appealed, [.issued], .appealed),
        (.upheld, [.appealed], .upheld),
        (.paid, [.issued, .upheld], .paid),
        (.cancelled, [.issued, .appealed, .upheld, .paid], .cancelled),
    ]

    let id: FineID
    let reference: String
    private(set) var plate: String
    let carPark: Booking.Place
    let amount: Money
    let reason: String
    let issuedAt: Date
    var photos: [PictureID] = []
    private(set) var status = FineStatus.issued
    private(set) var appeal: Appeal?
    private(set) var decision: Decision?
    /// The bill of the person who paid, or who last tried to.
    private(set) var bill: BillID?
    private(set) var payer: PersonID?
    private(set) var paidAt: Date?
    /// What operators of payments gave back.
    private(set) var refunds: [RefundID] = []
    /// What was given back in all, in minor units.
    private(set) var returned = 0
    var version = Version()

    init(
        _ id: FineID, reference: String, plate: String, in carPark: CarParkRecord, amount: Int,
        reason: String, at now: Date
    ) {
        (self.id, self.reference, self.plate) = (id, reference, plate)
        (self.reason, issuedAt, self.carPark) = (reason, now, carPark.place)
        self.amount = Money(amount: amount, currency: carPark.body.currency)
    }

    var notPossible: Refusal { .fineNotPossible.because("The fine is \(status.rawValue).") }

    /// Goes on, or refuses by the table.
    private mutating func move(_ step: FineStep) throws(Refusal) {
        guard let row = Self.transitions.first(where: { $0.step == step }),
            row.from.contains(status)
        else { throw notPossible }
        status = row.to
        version.advance()
    }

    // MARK: Steps

    /// Once: after a decision it is not issued any more.
    mutating func appeal(_ text: String, by person: PersonID, at now: Date) throws(Refusal) {
        try move(.appealed)
        appeal = Appeal(person: person, text: text, at: now)
    }

    mutating func decide(
        _ outcome: FineDecisionBody.Outcome, _ text: String, at now: Date
    ) throws(Refusal) {
        try move(outcome.step)
        decision = Decision(outcome: outcome, text: text, at: now)
    }

    mutating func pay(at now: Date) throws(Refusal) {
        try move(.paid)
        paidAt = now
    }

    // MARK: Money

    /// What is left of the payment, which goes back.
    mutating func giveBack() -> Int {
        let rest = amount.amount - returned
        returned = amount.amount
        return rest
    }

    /// An operator of payments has given back a part of it; false for what is known, or not of what has paid it.
    mutating func take(_ refund: Refund) -> Bool {
        guard paidAt != nil, bill == refund.bill, !refunds.contains(refund.id) else { return false }
        refunds.append(refund.id)
        returned = min(amount.amount, returned + refund.amount.amount)
        version.advance()
        return true
    }

    // MARK: Around it

    var isPayable: Bool { status == .issued || status == .upheld }
    /// Nothing of it is open.
    var isOver: Bool { status == .paid || status == .cancelled }

    /// Somebody wants to pay it by a bill of theirs.
    mutating func charge(_ bill: BillID, to person: PersonID) throws(Refusal) {
        guard isPayable else { throw notPossible }
        (self.bill, payer) = (bill, person)
        version.advance()
    }

    mutating func add(_ photo: PictureID) {
        photos.append(photo)
        version.advance()
    }

    mutating func add(_ photo: PictureID, toAppealOf person: PersonID) throws(Refusal) {
        guard status == .appealed, appeal?.person == person else { throw notPossible }
        appeal?.photos.append(photo)
        version.advance()
    }

    /// Drops what tells of a person; the pictures that nobody needs any more.
    mutating func forget(_ person: PersonID) -> [PictureID] {
        var gone: [PictureID] = []
        if var written = appeal, written.person == person {
            gone = written.photos
            (written.person, written.text, written.photos) = (nil, "", [])
            appeal = written
        }
        if payer == person {
            payer = nil
            if isOver { plate = "" } else { bill = nil }
        }
        version.advance()
        return gone
    }
}

extension FineDecisionBody.Outcome {
    var step: FineStep {
        switch self {
        case .upheld: .upheld
        case .cancelled: .cancelled
        }
    }
}

/// The reader for whom a fine is shown.
enum FineReader: Sendable {
    case `operator`
    case person(PersonID)

    /// Several people may have one vehicle: what one of them has written is not the others'.
    func sees(_ appeal: FineRecord.Appeal) -> Bool {
        switch self {
        case .operator: true
        case .person(let person): appeal.person == person
        }
    }
}

extension FineRecord {
    func view(for reader: FineReader, address: (PictureID) -> String) -> Fine {
        var fine = Fine(
            id: id, reference: reference, status: status, plate: plate, carPark: carPark,
            amount: amount, reason: reason, photos: photos.map(address), issuedAt: issuedAt,
            version: version.number)
        if let appeal, reader.sees(appeal) {
            fine.appeal = Fine.Appeal(
                text: appeal.text, at: appeal.at, photos: appeal.photos.map(address))
        }
        fine.decision = decision.map { Fine.Decision($0.outcome, text: $0.text, at: $0.at) }
        fine.paidAt = paidAt
        fine.refunded = returned > 0 ? Money(amount: returned, currency: amount.currency) : nil
        return fine
    }

    /// What whoever pays it owes.
    func bill(_ id: BillID, to person: PersonID) -> Bill {
        var facts = Bill.Facts.parking(
            reference, Bill.Field("fine", .text(self.id.description)), plates: [plate], in: carPark)
        facts.from = issuedAt
        var bill = Bill(
            id: id, product: .parking, version: 1, payer: person, currency: amount.currency,
            facts: facts)
        bill.lines = [
            Bill.Line(
                kind: "fine", text: CarParkNotices.words.text("bill.fine"), amount: amount)
        ]
        return bill
    }
}
