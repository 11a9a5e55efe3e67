import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import Notifications

@Suite struct FeedTests {
    @Test func aNoticeIsToldToEachInTheirLanguage() async throws {
        let bench = try Bench()
        try await bench.knows(.alice, .traditionalChinese)
        try await bench.knows(.bob, .english)
        try await bench.washed("b", [.clean(.alice), .clean(.bob), Notice.Message(to: .operators)])
        let alice = try #require(try await bench.feed(.alice).first)
        #expect(alice.title == "已洗淨")
        #expect(alice.text == "B-7：請取回。")
        #expect(alice.event == Laundry.Washed.type)
        #expect(alice.subject == FeedSubject(product: "laundry", kind: .basket, id: "b"))
        #expect(alice.link == "/baskets/b")
        #expect(alice.basket == BasketBrief(version: 3))
        #expect(try await bench.feed(.bob).first?.title == "It is clean")
        let operators = try #require(try await bench.feed(.operators).first)
        #expect(operators.text == nil)
        #expect(operators.basket == alice.basket)
    }

    @Test func aChangedLanguageCountsFromThenOnAndAnOlderCopyDoesNot() async throws {
        let bench = try Bench()
        try await bench.knows(.alice, .traditionalChinese, version: 3)
        try await bench.knows(.alice, .english, version: 2)
        try await bench.washed()
        #expect(try await bench.feed(.alice).first?.title == "已洗淨")
        try await bench.knows(.alice, .english, version: 4)
        try await bench.washed()
        #expect(try await bench.feed(.alice).last?.title == "It is clean")
    }

    @Test func aLanguageOfTheFutureIsKeptAndAnsweredInEnglish() async throws {
        let bench = try Bench()
        try await bench.knows(.alice, try #require(Language(rawValue: "fr-CA")))
        try await bench.washed()
        #expect(try await bench.feed(.alice).first?.title == "It is clean")
        let known = try await bench.database.read {
            try people.value(of: TestPerson.alice.id, in: $0)
        }
        #expect(known?.rawValue == "fr-CA")
    }

    @Test func numbersHaveNoGapsHoweverManyAtOnce() async throws {
        let bench = try Bench()
        try await withThrowingTaskGroup { group in
            for _ in 1...50 { group.addTask { try await bench.washed() } }
            try await group.waitForAll()
        }
        #expect(try await bench.feed(.alice).map(\.sequence) == Array(1...50))
        #expect(try await bench.feed(.operators).map(\.sequence) == Array(1...50))
    }

    @Test func aNoticeThatArrivesTwiceIsToldOnce() async throws {
        let bench = try Bench()
        let (id, notice) = (EventID.new(), try NoticeIssued.washed())
        for _ in 0..<3 { try await bench.hear(notice, id: id) }
        #expect(try await bench.feed(.alice).count == 1)
        #expect(try await bench.created().count == 3)
    }

    @Test func eachItemIsPublishedUnderItsRecipient() async throws {
        let bench = try Bench()
        try await bench.washed()
        let created = try await bench.created()
        #expect(
            created.map(\.key)
                == [TestPerson.alice.id.description, "operators", TestPerson.victor.id.description])
        #expect(created.first?.item == (try await bench.feed(.alice).first))
    }

    /// Payments say that something is paid, and know nothing else of it.
    @Test func whoDoesNotOwnTheSubjectShowsWhatItsProductSaidLast() async throws {
        let bench = try Bench()
        func paid(_ basket: String) -> NoticeIssued {
            NoticeIssued(Notice(subject: basket, cause: Laundry.Lost.self, [.clean(.alice)]))
        }
        try await bench.washed("b")
        try await bench.hear(paid("b"))
        let line = try #require(try await bench.feed(.alice).last)
        #expect(line.event == Laundry.Lost.type)
        #expect(line.subject?.id == "b" && line.basket?.version == 3)
        try await bench.hear(paid("another"))
        let unknown = try #require(try await bench.feed(.alice).last)
        #expect(unknown.title == "It is clean")
        #expect(unknown.subject == nil && unknown.data == nil && unknown.link == nil)
    }

    @Test func anOlderStateDoesNotReplaceTheCopy() async throws {
        let bench = try Bench()
        try await bench.washed("b", version: 9)
        try await bench.washed("b", version: 5)
        #expect(try await bench.feed(.alice).map { $0.basket?.version } == [9, 5])
        try await bench.hear(
            NoticeIssued(Notice(subject: "b", cause: Laundry.Lost.self, [.clean(.alice)])))
        #expect(try await bench.feed(.alice).last?.basket?.version == 9)
    }

    @Test func aNoticeBeyondItsLimitsTellsNobody() async throws {
        let bench = try Bench()
        var large = try SubjectState.basket("b")
        large.data = .text(String(repeating: "x", count: SubjectState.largestData))
        var outside = try SubjectState.basket("b")
        outside.link = "https://elsewhere.example"
        let many = Array(repeating: Notice.Message.clean(.alice), count: Notice.mostMessages + 1)
        let refused: [(SubjectState?, [Notice.Message], NoticeError)] = [
            (large, [.clean(.alice)], .dataTooLarge), (nil, many, .tooManyMessages),
            (outside, [.clean(.alice)], .linkInvalid),
        ]
        for (state, messages, error) in refused {
            await #expect(throws: error) {
                try await bench.hear(
                    NoticeIssued(
                        Notice(subject: "b", state: state, cause: Laundry.Washed.self, messages)))
            }
        }
        #expect(try await bench.feed(.alice).isEmpty)
    }

    @Test(.withoutDatabase) func theServicesOwnWordsAreTheSameInEveryLanguage() {
        #expect(NotificationUseCases.words.differences == [])
        #expect(
            NotificationUseCases.words.keys
                == [
                    "dead-letter.title", "dead-letter.text", "verification-code.title",
                    "verification-code.text", "password-reset-code.title",
                    "password-reset-code.text", "second-factor-code.title",
                    "second-factor-code.text",
                ])
    }

    @Test func oldItemsGoAndNumbersGoOn() async throws {
        let bench = try Bench()
        try await bench.washed()
        bench.clock.advance(by: 91 * 86_400)
        try await bench.washed()
        try await bench.notifications.sweep()
        #expect(try await bench.feed(.alice).map(\.sequence) == [2])
    }

    @Test func aFeedHasALongestLength() async throws {
        let bench = try Bench()
        let now = bench.clock.now
        let draft = FeedDraft(event: Laundry.Washed.type, title: "t", text: "t", subject: nil)
        let recipient = Recipient.person(TestPerson.alice.id)
        try await bench.database.write { transaction in
            try transaction.execute(
                "INSERT INTO feed_heads (recipient, last) VALUES (?, ?)", recipient,
                NotificationStore.longestFeed - 1)
            for _ in 0..<3 { try transaction.feed.append(draft, to: recipient, at: now) }
            try transaction.execute(
                "UPDATE feed SET sequence = 3 WHERE sequence = ?", NotificationStore.longestFeed)
            try transaction.feed.append(draft, to: recipient, at: now)
        }
        #expect(
            try await bench.feed(.alice).map(\.sequence)
                == (1...3).map { NotificationStore.longestFeed + $0 })
    }
}

@Suite struct FeedRouteTests {
    private func told(_ bench: Bench) async throws {
        for version in 1...3 {
            try await bench.washed(
                "b", version: version, [.silent(.alice), Notice.Message(to: .operators)])
            try await bench.washed(
                "b", version: version + 1, [.clean(.alice), Notice.Message(to: .operators)])
        }
    }

    @Test func onesOwnTextsAreListedNewestFirst() async throws {
        let bench = try Bench()
        try await told(bench)
        try await bench.run { caller in
            let all = try await caller.texts(as: .alice)
            #expect(all.items.map(\.sequence) == [6, 4, 2])
            #expect(all.next == nil)
            let first = try await caller.texts("?limit=2", as: .alice)
            #expect(first.items.map(\.sequence) == [6, 4])
            let next = try #require(first.next)
            let rest = try await caller.texts("?limit=2&after=\(next)", as: .alice)
            #expect(rest.items.map(\.sequence) == [2])
            #expect(rest.next == nil)
            #expect(try await caller.texts(as: .bob).items.isEmpty)
        }
    }

    @Test func operatorsReadTheFeedThatTheyShareInItsLanguage() async throws {
        let bench = try Bench(["OPENVALET_NOTIFICATIONS_OPERATORS_LANGUAGE": "zh-Hant"])
        try await bench.hear(NoticeIssued.lost())
        try await bench.run { caller in
            let items = try await caller.texts(as: .olivia).items
            #expect(items.map(\.title) == ["遺失"])
        }
    }

    @Test func theStreamCatchesUpOldestFirstWithEverything() async throws {
        let bench = try Bench()
        try await told(bench)
        let path = "/internal/feed?recipient=\(TestPerson.alice.id)"
        try await bench.run { caller in
            let all = try await caller.internally(path).expect(200, Page<FeedItem>.self)
            #expect(all.items.map(\.sequence) == Array(1...6))
            #expect(all.next == nil)
            let page = try await caller.internally("\(path)&after=2&limit=3")
                .expect(200, Page<FeedItem>.self)
            #expect(page.items.map(\.sequence) == [3, 4, 5])
            #expect(page.next == "5")
            let operators = try await caller.internally("/internal/feed?recipient=operators")
                .expect(200, Page<FeedItem>.self)
            #expect(operators.items.count == 6)
            // As far as the gateway lets a client count.
            for last in [1 << 32, StreamQuery.largestEventID] {
                let none = try await caller.internally("\(path)&after=\(last)")
                    .expect(200, Page<FeedItem>.self)
                #expect(none.items.isEmpty)
            }
        }
    }

    @Test func theStreamBeginsAtTheNewestItem() async throws {
        let bench = try Bench()
        try await told(bench)
        try await bench.run { caller in
            for (person, head) in [(TestPerson.alice, 6), (.vera, 0)] {
                let path = "/internal/feed/head?recipient=\(person.id)"
                let found = try await caller.internally(path).expect(200, FeedHead.self)
                #expect(found.sequence == head)
            }
        }
    }

    @Test func theEndsOfManyFeedsAreToldInTheOrderAsked() async throws {
        let bench = try Bench()
        try await told(bench)
        let path = "/internal/feed/heads"
        try await bench.run { caller in
            let asked: [Recipient] = [
                .person(TestPerson.vera.id), .operators, .person(TestPerson.alice.id),
            ]
            let body = try Wire.json(FeedHeadsBody(recipients: asked))
            let found = try await caller.internally(.post, path, body).expect(200, FeedHeads.self)
            #expect(found.sequences == [0, 6, 6])
            let many = Array(repeating: Recipient.operators, count: FeedHeadsBody.most + 1)
            try await caller.internally(.post, path, Wire.json(FeedHeadsBody(recipients: many)))
                .refused(422, "request.invalid", field: "recipients")
            try await caller.internally(.post, path, #"{"recipients":["x"]}"#)
                .refused(400, "request.malformed", field: "recipients[0]")
            try await caller.call(.post, path, raw: body, as: .olivia)
                .refused(401, "auth.token_invalid")
        }
    }

    @Test func badInputIsRefused() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            try await caller.call(.get, "/v1/notifications", as: nil)
                .refused(401, "auth.token_missing")
            for cursor in ["x", "-1", "1.5"] {
                try await caller.call(.get, "/v1/notifications?after=\(cursor)", as: .alice)
                    .refused(422, "request.invalid", field: "after")
            }
            try await caller.call(.get, "/v1/notifications?limit=201", as: .alice)
                .refused(422, "request.invalid", field: "limit")
            for query in ["", "?recipient=x", "/head", "/head?recipient=x"] {
                try await caller.internally("/internal/feed\(query)")
                    .refused(422, "request.invalid", field: "recipient")
            }
            for path in ["/internal/feed", "/internal/feed/head"] {
                let path = "\(path)?recipient=operators"
                try await caller.call(.get, path, as: .olivia).refused(401, "auth.token_invalid")
                try await caller.call(.get, path, as: nil).refused(401, "auth.token_missing")
                try await caller.internally(path, for: "orders")
                    .refused(401, "auth.token_invalid")
            }
        }
    }
}
