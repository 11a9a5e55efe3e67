import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import Notifications

/// Mails that other services request, such as receipts.
@Suite struct RequestedMailTests {
    private func request(
        _ bench: Bench, to address: String? = nil, person: TestPerson = .alice
    ) throws -> MailRequested {
        MailRequested(
            id: .new(), person: person.id,
            sealedAddress: try address.map { try bench.environment.sealer.seal($0) },
            subject: "Receipt 2026-000123", text: "Total paid €9.00", html: "<p>Total paid</p>")
    }

    /// Accounts tells of Alice's confirmed address.
    private func confirm(_ bench: Bench, version: Int = 1) async throws {
        let account = TestPerson.alice.account(createdAt: bench.clock.now)
        let sealed = try bench.environment.sealer.seal("alice@example.org")
        try await bench.hear(
            AccountChanged(
                account: account, suspended: false, version: version, sealedEmail: sealed))
    }

    private func states(_ bench: Bench) async throws -> [CodeMessage.State] {
        try await bench.database.read { try $0.mails.all(to: TestPerson.alice.id).map(\.state) }
    }

    @Test func itGoesToTheConfirmedAddressOnce() async throws {
        let bench = try Bench()
        let provider = ToldProvider()
        try await confirm(bench)
        let request = try request(bench)
        // A replay brings it again, as another delivery.
        for _ in 0..<2 { try await bench.hear(request) }
        for _ in 0..<2 { await bench.sender(provider).round() }
        let mail = try #require(provider.sent.first)
        #expect(provider.sent.count == 1)
        #expect(mail.to == "alice@example.org")
        #expect(mail.subject == "Receipt 2026-000123")
        #expect(mail.text == "Total paid €9.00")
        #expect(mail.html == "<p>Total paid</p>")
        #expect(try await states(bench) == [.sent])
    }

    @Test func anotherAddressIsUsedAndKeptSealed() async throws {
        let bench = try Bench()
        let provider = ToldProvider()
        try await confirm(bench)
        try await bench.hear(try request(bench, to: "office@example.org"))
        let kept = try await bench.database.read { transaction in
            try transaction.rows("SELECT body FROM mails").map {
                try $0.get("body", as: String.self)
            }
                + transaction.rows("SELECT body FROM mail_addresses")
                .map { try $0.get("body", as: String.self) }
        }
        #expect(kept.count == 2)
        #expect(kept.allSatisfy { !$0.contains("example.org") })
        await bench.sender(provider).round()
        #expect(provider.sent.map(\.to) == ["office@example.org"])
    }

    @Test func withoutAnAddressNothingIsSent() async throws {
        let bench = try Bench()
        let provider = ToldProvider()
        try await bench.knows(.alice, .english)
        try await bench.hear(try request(bench))
        await bench.sender(provider).round()
        #expect(provider.sent.isEmpty)
        #expect(try await states(bench) == [.failed])
    }

    @Test func aPassingTroubleIsTriedAgainUnderTheSameId() async throws {
        let bench = try Bench()
        let provider = ToldProvider([MessageError.passing("status 450", afterSeconds: nil)])
        try await confirm(bench)
        try await bench.hear(try request(bench))
        await bench.sender(provider).round()
        #expect(try await states(bench) == [.waiting])
        bench.clock.advance(by: 2)
        await bench.sender(provider).round()
        #expect(provider.sent.count == 2)
        #expect(Set(provider.sent.map(\.id)).count == 1)
        #expect(try await states(bench) == [.sent])
    }

    @Test func whoeverIsGoneGetsNone() async throws {
        let bench = try Bench()
        let provider = ToldProvider()
        try await confirm(bench)
        try await bench.hear(try request(bench))
        try await bench.hear(
            AccountDeleted(
                account: TestPerson.alice.id, role: .customer, version: 9,
                deletedAt: bench.clock.now))
        try await bench.hear(try request(bench))
        await bench.sender(provider).round()
        #expect(provider.sent.isEmpty)
        #expect(try await states(bench).isEmpty)
    }
}
