import Answers
import Contracts
import Crypto
import Foundation
import ServiceKit
import Support
import Testing

@testable import Notifications

extension PushSubscriptionBody {
    /// A browser of a push service that everybody may use.
    static func browser(_ name: String = "a") -> PushSubscriptionBody {
        PushSubscriptionBody(
            endpoint: "https://fcm.googleapis.com/fcm/send/\(name)",
            keys: .init(p256dh: PushExample.p256dh, auth: PushExample.auth))
    }
}

extension Caller {
    private static let path = "/v1/me/push-subscriptions"

    func subscribe(
        _ body: PushSubscriptionBody, as person: TestPerson?, key: String? = nil
    ) async throws -> Answer {
        try await call(.post, Self.path, raw: Wire.json(body), as: person, key: key)
    }

    func pushKey() async throws -> PushKey {
        try await call(.get, "/v1/push-key", as: nil).expect(200, PushKey.self)
    }

    func subscriptions(_ query: String = "", as person: TestPerson) async throws -> Page<
        PushSubscription
    > {
        try await call(.get, Self.path + query, as: person).expect(
            200, Page<PushSubscription>.self)
    }
}

extension Bench {
    func subscribe(_ body: PushSubscriptionBody, _ person: TestPerson) async throws {
        _ = try await run { try await $0.subscribe(body, as: person) }
            .expect(201, PushSubscription.self)
    }

    func subscriptions(of person: TestPerson) async throws -> Int {
        try await run { try await $0.subscriptions(as: person).items.count }
    }

    func pushJobs() async throws -> [PushJob] {
        try await database.read { try $0.pushes.due(at: .distantFuture, limit: 1_000) }
    }

}

@Suite struct PushRouteTests {
    private let path = "/v1/me/push-subscriptions"

    private func folder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "push-\(UUID())").path
    }

    @Test func theKeyIsMadeOnceAndKeptSealed() async throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try Bench(folder: folder)
        let key = try await first.run { try await $0.pushKey() }
        let point = try #require(Data(base64URL: key.publicKey))
        _ = try P256.Signing.PublicKey(x963Representation: point)
        let vapid = try await Vapid.load(first.config, first.notifications)
        let kept = try await first.database.read {
            try $0.row("SELECT sealed FROM push_keys")?.get("sealed", as: String.self) ?? ""
        }
        #expect(!kept.contains(vapid.key.rawRepresentation.base64URL) && kept.count > 40)
        try await first.database.close()
        let second = try Bench(folder: folder)
        #expect(try await second.run { try await $0.pushKey() } == key)
        try await second.database.close()
    }

    @Test func aKeyThatIsGivenIsTheOne() async throws {
        let given = P256.Signing.PrivateKey()
        for text in [given.pemRepresentation, given.rawRepresentation.base64URL] {
            let bench = try Bench(["OPENVALET_NOTIFICATIONS_VAPID_KEY": text])
            let key = try await bench.run { try await $0.pushKey() }
            #expect(key.publicKey == given.publicKey.x963Representation.base64URL)
        }
    }

    @Test func aKeyOfAnotherSecretIsReplacedAndItsSubscriptionsGo() async throws {
        let bench = try Bench()
        let key = try await bench.run { try await $0.pushKey() }
        try await bench.subscribe(.browser(), .alice)
        let other = try Sealer(secret: "another secret").seal("x")
        try await bench.database.write { try $0.execute("UPDATE push_keys SET sealed = ?", other) }
        try await bench.run { caller in
            let next = try await caller.pushKey()
            #expect(next != key)
            #expect(try await caller.pushKey() == next)
            #expect(try await caller.subscriptions(as: .alice).items.isEmpty)
        }
    }

    @Test func onesOwnBrowsersAreListedAndRemoved() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let first = try await caller.subscribe(.browser("1"), as: .alice)
                .expect(201, PushSubscription.self)
            #expect(first.service == "fcm.googleapis.com")
            #expect(first.createdAt == bench.clock.now)
            bench.clock.advance(by: 1)
            let answer = try await caller.subscribe(.browser("2"), as: .alice)
            let second = try answer.expect(201, PushSubscription.self)
            for secret in ["fcm/send", PushExample.p256dh, PushExample.auth] {
                #expect(!answer.text.contains(secret))
            }
            let list = try await caller.subscriptions(as: .alice)
            #expect(list.items == [second, first] && list.next == nil)
            let page = try await caller.subscriptions("?limit=1", as: .alice)
            #expect(page.items == [second])
            let rest = try await caller.subscriptions(
                "?limit=1&after=\(#require(page.next))", as: .alice)
            #expect(rest.items == [first] && rest.next == nil)
            #expect(try await caller.subscriptions(as: .bob).items.isEmpty)
            let one = "\(path)/\(first.id)"
            try await caller.call(.delete, one, as: .bob)
                .refused(404, "notification.subscription_unknown")
            #expect(try await caller.call(.delete, one, as: .alice).status == 204)
            try await caller.call(.delete, one, as: .alice)
                .refused(404, "notification.subscription_unknown")
            #expect(try await caller.subscriptions(as: .alice).items == [second])
        }
    }

    @Test func addressAndKeysAreKeptSealed() async throws {
        let bench = try Bench()
        try await bench.subscribe(.browser("secret-part"), .alice)
        let rows = try await bench.database.read { transaction in
            try transaction.rows("SELECT * FROM push_subscriptions").map { row in
                try ["id", "person", "endpoint_hash", "service", "sealed"].map {
                    try row.get($0, as: String.self)
                }.joined(separator: " ")
            }
        }
        #expect(rows.count == 1)
        for secret in ["secret-part", PushExample.p256dh, PushExample.auth] {
            #expect(!rows[0].contains(secret))
        }
    }

    @Test func theSameBrowserIsTheSameSubscriptionAndBelongsToWhoAskedLast() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let first = try await caller.subscribe(.browser(), as: .alice)
                .expect(201, PushSubscription.self)
            bench.clock.advance(by: 60)
            let again = try await caller.subscribe(.browser(), as: .alice)
                .expect(201, PushSubscription.self)
            #expect(again == first)
            try await bench.washed()
            #expect(try await bench.pushJobs().count == 1)
            let moved = try await caller.subscribe(.browser(), as: .bob)
                .expect(201, PushSubscription.self)
            #expect(moved == first)
            #expect(try await bench.pushJobs().isEmpty, "nothing of Alice's reaches Bob")
            #expect(try await caller.subscriptions(as: .alice).items.isEmpty)
            #expect(try await caller.subscriptions(as: .bob).items == [first])
            try await bench.washed()
            #expect(try await bench.pushJobs().isEmpty)
        }
    }

    @Test func beyondTenTheOneThatWasRenewedLongestAgoGoes() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            for number in 1...10 {
                bench.clock.advance(by: 1)
                _ = try await caller.subscribe(.browser("\(number)"), as: .alice)
                    .expect(201, PushSubscription.self)
            }
            let before = try await caller.subscriptions(as: .alice).items
            #expect(before.count == 10)
            bench.clock.advance(by: 1)
            _ = try await caller.subscribe(.browser("1"), as: .alice)
            _ = try await caller.subscribe(.browser("of Bob".filter { $0 != " " }), as: .bob)
            bench.clock.advance(by: 1)
            _ = try await caller.subscribe(.browser("11"), as: .alice)
            let after = try await caller.subscriptions(as: .alice).items
            #expect(after.count == 10)
            #expect(after.last == before.last, "the first was renewed")
            #expect(!after.contains(before[8]), "the second was not")
            #expect(try await caller.subscriptions(as: .bob).items.count == 1)
        }
    }

    @Test func aRepeatedRequestIsAnsweredOnce() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let first = try await caller.subscribe(.browser(), as: .alice, key: "k")
                .expect(201, PushSubscription.self)
            let id = "\(path)/\(first.id)"
            #expect(try await caller.call(.delete, id, as: .alice).status == 204)
            let again = try await caller.subscribe(.browser(), as: .alice, key: "k")
                .expect(201, PushSubscription.self)
            #expect(again == first)
            #expect(try await caller.subscriptions(as: .alice).items.isEmpty)
            try await caller.subscribe(.browser("b"), as: .alice, key: "k")
                .refused(422, "idempotency.key_reused")
        }
    }

    @Test func aWrongFieldIsNamed() async throws {
        let bench = try Bench()
        var wrong: [(PushSubscriptionBody, String)] = []
        for endpoint in [
            "", "http://fcm.googleapis.com/x", "https://evil.example/x", "http://127.0.0.1:8080/x",
            "https://fcm.googleapis.com/" + String(repeating: "x", count: 1_000),
        ] {
            var body = PushSubscriptionBody.browser()
            body.endpoint = endpoint
            wrong.append((body, "endpoint"))
        }
        var body = PushSubscriptionBody.browser()
        body.keys.p256dh = Data([4] + [UInt8](repeating: 1, count: 64)).base64URL
        wrong.append((body, "keys.p256dh"))
        body = .browser()
        body.keys.auth = Data(count: 15).base64URL
        wrong.append((body, "keys.auth"))
        let cases = wrong
        try await bench.run { caller in
            for (body, field) in cases {
                try await caller.subscribe(body, as: .alice)
                    .refused(422, "request.invalid", field: field)
            }
            for (text, field) in [
                ("", nil), ("{}", "endpoint"), (#"{"endpoint": 7}"#, "endpoint"),
                (#"{"endpoint": "x", "keys": {"auth": ""}}"#, "keys.p256dh"),
            ] {
                try await caller.call(.post, path, raw: text, as: .alice)
                    .refused(400, "request.malformed", field: field)
            }
            #expect(try await caller.subscriptions(as: .alice).items.isEmpty)
        }
    }

    @Test func badInputIsRefused() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            try await caller.subscribe(.browser(), as: nil).refused(401, "auth.token_missing")
            try await caller.call(.get, path, as: nil).refused(401, "auth.token_missing")
            let one = "\(path)/\(PushSubscriptionID.new())"
            try await caller.call(.delete, one, as: nil).refused(401, "auth.token_missing")
            try await caller.call(.delete, one, as: .alice)
                .refused(404, "notification.subscription_unknown")
            try await caller.call(.delete, "\(path)/x", as: .alice)
                .refused(404, "request.not_found")
            try await caller.call(.get, "\(path)?after=x", as: .alice)
                .refused(422, "request.invalid", field: "after")
            try await caller.call(.get, "\(path)?limit=0", as: .alice)
                .refused(422, "request.invalid", field: "limit")
        }
    }

    @Test(arguments: [
        ["OPENVALET_NOTIFICATIONS_VAPID_KEY": "not a key"],
        ["OPENVALET_NOTIFICATIONS_VAPID_SUBJECT": "me"],
        ["OPENVALET_NOTIFICATIONS_VAPID_SUBJECT": "mailto:"],
        ["OPENVALET_NOTIFICATIONS_VAPID_SUBJECT": "mailto: a@b.example"],
        ["OPENVALET_NOTIFICATIONS_VAPID_SUBJECT": "http://example.net"],
    ])
    func aWrongConfigurationStopsTheStart(environment: [String: String]) {
        #expect(throws: ConfigError.self) { try Bench(environment) }
    }
}

@Suite struct PushEndTests {
    private func session(_ bench: Bench, _ person: TestPerson) async throws -> SessionID {
        let row = try await bench.database.read { transaction in
            try transaction.row(
                "SELECT session FROM push_subscriptions WHERE person = ?", person.id)
        }
        return try #require(row).get("session")
    }

    @Test func aSubscriptionEndsWithTheSessionInWhichItWasMade() async throws {
        let bench = try Bench()
        try await bench.subscribe(.browser("phone"), .alice)
        let first = try await session(bench, .alice)
        try await bench.subscribe(.browser("laptop"), .alice)
        try await bench.subscribe(.browser("bob"), .bob)
        try await bench.washed()
        #expect(try await bench.pushJobs().count == 2)
        let ended = SessionsEnded(
            account: TestPerson.alice.id, sessions: [first, .new()], endedAt: bench.clock.now)
        let id = EventID.new()
        for _ in 0..<2 { try await bench.hear(ended, id: id) }
        #expect(try await bench.subscriptions(of: .alice) == 1)
        #expect(try await bench.subscriptions(of: .bob) == 1)
        #expect(try await bench.pushJobs().count == 1)
    }

    @Test func anAccessTokenThatOutlivesItsSessionDoesNotSubscribe() async throws {
        let bench = try Bench()
        let (alice, session) = (TestPerson.alice, SessionID.new())
        let services = bench.config.pushServices
        let identity = Identity(person: alice.id, roles: [.customer], session: session)
        try await bench.hear(
            SessionsEnded(account: alice.id, sessions: [session], endedAt: bench.clock.now))
        await #expect(throws: Refusal.tokenInvalid) {
            _ = try await bench.notifications.subscribe(
                identity, .browser(), to: services, key: nil)
        }
        try await bench.subscribe(.browser(), .alice)
        bench.clock.advance(by: 2 * 86_400)
        try await bench.notifications.sweep()
        let kept = try await bench.database.read { try $0.rows("SELECT id FROM ended_sessions") }
        #expect(kept.isEmpty, "by then no token of it is good")
    }

    @Test func nothingIsLeftOfWhoeverDeletedTheirAccount() async throws {
        let bench = try Bench()
        try await bench.subscribe(.browser("a"), .alice)
        try await bench.subscribe(.browser("b"), .bob)
        try await bench.washed()
        try await bench.hear(
            AccountDeleted(
                account: TestPerson.alice.id, role: .customer, version: 9,
                deletedAt: bench.clock.now))
        #expect(try await bench.pushJobs().isEmpty)
        try await bench.run { caller in
            #expect(try await caller.subscriptions(as: .alice).items.isEmpty)
            #expect(try await caller.subscriptions(as: .bob).items.count == 1)
            try await caller.subscribe(.browser("a"), as: .alice)
                .refused(401, "auth.token_invalid")
        }
    }

    @Test func anExportListsThemWithoutTheirSecrets() async throws {
        let bench = try Bench()
        try await bench.subscribe(.browser("secret-part"), .alice)
        try await bench.run { caller in
            let answer = try await caller.internally("/internal/people/\(TestPerson.alice.id)")
            #expect(answer.text.contains("\"service\":\"fcm.googleapis.com\""))
            for secret in ["secret-part", PushExample.p256dh, PushExample.auth] {
                #expect(!answer.text.contains(secret))
            }
        }
    }
}
