import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// Bills from products.

extension PaymentUseCases {
    /// Stores a bill; an outdated one changes nothing.
    func apply(_ bill: Bill, _ delivery: Delivery) async throws {
        try bill.check()
        let now = clock.now
        try await database.apply(delivery) { try $0.bills.apply(bill, at: now) }
    }

    /// Waits a moment for a bill whose event may be late, then asks the product, so that a payer is refused
    /// only if the newest bill has nothing due. Without a payer, the bill may be anybody's.
    func awaitBill(_ id: BillID, for payer: PersonID?) async throws {
        let isReady = try await database.awaiting(
            PaymentStore.billsSignal, within: patience.bill
        ) { transaction in try transaction.bills.isPayable(id, by: payer) }
        guard isReady == nil else { return }
        guard let newest = try await newestBill(id) else {
            let isKnown = try await database.read { try $0.bills.find(id) != nil }
            throw isKnown ? Refusal.nothingDue : Refusal.billUnknown
        }
        // An invalid bill doesn't count: the product is asked again.
        guard newest.id == id, (try? newest.check()) != nil else { throw Refusal.billPending }
        let now = clock.now
        _ = try await database.write { transaction in
            try transaction.bills.apply(newest, at: now)
            return true
        }
        guard try await database.read({ try $0.bills.isPayable(id, by: payer) }) != nil else {
            throw Refusal.nothingDue
        }
    }

    /// The product's current bill; nil if no product knows it.
    private func newestBill(_ id: BillID) async throws -> Bill? {
        do {
            return try await billers.newest(InternalEndpoints.bill(id))
        } catch let error as Peer.Failure {
            logger.warning(
                "a product could not be asked for a bill", metadata: ["error": "\(loggable(error))"]
            )
            throw Refusal.billPending
        }
    }

    /// The amount that the payer of a bill would be charged if it were published now.
    func charge(of bill: Bill) async throws -> BillCharge {
        guard (try? bill.check()) != nil else {
            throw Refusal.invalid("lines", "The bill is not possible.")
        }
        let now = clock.now
        return try await database.read { try $0.taxes.charge(of: bill, at: now) }
    }

    /// Issues a product's notice with the amount that its bill costs.
    func announce(_ event: BillNoticeIssued, _ delivery: Delivery) async throws {
        try event.bill.check()
        let now = clock.now
        try await database.apply(delivery) { transaction in
            let charge = try transaction.taxes.charge(of: event.bill, at: now).charge
            try transaction.publish(NoticeIssued(event.notice.naming(charge)), at: now)
        }
    }

    /// The payment of a bill that is under way; throws "not found" without one.
    func attempt(of id: BillID) async throws -> Payment {
        try await database.read { transaction in
            guard let known = try transaction.bills.find(id), known.paidBy == nil,
                let live = try known.attempt.flatMap({ try transaction.attempts.find($0) })
            else { throw Refusal.notFound }
            return live.payment
        }
    }

    /// Finishes the payment of a bill that is under way or done, and begins none; throws "not found" without one.
    func resume(_ id: BillID) async throws -> Payment {
        let begun = try await database.read { transaction in
            try transaction.bills.find(id).flatMap { $0.paidBy ?? $0.attempt }
        }
        guard let begun else { throw Refusal.notFound }
        return try await conclude(PaymentClaim(payment: begun, resumes: true, maker: UUID()))
    }

    /// The event of the bill's payment, built again; throws "not found" if the bill is unpaid.
    func settlement(of id: BillID) async throws -> PaymentSucceeded {
        try await database.read { transaction in
            guard let paid = try transaction.bills.find(id)?.paidBy,
                let attempt = try transaction.attempts.find(paid)
            else { throw Refusal.notFound }
            return attempt.succeeded
        }
    }

    /// A bill for its payer; for operators, anyone's, without the secret by which its payer confirms the payment.
    func bill(_ id: BillID, for payer: PersonID?) async throws -> BillView {
        let now = clock.now
        return try await database.read { transaction in
            guard let known = try transaction.bills.find(id),
                payer == nil || payer == known.bill.payer
            else { throw Refusal.billUnknown }
            let attempt = try (known.paidBy ?? known.attempt).flatMap {
                try transaction.attempts.find($0)
            }
            var payment = attempt?.payment
            if payer == nil { payment?.clientSecret = nil }
            return BillView(
                known.bill, attempt?.status == .held ? .held : known.status(at: now),
                payment: payment, tax: known.addedTax,
                taxes: known.tax?.rows(known.bill.currency) ?? [],
                in: try knownLanguage(of: known.bill.payer, in: transaction))
        }
    }
}

extension PaymentUseCases {
    /// A bill for a valet who may be tipped, and who takes cash for it. How it is paid is none of their business.
    func bill(_ id: BillID, servedBy valet: PersonID) async throws -> BillView {
        let isServed = try await database.read {
            try $0.bills.find(id)?.bill.tipped.contains(valet) ?? false
        }
        guard isServed else { throw Refusal.billUnknown }
        var view = try await bill(id, for: nil)
        view.payment = nil
        return view
    }
}

extension Receivable {
    func status(at now: Date) -> BillView.Status {
        if paidBy != nil { return .paid }
        guard amount != nil else { return .notDue }
        return bill.terms == .later && bill.dueAt.map { $0 < now } == true ? .overdue : .due
    }
}

extension BillStore {
    fileprivate func apply(_ bill: Bill, at now: Date) throws {
        var known = try find(bill.id) ?? newReceivable(for: bill)
        let change = try known.apply(bill, at: now) {
            try transaction.taxes.tax(of: $0, toldAt: $1)
        }
        switch change {
        case .none: break
        case .replaced(_, let new):
            let standing = try transaction.ledger.standing(for: new.id)
            if !standing.isEmpty {
                try transaction.ledger.enter(
                    .withdrawn(new.id, standing, version: new.version), at: now)
            }
            if !known.owed.isEmpty {
                try transaction.ledger.enter(
                    .billed(new, version: new.version, tax: known.tax), at: now)
            }
        case .paidAlready(let payment):
            // The product waits again for a payment that it already has: the event is published again.
            if let paid = try transaction.attempts.find(payment) {
                try PaymentNotices.announce(paid.succeeded, at: now, in: transaction)
            }
        }
        for reward in bill.rewards ?? []
        where try !transaction.ledger.hasEntry(LedgerEntry.reward(reward.id)) {
            try transaction.ledger.enter(.rewarded(reward, of: bill), at: now)
        }
        try follow(&known, at: now)
        if let paid = known.paidBy {
            try transaction.refunds.giveBack(bill.returns ?? [], of: paid, at: now)
        }
        if try people.isForgotten(bill.payer, in: transaction) { known.forgetPayer() }
        try update(&known)
        transaction.signal(PaymentStore.billsSignal)
    }

    /// True if the bill is due or paid; nil if that may still change.
    fileprivate func isPayable(_ id: BillID, by payer: PersonID?) throws -> Bool? {
        guard let known = try find(id) else { return nil }
        guard payer == nil || known.bill.payer == payer else { throw Refusal.billUnknown }
        let isPayable = known.bill.state == .open && known.bill.total.amount > 0
        return isPayable || known.paidBy != nil ? true : nil
    }

    /// Captures a hold when the bill says so; an attempt that the bill no longer wants is given up soon.
    private func follow(_ known: inout Receivable, at now: Date) throws {
        guard let id = known.attempt, var attempt = try transaction.attempts.find(id),
            let row = attempt.take(.billChanged, for: known, at: now)
        else { return }
        try transaction.attempts.carryOut(row, of: &attempt, for: &known, at: now)
        try transaction.attempts.update(&attempt)
    }

    private func newReceivable(for bill: Bill) throws -> Receivable {
        let known = Receivable(bill)
        try insert(known)
        return known
    }
}
