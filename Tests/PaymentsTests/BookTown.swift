import Contracts
import Foundation
import ServiceKit
import Store
import Support

@testable import Payments

/// People who pay, and a desk that works with it. What is refused is part of the game.
struct BookTown {
    let bench: Bench
    let currency: String
    /// Closed days in turn.
    private(set) var closed: [BookDay] = []
    /// Reports of disputes, by the payment.
    private(set) var disputes: [PaymentID: ReportedDispute] = [:]
    private var dice = PropertyTests.Dice(state: 29)
    private var payments: [Payment] = []
    private var drawer: DrawerID?
    private var next: Day?
    /// Days on which the provider's list and the books differ.
    private(set) var differing: [String] = []
    /// Minor units that have come back of payouts.
    private(set) var returned: [PayoutID: Int] = [:]
    private var paidOut: [Payout] = []
    /// Holds of which a part was captured.
    private(set) var captures = 0
    /// People who have paid and may leave, with the word by which their payment is found.
    private(set) var guests: [(person: PersonID, plate: String)] = []
    /// The words of people who have left.
    private(set) var gone: [String] = []

    private let desk = Teller(person: TestPerson.olivia.id, isValet: false)

    init(bench: Bench, currency: String) { (self.bench, self.currency) = (bench, currency) }

    mutating func begin() async throws {
        let zone = try await bench.database.read { try $0.company.timeZone() }
        next = Day(bench.clock.now, in: zone)
        await openDrawer()
    }

    mutating func live() async {
        switch Int.random(in: 0..<8, using: &dice) {
        case 0: await hold()
        case 1: await host()
        default: await sell()
        }
        switch Int.random(in: 0..<12, using: &dice) {
        case 0, 1: await refund()
        case 2: await failRefund()
        case 3: await refundAtProvider()
        case 4: await dispute()
        // More often than they begin: the open ones are looked at every day, and would become ever more.
        case 5, 6: await decide()
        case 7: await count()
        case 8: await payOut()
        case 9: await sendBack()
        case 10: await leave()
        default: break
        }
        bench.clock.advance(by: Double.random(in: 43_200...129_600, using: &dice))
        await bench.recover()
        if Int.random(in: 0..<5, using: &dice) == 0 { await close() }
    }

    /// Multiples of ten, which every currency can charge.
    private mutating func amount(_ range: ClosedRange<Int>) -> Money {
        Money(amount: Int.random(in: range, using: &dice) * 10, currency: currency)
    }

    private mutating func bill() -> Bill {
        var bill = Bill.of(nil, version: 1)
        bill.currency = currency
        bill.tipped = [TestPerson.victor.id]
        bill.lines = [
            Bill.Line(kind: "base", text: .of("Service", "服務"), amount: amount(100...2_000))
        ]
        if Bool.random(using: &dice) {
            let price = amount(10...900)
            let commission = Money(
                amount: Int.random(in: 0...price.amount, using: &dice), currency: currency)
            bill.lines.append(
                Bill.Line(
                    kind: "ride", text: .of("Ride", "順風車"), amount: price,
                    payee: TestPerson.bob.id, commission: commission))
        }
        if Bool.random(using: &dice) {
            bill.facts.site = Bill.Site(.area, id: "berlin", name: "Berlin")
        }
        return bill
    }

    private mutating func sell() async {
        var bill = bill()
        try? await bench.hear(bill)
        switch Int.random(in: 0..<10, using: &dice) {
        case 0:
            bill.version = 2
            bill.state = .known(.withdrawn)
            try? await bench.hear(bill)
        case 1, 2, 3: await receive(bill.id, .cash)
        case 4: await receive(bill.id, .terminal)
        default:
            let tip = Bool.random(using: &dice) ? amount(1...50).amount : nil
            if let payment = try? await bench.pay(bill.id, tip: tip) { payments.append(payment) }
        }
    }

    /// Money is set aside first. A part of it is taken later, or it is released: since the bill is withdrawn, or by
    /// itself after days.
    private mutating func hold() async {
        var bill = bill()
        bill.terms = .known(.hold)
        try? await bench.hear(bill)
        let end = Int.random(in: 0..<4, using: &dice)
        guard (try? await bench.pay(bill.id)) != nil, end > 0 else { return }
        bill.version = 2
        if end == 1 {
            bill.state = .known(.withdrawn)
        } else {
            bill.terms = .known(.now)
            bill.lines[0].amount = amount(100...bill.lines[0].amount.amount / 10)
        }
        try? await bench.hear(bill)
        await bench.recover()
        let captured = try? await bench.database.read { [bill] transaction in
            try transaction.bills.find(bill.id)?.paidBy.flatMap {
                try transaction.attempts.find($0)?.payment
            }
        }
        guard let captured = captured ?? nil else { return }
        captures += 1
        payments.append(captured)
    }

    // MARK: Guests

    /// Somebody with an account of their own, whose plate is on the bill.
    private mutating func host() async {
        let (person, plate) = (
            PersonID.new(at: bench.clock.now), "plate\(payments.count)x\(guests.count)"
        )
        var bill = bill()
        bill.payer = person
        bill.facts.details = [
            .init(label: .of("Vehicle", "車輛"), value: plate, isPersonal: true)
        ]
        try? await bench.hear(bill)
        guard let token = try? PaymentToken("pm_card_visa"),
            let payment = try? await bench.payments.pay(
                bill.id, with: PaymentDraft(source: .token(token)), by: person, key: nil)
        else { return }
        payments.append(payment)
        guests.append((person, plate))
    }

    /// One of them deletes their account; their payment can still be refunded and disputed.
    private mutating func leave() async {
        guard let index = guests.indices.randomElement(using: &dice) else { return }
        let (person, plate) = guests.remove(at: index)
        try? await bench.hear(
            AccountDeleted(
                account: person, role: .customer, version: 2, deletedAt: bench.clock.now))
        gone.append(plate)
    }

    private mutating func receive(_ bill: BillID, _ means: PaymentMeans) async {
        let body = ReceiveBody(means, drawerId: means == .cash ? drawer : nil)
        let found = try? await bench.payments.receive(bill, body, by: desk, key: nil)
        if let found { payments.append(found.payment) }
    }

    private mutating func refund() async {
        guard let payment = payments.randomElement(using: &dice) else { return }
        var body = RefundBody(
            amount: Bool.random(using: &dice) ? amount(1...1_000).amount : nil, reason: "random")
        if payment.means?.known ?? .card != .card {
            body.means = Bool.random(using: &dice) ? .cash : .terminal
            body.drawerId = body.means == .cash ? drawer : nil
        }
        _ = try? await bench.payments.refund(
            payment.id, body, by: TestPerson.olivia.id, key: nil)
    }

    /// A bank sends a refund back, days after it has succeeded.
    private mutating func failRefund() async {
        let known = try? await bench.database.read { transaction in
            try transaction.rows("SELECT id FROM stub_refunds WHERE failure IS NULL ORDER BY id")
                .map { try $0.get("id", as: RefundID.self) }
        }
        guard let refund = known?.randomElement(using: &dice),
            let found = try? await bench.database.read({ try $0.refunds.find(refund) })
        else { return }
        let payment = found.refund.payment
        _ = try? await bench.database.write { transaction in
            try transaction.execute(
                "UPDATE stub_refunds SET failure = 'account_closed' WHERE id = ?", refund)
            return try transaction.execute(
                "UPDATE stub_charges SET refunded = refunded - ? WHERE id = ?",
                found.refund.amount.amount, payment)
        }
        _ = try? await bench.payments.review(payment)
    }

    /// The company refunds a part on the provider's pages.
    private mutating func refundAtProvider() async {
        let cards = payments.filter { $0.means?.known ?? .card == .card }
        guard let payment = cards.randomElement(using: &dice),
            let attempt = try? await bench.database.read({ try $0.attempts.find(payment.id) }),
            attempt.refundable > 0
        else { return }
        let (amount, now) = (min(attempt.refundable, amount(1...1_000).amount), bench.clock.now)
        _ = try? await bench.database.write { [currency] transaction in
            try transaction.execute(
                "UPDATE stub_charges SET refunded = refunded + ? WHERE id = ?", amount, payment.id)
            return try transaction.execute(
                """
                INSERT INTO stub_refunds (id, charge_id, amount, currency, failure, moved_at)
                VALUES (?, ?, ?, ?, NULL, ?)
                """, RefundID.new(at: now), payment.id, amount, currency, now)
        }
        _ = try? await bench.payments.review(payment.id)
    }

    // MARK: Payouts

    /// Bob is paid what is his, unless his account is closed.
    private mutating func payOut() async {
        let isClosed = Int.random(in: 0..<3, using: &dice) == 0
        try? await bench.payments.keepAccount(
            isClosed ? StubProvider.closedAccount : "acct_bob", of: TestPerson.bob.id, key: nil)
        let made = try? await bench.payments.payOut(
            PayoutBody(currency: currency), to: TestPerson.bob.id, key: nil)
        if let made, made.status == .paid { paidOut.append(made) }
    }

    /// Bob's bank sends a part of a payout back.
    private mutating func sendBack() async {
        guard let payout = paidOut.randomElement(using: &dice), returned[payout.id] == nil else {
            return
        }
        let amount = Int.random(in: 1..<payout.amount.amount, using: &dice)
        bench.provider.sendBack(amount, of: payout.id)
        returned[payout.id] = amount
        _ = try? await bench.payments.settlePayout(payout.id)
    }

    // MARK: Disputes

    private mutating func dispute() async {
        let cards = payments.filter {
            $0.means?.known ?? .card == .card && disputes[$0.id] == nil
        }
        guard let payment = cards.randomElement(using: &dice),
            let attempt = try? await bench.database.read({ try $0.attempts.find(payment.id) }),
            attempt.unreturned > 0
        else { return }
        let isInquiry = Bool.random(using: &dice)
        await report(
            ReportedDispute(
                reference: "dp_\(payment.id)", payment: payment.id,
                amount: Money(amount: attempt.unreturned, currency: currency),
                status: isInquiry ? .inquiry : .needsResponse, reason: "fraudulent",
                evidenceDueAt: nil, createdAt: bench.clock.now,
                taken: isInquiry ? 0 : attempt.unreturned, fee: isInquiry ? nil : fee))
    }

    private var fee: Money { Money(amount: 1_500, currency: currency) }

    private mutating func decide() async {
        let open = disputes.values.filter(\.status.isOpen)
            .sorted { $0.reference < $1.reference }
        guard let one = open.randomElement(using: &dice) else { return }
        let isLost = one.status != .inquiry && Bool.random(using: &dice)
        let status: DisputeStatus = one.status == .inquiry ? .closed : isLost ? .lost : .won
        await report(
            ReportedDispute(
                reference: one.reference, payment: one.payment, amount: one.amount, status: status,
                reason: one.reason, evidenceDueAt: nil, createdAt: one.createdAt,
                taken: isLost ? one.taken : 0, fee: isLost ? one.fee : nil))
    }

    private mutating func report(_ dispute: ReportedDispute) async {
        disputes[dispute.payment] = dispute
        bench.provider.report(dispute)
        try? await bench.payments.follow(dispute: dispute.reference)
    }

    // MARK: Desk

    private mutating func openDrawer() async {
        let body = OpenDrawerBody(
            name: "Desk", float: [Money(amount: 10_000, currency: currency)])
        drawer = try? await bench.payments.openDrawer(body, by: desk, key: nil).id
    }

    /// Counts the drawer, with a difference, and opens another.
    private mutating func count() async {
        guard let drawer,
            let there = try? await bench.database.read({ try $0.drawers.balance(of: drawer) })
        else { return }
        let difference = Int.random(in: -500...500, using: &dice)
        let counted = there.map {
            Money(amount: max(0, $0.amount + difference), currency: $0.currency)
        }
        _ = try? await bench.payments.closeDrawer(
            drawer, CloseDrawerBody(counted: counted), by: desk, key: nil)
        await openDrawer()
    }

    /// Compares all days that are over with the provider's list, and closes them.
    private mutating func close() async {
        while let day = next, day.span.upperBound <= bench.clock.now {
            let found = try? await bench.payments.reconcile(day, by: nil, key: nil)
            if found?.differences != [] { differing.append(day.text) }
            let made = try? await bench.payments.closeDay(
                day.text, CloseDayBody(), by: TestPerson.olivia.id, in: .english, key: nil)
            guard let made else { return }
            closed.append(made)
            next = day.after
        }
    }
}
