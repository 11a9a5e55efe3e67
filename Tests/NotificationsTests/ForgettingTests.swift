import Contracts
import EventBus
import Foundation
import Kafka
import Support
import Testing

@testable import Notifications

@Suite struct ForgettingTests {
    private func deleted(_ bench: Bench, _ person: TestPerson) -> AccountDeleted {
        AccountDeleted(
            account: person.id, role: person.role, version: 9, deletedAt: bench.clock.now)
    }

    /// What is about Alice's basket, which says where she lives.
    private func secret(_ basket: String) throws -> NoticeIssued {
        var event = try NoticeIssued.washed(basket)
        event.notice.state?.data = .object(["address": .text("1 Secret Road")])
        return event
    }

    /// Alice has a feed, a copy, a code and a text message; Victor and operators have lines of her
    /// basket.
    private func bench() async throws -> Bench {
        let bench = try Bench()
        try await bench.knows(.alice, .traditionalChinese)
        try await bench.hear(secret("b"))
        try await bench.hear(try bench.codeRequested())
        await bench.sender().round()
        return bench
    }

    /// Whether her id or the address of her basket is anywhere but in a tombstone or the log.
    private func traces(of person: TestPerson, in bench: Bench) async throws -> [String] {
        let id = person.id.description
        return try await bench.database.read { transaction in
            var found: [String] = []
            for (table, columns) in [
                ("subjects", ["body"]), ("subject_people", ["person"]),
                ("feed", ["recipient", "body"]),
                ("code_messages", ["account", "body"]), ("text_messages", ["person", "phone"]),
                ("dead_letters", ["body"]),
            ] {
                for row in try transaction.rows("SELECT * FROM \(table)") {
                    for column in columns {
                        let text = try row.getIfPresent(column, as: String.self) ?? ""
                        if text.contains(id) || text.contains("Secret Road")
                            || text.contains(person.phone)
                        {
                            found.append("\(table).\(column)")
                        }
                    }
                }
            }
            return found
        }
    }

    @Test func nothingIsLeftOfWhoeverDeletedTheirAccount() async throws {
        let bench = try await bench()
        #expect(try await !traces(of: .alice, in: bench).isEmpty)
        let deletion = deleted(bench, .alice)
        let id = EventID.new()
        for _ in 0..<2 { try await bench.hear(deletion, id: id) }
        #expect(try await traces(of: .alice, in: bench) == [])
        #expect(try await bench.feed(.alice).isEmpty)
        // Others' lines keep their words and numbers, without the data.
        #expect(try await bench.feed(.victor).map(\.sequence) == [1])
        #expect(try await bench.feed(.victor).map(\.data) == [nil])
        #expect(try await bench.feed(.operators).map(\.data) == [nil])
        #expect(
            try await bench.created().allSatisfy { $0.recipient != .person(TestPerson.alice.id) })
    }

    @Test func whatComesLateOrAgainBringsNothingBack() async throws {
        let bench = try await bench()
        let code = try bench.codeRequested("777777")
        try await bench.hear(deleted(bench, .alice))
        // Once more under another id, as after a replay that outlived the inbox.
        try await bench.hear(deleted(bench, .alice))
        try await bench.knows(.alice, .english, version: 3)
        try await bench.knows(.alice, .english, version: 99)
        try await bench.hear(code)
        await bench.sender().round()
        try await bench.hear(secret("another"))
        try await bench.hear(
            NoticeIssued(
                Notice(subject: "b", cause: Laundry.Lost.self, [.clean(.alice), .clean(.bob)])))
        #expect(try await traces(of: .alice, in: bench) == [])
        #expect(try await bench.feed(.alice).isEmpty)
        #expect(try await bench.states().isEmpty)
        let told = try #require(try await bench.feed(.operators).last)
        #expect(told.event == Laundry.Washed.type && told.data == nil)
        #expect(try await bench.feed(.bob).map(\.data) == [nil])
    }

    @Test func manyLinesOfOthersAreForgottenAFewAtATime() async throws {
        let bench = try Bench()
        let lines = NotificationStore.linesAtOnce + 20
        for number in 0..<lines / 20 {
            let messages = (0..<20).map { Notice.Message.silent(.another(.valet, $0)) }
            try await bench.washed("b\(number)", messages)
        }
        // Bob's basket stays as it is.
        try await bench.hear(
            NoticeIssued(
                Notice(
                    subject: "bob", state: .basket("bob", of: .bob), cause: Laundry.Washed.self,
                    [Notice.Message(to: .operators)])))
        try await bench.hear(deleted(bench, .alice))
        let left = try await bench.database.read { transaction in
            try transaction.rows("SELECT body FROM feed WHERE has_data = 1").map {
                try $0.json(as: FeedItem.self).subject?.id
            }
        }
        #expect(left == ["bob"])
        #expect(try await traces(of: .alice, in: bench) == [])
    }

    @Test func aMessageThatIsUnderWayMeanwhileIsNotKept() async throws {
        let bench = try Bench()
        try await bench.hear(try bench.codeRequested())
        let dev = DevMessages(database: bench.database, clock: bench.environment.clock)
        try await bench.hear(deleted(bench, .alice))
        try await dev.send(
            OutgoingMessage(
                id: .new(), person: TestPerson.alice.id, to: TestPerson.alice.phone, subject: nil,
                text: "t"))
        #expect(try await traces(of: .alice, in: bench) == [])
        let provider = ToldProvider()
        await bench.sender(provider).round()
        #expect(provider.sent.isEmpty)
    }

    @Test func deadRecordsAboutThemGoUnlessSomebodyStillLacksThem() async throws {
        let bench = try Bench()
        let account = TestPerson.alice.account(createdAt: bench.clock.now)
        let changed = AccountChanged(account: account, suspended: false, version: 2)
        let deletion = deleted(bench, .alice)
        try await bench.notifications.keep(dead(changed))
        try await bench.notifications.keep(dead(NoticeIssued.washed()))
        try await bench.notifications.keep(dead(RatingGiven.of(.alice)))
        let retried = try await bench.notifications.deadLetters(.init()).items
            .first { $0.eventType == RatingGiven.type }
        _ = try await bench.notifications.retry(
            #require(retried).id, by: TestPerson.olivia.operatorID, key: nil)
        try await bench.notifications.keep(
            dead(
                AvailabilityChanged(
                    valet: TestPerson.victor.valet, status: .available, serviceArea: nil,
                    changedAt: bench.clock.now)))
        try await bench.hear(deletion)
        try await bench.notifications.keep(dead(changed))
        try await bench.notifications.keep(dead(deletion))
        let letters = try await bench.notifications.deadLetters(.init())
        #expect(
            Set(letters.items.map(\.eventType))
                == [AccountDeleted.type, AvailabilityChanged.type, NoticeIssued.type])
    }

    @Test func manyDeadRecordsAboutThemAllGo() async throws {
        let bench = try Bench()
        let account = TestPerson.alice.account(createdAt: bench.clock.now)
        let changed = try dead(AccountChanged(account: account, suspended: false, version: 2))
        for _ in 0..<2 * NotificationStore.lettersAtOnce + 1 {
            try await bench.notifications.keep(changed)
        }
        try await bench.hear(deleted(bench, .alice))
        #expect(try await bench.notifications.deadLetters(.init()).items.isEmpty)
    }

    private func dead<E: Event>(_ event: E) throws -> ReceivedRecord {
        let envelope = Delivery.of(event, at: TestClock().now).envelope
        let headers =
            envelope.headers.map { ($0.name, $0.value) }
            + [(DeadHeader.signature, "orders:c2lnbmVk")]
        return ReceivedRecord(
            topic: E.topic.dead, partition: 0, offset: 7, key: event.key,
            value: try Wire.encode(event),
            headers: Dictionary(headers) { first, _ in first })
    }

    @Test func anExportHasAllThatIsHeld() async throws {
        let bench = try await bench()
        try await bench.hear(
            OperatorActed(
                by: TestPerson.olivia.operatorID, action: "accounts.test",
                subject: TestPerson.alice.id.description, reason: "asked", actedAt: bench.clock.now)
        )
        try await bench.run { caller in
            let path = "/internal/people/\(TestPerson.alice.id)"
            let answer = try await caller.internally(path)
            #expect(answer.status == 200)
            let held = try #require(
                JSONSerialization.jsonObject(with: answer.data) as? [String: Any])
            #expect(held["language"] as? String == "zh-Hant")
            let feed = try #require(held["feed"] as? [[String: Any]])
            #expect(feed.map { $0["title"] as? String } == ["已洗淨"])
            #expect((held["textMessages"] as? [[String: Any]])?.count == 1)
            #expect((held["codes"] as? [[String: Any]])?.first?["state"] as? String == "sent")
            let audit = try #require(held["audit"] as? [[String: Any]])
            #expect(audit.map { $0["reason"] as? String } == ["asked"])
            // Of somebody unknown, and of an operator who did something.
            let bob = try await caller.internally("/internal/people/\(TestPerson.bob.id)")
            #expect(bob.status == 200)
            let olivia = try await caller.internally("/internal/people/\(TestPerson.olivia.id)")
            #expect(olivia.text.contains("accounts.test"))
            try await caller.call(.get, path, as: .alice).refused(401, "auth.token_invalid")
            try await caller.call(.get, path, as: nil).refused(401, "auth.token_missing")
            try await caller.internally("/internal/people/x").refused(404, "request.not_found")
        }
    }
}
