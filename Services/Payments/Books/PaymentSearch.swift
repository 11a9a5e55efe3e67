import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

extension Transaction {
    var paymentSearch: PaymentSearch { PaymentSearch(transaction: self) }
}

/// The index by which operators find payments and refunds. It is written in the transactions that write those.
///
/// `payment_search` has a row for each payment and each refund, in any state; in `is_sale` whether it counts as such,
/// and is no money for a bill that no longer existed. `payment_words` has the words of a
/// payment and its bill; `payer_words` those of people, which go with their account.
struct PaymentSearch {
    let transaction: Transaction

    static let migrations = [
        Migration.addition(
            "payment-search-1",
            """
            CREATE TABLE payment_search (
                id TEXT NOT NULL PRIMARY KEY,
                kind TEXT NOT NULL,
                payment TEXT NOT NULL,
                bill_id TEXT NOT NULL,
                payer TEXT NOT NULL,
                state TEXT NOT NULL,
                means TEXT NOT NULL,
                product TEXT NOT NULL,
                site TEXT,
                amount BIGINT NOT NULL,
                tip BIGINT NOT NULL,
                tax BIGINT NOT NULL,
                is_sale BIGINT NOT NULL,
                currency TEXT NOT NULL,
                entered_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX payment_search_by_payment ON payment_search (payment)",
            "CREATE INDEX payment_search_by_payer ON payment_search (payer, id)",
            "CREATE INDEX payment_search_by_bill ON payment_search (bill_id, id)",
            "CREATE INDEX payment_search_by_time ON payment_search (entered_at, id)",
            "CREATE INDEX payment_search_by_state ON payment_search (state, id)",
            "CREATE INDEX payment_search_by_product ON payment_search (product, site, id)",
            "CREATE INDEX payment_search_by_site ON payment_search (site, id)",
            "CREATE INDEX payment_search_by_means ON payment_search (means, id)",
            """
            CREATE TABLE payment_words (
                word TEXT NOT NULL,
                payment TEXT NOT NULL,
                PRIMARY KEY (word, payment)
            )
            """,
            "CREATE INDEX payment_words_by_payment ON payment_words (payment)",
            """
            CREATE TABLE payer_words (
                word TEXT NOT NULL,
                person TEXT NOT NULL,
                PRIMARY KEY (word, person)
            )
            """,
            "CREATE INDEX payer_words_by_person ON payer_words (person)",
            // Payments of earlier releases are added by `PaymentWork`.
            """
            INSERT INTO work (kind, subject, due_at, attempts)
            SELECT '\(PaymentWork.indexPayments)', 'payments', 0, 0
            WHERE EXISTS (SELECT 1 FROM payments)
            """)
    ]

    // MARK: Writing

    /// Adds a payment, or takes over its new state.
    func keep(_ attempt: Attempt) throws {
        guard let bill = try transaction.bills.find(attempt.payment.bill)?.bill else { return }
        let payment = attempt.payment
        let entered = try transaction.ledger.time(of: LedgerEntry.capture(payment.id))
        try keep(
            Line(
                id: payment.id.description, kind: .payment, payment: payment.id,
                payer: attempt.payer, state: attempt.status.rawValue, means: payment.heldBy,
                amount: payment.amount, tip: payment.tip?.amount ?? 0,
                tax: attempt.tax?.total ?? 0, isSale: !attempt.isReturned,
                enteredAt: entered ?? payment.createdAt),
            of: bill)
        try add(Self.words(of: payment, bill), to: payment.id)
    }

    /// Adds a refund, or takes over its new state.
    func keep(_ attempt: RefundAttempt) throws {
        let refund = attempt.refund
        guard let bill = try transaction.bills.find(refund.bill)?.bill,
            let charge = try transaction.attempts.find(refund.payment)
        else { return }
        let entered = try transaction.ledger.time(of: LedgerEntry.refund(refund.id))
        try keep(
            Line(
                id: refund.id.description, kind: .refund, payment: refund.payment,
                payer: attempt.payer, state: attempt.state.rawValue,
                means: attempt.means(of: charge), amount: refund.amount, tip: 0,
                tax: attempt.tax?.total ?? 0, isSale: !charge.isReturned,
                enteredAt: entered ?? refund.createdAt),
            of: bill)
        try add([SearchWords.amount(refund.amount)], to: refund.payment)
    }

    /// Adds a word by which the payment is found, for example the number of its receipt.
    func add(_ text: String, to payment: PaymentID) throws {
        try add(SearchWords.of(text), to: payment)
    }

    /// Removes the words of a bill that has lost its payer's data, and adds those that are left.
    func forgetPayer(of bill: Bill) throws {
        let rows = try transaction.rows(
            "SELECT body FROM payments WHERE bill_id = ? ORDER BY id", bill.id)
        for row in rows {
            let payment = try row.json(as: Attempt.self).payment
            try transaction.execute("DELETE FROM payment_words WHERE payment = ?", payment.id)
            try add(Self.words(of: payment, bill), to: payment.id)
            for text in try transaction.books.numbers(of: payment.id) {
                try add(text, to: payment.id)
            }
        }
    }

    func keep(person: PersonID, name: String, phone: String) throws {
        try forget(person: person)
        let words = SearchWords.of(name) + [SearchWords.phone(phone)].compactMap(\.self)
        try insert(words, into: "payer_words (word, person)", person)
    }

    func forget(person: PersonID) throws {
        try transaction.execute("DELETE FROM payer_words WHERE person = ?", person)
    }

    private struct Line {
        let id: String
        let kind: PaymentEntry.Kind
        let payment: PaymentID
        let payer: PersonID
        let state: String
        let means: PaymentMeans
        let amount: Money
        let tip, tax: Int
        let isSale: Bool
        let enteredAt: Date
    }

    private func keep(_ line: Line, of bill: Bill) throws {
        try transaction.execute(
            """
            INSERT INTO payment_search
                (id, kind, payment, bill_id, payer, state, means, product, site, amount, tip, tax,
                is_sale, currency, entered_at)
            VALUES (\(transaction.marks(15)))
            ON CONFLICT (id) DO UPDATE SET
                state = excluded.state, means = excluded.means, site = excluded.site,
                amount = excluded.amount, tip = excluded.tip, tax = excluded.tax,
                is_sale = excluded.is_sale, entered_at = excluded.entered_at
            """, line.id, line.kind.rawValue, line.payment, bill.id, line.payer, line.state,
            line.means.rawValue, bill.product.description, bill.facts.site?.id,
            line.amount.amount, line.tip, line.tax, line.isSale ? 1 : 0, line.amount.currency,
            line.enteredAt)
    }

    private func add(_ words: [String], to payment: PaymentID) throws {
        try insert(words, into: "payment_words (word, payment)", payment)
    }

    private func insert<Kind>(
        _ words: [String], into table: String, _ owner: Identifier<Kind>
    ) throws {
        let words = Set(words).sorted().prefix(SearchWords.most)
        guard !words.isEmpty else { return }
        let rows = words.map { _ in "(?, ?)" }.joined(separator: ", ")
        try transaction.execute(
            "INSERT INTO \(table) VALUES \(rows) ON CONFLICT DO NOTHING",
            arguments: words.flatMap { [$0, owner.description] })
    }

    private static func words(of payment: Payment, _ bill: Bill) -> [String] {
        var texts = [bill.facts.reference] + bill.facts.details.map(\.value)
        texts += bill.facts.plates ?? []
        texts += bill.facts.details.flatMap {
            $0.value.split { ",·;".contains($0) }.map(String.init)
        }
        let amounts = [payment.amount, payment.due] + [payment.tip].compactMap(\.self)
        return [SearchWords.joined(payment.id.description)] + amounts.map(SearchWords.amount)
            + texts.flatMap(SearchWords.of)
    }
}

// MARK: - Finding

extension PaymentSearch {
    /// The `WHERE` of the filters over `payment_search`.
    func conditions(_ filters: some PaymentFilters) throws -> Conditions {
        let span = try BookSpan(filters.from, filters.to, in: transaction.company.timeZone())
        var conditions = Conditions()
        conditions.require("bill_id = ?", ifPresent: filters.bill)
        conditions.require("entered_at >= ?", ifPresent: span.from)
        conditions.require("entered_at < ?", ifPresent: span.until)
        conditions.require("state = ?", ifPresent: filters.state?.rawValue)
        conditions.require("product = ?", ifPresent: filters.product)
        conditions.require("site = ?", ifPresent: filters.site)
        conditions.require("means = ?", ifPresent: filters.means?.rawValue)
        conditions.require("kind = ?", ifPresent: filters.kind?.rawValue)
        conditions.require(found: filters.q, "payment")
        return conditions
    }

    /// Payments and refunds, newest first.
    func page(_ filters: some PaymentFilters, _ page: PageRequest) throws -> [Row] {
        var conditions = try conditions(filters)
        conditions.require("id < ?", try page.below(PaymentID.self))
        return try transaction.rows(
            """
            SELECT id, kind, entered_at FROM payment_search \(conditions.where)
            ORDER BY id DESC LIMIT ?
            """, arguments: conditions.arguments + [page.rows])
    }

    func totals(_ filters: some PaymentFilters) throws -> PaymentTotals {
        let conditions = try conditions(filters)
        let rows = try transaction.rows(
            """
            SELECT currency, kind, CASE WHEN state = 'succeeded' THEN is_sale ELSE 0 END AS counts,
                COUNT(*) AS n, CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS amount,
                CAST(COALESCE(SUM(tip), 0) AS BIGINT) AS tip,
                CAST(COALESCE(SUM(tax), 0) AS BIGINT) AS tax
            FROM payment_search \(conditions.where) GROUP BY currency, kind, counts
            """, arguments: conditions.arguments)
        var count = 0
        var sums: [String: PaymentTotals.Currency] = [:]
        for row in rows {
            let number: Int = try row.get("n")
            count += number
            guard try row.get("counts", as: Int.self) == 1 else { continue }
            let currency: String = try row.get("currency")
            var sum = sums[currency] ?? PaymentTotals.Currency(nothingIn: currency)
            if try row.get("kind", as: String.self) == PaymentEntry.Kind.refund.rawValue {
                sum.refunds += number
                sum.refunded.amount += try row.get("amount", as: Int.self)
                sum.refundedTax.amount += try row.get("tax", as: Int.self)
            } else {
                sum.payments += number
                sum.paid.amount += try row.get("amount", as: Int.self)
                sum.tips.amount += try row.get("tip", as: Int.self)
                sum.tax.amount += try row.get("tax", as: Int.self)
            }
            sums[currency] = sum
        }
        return PaymentTotals(
            count: count, currencies: sums.sorted { $0.key < $1.key }.map(\.value))
    }
}

extension Conditions {
    /// Requires that the column has one of the payments that a search finds.
    mutating func require(found text: String?, _ column: String) {
        guard let terms = SearchTerms(text) else { return }
        guard !terms.isEmpty else { return require("1 = 0") }
        var finds: [String] = []
        var arguments: [String] = []
        let byWord = "SELECT payment FROM payment_words WHERE word >= ? AND word < ?"
        let byPayer = """
            SELECT payment FROM payment_search WHERE payer IN
                (SELECT person FROM payer_words WHERE word >= ? AND word < ?)
            """
        if !terms.whole.isEmpty {
            finds.append(byWord)
            arguments += terms.whole.wordRange
        }
        for amount in terms.amounts {
            finds.append("SELECT payment FROM payment_words WHERE word = ?")
            arguments.append(amount)
        }
        if let phone = terms.phone {
            finds.append(byPayer)
            arguments += phone.wordRange
        }
        if !terms.words.isEmpty {
            let each = terms.words.map { _ in "payment IN (\(byWord) UNION \(byPayer))" }
            finds.append(
                "SELECT payment FROM payment_search WHERE \(each.joined(separator: " AND "))")
            arguments += terms.words.flatMap { $0.wordRange + $0.wordRange }
        }
        require("\(column) IN (\(finds.joined(separator: " UNION ")))", arguments: arguments)
    }
}

extension String {
    /// The limits of all words of a search that begin with this one.
    var wordRange: [String] { [self, self + "\u{10FFFF}"] }
}

extension PaymentTotals.Currency {
    fileprivate init(nothingIn currency: String) {
        let zero = Money.zero(currency)
        self.init(
            payments: 0, refunds: 0, paid: zero, refunded: zero, tips: zero, tax: zero,
            refundedTax: zero)
    }
}

extension Payment {
    /// How it is paid; by card if an earlier release has stored it.
    var heldBy: PaymentMeans { means?.known ?? .card }
}

extension RefundAttempt {
    /// How the money went back: a payment by terminal may be refunded in cash, and the other way round.
    func means(of charge: Attempt) -> PaymentMeans {
        handOut.map { $0.drawer == nil ? .terminal : .cash } ?? charge.payment.heldBy
    }
}

// MARK: - Payments of earlier releases

extension PaymentUseCases {
    /// Payments and refunds per transaction.
    private static let indexedAtOnce = 200

    /// Adds all payments and refunds that are not in the index, which may be repeated.
    func indexPayments() async throws {
        var last = ""
        repeat {
            let after = last
            last = try await database.write { transaction in
                let rows = try transaction.rows(
                    "SELECT id, body FROM payments WHERE id > ? ORDER BY id LIMIT ?", after,
                    Self.indexedAtOnce)
                for row in rows { try transaction.paymentSearch.keep(row.json(as: Attempt.self)) }
                return try rows.last?.get("id", as: String.self) ?? ""
            }
        } while !last.isEmpty
        repeat {
            let after = last
            last = try await database.write { transaction in
                let rows = try transaction.rows(
                    "SELECT id, body FROM refunds WHERE id > ? ORDER BY id LIMIT ?", after,
                    Self.indexedAtOnce)
                for row in rows {
                    try transaction.paymentSearch.keep(row.json(as: RefundAttempt.self))
                }
                return try rows.last?.get("id", as: String.self) ?? ""
            }
        } while !last.isEmpty
    }
}
