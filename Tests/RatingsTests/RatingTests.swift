import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import Ratings

@Suite struct RatingTests {
    @Test func aCustomerRatesTheValet() async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.run { caller in
            let rating = try await caller.rate(order.id, 5, " Swift & kind \r\nthanks ", as: .alice)
                .expect(200, Rating.self)
            #expect(rating.engagement == order.id.as(EngagementID.self))
            #expect(rating.from == TestPerson.alice.id)
            #expect(rating.to == TestPerson.victor.id)
            #expect(rating.stars == 5)
            #expect(rating.comment == "Swift & kind \nthanks")
            #expect(try await caller.summary(of: .victor) == RatingSummary(average: 5, count: 1))
            #expect(
                try await caller.summary(of: .alice) == RatingSummary(average: nil, count: 0))
        }
        let given = try await bench.given()
        #expect(given.count == 1)
        #expect(given.first?.to == TestPerson.victor.id)
        #expect(given.first?.summary == RatingSummary(average: 5, count: 1))
    }

    @Test func aValetRatesTheCustomer() async throws {
        let bench = try Bench()
        let order = try await bench.finished(returnedBy: .vera)
        try await bench.run { caller in
            for (valet, stars) in [(TestPerson.victor, 4), (.vera, 1)] {
                let rating = try await caller.rate(order.id, stars, as: valet)
                    .expect(200, Rating.self)
                #expect(rating.to == TestPerson.alice.id)
                #expect(rating.comment == nil)
            }
            #expect(try await caller.summary(of: .alice) == RatingSummary(average: 2.5, count: 2))
        }
    }

    @Test func twoValetsWhoServedAreRatedAlike() async throws {
        let bench = try Bench()
        let order = try await bench.finished(returnedBy: .vera)
        try await bench.run { caller in
            let rating = try await caller.rate(order.id, 3, as: .alice).expect(200, Rating.self)
            #expect(rating.to == TestPerson.vera.id)
            for valet in [TestPerson.victor, .vera] {
                #expect(try await caller.summary(of: valet) == RatingSummary(average: 3, count: 1))
            }
        }
        #expect(try await bench.given().count == 2)
    }

    @Test func ofSeveralTheOneWhoIsNamedIsRatedAndOneSeesWhatOneGave() async throws {
        let bench = try Bench()
        var ride = Engagement(id: .new(), product: "rides", version: 1, state: .ended)
        ride.participants = [
            .init(TestPerson.alice.id, rates: [TestPerson.bob.id, TestPerson.victor.id]),
            .init(TestPerson.bob.id, rates: [TestPerson.alice.id]),
            .init(TestPerson.victor.id, rates: [TestPerson.alice.id]),
        ]
        try await bench.hear(EngagementChanged(ride))
        try await bench.run { [id = ride.id] caller in
            let path = "/v1/engagements/\(id)/rating"
            func given(by person: TestPerson) async throws -> [Rating] {
                try await caller.call(.get, path, as: person).expect(200, Page<Rating>.self).items
            }
            #expect(try await given(by: .alice) == [])
            for (person, stars) in [(TestPerson.bob, 5), (.victor, 2), (.bob, 4)] {
                let rating = try await caller.call(
                    .put, path, RatingBody(stars: stars, comment: "Fine", to: person.id),
                    as: .alice
                ).expect(200, Rating.self)
                #expect(rating.to == person.id)
            }
            _ = try await caller.call(.put, path, RatingBody(stars: 1), as: .bob)
                .expect(200, Rating.self)
            #expect(
                Set(try await given(by: .alice).map { "\($0.to) \($0.stars) \($0.comment ?? "")" })
                    == ["\(TestPerson.bob.id) 4 Fine", "\(TestPerson.victor.id) 2 Fine"])
            #expect(try await given(by: .bob).map(\.stars) == [1])
            #expect(try await given(by: .vera) == [])
        }
    }

    @Test func whatIsNoOrderIsRatedByItsEngagement() async throws {
        let bench = try Bench()
        var ride = Engagement(id: .new(), product: "rides", version: 1, state: .ended)
        ride.participants = [
            .init(TestPerson.alice.id, rates: [TestPerson.bob.id]),
            .init(TestPerson.bob.id, rates: [TestPerson.alice.id]),
            .init(TestPerson.victor.id),
        ]
        try await bench.hear(EngagementChanged(ride))
        try await bench.run { [id = ride.id] caller in
            let path = "/v1/engagements/\(id)/rating"
            let rating = try await caller.call(.put, path, RatingBody(stars: 4), as: .bob)
                .expect(200, Rating.self)
            #expect(rating.to == TestPerson.alice.id)
            try await caller.call(.put, path, RatingBody(stars: 4), as: .vera)
                .refused(404, "rating.engagement_unknown")
            try await caller.call(.put, path, RatingBody(stars: 4), as: .victor)
                .refused(409, "rating.nobody_served")
        }
        #expect(try await bench.given().map(\.product) == ["rides"])
    }

    @Test func aRatingIsChanged() async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.run { caller in
            _ = try await caller.rate(order.id, 1, "late", as: .alice)
            bench.clock.advance(by: 60)
            let changed = try await caller.rate(order.id, 4, as: .alice).expect(200, Rating.self)
            #expect(changed.stars == 4)
            #expect(changed.comment == nil)
            #expect(changed.updatedAt == bench.clock.now)
            #expect(try await caller.summary(of: .victor) == RatingSummary(average: 4, count: 1))
            #expect(try await caller.comments(of: .victor).items.isEmpty)
        }
        #expect(try await bench.given().map(\.version) == [1, 2])
    }

    @Test func theSameAgainIsNoNews() async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.run { caller in
            let first = try await caller.rate(order.id, 4, "fine", as: .alice)
            bench.clock.advance(by: 60)
            let second = try await caller.rate(order.id, 4, "fine", as: .alice)
            #expect(first.status == 200)
            #expect(first.data == second.data)
        }
        #expect(try await bench.given().count == 1)
    }

    @Test func ofManyAtOnceTheSumIsRight() async throws {
        let bench = try Bench()
        var orders: [OrderID] = []
        for _ in 0..<6 { orders.append(try await bench.finished().id) }
        let rated = orders
        try await bench.run { caller in
            try await withThrowingTaskGroup { group in
                for (index, order) in rated.enumerated() {
                    for stars in [1, index % 5 + 1] {
                        group.addTask {
                            let answer = try await caller.rate(order, stars, as: .alice)
                            #expect(answer.status == 200)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await caller.summary(of: .victor).count == 6)
        }
        let stored = try await bench.database.read { transaction in
            try transaction.row("SELECT SUM(stars) AS stars FROM ratings")?
                .get("stars", as: Int.self)
        }
        let summary = try await bench.database.read { transaction in
            try transaction.ratings.summary(of: TestPerson.victor.id)
        }
        #expect(summary.stars == stored)
        let versions = try await bench.given().map(\.version)
        #expect(versions == Array(1...versions.count))
    }

    @Test func averagesHaveTwoDecimals() async throws {
        let bench = try Bench()
        var orders: [OrderSnapshot] = []
        for _ in 0..<3 { orders.append(try await bench.finished()) }
        let rated = orders
        try await bench.run { caller in
            for (order, stars) in zip(rated, [5, 5, 4]) {
                _ = try await caller.rate(order.id, stars, as: .alice)
            }
            #expect(try await caller.summary(of: .victor).average == 4.67)
        }
    }

    @Test(arguments: [0, 6, -1, .max])
    func starsThatCannotBeAreRefused(stars: Int) async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.run { caller in
            try await caller.rate(order.id, stars, as: .alice)
                .refused(422, "request.invalid", field: "stars")
        }
        #expect(try await bench.given().isEmpty)
    }

    @Test(arguments: [
        String(repeating: "x", count: 1_001), "a\u{0}b", "a\u{1B}[0m",
    ])
    func aCommentThatCannotBeIsRefused(comment: String) async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.run { caller in
            try await caller.rate(order.id, 5, comment, as: .alice)
                .refused(422, "request.invalid", field: "comment")
            let longest = String(repeating: "好", count: 1_000)
            #expect(try await caller.rate(order.id, 5, longest, as: .alice).status == 200)
        }
    }

    @Test(arguments: ["4.5", "1e99", "-0.1", "9223372036854775808"])
    func whatIsNoWholeNumberOfStarsIsRefused(stars: String) async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.run { caller in
            try await caller.call(
                .put, "/v1/orders/\(order.id)/rating", raw: #"{"stars":\#(stars)}"#, as: .alice
            ).refused(422, "request.invalid", field: "stars")
        }
    }

    @Test(
        arguments: [
            ("{}", "stars"), (#"{"stars":"5"}"#, "stars"), (#"{"stars":null}"#, "stars"),
            (#"{"stars":NaN}"#, "stars"), (#"{"stars":5,"comment":7}"#, "comment"), ("[", nil),
        ] as [(String, String?)])
    func aBodyThatCannotBeReadIsRefused(body: String, field: String?) async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.run { caller in
            try await caller.call(.put, "/v1/orders/\(order.id)/rating", raw: body, as: .alice)
                .refused(400, "request.malformed", field: field)
        }
    }

    @Test func anOrderIsUnknownToWhoHadNoPartInIt() async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.run { caller in
            for stranger in [TestPerson.bob, .vera] {
                try await caller.rate(order.id, 1, as: stranger)
                    .refused(404, "rating.engagement_unknown")
            }
            try await caller.rate(.new(), 1, as: .alice).refused(404, "rating.engagement_unknown")
            try await caller.call(
                .put, "/v1/orders/nothing/rating", RatingBody(stars: 1), as: .alice
            ).refused(404, "request.not_found")
        }
    }

    @Test func whatHasEndedIsRatedThoughTheNewsIsLate() async throws {
        let order = OrderSnapshot.of(.alice, status: .finished, version: 8, .victor)
        let product = PretendServer(try .having(EngagementChanged(order).engagement))
        try await product.serve { url in
            let bench = try Bench(owner: url)
            // The newest that was heard.
            var before = order
            (before.status, before.version) = (.known(.waitingForPayment), 7)
            try await bench.hear(OrderOverdue(order: before, limitSeconds: 60))
            try await bench.run { caller in
                _ = try await caller.rate(order.id, 5, as: .alice).expect(200, Rating.self)
                // The event that comes after all changes nothing, and nobody is asked again.
                try await bench.hear(OrderFinished(order: order))
                _ = try await caller.rate(order.id, 4, as: .victor).expect(200, Rating.self)
            }
            #expect(product.asked.map(\.path) == ["/internal/engagements/\(order.id)"])
        }
    }

    @Test func whileNobodySaysWhetherItHasEndedNobodyIsRefused() async throws {
        let product = PretendServer(.failing(503))
        try await product.serve { url in
            let bench = try Bench(owner: url)
            try await bench.run { caller in
                let problem = try await caller.rate(.new(), 5, as: .alice)
                    .refused(503, "service.unavailable")
                #expect(problem.retryAfterSeconds != nil)
                product.set(.refusing(404, "order.unknown"))
                try await caller.rate(.new(), 5, as: .alice)
                    .refused(404, "rating.engagement_unknown")
                // What is somebody else's is not taken for it.
                let other = OrderSnapshot.of(.alice, status: .finished, version: 8, .victor)
                product.set(try .having(EngagementChanged(other).engagement))
                try await caller.rate(.new(), 5, as: .alice)
                    .refused(404, "rating.engagement_unknown")
            }
        }
    }

    @Test(arguments: OrderStatus.allCases.filter { $0 != .finished })
    func anOrderThatIsNotFinishedIsNotRated(status: OrderStatus) async throws {
        let bench = try Bench()
        let order = OrderSnapshot.of(.alice, status: status, version: 3, .victor)
        try await bench.hear(VehicleParked(order: order, valet: TestPerson.victor.valet))
        try await bench.run { caller in
            for party in [TestPerson.alice, .victor] {
                try await caller.rate(order.id, 1, as: party)
                    .refused(409, "rating.not_finished")
            }
        }
    }

    @Test func whereNobodyServedThereIsNobodyToRate() async throws {
        let bench = try Bench()
        let order = OrderSnapshot.of(.alice, status: .finished, version: 3)
        try await bench.hear(OrderFinished(order: order))
        try await bench.run { caller in
            try await caller.rate(order.id, 1, as: .alice).refused(409, "rating.nobody_served")
        }
    }

    @Test func operatorsRateNobodyAndStrangersSeeNothing() async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.run { caller in
            try await caller.rate(order.id, 1, as: .olivia).refused(403, "auth.role")
            for path in [
                "/v1/users/\(TestPerson.victor.id)/rating",
                "/v1/users/\(TestPerson.victor.id)/comments",
            ] {
                try await caller.call(.get, path, as: nil).refused(401, "auth.token_missing")
            }
            try await caller.call(
                .put, "/v1/orders/\(order.id)/rating", RatingBody(stars: 1), as: nil
            ).refused(401, "auth.token_missing")
        }
    }
}

@Suite struct CommentTests {
    @Test func commentsComeNewestFirstInPagesAndWithoutTheirAuthor() async throws {
        let bench = try Bench()
        var orders: [OrderID] = []
        for _ in 0..<6 { orders.append(try await bench.finished().id) }
        let rated = orders
        try await bench.run { caller in
            for (index, order) in rated.enumerated() {
                bench.clock.advance(by: 1)
                let comment = index == 2 ? " " : "number \(index)"
                _ = try await caller.rate(order, 5, comment, as: .alice)
            }
            bench.clock.advance(by: 1)
            _ = try await caller.rate(rated[0], 5, "number 0, again", as: .alice)
            var (comments, query): ([String], String?) = ([], "?limit=2")
            while let part = query {
                let page = try await caller.comments(of: .victor, part, as: .bob)
                comments += page.items.map(\.comment)
                query = page.next.map { "?limit=2&after=\($0)" }
            }
            #expect(
                comments == ["number 0, again", "number 5", "number 4", "number 3", "number 1"])
            let text = try await caller.call(
                .get, "/v1/users/\(TestPerson.victor.id)/comments", as: .victor
            ).text
            #expect(!text.contains(TestPerson.alice.id.description))
            #expect(!text.contains(rated[0].description))
        }
    }

    @Test func whatIsNoCursorOrIdIsRefused() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let path = "/v1/users/\(TestPerson.victor.id)/comments"
            try await caller.call(.get, "\(path)?after=x", as: .alice)
                .refused(422, "request.invalid", field: "after")
            try await caller.call(.get, "\(path)?limit=201", as: .alice)
                .refused(422, "request.invalid", field: "limit")
            try await caller.call(.get, "/v1/users/me/rating", as: .alice)
                .refused(404, "request.not_found")
        }
    }

    @Test func whoWasNeverRatedHasNothing() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let path = "/v1/users/\(PersonID.new())"
            let summary = try await caller.call(.get, "\(path)/rating", as: .alice)
            #expect(summary.text == #"{"average":null,"count":0}"#)
            let comments = try await caller.call(.get, "\(path)/comments", as: .alice)
            #expect(comments.text == #"{"items":[],"next":null}"#)
        }
    }
}

@Suite struct NewsOfOrdersTests {
    @Test func anOlderVersionThatArrivesLateChangesNothing() async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        var older = order
        (older.status, older.version, older.returnValet) = (.known(.returningBack), 7, nil)
        try await bench.hear(VehicleRetrieved(order: older, valet: TestPerson.victor.valet))
        try await bench.run { caller in
            let answer = try await caller.rate(order.id, 5, as: .alice)
            #expect(answer.status == 200)
        }
    }

    @Test func anEventThatArrivesTwiceCountsOnce() async throws {
        let bench = try Bench()
        let order = OrderSnapshot.of(.alice, status: .finished, version: 8, .victor)
        let id = EventID.new()
        for _ in 0..<2 { try await bench.hear(OrderFinished(order: order), id: id) }
        try await bench.run { caller in
            let answer = try await caller.rate(order.id, 5, as: .alice)
            #expect(answer.status == 200)
        }
    }

    @Test func aRatingWaitsForNewsOfItsOrder() async throws {
        let bench = try Bench(patience: patience)
        let order = OrderSnapshot.of(.alice, status: .finished, version: 8, .victor)
        var earlier = order
        (earlier.status, earlier.version) = (.known(.waitingForPayment), 7)
        let unfinished = OrderOverdue(order: earlier, limitSeconds: 60)
        try await bench.run { caller in
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask { try await caller.rate(order.id, 5, as: .alice).status }
                try await bench.hear(unfinished)
                try await bench.hear(OrderFinished(order: order))
                #expect(try await group.next() == 200)
            }
        }
    }

    @Test func aStrangerDoesNotWait() async throws {
        let bench = try Bench(patience: .seconds(3_600))
        let order = OrderSnapshot.of(.alice, status: .parked, version: 4, .victor)
        try await bench.hear(VehicleParked(order: order, valet: TestPerson.victor.valet))
        try await bench.run { caller in
            try await caller.rate(order.id, 5, as: .bob).refused(404, "rating.engagement_unknown")
        }
    }
}

@Suite struct FixtureTests {
    @Test func whoeverWasRatedIsToldAndNotForWhat() async throws {
        let bench = try Bench()
        let order = try await bench.finished()
        try await bench.run { caller in _ = try await caller.rate(order.id, 5, as: .alice) }
        let notices = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
        let notice = try #require(notices.last?.notice)
        #expect(notices.count == 1)
        #expect(notice.cause == RatingGiven.type && notice.state == nil)
        let message = try #require(notice.messages.first)
        #expect(message.to == .person(TestPerson.victor.id) && message.push == nil)
        #expect(message.text?[.english] == "You got 5 out of 5 stars.")
        #expect(message.text?[.traditionalChinese] == "您獲得 5 星（滿分 5 星）。")
        let text = String(decoding: try Wire.encode(notice), as: UTF8.self)
        #expect(!text.contains(order.id.description))
        #expect(RatingNotices.words.differences == [])
    }

    /// As ratings really publishes it, held against the file that readers decode.
    @Test func ratingGivenIsAsItsFixture() async throws {
        let bench = try Bench()
        let orders = [try await bench.finished(), try await bench.finished()]
        try await bench.run { caller in
            _ = try await caller.rate(orders[0].id, 5, as: .alice)
            _ = try await caller.rate(orders[1].id, 4, "thanks", as: .alice)
        }
        var event = try #require(try await bench.given().last)
        event.engagement = try EventFixtures.read(RatingGiven.self).engagement
        try EventFixtures.expect(event)
    }
}
