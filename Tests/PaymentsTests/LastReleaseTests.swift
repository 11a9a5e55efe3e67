import Contracts
import Foundation
import Store
import Support
import Testing

@testable import Payments

/// Payments on a database that 1.0.0 uses, too.
struct LastReleaseTests {
    private let bench: Bench
    private let alice = TestPerson.alice.id

    init() throws { bench = try Bench() }

    private func hear(version: Int) async throws {
        var account = TestPerson.alice.account(createdAt: bench.clock.now)
        account.language = .traditionalChinese
        try await bench.hear(AccountChanged(account: account, suspended: false, version: version))
    }

    private func bodies(of table: String) async throws -> [String?] {
        try await bench.database.read { transaction in
            try transaction.rows("SELECT body FROM \(table) ORDER BY id")
                .map { try $0.getIfPresent("body") }
        }
    }

    @Test func theLastReleaseCanReadTheLanguage() async throws {
        try await hear(version: 3)
        #expect(try await bodies(of: "people") == [#""zh-Hant""#])
        #expect(try await bodies(of: "payers").count == 1)
    }

    @Test func copiesOfUnreleasedVersionsAreDivided() async throws {
        try await hear(version: 3)
        let payer = try #require(try await bodies(of: "payers")[0])
        let mixed = #"{"language":"zh-Hant","# + payer.dropFirst()
        try await bench.database.write { transaction in
            try transaction.execute("DELETE FROM payers")
            try transaction.execute("UPDATE people SET body = ?", mixed)
            for migration in payerMigrations where migration.name == "payers-1" {
                for statement in migration.statements { try transaction.execute(statement) }
            }
        }
        let (language, known) = try await bench.database.read { transaction in
            (
                try knownLanguage(of: alice, in: transaction),
                try payers.value(of: alice, in: transaction)
            )
        }
        #expect(language == .traditionalChinese)
        #expect(known == (try Wire.decode(from: Data(payer.utf8)) as KnownPayer))
    }

    @Test func aPayerWhomTheLastReleaseHasForgottenIsForgotten() async throws {
        try await hear(version: 3)
        try await bench.database.write { [alice, now = bench.clock.now] transaction in
            try people.forget(alice, version: 4, at: now, in: transaction)
        }
        try await bench.payments.completeWorkOfTheLastRelease()
        #expect(try await bodies(of: "payers") == [nil])
        let words = try await bench.database.read {
            try $0.rows("SELECT word FROM payer_words").count
        }
        #expect(words == 0)
        // What comes late brings nothing back.
        try await hear(version: 2)
        #expect(try await bodies(of: "payers") == [nil])
    }

    @Test func whatTheLastReleaseWasPaidIsEarned() async throws {
        let bill = try await bench.billed()
        let payment = try await bench.pay(bill.id)
        let balances = try await bench.balances()
        // As 1.0.0 leaves it: without earnings in the entry of the payment, and without words to find it by.
        try await bench.database.write { transaction in
            try transaction.execute(
                """
                DELETE FROM ledger WHERE entry_id = ?
                    AND (account LIKE 'billed:%' OR account LIKE 'revenue:%'
                        OR account LIKE 'commission:%' OR account LIKE 'tax:%')
                """, LedgerEntry.capture(payment.id))
            try transaction.execute("DELETE FROM payment_search")
        }
        #expect(try await bench.balances() != balances)
        for _ in 0..<2 { try await bench.payments.completeWorkOfTheLastRelease() }
        #expect(try await bench.balances() == balances)
        await bench.recover()
        let found = try await bench.database.read {
            try $0.rows("SELECT state FROM payment_search").map {
                try $0.get("state", as: String.self)
            }
        }
        #expect(found == ["succeeded"])
        // Nothing is left to do.
        try await bench.payments.completeWorkOfTheLastRelease()
        let work = try await bench.database.read {
            try $0.rows("SELECT kind FROM work WHERE kind = ?", PaymentWork.indexPayments).count
        }
        #expect(work == 0)
    }
}
