import Contracts
import Foundation
import Store
import Support
import Testing

@testable import Payments

@Suite struct LedgerTests {
    private let bill = BillID.new()

    @Test(.withoutDatabase) func anEntryThatDoesNotSumToZeroIsRefused() throws {
        let lines = [
            LedgerEntry.Line(account: .revenue(.made), amount: .hkd(-100)),
            LedgerEntry.Line(account: .customerReceivable, amount: .hkd(99)),
        ]
        #expect(throws: LedgerError.unbalanced(entry: "x")) {
            try LedgerEntry(id: "x", bill: bill, lines: lines)
        }
    }

    @Test(.withoutDatabase) func currenciesDoNotBalanceEachOther() throws {
        let lines = [
            LedgerEntry.Line(account: .revenue(.made), amount: .hkd(-100)),
            LedgerEntry.Line(
                account: .customerReceivable, amount: Money(amount: 100, currency: "EUR")),
        ]
        #expect(throws: LedgerError.self) {
            try LedgerEntry(id: "x", bill: bill, lines: lines)
        }
    }

    @Test func anEntryIsWrittenOnce() async throws {
        let bench = try Bench()
        let entry = try LedgerEntry.billed(.of(100, version: 8), version: 8)
        let now = bench.clock.now
        try await bench.database.write { try $0.ledger.enter(entry, at: now) }
        await #expect(throws: StoreError.self) {
            try await bench.database.write { try $0.ledger.enter(entry, at: now) }
        }
        #expect(
            try await bench.balances() == [.customerReceivable: 100, .billed: -100])
    }

    @Test func billCaptureAndRefundBalance() async throws {
        let bench = try Bench()
        let order = try await bench.billed(12_000)
        #expect(try await bench.balances() == [.customerReceivable: 12_000, .billed: -12_000])
        let payment = try await bench.pay(order.id)
        #expect(
            try await bench.balances()
                == [
                    .customerReceivable: 0, .billed: 0, .revenue: -12_000,
                    .providerClearing: 12_000,
                ])
        _ = try await bench.payments.refund(
            payment.id, RefundBody(amount: 2_000, reason: "a scratch"),
            by: TestPerson.olivia.id, key: nil)
        #expect(
            try await bench.balances() == [
                .customerReceivable: 0, .billed: 0, .revenue: -12_000, .providerClearing: 10_000,
                .refunds: 2_000,
            ])
        #expect(try await bench.unbalancedEntries() == [])
    }

    @Test func anUnbalancedOrUnknownLineDoesNotGetIntoTheTable() async throws {
        let bench = try Bench()
        let insert = """
            INSERT INTO ledger
                (entry_id, line, account, amount, currency, bill_id, is_tip, created_at)
            VALUES ('x', 0, ?, ?, 'HKD', 'o', 0, 0)
            """
        _ = try await bench.billed()
        for (account, amount) in [("pocket", 100), ("customerReceivable", 0)] {
            await #expect(throws: StoreError.self) {
                try await bench.database.write { try $0.execute(insert, account, amount) }
            }
        }
    }

    /// The subset of SQL that SQLite and PostgreSQL share has no triggers: the sources are the
    /// proof.
    @Test(.withoutDatabase) func noCodeChangesOrRemovesLedgerRows() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.appending(path: "Services/Payments")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        #expect(files.count >= 9)
        for file in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8).lowercased()
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(!source.contains("update ledger"), "\(file.lastPathComponent)")
            #expect(!source.contains("delete from ledger"), "\(file.lastPathComponent)")
            #expect(!source.contains("into ledger on conflict"), "\(file.lastPathComponent)")
        }
    }
}
