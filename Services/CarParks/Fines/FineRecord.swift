import Contracts
import EventBus
import Foundation
import ServiceKit

/// A fine: its vehicle, reason, amount and status. Pure.
struct FineRecord: Document, Hashable {
    struct Appeal: Codable, Sendable, Hashable {
        /// Nil when their account is deleted.
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

    /// Every transition, and the name of its step.
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
    /// Whether the payer is an id without an account, made for a payment at the desk; nil for no.
    private(set) var isByGuest: Bool?
    /// When the fine was shown to the guest who pays the bill, as in their token; nil if nobody has tried.
    private(set) var guestTold: TimeInterval?
    private(set) var paidAt: Date?
    /// Paid on top of the amount; nil if prices include tax.
    private(set) var paidTax: Int?
    /// Refunds by operators of payments.
    private(set) var refunds: [RefundID] = []
    /// All refunds together, in minor units.
    private(set) var returned = 0
    /// On top of `returned`; nil if prices include tax, and without refunds.
    private(set) var returnedTax: Int?
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

    /// Moves to the next status, or throws if the table has no such transition.
    private mutating func move(_ step: FineStep) throws(Refusal) {
        guard let row = Self.transitions.first(where: { $0.step == step }),
            row.from.contains(status)
        else { throw notPossible }
        status = row.to
        version.advance()
    }

    // MARK: Steps

    /// Possible once: after a decision, the fine is no longer `issued`.
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

    mutating func pay(_ payment: Payment, at now: Date) throws(Refusal) {
        try move(.paid)
        (paidAt, paidTax) = (now, payment.tax?.amount)
    }

    // MARK: Money

    /// Marks the rest of the payment as refunded, and returns that amount and the tax on top of it, in minor units.
    mutating func giveBack() -> (amount: Int, tax: Int) {
        let rest = (amount.amount - returned, (paidTax ?? 0) - (returnedTax ?? 0))
        (returned, returnedTax) = (amount.amount, paidTax)
        return rest
    }

    /// Records a refund, or with a negative amount undoes one.
    private mutating func take(_ part: Int, tax: Int) {
        returned = max(0, min(amount.amount, returned + part))
        if let paidTax { returnedTax = max(0, min(paidTax, (returnedTax ?? 0) + tax)) }
        version.advance()
    }

    /// Records a partial refund by an operator of payments. Returns false if it is already known, or belongs to another
    /// bill.
    mutating func take(_ refund: Refund) -> Bool {
        guard paidAt != nil, bill == refund.bill, !refunds.contains(refund.id) else { return false }
        refunds.append(refund.id)
        take(refund.forBill.amount, tax: refund.tax?.amount ?? 0)
        return true
    }

    /// Undoes a refund that has failed; false if it was not recorded.
    mutating func takeBack(_ refund: Refund) -> Bool {
        guard let index = refunds.firstIndex(of: refund.id) else { return false }
        refunds.remove(at: index)
        take(-refund.forBill.amount, tax: -(refund.tax?.amount ?? 0))
        return true
    }

    // MARK: Payer and personal data

    /// The payer whom messages reach.
    var knownPayer: PersonID? { isByGuest == true ? nil : payer }

    var isPayable: Bool { status == .issued || status == .upheld }
    /// Nothing is open.
    var isOver: Bool { status == .paid || status == .cancelled }

    /// Gives the fine a bill of a person who wants to pay it.
    mutating func charge(
        _ bill: BillID, to person: PersonID, isGuest: Bool = false
    ) throws(Refusal) {
        guard isPayable else { throw notPossible }
        (self.bill, payer, isByGuest) = (bill, person, isGuest ? true : nil)
        guestTold = nil
        version.advance()
    }

    /// When the fine was shown to the guest who pays or has paid a bill; nil if nobody has.
    func guest(of bill: BillID) -> TimeInterval? { bill == self.bill ? guestTold : nil }

    mutating func keepGuest(_ told: TimeInterval, of bill: BillID) {
        guard bill == self.bill, told != guestTold else { return }
        guestTold = told
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

    /// Removes the person's data. Returns the pictures that are no longer needed.
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

    /// Several people may share a vehicle; they don't see each other's appeals.
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
        if case .person(let person) = reader, paidAt != nil, payer == person {
            fine.paidBill = bill
        }
        fine.refunded = returned > 0 ? Money(amount: returned, currency: amount.currency) : nil
        fine.refundedTax = returnedTax.flatMap {
            $0 > 0 ? Money(amount: $0, currency: amount.currency) : nil
        }
        return fine
    }

    /// The bill for the person who pays the fine.
    func bill(_ id: BillID, to person: PersonID) -> Bill {
        var facts = Bill.Facts.parking(
            reference, Bill.Field("fine", .text(self.id.description)), plates: [plate], in: carPark)
        facts.from = issuedAt
        var bill = Bill(
            id: id, product: .parking, version: 1, payer: person, currency: amount.currency,
            facts: facts)
        bill.pricedAt = issuedAt
        bill.lines = [
            Bill.Line(
                kind: "fine", text: CarParkNotices.words.text("bill.fine"), amount: amount)
        ]
        return bill
    }
}
