import Contracts
import EventBus
import Foundation
import Logging
import ServiceKit
import Support
import Testing

@testable import Notifications

/// Notifications beside a push service that checks and decrypts what it gets, over HTTP.
private struct PushBench {
    let sink: TestPushSink
    let bench: Bench
    /// Everything that its sender has logged.
    let log = LogRecorder()
    private let client: PushClient

    init() async throws {
        sink = try await TestPushSink.start()
        // The sink judges signatures by the time of day.
        bench = try Bench(
            ["OPENVALET_NOTIFICATIONS_PUSH_SERVICES": sink.url], clock: TestClock(Date()))
        client = PushClient(
            vapid: try await Vapid.load(bench.config, bench.notifications),
            services: bench.config.pushServices)
    }

    var sender: PushSender {
        PushSender(notifications: bench.notifications, client: client, logger: log.logger)
    }

    func subscribe(_ person: TestPerson = .alice) async throws -> PushSubscriptionBody {
        let key = PushKey(publicKey: client.vapid.publicKey)
        let subscription = try await sink.subscribe(to: key)
        try await bench.subscribe(subscription, person)
        return subscription
    }

    /// What the browser has got so far, none of it with a fault.
    func messages(_ browser: PushSubscriptionBody) async throws -> [PushMessage] {
        let received = try await sink.received(browser)
        #expect(received.flatMap(\.wrong) == [])
        return try received.map { try $0.push() }
    }
}

@Suite struct PushSenderTests {
    @Test func whatIsToldIsPushedToEachInTheirLanguage() async throws {
        let environment = try await PushBench()
        let bench = environment.bench
        try await bench.knows(.alice, .traditionalChinese)
        let (alice, victor) = (
            try await environment.subscribe(), try await environment.subscribe(.victor)
        )
        try await bench.washed("b", [.clean(.alice, push: .now), .clean(.victor, push: .now)])
        await environment.sender.round()
        let received = try await environment.sink.received(alice)
        #expect(received.map(\.status) == [201])
        #expect(received.map(\.urgency) == ["high"])
        #expect(received.map(\.ttl) == [900])
        let message = try #require(try await environment.messages(alice).first)
        let line = try #require(try await bench.feed(.alice).last)
        #expect(
            message
                == PushMessage(
                    title: "已洗淨", body: "B-7：請取回。", number: line.sequence,
                    kind: Laundry.Washed.type, subject: line.subject, language: "zh-Hant",
                    url: "/#/baskets/b"))
        let other = try #require(try await environment.messages(victor).first)
        #expect(other.title == "It is clean" && other.language == "en")
        #expect(other.url == "/valet#/baskets/b")
        let topics = [received[0].topic, try await environment.sink.received(victor)[0].topic]
        #expect(Set(topics).count == 2, "nobody can tell that they share a basket")
        #expect(try await bench.pushJobs().isEmpty)
        await environment.sender.round()
        #expect(try await environment.messages(alice).count == 1)
    }

    @Test func aReceiptIsWorthADayAndAQuestionSeconds() async throws {
        let environment = try await PushBench()
        let (alice, victor) = (
            try await environment.subscribe(), try await environment.subscribe(.victor)
        )
        try await environment.bench.washed([
            .clean(.alice, push: .receipt), .clean(.victor, push: .question),
        ])
        environment.bench.clock.advance(by: 5)
        await environment.sender.round()
        let receipt = try #require(try await environment.sink.received(alice).first)
        #expect(receipt.ttl == 86_400 - 5 && receipt.urgency == "normal")
        let question = try #require(try await environment.sink.received(victor).first)
        #expect(question.ttl == 40 && question.urgency == "high")
    }

    @Test func operatorsGetAlertsEachInTheirLanguage() async throws {
        let environment = try await PushBench()
        try await environment.bench.knows(.olivia, .traditionalChinese)
        let olivia = try await environment.subscribe(.olivia)
        try await environment.bench.hear(NoticeIssued.lost())
        await environment.sender.round()
        let message = try #require(try await environment.messages(olivia).first)
        #expect(message.title == "遺失" && message.url == "/operator#/baskets/b")
        #expect(try await environment.bench.feed(.operators).last?.title == "Basket lost")
    }

    @Test func whatIsNotPressingIsInTheFeedAlone() async throws {
        let bench = try Bench()
        try await bench.subscribe(.browser(), .alice)
        try await bench.washed([.clean(.alice, push: nil)])
        try await bench.washed([.silent(.alice)])
        #expect(try await bench.feed(.alice).count == 2)
        #expect(try await bench.pushJobs().isEmpty)
    }

    @Test func oldNewsIsNotPushed() async throws {
        let bench = try Bench()
        try await bench.subscribe(.browser(), .alice)
        let old = bench.clock.now.addingTimeInterval(-7 * 3_600)
        let event = try NoticeIssued.washed()
        try await notificationReactions(bench.notifications)
            .receive(event, Delivery.of(event, at: old))
        #expect(try await bench.feed(.alice).count == 1)
        #expect(try await bench.pushJobs().isEmpty)
    }

    @Test func aNewerMessageAboutTheSameTakesThePlaceOfAnOlderOne() async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        try await environment.bench.washed("b")
        try await environment.bench.washed()
        try await environment.bench.washed("b")
        await environment.sender.round()
        let messages = try await environment.messages(alice)
        #expect(messages.map(\.number) == [2, 3], "oldest first")
        try await environment.bench.washed("b")
        await environment.sender.round()
        let topics = try await environment.sink.received(alice).map(\.topic)
        #expect(topics[1] == topics[2] && topics[0] != topics[1])
    }

    @Test func messagesThatWaitHaveALimit() async throws {
        let bench = try Bench()
        try await bench.subscribe(.browser(), .alice)
        for _ in 0...PushLimits.mostWaiting { try await bench.washed() }
        let numbers = try await bench.pushJobs().map(\.body.message.number)
        #expect(numbers.sorted() == Array(2...PushLimits.mostWaiting + 1))
    }
}

@Suite struct PushTroubleTests {
    @Test(arguments: [404, 410])
    func aSubscriptionThatIsGoneIsRemoved(status: Int) async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        try await environment.sink.answer(alice, .init(status))
        try await environment.bench.washed()
        try await environment.bench.washed()
        await environment.sender.round()
        #expect(try await environment.sink.received(alice).count == 1)
        #expect(try await environment.bench.subscriptions(of: .alice) == 0)
        #expect(try await environment.bench.pushJobs().isEmpty)
    }

    @Test(arguments: [400, 401, 403, 413, 302, 307])
    func whatIsRefusedIsDroppedAndNoRedirectIsFollowed(status: Int) async throws {
        let environment = try await PushBench()
        let (alice, elsewhere) = (
            try await environment.subscribe(), try await environment.subscribe(.bob)
        )
        try await environment.sink.answer(alice, .init(status, location: elsewhere.endpoint))
        try await environment.bench.washed()
        await environment.sender.round()
        environment.bench.clock.advance(by: 600)
        await environment.sender.round()
        #expect(try await environment.sink.received(alice).map(\.status) == [status])
        #expect(try await environment.sink.received(elsewhere).isEmpty)
        #expect(try await environment.bench.pushJobs().isEmpty)
        #expect(try await environment.bench.subscriptions(of: .alice) == 1)
    }

    /// 0 hangs up without an answer.
    @Test(arguments: [500, 503, 429, 408, 0])
    func aPassingTroubleIsTriedAgain(status: Int) async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        try await environment.sink.answer(alice, .init(status), .init(status))
        try await environment.bench.washed()
        var next = await environment.sender.round()
        await environment.sender.round()
        #expect(try await environment.sink.received(alice).count == 1, "not at once")
        for _ in 0..<2 {
            let due = try #require(next)
            #expect(due > environment.bench.clock.now)
            environment.bench.clock.advance(by: due.timeIntervalSince(environment.bench.clock.now))
            next = await environment.sender.round()
        }
        #expect(try await environment.sink.received(alice).map(\.status) == [status, status, 201])
        #expect(try await environment.bench.pushJobs().isEmpty)
        #expect(next == nil)
    }

    @Test func aServiceThatIsSilentIsAskedOnceARoundAtMost() async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        try await environment.sink.answer(alice, .init(0))
        for _ in 0..<3 { try await environment.bench.washed() }
        for _ in 0..<2 { await environment.sender.round() }
        #expect(try await environment.sink.received(alice).count == 1)
        environment.bench.clock.advance(by: PushSender.silentPause)
        await environment.sender.round()
        #expect(try await environment.sink.received(alice).map(\.status) == [0, 201, 201, 201])
        #expect(try await environment.messages(alice).map(\.number) == [1, 1, 2, 3])
    }

    @Test func aSilentServiceHoldsUpNoOther() async throws {
        let environment = try await PushBench()
        let (alice, victor) = (
            try await environment.subscribe(), try await environment.subscribe(.victor)
        )
        try await environment.sink.answer(alice, .init(0))
        try await environment.bench.washed()
        // More than a round takes.
        try await environment.bench.database.write { transaction in
            for _ in 0..<PushSender.batch {
                try transaction.execute(
                    """
                    INSERT INTO push_jobs (id, subscription, number, topic, attempts, due_at,
                        expires_at, body)
                    SELECT ?, subscription, number, ?, attempts, due_at, expires_at, body
                    FROM push_jobs LIMIT 1
                    """, MessageID.new(), UUID().uuidString)
            }
            try transaction.execute(
                "UPDATE push_subscriptions SET service = 'silent.example' WHERE person = ?",
                TestPerson.alice.id)
        }
        environment.bench.clock.advance(by: 1)
        try await environment.bench.washed([.clean(.victor)])
        for _ in 0..<2 { await environment.sender.round() }
        #expect(try await environment.messages(victor).count == 1)
        #expect(try await environment.sink.received(alice).count == 1)
    }

    @Test func anAnswerThatDoesNotEndHoldsUpNobody() async throws {
        try await PretendServer(.dripping).serve { url in
            let bench = try Bench(
                ["OPENVALET_NOTIFICATIONS_PUSH_SERVICES": url.absoluteString],
                clock: TestClock(Date()))
            var browser = PushSubscriptionBody.browser()
            browser.endpoint = url.absoluteString + "/push/alice"
            try await bench.subscribe(browser, .alice)
            try await bench.washed()
            let client = PushClient(
                vapid: try await Vapid.load(bench.config, bench.notifications),
                services: bench.config.pushServices)
            let sender = PushSender(
                notifications: bench.notifications, client: client, logger: bench.environment.logger
            )
            await sender.round()
            #expect(try await bench.pushJobs().isEmpty, "its head said that it was taken")
        }
    }

    @Test func thePushServiceSaysHowLongToWait() async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        try await environment.sink.answer(alice, .init(429, retryAfter: "120"))
        try await environment.bench.washed()
        let next = try #require(await environment.sender.round())
        #expect(next.timeIntervalSince(environment.bench.clock.now) >= 119)
        environment.bench.clock.advance(by: 100)
        await environment.sender.round()
        #expect(try await environment.sink.received(alice).count == 1)
        environment.bench.clock.advance(by: 100)
        await environment.sender.round()
        #expect(try await environment.messages(alice).count == 2)
    }

    @Test(arguments: ["999999999999", "-7", "soon", "Sun, 06 Nov 1994 08:49:37 GMT"])
    func aPauseNeverOutlivesTheMessage(retryAfter: String) async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        try await environment.sink.answer(alice, .init(503, retryAfter: retryAfter))
        try await environment.bench.washed()
        let next = try #require(await environment.sender.round())
        let end = environment.bench.clock.now.addingTimeInterval(6 * 3_600 + 1)
        #expect(next > environment.bench.clock.now && next < end)
        // A little later than its end: what is stored is rounded to microseconds.
        environment.bench.clock.advance(by: 6 * 3_600 + 1)
        #expect(await environment.sender.round() == nil)
        #expect(
            try await environment.sink.received(alice).count == 1, "it is not worth anything now")
        #expect(environment.log.text.contains("expired"))
    }

    @Test func aLongTroubleLosesNothingThatIsStillWorthSending() async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        try await environment.bench.washed()
        for _ in 0..<12 {
            try await environment.sink.answer(alice, .init(500))
            await environment.sender.round()
            environment.bench.clock.advance(by: PushJob.longestPause * 1.5)
        }
        #expect(await environment.sender.round() == nil)
        let statuses = try await environment.sink.received(alice).map(\.status)
        #expect(statuses == Array(repeating: 500, count: 12) + [201])
    }

    @Test func aLongAnswerIsNotReadToItsEnd() async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        try await environment.sink.answer(alice, .init(201, bodyBytes: 64 * 1_024 * 1_024))
        try await environment.bench.washed()
        await environment.sender.round()
        #expect(try await environment.messages(alice).count == 1)
        #expect(try await environment.bench.pushJobs().isEmpty)
    }

    @Test func whatACrashInterruptedIsSentAgainAfterItsLease() async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        try await environment.bench.washed()
        // As a process leaves it that dies between the answer and its note of it.
        var job = try #require(try await environment.bench.pushJobs().first)
        #expect(job.begin(at: environment.bench.clock.now) == nil)
        let begun = job
        let isBegun = try await environment.bench.database.write {
            try $0.pushes.save(begun, ifAttemptsWere: 0)
        }
        #expect(isBegun)
        await environment.sender.round()
        #expect(try await environment.messages(alice).isEmpty, "somebody may still be at it")
        environment.bench.clock.advance(by: PushJob.lease)
        await environment.sender.round()
        #expect(try await environment.messages(alice).count == 1)
    }

    @Test func twoSendersDoNotSendTheSame() async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        for _ in 0..<20 { try await environment.bench.washed() }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { await environment.sender.round() } }
        }
        let numbers = try await environment.messages(alice).map(\.number)
        #expect(numbers.sorted() == Array(1...20))
    }

    @Test func aServiceThatIsNoLongerAllowedIsNotCalled() async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        try await environment.bench.washed()
        let client = PushClient(
            vapid: try await Vapid.load(environment.bench.config, environment.bench.notifications),
            services: try #require(PushServices("push.example.net")))
        let sender = PushSender(
            notifications: environment.bench.notifications, client: client,
            logger: environment.log.logger)
        await sender.round()
        #expect(try await environment.sink.received(alice).isEmpty)
        #expect(try await environment.bench.pushJobs().isEmpty)
        #expect(environment.log.text.contains("unusable"))
    }

    @Test func noLogHasAnAddressOrAWordOfAMessage() async throws {
        let environment = try await PushBench()
        let alice = try await environment.subscribe()
        for told: TestPushSink.Told in [.init(500), .init(0), .init(400), .init(410)] {
            try await environment.sink.answer(alice, told)
            try await environment.bench.washed()
            await environment.sender.round()
        }
        #expect(environment.log.text.contains("push not accepted"))
        #expect(environment.log.text.contains("push given up"))
        #expect(environment.log.text.contains("push subscription has ended"))
        #expect(environment.log.text.contains("127.0.0.1"))
        let path = try #require(alice.endpoint.split(separator: "/").last)
        for secret in [
            String(path), "/push/", alice.keys.auth, alice.keys.p256dh, "B-7", "It is clean",
            TestPerson.alice.id.description,
        ] {
            #expect(!environment.log.text.contains(secret), "\(secret)")
        }
    }
}
