import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// Payments that people receive in cash or by a card terminal, and refunds that they hand out.

extension PaymentUseCases {
    /// Records a payment. It succeeds in the transaction that stores it: there is no provider to ask.
    ///
    /// - Throws: `alreadyPaid` for a bill that was paid meanwhile, also by card. A card payment that waits for the
    ///   payer's further step is cancelled first.
    func receive(
        _ bill: BillID, _ body: ReceiveBody, in currency: String? = nil, by person: Teller,
        key: IdempotencyKey?
    ) async throws -> ReceivedPayment {
        let means = try body.means.byHand()
        if let given = body.given { _ = try Check.int(given, "given", in: 1...Money.largestAmount) }
        let note = try Check.optionalText(body.note, "note", most: Self.longestNote)
        if let known: ReceivedPayment = try await database.answer(once: key) { return known }
        try await awaitBill(bill, for: nil)
        for _ in 0..<Self.mostClaims {
            let now = clock.now
            do {
                return try await database.write(once: key) { transaction in
                    let known = try transaction.bills.receivable(bill, by: person)
                    let receipt = HandReceipt(
                        by: person.person,
                        drawer: try transaction.drawers.receive(means, body.drawerId, by: person),
                        note: note, at: now)
                    return try transaction.attempts.receive(
                        known, means, given: body.given, receipt, in: currency,
                        by: person, at: now)
                }
            } catch let taken as Taken {
                try await clear(taken.attempt)
            }
        }
        throw Refusal.paymentInProgress
    }

    // MARK: Refunds

    func cashRefunds(_ page: PageRequest) async throws -> Page<Refund> {
        try await database.read { transaction in
            try transaction.page(
                page, of: "refunds",
                where: Conditions("id IN (SELECT id FROM cash_refunds)")
            ) { try $0.json(as: RefundAttempt.self).refund }
        }
    }

    /// Hands out a refund that a product asked for. A repeat changes nothing.
    func handOut(
        _ id: RefundID, _ body: HandOutBody, by person: PersonID, key: IdempotencyKey?
    ) async throws -> Refund {
        let means = try body.means.byHand()
        let now = clock.now
        return try await database.write(once: key) { transaction in
            guard var attempt = try transaction.refunds.find(id), attempt.isByHand == true else {
                throw Refusal.refundUnknown
            }
            guard attempt.handOut == nil else { return attempt.refund }
            attempt.handOut = try transaction.drawers.handOut(
                attempt.refund.amount, means, body.drawerId, by: person, at: now)
            try transaction.record("payments.hand-out", id, by: person, at: now)
            try transaction.refunds.update(&attempt)
            try transaction.refunds.forgetHand(id)
            return try transaction.refunds.settle(id, as: .succeeded, at: now).refund
        }
    }
}

extension PaymentMeans {
    /// Throws for a card, which only the provider charges.
    fileprivate func byHand() throws(Refusal) -> PaymentMeans {
        guard self != .card else { throw .invalid("means", "Use `cash` or `terminal`.") }
        return self
    }
}

extension BillStore {
    /// A bill that can be paid now. Valets see only the bills of those whom they served.
    fileprivate func receivable(_ id: BillID, by person: Teller) throws -> Receivable {
        guard let known = try find(id),
            !person.isValet || known.bill.tipped.contains(person.person)
        else { throw Refusal.billUnknown }
        _ = try known.payable()
        guard known.amount != nil else { throw Refusal.nothingDue }
        if let id = known.attempt, let live = try transaction.attempts.find(id) {
            throw Taken(attempt: live)
        }
        return known
    }
}

extension AttemptStore {
    fileprivate func receive(
        _ bill: Receivable, _ means: PaymentMeans, given: Int?, _ receipt: HandReceipt,
        in currency: String?, by person: Teller, at now: Date
    ) throws -> ReceivedPayment {
        var known = bill
        let instrument = Instrument(reference: means.rawValue, brand: "", last4: "")
        var (payment, _) = try PaymentOffer(
            instrument: instrument, tip: nil, currency: currency, means: means
        ).payment(of: known, at: now)
        (payment.brand, payment.last4, payment.means) = (nil, nil, .known(means))
        let change = (given ?? payment.amount.amount) - payment.amount.amount
        guard change == 0 || (change > 0 && means == .cash) else {
            throw Refusal.givenTooLittle.because(
                "Due: \(payment.amount.text(in: .english)).")
        }
        try known.claim(for: payment.id)
        var attempt = Attempt(
            payment, of: known.bill, reference: instrument.reference, heldUntil: now,
            receipt: receipt)
        try insert(attempt)
        guard let row = attempt.take(.outcome(.succeeded), for: known, at: now) else {
            throw Refusal.billChanged
        }
        try carryOut(row, of: &attempt, for: &known, at: now)
        try update(&attempt)
        try transaction.bills.update(&known)
        try transaction.drawers.record(
            "payments.receive", payment.id, by: person, reason: receipt.note, at: now)
        transaction.signal(PaymentStore.settledSignal)
        return ReceivedPayment(
            payment: attempt.payment,
            change: Money(amount: change, currency: payment.amount.currency))
    }
}

extension DrawerStore {
    /// The drawer into which the money goes; nil for a terminal.
    fileprivate func receive(
        _ means: PaymentMeans, _ id: DrawerID?, by person: Teller
    ) throws -> DrawerID? {
        guard means == .cash else { return nil }
        var drawer = try use(id, by: person.person, isValet: person.isValet)
        try update(&drawer)
        return drawer.id
    }

    /// How a payment in cash or by terminal is refunded; nil for one that the provider refunds.
    func handOut(
        _ amount: Money, of attempt: Attempt, _ body: RefundBody, by person: PersonID, at now: Date
    ) throws -> HandReceipt? {
        guard let receipt = attempt.receipt else {
            guard body.means == nil, body.drawerId == nil else {
                throw Refusal.invalid("means", "The payment provider refunds card payments.")
            }
            return nil
        }
        let means = try body.means?.byHand() ?? (receipt.drawer == nil ? .terminal : .cash)
        return try handOut(amount, means, body.drawerId, by: person, at: now)
    }

    fileprivate func handOut(
        _ amount: Money, _ means: PaymentMeans, _ id: DrawerID?, by person: PersonID, at now: Date
    ) throws -> HandReceipt {
        var drawer: Drawer?
        if means == .cash {
            var one = try use(id, by: person, isValet: false)
            try takeOut(amount, of: &one)
            drawer = one
        }
        return HandReceipt(by: person, drawer: drawer?.id, note: nil, at: now)
    }
}

extension RefundAttempt {
    /// Nobody has handed it out yet.
    var waitsForHand: Bool { isByHand == true && handOut == nil }
}

extension RefundStore {
    func awaitHand(_ id: RefundID) throws {
        try transaction.execute("INSERT INTO cash_refunds (id) VALUES (?)", id)
    }

    /// Somebody hands it out.
    fileprivate func forgetHand(_ id: RefundID) throws {
        try transaction.execute("DELETE FROM cash_refunds WHERE id = ?", id)
    }
}
