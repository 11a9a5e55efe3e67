import Answers
import Contracts
import Foundation
import Support
import Testing

@testable import Payments
@testable import Spots

@Suite struct AuctionTests {
    private static let policy = SpotPolicy(
        increments: [.init(from: 0, step: 50), .init(from: 500, step: 100)])

    /// Everybody's most, in the order of their coming: the highest wins, the first of equal ones, and pays the second
    /// and one step, at most their own.
    private func expected(
        _ bids: [(bidder: Int, maximum: Int)], start: Int
    ) -> (bidder: Int, price: Int)? {
        var most: [Int: (maximum: Int, order: Int)] = [:]
        for (order, bid) in bids.enumerated() where bid.maximum > most[bid.bidder]?.maximum ?? -1 {
            most[bid.bidder] = (bid.maximum, order)
        }
        let ranked = most.sorted {
            ($1.value.maximum, $0.value.order) < ($0.value.maximum, $1.value.order)
        }
        guard let winner = ranked.first, winner.value.maximum >= start else { return nil }
        guard ranked.count > 1 else { return (winner.key, start) }
        let second = ranked[1].value.maximum
        return (
            winner.key,
            max(start, min(winner.value.maximum, second + Self.policy.step(above: second)))
        )
    }

    @Test(.withoutDatabase) func theOutcomeIsThatOfTheRule() throws {
        let now = Date(timeIntervalSince1970: 1_767_600_000)
        let people = (0..<5).map { _ in PersonID.new() }
        for _ in 0..<2_000 {
            let start = Int.random(in: 0...300)
            var auction = Auction(start: start, closesAt: now.addingTimeInterval(600))
            var counted: [(bidder: Int, maximum: Int)] = []
            for _ in 0..<Int.random(in: 1...12) {
                let (who, maximum) = (Int.random(in: 0..<5), Int.random(in: 1...1_200))
                let bid = Auction.Bid(
                    request: .new(), bidder: people[who], maximum: maximum)
                do {
                    try auction.require(bid, Self.policy, "EUR", at: now)
                } catch { continue }
                _ = try auction.take(
                    bid, Self.policy, latest: now.addingTimeInterval(900), at: now)
                counted.append((who, maximum))
            }
            let outcome = expected(counted, start: start)
            #expect(auction.leader.flatMap { people.firstIndex(of: $0.bidder) } == outcome?.bidder)
            if let outcome { #expect(auction.current == outcome.price) }
        }
    }

    @Test(.withoutDatabase) func theLastSecondsProlongItAndItsEndEndsIt() throws {
        let now = Date(timeIntervalSince1970: 1_767_600_000)
        let close = now.addingTimeInterval(600)
        var auction = Auction(start: 100, closesAt: close)
        func bid(_ maximum: Int) -> Auction.Bid {
            Auction.Bid(request: .new(), bidder: .new(), maximum: maximum)
        }
        _ = try auction.take(
            bid(200), Self.policy, latest: .distantFuture, at: close.addingTimeInterval(-31))
        #expect(auction.closesAt == close)
        _ = try auction.take(
            bid(300), Self.policy, latest: .distantFuture, at: close.addingTimeInterval(-1))
        #expect(auction.closesAt == close.addingTimeInterval(30))
        _ = try auction.take(
            bid(400), Self.policy, latest: close.addingTimeInterval(40),
            at: close.addingTimeInterval(29))
        #expect(auction.closesAt == close.addingTimeInterval(40))
        #expect(throws: Refusal.auctionClosed) {
            _ = try auction.take(
                bid(500), Self.policy, latest: .distantFuture, at: close.addingTimeInterval(40))
        }
    }

    @Test(.withoutDatabase) func withoutItsLeaderItBeginsAnew() throws {
        let now = Date(timeIntervalSince1970: 1_767_600_000)
        let close = now.addingTimeInterval(600)
        var auction = Auction(start: 100, closesAt: close)
        func take(_ bid: Auction.Bid) throws -> Auction.Change {
            try auction.take(bid, Self.policy, latest: close, at: now)
        }
        func bid(_ maximum: Int) -> Auction.Bid {
            Auction.Bid(request: .new(), bidder: .new(), maximum: maximum)
        }
        let (leader, other, next) = (bid(500), bid(300), bid(200))
        _ = try take(leader)
        #expect(try take(other) == .outbid)
        auction.lose(other.request, latest: close, at: now)
        #expect(auction.leader == leader)
        #expect(auction.current == 350)
        auction.lose(leader.request, latest: close, at: now)
        #expect(auction.leader == nil)
        #expect(auction.current == 100)
        #expect(auction.next(Self.policy) == 100)
        #expect(try take(next) == .leads(instead: nil))
        #expect(auction.leader == next)
        #expect(auction.current == 100)
        #expect(auction.bids == 3)
        #expect(auction.closesAt == close)
        // In the last seconds the others get time to bid, as after a bid.
        auction.lose(next.request, latest: close.addingTimeInterval(20), at: close - 1)
        #expect(auction.closesAt == close + 20)
    }

    @Test func twentyBidAndTheHighestPaysTheSecondAndOneStep() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered(price: 100, auctionMinutes: 10)
            let bidders = (0..<20).map { TestPerson.another(.customer, 100 + $0) }
            var requests: [SpotRequest] = []
            for (index, bidder) in bidders.enumerated() {
                let answer = try await bench.bid(spot.id, 100 + index * 60, as: bidder)
                    .expect(201, SpotBidAnswer.self)
                #expect(answer.leading)
                requests.append(answer.request)
            }
            let shown = try await bench.seen(spot.id, as: bidders[19])
            #expect(shown.auction?.leading == true)
            #expect(shown.auction?.bids == 20)
            for (bidder, leads) in [(bidders[19], true), (bidders[18], false)] {
                let found = try #require(try await bench.found(as: bidder).first)
                #expect(found.auction?.leading == leads)
            }
            bench.clock.advance(by: 600)
            await bench.work()
            let sold = try await bench.seen(spot.id, as: .alice)
            #expect(sold.status == .reserved)
            #expect(sold.reservation?.other?.id == bidders[19].id)
            // 100 + 18 × 60, and 50.
            #expect(sold.price.amount == 1_230)
            try await bench.carryEvents()
            for (index, request) in requests.enumerated() {
                #expect(try await bench.money(of: request.id) == (index == 19 ? .held : .released))
            }
            try await bench.spot("handed-over", spot.id, as: .alice).expect(200, Spot.self)
            try await bench.spot("handed-over", spot.id, as: bidders[19]).expect(200, Spot.self)
            try await bench.carryEvents()
            #expect(try await bench.owed(.alice) == 1_230 - 123)
        }
    }

    @Test func whatCanBeNoBidIsRefused() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered(price: 100, auctionMinutes: 10)
            let other = TestPerson.another(.customer, 2)
            try await bench.bid(spot.id, 99, as: .bob)
                .refused(422, "spot.bid_too_low", field: "maximum")
            try await bench.bid(spot.id, 2_001, as: .bob)
                .refused(422, "spot.price_too_high", field: "price")
            try await bench.bid(spot.id, 0, as: .bob)
                .refused(422, "request.invalid", field: "maximum")
            try await bench.request(spot.id).refused(409, "spot.auction")
            let first = try await bench.bid(spot.id, 300, as: .bob).expect(201, SpotBidAnswer.self)
            #expect(first.current.amount == 100)
            // The same as the leader's: who came first leads.
            let tie = try await bench.bid(spot.id, 300, as: other).expect(201, SpotBidAnswer.self)
            #expect(!tie.leading)
            #expect(tie.current.amount == 300)
            try await bench.bid(spot.id, 349, as: other)
                .refused(422, "spot.bid_too_low", field: "maximum")
            // A bidder who raises their own bid pays what the rule gives for the two bids now, and no more.
            let raised = try await bench.bid(spot.id, 500, as: .bob)
                .expect(201, SpotBidAnswer.self)
            #expect(raised.leading)
            #expect(raised.current.amount == 350)
            #expect(try await bench.mine(first.request.id).status == .outbid)
            try await bench.request("approve", raised.request.id, as: .alice)
                .refused(409, "spot.auction")
            try await bench.request("cancel", raised.request.id, as: .bob)
                .refused(409, "spot_request.not_possible")
            bench.clock.advance(by: 600)
            try await bench.bid(spot.id, 900, as: other).refused(409, "spot.auction_closed")
        }
    }

    @Test func whoseMoneyIsGoneLeadsNoMoreAndItBeginsAnew() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered(price: 100, auctionMinutes: 10)
            let (second, third) = (
                TestPerson.another(.customer, 2), TestPerson.another(.customer, 3)
            )
            func bid(_ maximum: Int, as person: TestPerson) async throws -> SpotBidAnswer {
                try await bench.bid(spot.id, maximum, as: person).expect(201, SpotBidAnswer.self)
            }
            func standing() async throws -> SpotAuction {
                try #require(try await bench.seen(spot.id, as: .alice).auction)
            }
            let first = try await bid(500, as: .bob)
            #expect(try await bid(300, as: second).current.amount == 350)
            let held = try #require(
                try await outboxEvents(of: PaymentHeld.self, in: bench.payments.database).first)
            #expect(held.payment.bill == first.request.id.as(BillID.self))
            try await bench.hear(
                PaymentReleased(
                    payment: held.payment, product: .spots, payer: held.payer, reason: "expired"))
            #expect(try await bench.mine(first.request.id).status == .expired)
            #expect(try await standing().next.amount == 100)

            // The one who leads next deletes their account.
            let next = try await bid(600, as: second)
            #expect(next.leading)
            #expect(next.current.amount == 100)
            try await bench.hear(
                AccountDeleted(
                    account: second.id, role: .customer, version: 9, deletedAt: bench.clock.now))
            #expect(try await standing().next.amount == 100)

            let won = try await bid(400, as: third)
            #expect(won.leading)
            #expect(won.current.amount == 100)
            let again = try await bid(200, as: .bob)
            #expect(!again.leading)
            #expect(again.current.amount == 250)
            bench.clock.advance(by: 600)
            await bench.work()
            let sold = try await bench.seen(spot.id, as: .alice)
            #expect(sold.reservation?.other?.id == third.id)
            #expect(sold.price.amount == 250)
            try await bench.carryEvents()
            #expect(try await bench.money(of: won.request.id) == .held)
            for lost in [first, next, again] {
                #expect(try await bench.money(of: lost.request.id) == .released)
            }
        }
    }

    /// As earlier releases stored it.
    @Test func aLeaderWhoseRequestIsOverKeepsNobodyFromLeading() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered(price: 100, auctionMinutes: 10)
            let first = try await bench.bid(spot.id, 500, as: .bob)
                .expect(201, SpotBidAnswer.self)
            try await bench.database.write { transaction in
                var request = try #require(try transaction.requests.find(first.request.id))
                try request.end(as: .expired)
                try requestTable.update(&request, in: transaction)
            }
            let next = try await bench.bid(
                spot.id, 600, as: TestPerson.another(.customer, 2)
            ).expect(201, SpotBidAnswer.self)
            #expect(next.leading)
            #expect(next.current.amount == 100)
        }
    }

    @Test func anAuctionIsOverWhoseLeaderHasNoMoney() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered(price: 100, auctionMinutes: 10)
            try await bench.bid(spot.id, 500, as: .bob).expect(201, SpotBidAnswer.self)
            let held = try #require(
                try await outboxEvents(of: PaymentHeld.self, in: bench.payments.database).first)
            try await bench.hear(
                PaymentReleased(
                    payment: held.payment, product: .spots, payer: held.payer, reason: "expired"))
            bench.clock.advance(by: 600)
            await bench.work()
            #expect(try await bench.seen(spot.id, as: .alice).status == .expired)
        }
    }

    @Test func aBlockedBidderIsAnsweredWhatTheyHaveBid() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered(price: 100, auctionMinutes: 10)
            func bid() async throws -> Answer {
                try await bench.call(
                    .post, "/v1/spots/\(spot.id)/bids",
                    SpotBidBody(maximum: 300, token: "pm_card_visa"), as: .bob,
                    headers: [.idempotencyKey: "one"])
            }
            bench.faults.meanwhile {
                try await bench.hear(
                    PersonBlocked(
                        by: TestPerson.alice.id, person: TestPerson.bob.id, isBlocked: true,
                        version: 1, changedAt: bench.clock.now))
            }
            let first = try await bid().expect(201, SpotBidAnswer.self)
            #expect(first.leading)
            let second = try await bid().expect(201, SpotBidAnswer.self)
            #expect(second.leading)
            #expect(second.request.id == first.request.id)
            try await bench.call(.get, "/v1/spots/\(spot.id)", as: .bob)
                .refused(404, "spot.unknown")
        }
    }

    @Test func anAuctionWithoutABidIsOver() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered(price: 100, auctionMinutes: 10)
            bench.clock.advance(by: 600)
            await bench.work()
            #expect(try await bench.seen(spot.id, as: .alice).status == .expired)
        }
    }
}
