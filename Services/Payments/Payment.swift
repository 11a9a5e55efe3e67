import Contracts
import Foundation

/// What an order owes, and which attempt is paying it.
///
/// There is one row an order. An attempt has to claim it before the provider is asked, so two
/// attempts can never be under way together, and none can begin after one has succeeded.
struct Bill: Codable, Sendable, Hashable {
    let order: OrderID
    let customer: CustomerID
    /// Nil while nothing is due.
    private(set) var amount: Money?
    /// The attempt that is processing, or waits for the customer's further step.
    private(set) var attempt: PaymentID?
    private(set) var paidBy: PaymentID?
    /// Version of the order whose event said last what is due; an older event changes nothing.
    private(set) var orderVersion: Int
    /// What a receipt says of the order; nil for orders from before receipts.
    var facts: OrderFacts?
    /// The operator who said last what is due.
    private(set) var changedBy: OperatorID?
    var version: Int

    init(order: OrderID, customer: CustomerID) {
        self.order = order
        self.customer = customer
        orderVersion = 0
        version = 1
    }

    /// What `owe` did.
    enum Change: Sendable, Equatable {
        case none
        case replaced(old: Money?, new: Money?)
        /// The order asks for money that it has already got.
        case paidAlready(PaymentID)
    }

    /// Takes over what the order's event says is due; nil or zero is nothing.
    mutating func owe(_ due: Due, for order: OrderSnapshot) -> Change {
        guard order.version > orderVersion else { return .none }
        orderVersion = order.version
        let owed = due.amount.flatMap { $0.amount > 0 ? $0 : nil }
        // What was paid keeps the lines that it was paid for.
        if let paidBy { return owed == nil ? .none : .paidAlready(paidBy) }
        facts = OrderFacts(order, due)
        guard owed != amount else { return .none }
        changedBy = due.by
        defer { amount = owed }
        return .replaced(old: amount, new: owed)
    }

    /// Whether a payment is still what this bill waits for: an operator may have waived or replaced
    /// it while the payment was under way.
    func wants(_ payment: Payment) -> Bool { paidBy == nil && amount == payment.bill }

    /// What is to be paid now.
    func payable() throws(PaymentError) -> Money {
        guard paidBy == nil else { throw .alreadyPaid }
        guard let amount else { throw .notDue }
        return amount
    }

    /// Gives the bill to one attempt, until that is settled.
    mutating func claim(for payment: PaymentID) throws(PaymentError) {
        _ = try payable()
        guard attempt == nil else { throw .inProgress }
        attempt = payment
    }

    mutating func settle(_ payment: PaymentID, succeeded: Bool) {
        if attempt == payment { attempt = nil }
        if succeeded { paidBy = payment }
    }
}

/// One try to pay a bill: what the customer sees of it, and what it takes to finish it after a
/// crash.
struct Attempt: Codable, Sendable, Hashable {
    private(set) var payment: Payment
    let customer: CustomerID
    /// The provider's name of the card: a token, never a number.
    let reference: String
    /// Until then another request may be talking to the provider about this attempt.
    var heldUntil: Date
    /// Minor units reserved for refunds that are under way.
    private(set) var refunding = 0
    /// What each valet gets of the tip; fixed when the attempt begins.
    let tips: [TipShare]?
    /// The bill was gone when the money came, so that all of it goes back.
    private(set) var returned: Bool?
    private(set) var paidAt: Date?
    var version = 1

    init(
        _ payment: Payment, customer: CustomerID, reference: String, tips: [TipShare] = [],
        heldUntil: Date
    ) {
        self.payment = payment
        self.customer = customer
        self.reference = reference
        self.tips = tips.isEmpty ? nil : tips
        self.heldUntil = heldUntil
    }

    var isReturned: Bool { returned ?? false }

    /// Takes over what the provider says; false when that changes nothing.
    mutating func take(_ outcome: ChargeOutcome, at now: Date) -> Bool {
        switch payment.status {
        case .succeeded, .declined: return false
        case .processing, .requiresAction: break
        }
        let before = payment
        switch outcome {
        case .succeeded:
            payment.status = .succeeded
            payment.clientSecret = nil
            paidAt = now
        case .declined(let reason), .cancelled(let reason):
            payment.status = .declined
            payment.declineReason = reason
            payment.clientSecret = nil
        case .requiresAction(let clientSecret):
            payment.status = .requiresAction
            payment.clientSecret = clientSecret
        case .authorized, .pending:
            break
        }
        return payment != before
    }

    /// The money came for a bill that is gone: all of it is set aside to go back.
    mutating func giveBack() throws(PaymentError) -> Money {
        returned = true
        return try reserveRefund(nil)
    }

    /// What can still be given back.
    var refundable: Int { payment.amount.amount - payment.refunded.amount - refunding }

    /// Sets an amount aside, so that refunds asked together can't exceed the charge; nil is all
    /// that is left.
    mutating func reserveRefund(_ amount: Int?) throws(PaymentError) -> Money {
        guard payment.status == .succeeded else { throw .notRefundable }
        let wanted = amount ?? refundable
        guard wanted > 0, wanted <= refundable else {
            throw .refundTooLarge(
                remaining: Money(amount: refundable, currency: payment.amount.currency))
        }
        refunding += wanted
        return Money(amount: wanted, currency: payment.amount.currency)
    }

    mutating func settleRefund(_ amount: Money, succeeded: Bool) {
        refunding -= amount.amount
        if succeeded { payment.refunded.amount += amount.amount }
    }
}

/// One try to give money back.
struct RefundAttempt: Codable, Sendable, Hashable {
    enum State: String, Codable, Sendable { case processing, succeeded, failed }

    let refund: Refund
    let customer: CustomerID
    let by: OperatorID
    private(set) var state = State.processing
    private(set) var failure: String?
    var heldUntil: Date
    var version = 1

    init(_ refund: Refund, customer: CustomerID, by: OperatorID, heldUntil: Date) {
        self.refund = refund
        self.customer = customer
        self.by = by
        self.heldUntil = heldUntil
    }

    /// Takes over what the provider says; false when that changes nothing.
    mutating func take(_ outcome: RefundOutcome) -> Bool {
        guard state == .processing else { return false }
        switch outcome {
        case .succeeded: state = .succeeded
        case .failed(let reason): (state, failure) = (.failed, reason)
        case .pending: return false
        }
        return true
    }
}

extension Payment {
    /// The part that pays the bill: all but the tip.
    var bill: Money { Money(amount: amount.amount - (tip?.amount ?? 0), currency: amount.currency) }
}

/// With what a customer wants to pay: a saved method, or a token of the provider.
enum PaymentSource: Sendable, Hashable {
    case method(PaymentMethodID)
    case token(PaymentToken)
}

/// A name that the provider gave to a card. Never printed, and never a card number.
struct PaymentToken: Sendable, Hashable, CustomStringConvertible {
    static let longest = 255
    /// The shortest card numbers have 12 digits.
    private static let fewestCardDigits = 12

    let text: String
    var description: String { "PaymentToken(…)" }

    init(_ text: String) throws(PaymentError) {
        guard !Self.looksLikeCardNumber(text) else { throw .cardNumberRefused }
        let allowed = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x2D
        }
        guard allowed, (1...Self.longest).contains(text.utf8.count) else {
            throw .tokenMalformed
        }
        self.text = text
    }

    /// Digits in a row, whatever stands between them that people put into card numbers.
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
