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
        let house = try await PushBench()
        let bench = house.bench
        try await bench.knows(.alice, .traditionalChinese)
        let (alice, victor) = (try await house.subscribe(), try await house.subscribe(.victor))
        try await bench.washed("b", [.clean(.alice, push: .now), .clean(.victor, push: .now)])
        await house.sender.round()
        let received = try await house.sink.received(alice)
        #expect(received.map(\.status) == [201])
        #expect(received.map(\.urgency) == ["high"])
        #expect(received.map(\.ttl) == [900])
        let message = try #require(try await house.messages(alice).first)
        let line = try #require(try await bench.feed(.alice).last)
        #expect(
            message
                == PushMessage(
                    title: "已洗淨", body: "B-7：請取回。", number: line.sequence,
                    kind: Laundry.Washed.type, subject: line.subject, language: "zh-Hant",
                    url: "/#/baskets/b"))
        let other = try #require(try await house.messages(victor).first)
        #expect(other.title == "It is clean" && other.language == "en")
        #expect(other.url == "/valet#/baskets/b")
        let topics = [received[0].topic, try await house.sink.received(victor)[0].topic]
        #expect(Set(topics).count == 2, "nobody can tell that they share a basket")
        #expect(try await bench.pushJobs().isEmpty)
        await house.sender.round()
        #expect(try await house.messages(alice).count == 1)
    }

    @Test func aReceiptIsWorthADayAndAQuestionSeconds() async throws {
        let house = try await PushBench()
        let (alice, victor) = (try await house.subscribe(), try await house.subscribe(.victor))
        try await house.bench.washed([
            .clean(.alice, push: .receipt), .clean(.victor, push: .question),
        ])
        house.bench.clock.advance(by: 5)
        await house.sender.round()
        let receipt = try #require(try await house.sink.received(alice).first)
        #expect(receipt.ttl == 86_400 - 5 && receipt.urgency == "normal")
        let question = try #require(try await house.sink.received(victor).first)
        #expect(question.ttl == 40 && question.urgency == "high")
    }

    @Test func operatorsGetAlertsEachInTheirLanguage() async throws {
        let house = try await PushBench()
        try await house.bench.knows(.olivia, .traditionalChinese)
        let olivia = try await house.subscribe(.olivia)
        try await house.bench.hear(NoticeIssued.lost())
        await house.sender.round()
        let message = try #require(try await house.messages(olivia).first)
        #expect(message.title == "遺失" && message.url == "/operator#/baskets/b")
        #expect(try await house.bench.feed(.operators).last?.title == "Basket lost")
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
        let house = try await PushBench()
        let alice = try await house.subscribe()
        try await house.bench.washed("b")
        try await house.bench.washed()
        try await house.bench.washed("b")
        await house.sender.round()
        let messages = try await house.messages(alice)
        #expect(messages.map(\.number) == [2, 3], "oldest first")
        try await house.bench.washed("b")
        await house.sender.round()
        let topics = try await house.sink.received(alice).map(\.topic)
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
        let house = try await PushBench()
        let alice = try await house.subscribe()
        try await house.sink.answer(alice, .init(status))
        try await house.bench.washed()
        try await house.bench.washed()
        await house.sender.round()
        #expect(try await house.sink.received(alice).count == 1)
        #expect(try await house.bench.subscriptions(of: .alice) == 0)
        #expect(try await house.bench.pushJobs().isEmpty)
    }

    @Test(arguments: [400, 401, 403, 413, 302, 307])
    func whatIsRefusedIsDroppedAndNoRedirectIsFollowed(status: Int) async throws {
        let house = try await PushBench()
        let (alice, elsewhere) = (try await house.subscribe(), try await house.subscribe(.bob))
        try await house.sink.answer(alice, .init(status, location: elsewhere.endpoint))
        try await house.bench.washed()
        await house.sender.round()
        house.bench.clock.advance(by: 600)
        await house.sender.round()
        #expect(try await house.sink.received(alice).map(\.status) == [status])
        #expect(try await house.sink.received(elsewhere).isEmpty)
        #expect(try await house.bench.pushJobs().isEmpty)
        #expect(try await house.bench.subscriptions(of: .alice) == 1)
    }

    /// 0 hangs up without an answer.
    @Test(arguments: [500, 503, 429, 408, 0])
    func aPassingTroubleIsTriedAgain(status: Int) async throws {
        let house = try await PushBench()
        let alice = try await house.subscribe()
        try await house.sink.answer(alice, .init(status), .init(status))
        try await house.bench.washed()
        var next = await house.sender.round()
        await house.sender.round()
        #expect(try await house.sink.received(alice).count == 1, "not at once")
        for _ in 0..<2 {
            let due = try #require(next)
            #expect(due > house.bench.clock.now)
            house.bench.clock.advance(by: due.timeIntervalSince(house.bench.clock.now))
            next = await house.sender.round()
        }
        #expect(try await house.sink.received(alice).map(\.status) == [status, status, 201])
        #expect(try await house.bench.pushJobs().isEmpty)
        #expect(next == nil)
    }

    @Test func aServiceThatIsSilentIsAskedOnceARoundAtMost() async throws {
        let house = try await PushBench()
        let alice = try await house.subscribe()
        try await house.sink.answer(alice, .init(0))
        for _ in 0..<3 { try await house.bench.washed() }
        for _ in 0..<2 { await house.sender.round() }
        #expect(try await house.sink.received(alice).count == 1)
        house.bench.clock.advance(by: PushSender.silentPause)
        await house.sender.round()
        #expect(try await house.sink.received(alice).map(\.status) == [0, 201, 201, 201])
        #expect(try await house.messages(alice).map(\.number) == [1, 1, 2, 3])
    }

    @Test func aSilentServiceHoldsUpNoOther() async throws {
        let house = try await PushBench()
        let (alice, victor) = (try await house.subscribe(), try await house.subscribe(.victor))
        try await house.sink.answer(alice, .init(0))
        try await house.bench.washed()
        // More than a round takes.
        try await house.bench.database.write { transaction in
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
        house.bench.clock.advance(by: 1)
        try await house.bench.washed([.clean(.victor)])
        for _ in 0..<2 { await house.sender.round() }
        #expect(try await house.messages(victor).count == 1)
        #expect(try await house.sink.received(alice).count == 1)
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
                notifications: bench.notifications, client: client, logger: bench.house.logger)
            await sender.round()
            #expect(try await bench.pushJobs().isEmpty, "its head said that it was taken")
        }
    }

    @Test func thePushServiceSaysHowLongToWait() async throws {
        let house = try await PushBench()
        let alice = try await house.subscribe()
        try await house.sink.answer(alice, .init(429, retryAfter: "120"))
        try await house.bench.washed()
        let next = try #require(await house.sender.round())
        #expect(next.timeIntervalSince(house.bench.clock.now) >= 119)
        house.bench.clock.advance(by: 100)
        await house.sender.round()
        #expect(try await house.sink.received(alice).count == 1)
        house.bench.clock.advance(by: 100)
        await house.sender.round()
        #expect(try await house.messages(alice).count == 2)
    }

    @Test(arguments: ["999999999999", "-7", "soon", "Sun, 06 Nov 1994 08:49:37 GMT"])
    func aPauseNeverOutlivesTheMessage(retryAfter: String) async throws {
        let house = try await PushBench()
        let alice = try await house.subscribe()
        try await house.sink.answer(alice, .init(503, retryAfter: retryAfter))
        try await house.bench.washed()
        let next = try #require(await house.sender.round())
        let end = house.bench.clock.now.addingTimeInterval(6 * 3_600 + 1)
        #expect(next > house.bench.clock.now && next < end)
        // A little later than its end: what is stored is rounded to microseconds.
        house.bench.clock.advance(by: 6 * 3_600 + 1)
        #expect(await house.sender.round() == nil)
        #expect(try await house.sink.received(alice).count == 1, "it is not worth anything now")
        #expect(house.log.text.contains("expired"))
    }

    @Test func aLongTroubleLosesNothingThatIsStillWorthSending() async throws {
        let house = try await PushBench()
        let alice = try await house.subscribe()
        try await house.bench.washed()
        for _ in 0..<12 {
            try await house.sink.answer(alice, .init(500))
            await house.sender.round()
            house.bench.clock.advance(by: PushJob.longestPause * 1.5)
        }
        #expect(await house.sender.round() == nil)
        let statuses = try await house.sink.received(alice).map(\.status)
        #expect(statuses == Array(repeating: 500, count: 12) + [201])
    }

    @Test func aLongAnswerIsNotReadToItsEnd() async throws {
        let house = try await PushBench()
        let alice = try await house.subscribe()
        try await house.sink.answer(alice, .init(201, bodyBytes: 64 * 1_024 * 1_024))
        try await house.bench.washed()
        await house.sender.round()
        #expect(try await house.messages(alice).count == 1)
        #expect(try await house.bench.pushJobs().isEmpty)
    }

    @Test func whatACrashInterruptedIsSentAgainAfterItsLease() async throws {
        let house = try await PushBench()
        let alice = try await house.subscribe()
        try await house.bench.washed()
        // As a process leaves it that dies between the answer and its note of it.
        var job = try #require(try await house.bench.pushJobs().first)
        #expect(job.begin(at: house.bench.clock.now) == nil)
        let begun = job
        let isBegun = try await house.bench.database.write {
            try $0.save(begun, ifAttemptsWere: 0)
        }
        #expect(isBegun)
        await house.sender.round()
        #expect(try await house.messages(alice).isEmpty, "somebody may still be at it")
        house.bench.clock.advance(by: PushJob.lease)
        await house.sender.round()
        #expect(try await house.messages(alice).count == 1)
    }

    @Test func twoSendersDoNotSendTheSame() async throws {
        let house = try await PushBench()
        let alice = try await house.subscribe()
        for _ in 0..<20 { try await house.bench.washed() }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { await house.sender.round() } }
        }
        let numbers = try await house.messages(alice).map(\.number)
        #expect(numbers.sorted() == Array(1...20))
    }

    @Test func aServiceThatIsNoLongerAllowedIsNotCalled() async throws {
        let house = try await PushBench()
        let alice = try await house.subscribe()
        try await house.bench.washed()
        let client = PushClient(
            vapid: try await Vapid.load(house.bench.config, house.bench.notifications),
            services: try #require(PushServices("push.example.net")))
        let sender = PushSender(
            notifications: house.bench.notifications, client: client, logger: house.log.logger)
        await sender.round()
        #expect(try await house.sink.received(alice).isEmpty)
        #expect(try await house.bench.pushJobs().isEmpty)
        #expect(house.log.text.contains("unusable"))
    }

    @Test func noLogHasAnAddressOrAWordOfAMessage() async throws {
        let house = try await PushBench()
        let alice = try await house.subscribe()
        for told: TestPushSink.Told in [.init(500), .init(0), .init(400), .init(410)] {
            try await house.sink.answer(alice, told)
            try await house.bench.washed()
            await house.sender.round()
        }
        #expect(house.log.text.contains("push not accepted"))
        #expect(house.log.text.contains("push given up"))
        #expect(house.log.text.contains("push subscription is gone"))
        #expect(house.log.text.contains("127.0.0.1"))
        let path = try #require(alice.endpoint.split(separator: "/").last)
        for secret in [
            String(path), "/push/", alice.keys.auth, alice.keys.p256dh, "B-7", "It is clean",
            TestPerson.alice.id.description,
        ] {
            #expect(!house.log.text.contains(secret), "\(secret)")
        }
    }
}
