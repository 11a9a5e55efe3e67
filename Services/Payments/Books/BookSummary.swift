import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The sum of the lines of one kind of entry in one account.
struct BookLine: Sendable, Hashable {
    /// The kind of the entries, for example `capture`.
    let entry: String
    let account: AccountID
    let isTip: Bool
    let currency: String
    /// In minor units: debits, or credits as a negative amount. An account has a line for either.
    let amount: Int
    /// Number of entries.
    let count: Int
}

extension LedgerStore {
    /// The lines of all entries in a span, summed by the entries' kind and by account; people's accounts are summed.
    ///
    /// The part of an entry's id behind its kind mostly has only these letters, so most entries of a kind have the same
    /// rest; those of disputes have the provider's ids. One of them tells the kind.
    func lines(in span: Range<Date>) throws -> [BookLine] {
        let people = LedgerAccount.Kind.peopleValues
        return try transaction.rows(
            """
            SELECT MIN(line.entry_id) AS sample, line.is_tip, line.currency,
                CASE WHEN accounts.kind IN (\(transaction.marks(people.count))) THEN accounts.kind
                    ELSE accounts.id END AS holder,
                CASE WHEN line.amount > 0 THEN 1 ELSE 0 END AS side,
                CAST(COALESCE(SUM(line.amount), 0) AS BIGINT) AS total,
                COUNT(DISTINCT line.entry_id) AS n
            FROM ledger AS head JOIN ledger AS line ON line.entry_id = head.entry_id
                JOIN accounts ON accounts.id = line.account
            WHERE head.line = 0 AND head.created_at >= ? AND head.created_at < ?
            GROUP BY RTRIM(line.entry_id, '0123456789abcdef:-'), holder, side, line.is_tip,
                line.currency
            """, arguments: people + [span.lowerBound, span.upperBound]
        ).map { row in
            BookLine(
                entry: String(try row.get("sample", as: String.self).prefix { $0 != ":" }),
                account: AccountID(try row.get("holder")), isTip: try row.get("is_tip"),
                currency: try row.get("currency"), amount: try row.get("total"),
                count: try row.get("n"))
        }
    }

    /// Balances of the accounts that hold money, before a time.
    ///
    /// Begins with those of the last day that was closed by then, so that it needn't sum all years.
    func money(before time: Date) throws -> [Holding: Int] {
        let closed = try transaction.closings.last(until: time)
        var sums: [Holding: Int] = [:]
        for book in closed?.day.books.currencies ?? [] {
            for means in book.means {
                sums[Holding(account: means.account, currency: book.currency)] =
                    means.closing.amount
            }
        }
        let kinds = LedgerAccount.Kind.money.map(\.rawValue).sorted()
        var conditions = Conditions("created_at < ?", time)
        conditions.require("created_at >= ?", ifPresent: closed?.until)
        conditions.require(
            "account IN (SELECT id FROM accounts WHERE kind IN (\(transaction.marks(kinds.count))))",
            arguments: kinds)
        let rows = try transaction.rows(
            """
            SELECT account, currency, CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS total FROM ledger
            \(conditions.where) GROUP BY account, currency
            """, arguments: conditions.arguments)
        for row in rows {
            let holding = Holding(
                account: try row.get("account"), currency: try row.get("currency"))
            sums[holding, default: 0] += try row.get("total", as: Int.self)
        }
        return sums
    }
}

/// Money of one currency in one account.
struct Holding: Sendable, Hashable {
    let account: String
    let currency: String
}

extension BookStore {
    /// The books of a span, which the company's days limit.
    func period(
        in span: Range<Date>, of zone: TimeZone, in language: Language
    ) throws -> BookPeriod {
        let lines = try transaction.ledger.lines(in: span)
        let opening = try transaction.ledger.money(before: span.lowerBound)
        let accounts = lines.map(\.account.text) + opening.keys.map(\.account)
        let names = try AccountNames(accounts, in: language, transaction)
        let held = opening.filter { $0.value != 0 }.keys.map(\.currency)
        let currencies = Set(lines.map(\.currency)).union(held)
        return BookPeriod(
            from: span.lowerBound, until: span.upperBound, timeZone: zone.identifier,
            currencies: currencies.sorted().map { currency in
                BookSums(
                    currency, lines.filter { $0.currency == currency },
                    opening: opening.filter { $0.key.currency == currency }, names)
            }, taxes: try taxes(in: span), documents: try documents(in: span))
    }
}

extension BookSums {
    fileprivate init(
        _ currency: String, _ lines: [BookLine], opening: [Holding: Int], _ names: AccountNames
    ) {
        let sums = LineSums(currency: currency, lines: lines)
        let payments = sums.lines.filter {
            $0.entry == "capture" && $0.account.kind == .customerReceivable
        }
        self.init(
            currency: currency,
            payments: Count(
                count: payments.reduce(0) { $0 + $1.count },
                amount: sums.money(sums.received - sums.credited)),
            sold: sums.sold(names),
            shares: sums.money(
                -lines.filter {
                    $0.entry == "capture" && $0.account.kind == .payable && !$0.isTip
                }.reduce(0) { $0 + $1.amount }),
            tips: sums.money(-lines.filter(\.isTip).reduce(0) { $0 + $1.amount }),
            credited: sums.money(sums.credited),
            creditReturned: sums.money(
                sums.total(["refund", "refundFailed"]) { $0.kind == .customerCredit }),
            taxes: sums.taxes,
            refunds: sums.refunds("refund", sign: -1),
            refundsFailed: sums.refunds("refundFailed", sign: 1),
            disputes: sums.disputes("dispute") { $0 > 0 },
            disputesReturned: sums.disputes("dispute") { $0 < 0 },
            disputesLost: sums.disputesLost,
            disputeFees: sums.money(sums.total(["dispute"]) { $0.kind == .disputeFees }),
            cashDifference: sums.money(sums.total(["count"]) { $0.kind == .cashDifference }),
            payouts: Count(
                count: sums.count("paid", \.holdsMoney),
                amount: sums.money(-sums.total(["paid", "unpaid"], \.holdsMoney))),
            means: sums.means(opening, names))
    }
}

extension BookLine {
    /// Whether the entry reduces what was sold.
    fileprivate var isGivenBack: Bool { ["refund", "refundFailed", "lost"].contains(entry) }
}

/// The lines of one currency.
private struct LineSums {
    let currency: String
    let lines: [BookLine]

    func money(_ amount: Int) -> Money { Money(amount: amount, currency: currency) }

    func total(_ entries: Set<String>, _ isWanted: (AccountID) -> Bool) -> Int {
        lines.filter { entries.contains($0.entry) && isWanted($0.account) }
            .reduce(0) { $0 + $1.amount }
    }

    func count(_ entry: String, _ isWanted: (AccountID) -> Bool) -> Int {
        lines.filter { $0.entry == entry && isWanted($0.account) }.reduce(0) { $0 + $1.count }
    }

    var received: Int { total(["capture"], \.holdsMoney) }

    /// Money for bills that no longer existed.
    var credited: Int { -total(["capture"]) { $0.kind == .customerCredit } }

    /// Of payments: what goes back for a bill that no longer existed is no refund of a sale.
    func refunds(_ entry: String, sign: Int) -> BookSums.Count {
        let isCredit = { (account: AccountID) in account.kind == .customerCredit }
        return BookSums.Count(
            count: count(entry, \.holdsMoney) - count(entry, isCredit),
            amount: money(sign * (total([entry], \.holdsMoney) + total([entry], isCredit))))
    }

    func sold(_ names: AccountNames) -> [BookSums.Sold] {
        let earned = lines.filter {
            ($0.entry == "capture" && [.revenue, .commission].contains($0.account.kind))
                || ($0.isGivenBack && [.refunds, .commission].contains($0.account.kind))
        }
        let owners = Dictionary(grouping: earned) { $0.account.owner ?? "" }
        return owners.sorted { $0.key < $1.key }.compactMap { _, lines in
            guard let account = lines.first?.account, let product = account.product else {
                return nil
            }
            func sum(_ kind: LedgerAccount.Kind, isGivenBack: Bool) -> Int {
                lines.filter { $0.account.kind == kind && $0.isGivenBack == isGivenBack }
                    .reduce(0) { $0 + $1.amount }
            }
            return BookSums.Sold(
                product: product, site: account.site,
                siteName: account.site.flatMap(names.site),
                revenue: money(-sum(.revenue, isGivenBack: false)),
                commission: money(-sum(.commission, isGivenBack: false)),
                refunded: money(sum(.refunds, isGivenBack: true)),
                commissionRefunded: money(sum(.commission, isGivenBack: true)))
        }
    }

    var taxes: [BookSums.Tax] {
        let owed = Dictionary(grouping: lines.filter { $0.account.kind == .tax }) {
            $0.account.owner ?? ""
        }
        return owed.sorted { $0.key < $1.key }.map { country, lines in
            func sum(_ isWanted: (BookLine) -> Bool) -> Int {
                lines.filter(isWanted).reduce(0) { $0 + $1.amount }
            }
            return BookSums.Tax(
                country: country, charged: money(-sum { $0.entry == "capture" }),
                refunded: money(sum { $0.entry != "capture" }))
        }
    }

    /// What was entered on one side of the disputed money, as a positive amount.
    func disputes(_ entry: String, _ isWanted: (Int) -> Bool) -> BookSums.Count {
        let moved = lines.filter {
            $0.entry == entry && $0.account.kind == .disputed && isWanted($0.amount)
        }
        return BookSums.Count(
            count: moved.reduce(0) { $0 + $1.count },
            amount: money(abs(moved.reduce(0) { $0 + $1.amount })))
    }

    var disputesLost: BookSums.Count {
        let (lost, undone) = (disputes("lost") { $0 < 0 }, disputes("lost") { $0 > 0 })
        return BookSums.Count(
            count: lost.count - undone.count,
            amount: money(lost.amount.amount - undone.amount.amount))
    }

    func means(_ opening: [Holding: Int], _ names: AccountNames) -> [BookSums.Means] {
        let moved = lines.filter(\.account.holdsMoney)
        let held = opening.filter { $0.value != 0 }.keys.map(\.account)
        return Set(moved.map(\.account.text)).union(held).sorted().map { account in
            func sum(_ entries: Set<String>) -> Int {
                moved.filter { $0.account.text == account && entries.contains($0.entry) }
                    .reduce(0) { $0 + $1.amount }
            }
            let before = opening[Holding(account: account, currency: currency)] ?? 0
            let all = moved.filter { $0.account.text == account }.reduce(0) { $0 + $1.amount }
            let (received, refunded) = (sum(["capture"]), -sum(["refund", "refundFailed"]))
            let paidOut = -sum(["paid", "unpaid"])
            return BookSums.Means(
                account: account, name: names.name(account), opening: money(before),
                received: money(received), refunded: money(refunded), paidOut: money(paidOut),
                other: money(all - received + refunded + paidOut), closing: money(before + all))
        }
    }
}

extension BookStore {
    /// The platform's revenue from payments in a span, and what refunds and lost disputes took of it: with commission,
    /// without tax.
    func revenueRows(in span: TimeSpan) throws -> [RevenueStatistics.Row] {
        let lines = try transaction.ledger.lines(in: span.from..<span.to)
        let names = try AccountNames(lines.map(\.account.text), in: .english, transaction)
        return Set(lines.map(\.currency)).sorted().flatMap { currency in
            let sums = LineSums(currency: currency, lines: lines.filter { $0.currency == currency })
            return sums.sold(names).map { one in
                let refunded = one.refunded.amount + one.commissionRefunded.amount
                return RevenueStatistics.Row(
                    product: one.product, site: one.site, siteName: one.siteName,
                    revenue: sums.money(one.revenue.amount + one.commission.amount),
                    refunded: refunded == 0 ? nil : sums.money(refunded))
            }.filter { $0.revenue.amount != 0 || $0.refunded != nil }
        }
    }
}
