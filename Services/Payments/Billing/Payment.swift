import Contracts
import EventBus
import Foundation

/// One attempt to pay a bill: the payer's view of it, and the data needed to finish it after a crash.
struct Attempt: Codable, Sendable, Hashable {
    private(set) var payment: Payment
    let payer: PersonID
    let product: Product
    /// The provider's reference of the card: a token, never a number.
    let reference: String
    /// Until then, another request may be using the provider for this attempt.
    var heldUntil: Date
    /// Minor units reserved for pending refunds.
    private(set) var refunding = 0
    /// The parts of the tip; fixed when the attempt begins, like the payees' shares.
    let tips: [TipShare]
    private(set) var shares: [PayeeShare]
    /// For each of `shares`, the refunded or reserved part of the whole line, in minor units.
    private(set) var takenBack: [Int]
    /// The bill was withdrawn before the money arrived, so all of it is refunded.
    private(set) var isReturned = false
    /// The money is held first, and captured when the bill says so.
    let isHold: Bool
    /// True if the payer was not there when it began; absent if they were, as in attempts of earlier releases.
    let isOffSession: Bool?
    /// The hold is being captured.
    private(set) var isCapturing = false
    private(set) var paidAt: Date?
    /// Minor units that banks have taken back, or may: absent for none.
    private(set) var disputed: Int?
    /// The person who received it in cash or by terminal; nil for card payments.
    let receipt: HandReceipt?
    /// Tax of the bill that was paid; absent for none, and until it is paid.
    private(set) var tax: BillTax?
    /// Tax returned by refunds.
    private(set) var taxTaken: TaxTaken?
    var version = Version()

    init(
        _ payment: Payment, of bill: Bill, reference: String, tips: [TipShare] = [],
        isOffSession: Bool = false, heldUntil: Date, receipt: HandReceipt? = nil
    ) {
        self.payment = payment
        self.receipt = receipt
        payer = bill.payer
        product = bill.product
        self.reference = reference
        self.tips = tips
        shares = bill.shares
        takenBack = shares.map { _ in 0 }
        self.heldUntil = heldUntil
        isHold = bill.terms == .hold
        self.isOffSession = isOffSession ? true : nil
    }

    /// Seconds that the payer has for a further step.
    var stepLimit: TimeInterval {
        isOffSession == true ? PaymentUseCases.absentActionLimit : PaymentUseCases.actionLimit
    }

    /// Always a known status, because only this service sets it.
    private(set) var status: PaymentStatus {
        get { payment.status.known ?? .processing }
        set { payment.status = .known(newValue) }
    }

    /// Later answers of the provider change nothing.
    var isSettled: Bool {
        switch status {
        case .succeeded, .declined, .released: true
        case .processing, .requiresAction, .held: false
        }
    }

    /// A hold whose capture has not begun.
    var isHeldOnly: Bool { isHold && !isCapturing }

    /// Captures the bill's amount from the hold; the rest is released.
    mutating func beginCapture(of bill: Bill, addedTax: Money? = nil) {
        isCapturing = true
        payment.amount = bill.total
        payment.amount.amount += addedTax?.amount ?? 0
        payment.tax = addedTax
        shares = bill.shares
        takenBack = shares.map { _ in 0 }
    }

    /// The money pays the bill, whose tax becomes that of the payment.
    mutating func pay(_ known: Receivable) { tax = known.tax }

    var succeeded: PaymentSucceeded {
        PaymentSucceeded(payment: payment, product: product, payer: payer, paidAt: paidAt)
    }

    /// Takes the status that the event leads to and returns its row; nil if the event changes nothing.
    mutating func take(
        _ event: AttemptEvent, for known: Receivable, at now: Date
    ) -> AttemptTransition? {
        let facts = facts(of: event, for: known)
        guard let row = AttemptTransition.row(event.kind, from: status, facts) else { return nil }
        status = row.to
        guard case .outcome(let outcome) = event else { return row }
        payment.clientSecret = outcome.clientSecret
        payment.declineReason = outcome.reason
        if status == .succeeded { paidAt = now }
        return row
    }

    private func facts(
        of event: AttemptEvent, for known: Receivable
    ) -> Set<AttemptTransition.Fact> {
        var facts: Set<AttemptTransition.Fact> = []
        if isHeldOnly { facts.insert(.heldOnly) }
        if known.wants(self, isTaken: event.kind == .succeeded) { facts.insert(.wanted) }
        if known.amount != nil { facts.insert(.due) }
        if case .outcome(let outcome) = event {
            if isCapturing, outcome.reason == CancelReason.billChanged.rawValue {
                facts.insert(.captureCancelled)
            }
            if let secret = outcome.clientSecret, secret != payment.clientSecret {
                facts.insert(.newSecret)
            }
        }
        return facts
    }

    /// Reserves the whole amount for a refund, because the bill no longer exists.
    mutating func giveBack() throws(Refusal) -> Money {
        isReturned = true
        return try reserveRefund(nil)
    }

    /// The amount that no refund has returned or reserved, in minor units.
    var unreturned: Int { payment.amount.amount - payment.refunded.amount - refunding }

    /// The amount that can still be refunded, in minor units: what is disputed can't.
    var refundable: Int { max(0, unreturned - (disputed ?? 0)) }

    /// Reserves an amount, so that concurrent refunds can't exceed the charge; nil reserves all that is left.
    mutating func reserveRefund(_ amount: Int?) throws(Refusal) -> Money {
        guard status == .succeeded else { throw .paymentNotRefundable }
        let wanted = amount ?? refundable
        guard wanted > 0, wanted <= refundable else {
            throw .refundTooLarge.because("Left: \(refundable) \(payment.amount.currency).")
        }
        refunding += wanted
        return Money(amount: wanted, currency: payment.amount.currency)
    }

    /// The requested amount of a refund; for a payee's line without an amount, all that is left of it.
    func refundAmount(_ body: RefundBody) throws(Refusal) -> Int? {
        guard let line = body.line, body.amount == nil else { return body.amount }
        guard let index = shares.firstIndex(where: { $0.line == line }) else {
            throw .refundLineInvalid
        }
        return shares[index].amount.amount - takenBack[index]
    }

    /// The payees' parts of a refund: of one line, in proportion to the amount; of all that is left, everything that is
    /// theirs; otherwise nothing.
    mutating func takeBack(_ amount: Money, of line: Int?) throws(Refusal) -> [TakenBack] {
        if let line, !shares.contains(where: { $0.line == line }) { throw .refundLineInvalid }
        var parts: [TakenBack] = []
        for (index, share) in shares.enumerated() {
            let left = share.amount.amount - takenBack[index]
            let part: Int
            if let line {
                guard share.line == line else { continue }
                guard amount.amount <= left else {
                    throw .refundTooLarge.because("Left: \(left) \(amount.currency).")
                }
                part = amount.amount
            } else {
                part = unreturned == 0 ? left : 0
            }
            guard part > 0 else { continue }
            let net = share.net(of: takenBack[index] + part) - share.net(of: takenBack[index])
            takenBack[index] += part
            parts.append(
                TakenBack(share: index, payee: share.payee, net: net, commission: part - net))
        }
        return parts
    }

    mutating func settle(_ refund: RefundAttempt) {
        let amount = refund.refund.amount.amount
        refunding -= amount
        if refund.state == .succeeded {
            payment.refunded.amount += amount
        } else {
            returnShares(refund.takenBack)
        }
    }

    /// Reserves a refund that the provider has made already, whether disputed or not; false if so much is not left.
    mutating func reserveReported(_ amount: Int) -> Bool {
        guard status == .succeeded, amount > 0, amount <= unreturned else { return false }
        refunding += amount
        return true
    }

    /// A refund that had succeeded has failed: the money is refundable again.
    mutating func reverse(_ refund: RefundAttempt) {
        payment.refunded.amount -= refund.refund.amount.amount
        returnShares(refund.takenBack)
    }

    private mutating func returnShares(_ parts: [TakenBack]) {
        for part in parts { takenBack[part.share] -= part.net + part.commission }
    }

    // MARK: Disputes

    /// Replaces the part that one dispute keeps from being refunded.
    mutating func block(_ amount: Int, insteadOf old: Int) {
        let sum = (disputed ?? 0) + amount - old
        disputed = sum == 0 ? nil : sum
    }

    /// The payees' parts of a disputed amount, in proportion to what is left of the payment.
    func parts(ofDisputed amount: Int) -> [TakenBack] {
        guard !isReturned, unreturned > 0 else { return [] }
        return shares.enumerated().compactMap { index, share in
            let left = share.amount.amount - takenBack[index]
            let (high, low) = left.multipliedFullWidth(by: min(amount, unreturned))
            let part = unreturned.dividingFullWidth((high, low)).quotient
            guard part > 0 else { return nil }
            let net = share.net(of: takenBack[index] + part) - share.net(of: takenBack[index])
            return TakenBack(share: index, payee: share.payee, net: net, commission: part - net)
        }
    }

    /// A dispute was lost: the payees bear their parts.
    mutating func takeBack(disputed amount: Int) -> [TakenBack] {
        let parts = parts(ofDisputed: amount)
        for part in parts { takenBack[part.share] += part.net + part.commission }
        return parts
    }

    /// A dispute that was lost is open again, or won after all.
    mutating func giveBack(disputed parts: [TakenBack]) { returnShares(parts) }
}

extension Attempt {
    /// Takes back the tax that belongs to a refund which has succeeded; nil if the payment has none.
    mutating func takeTax(of refund: RefundAttempt) -> RefundTax? {
        guard let tax, !isReturned else { return nil }
        var taken = taxTaken ?? TaxTaken(of: tax)
        defer { taxTaken = taken }
        let due = payment.due.amount
        return taken.take(
            refund.refund.amount.amount, of: due, left: max(0, due - payment.refunded.amount),
            refund.takenBack, shares, tax)
    }

    /// A refund that had succeeded has failed after all: its tax is owed again.
    mutating func giveTax(of refund: RefundAttempt) {
        guard let back = refund.tax else { return }
        taxTaken?.giveBack(back, refund.takenBack)
    }
}

/// One payee's part of a refund, and the commission on it that the platform gives up.
struct TakenBack: Codable, Sendable, Hashable {
    /// Index among the payment's shares.
    let share: Int
    let payee: PersonID
    let net: Int
    let commission: Int
}

/// One attempt at a refund.
struct RefundAttempt: Codable, Sendable, Hashable {
    enum State: String, Codable, Sendable { case processing, succeeded, failed }

    private(set) var refund: Refund
    let payer: PersonID
    let product: Product
    let by: PersonID
    let takenBack: [TakenBack]
    /// The tax that it has taken back; absent for none, and until it has succeeded.
    private(set) var tax: RefundTax?
    private(set) var state = State.processing
    private(set) var failure: String?
    /// It was made at the provider, and not by us; absent in refunds of earlier releases.
    let isForeign: Bool?
    /// The product tells the payer of it; absent if payments does.
    let isAnnounced: Bool?
    var heldUntil: Date
    /// Whether people hand it out, and not the provider; nil for no.
    let isByHand: Bool?
    /// How it was handed out; nil for not yet, and for refunds by the provider.
    var handOut: HandReceipt?
    var version = Version()

    init(
        _ refund: Refund, of charge: Attempt, takenBack: [TakenBack] = [], by: PersonID,
        isForeign: Bool = false, isAnnounced: Bool? = nil, heldUntil: Date,
        handOut: HandReceipt? = nil
    ) {
        self.isForeign = isForeign
        self.isAnnounced = isAnnounced
        self.refund = refund
        isByHand = charge.receipt == nil ? nil : true
        self.handOut = handOut
        payer = charge.payer
        product = charge.product
        self.takenBack = takenBack
        self.by = by
        self.heldUntil = heldUntil
    }

    /// It has succeeded, and takes back the tax that belongs to it.
    mutating func takeTax(from charge: inout Attempt) {
        tax = charge.takeTax(of: self)
        guard let known = charge.tax, let tax, !known.pricesIncludeTax else { return }
        refund.tax = Money(amount: tax.added(in: known), currency: refund.amount.currency)
    }

    /// Takes the provider's outcome; false if it changes nothing.
    mutating func take(_ outcome: RefundOutcome) -> Bool {
        guard state == .processing else { return false }
        switch outcome {
        case .succeeded: state = .succeeded
        case .failed(let reason): (state, failure) = (.failed, reason)
        case .pending: return false
        }
        return true
    }

    /// A refund that had succeeded has failed; false if that is known, or it never succeeded.
    mutating func reverse(_ reason: String) -> Bool {
        guard state == .succeeded else { return false }
        (state, failure) = (.failed, reason)
        return true
    }
}

extension ChargeOutcome {
    fileprivate var reason: String? {
        switch self {
        case .declined(let reason), .cancelled(let reason): reason
        case .succeeded, .requiresAction, .authorized, .pending: nil
        }
    }

    fileprivate var clientSecret: String? {
        if case .requiresAction(let clientSecret) = self { clientSecret } else { nil }
    }
}

extension Payment {
    /// The part that pays the bill and the tax on top of it: everything but the tip.
    var due: Money { Money(amount: amount.amount - (tip?.amount ?? 0), currency: amount.currency) }
}

/// The means of a payment: a saved method, or a token of the provider.
enum PaymentSource: Sendable, Hashable {
    case method(PaymentMethodID)
    case token(PaymentToken)
}

/// The provider's token of a card. Never printed, and never a card number.
struct PaymentToken: Sendable, Hashable, CustomStringConvertible {
    static let longest = 255
    /// The shortest card numbers have 12 digits.
    private static let fewestCardDigits = 12

    let text: String
    var description: String { "PaymentToken(…)" }

    init(_ text: String) throws(Refusal) {
        guard !Self.looksLikeCardNumber(text) else { throw .cardNumberRefused }
        let allowed = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x2D
        }
        guard allowed, (1...Self.longest).contains(text.utf8.count) else {
            throw .invalid(
                "token", "Use 1 to \(PaymentToken.longest) letters, digits, _ and -.")
        }
        self.text = text
    }

    /// Whether digits follow each other as in a card number, ignoring the separators that people use.
    private static func looksLikeCardNumber(_ text: String) -> Bool {
        var run = 0
        for character in text {
            if character.isWholeNumber {
                run += 1
                if run >= fewestCardDigits { return true }
            } else if !(character.isWhitespace || character.isPunctuation) {
                run = 0
            }
        }
        return false
    }
}
