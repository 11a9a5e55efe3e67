import Contracts
import Foundation
import Support
import Testing

@testable import Orders

/// The engagement of an order, as published to the platform.
struct EngagementTests {
    private let alice = TestPerson.alice.id
    private let victor = TestPerson.victor.id
    private let vera = TestPerson.vera.id

    private func last(_ bench: Bench) async throws -> Engagement {
        try #require(try await bench.published(EngagementChanged.self).last).engagement
    }

    @Test(.withoutDatabase, arguments: OrderStatus.allCases)
    func itIsOpenUntilTheOrderEnds(_ status: OrderStatus) throws {
        let engagement = try Order.inState(status).snapshot.engagement()
        let expected: Engagement.State =
            status == .finished ? .ended : status.isEnd ? .cancelled : .open
        #expect(engagement.state == expected)
        #expect(engagement.participant(alice)?.isPresent == true)
    }

    @Test(
        .withoutDatabase,
        arguments: [OrderStatus.droppingOff, .parking, .requestingBack, .returningBack])
    func whileAValetServesTheTwoSeeEachOther(_ status: OrderStatus) throws {
        var order = try Order.inState(status)
        if status == .requestingBack, order.returnValet == nil {
            _ = try order.assign(TestPerson.victor.valet, etaSeconds: 60, at: start)
        }
        let serving = try #require(order.activeValet).as(PersonID.self)
        let engagement = order.snapshot.engagement()
        #expect(engagement.way?.mover == serving)
        let valet = try #require(engagement.participant(serving))
        #expect(valet.isBusy && valet.isPresent && valet.sees == [alice])
        #expect(engagement.participant(alice)?.sees == [serving])
        #expect(engagement.participant(alice)?.isBusy == false)
    }

    @Test(
        .withoutDatabase,
        arguments: [
            OrderStatus.requested, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled,
        ])
    func otherwiseNobodySeesAnybodyOrIsOnTheirWay(_ status: OrderStatus) throws {
        let engagement = try Order.inState(status).snapshot.engagement()
        #expect(engagement.participants.allSatisfy { $0.sees.isEmpty && !$0.isBusy })
        #expect(engagement.way == nil)
        #expect(engagement.participant(victor)?.isPresent != true)
    }

    @Test func aValetWhoIsAskedIsNoPartyYet() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.offerJobs(in: .central)
            try await bench.match(try await caller.place().id, .victor)
        }
        let engagement = try await last(bench)
        #expect(engagement.asked == [victor])
        #expect(engagement.participants.map(\.person) == [alice])
    }

    @Test(.withoutDatabase) func eachSideRatesTheOtherAndTheLastValetComesFirst() async throws {
        var snapshot = try Order.inState(.finished).snapshot
        snapshot.returnValet = TestPerson.vera.valet
        let engagement = snapshot.engagement()
        #expect(engagement.participant(alice)?.rates == [vera, victor])
        #expect(engagement.participant(vera)?.rates == [alice])
        #expect(engagement.participant(victor)?.rates == [alice])
        snapshot.returnValet = snapshot.dropOffValet
        #expect(snapshot.engagement().participant(alice)?.rates == [victor])
    }

    @Test func anUnpaidFeeKeepsItOpenUntilItIsPaid() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            bench.clock.advance(by: 121)
            let cancelled = try await caller.act("cancel", order.id, as: .alice)
            let owing = try await last(bench)
            #expect(owing.state == .open)
            #expect(owing.participant(alice)?.isPresent == true)
            #expect(owing.participant(victor)?.isPresent == false)
            for _ in 1...2 { try await bench.pay(cancelled) }
            let paid = try await last(bench)
            #expect(paid.state == .cancelled)
            #expect(paid.version > owing.version)
            #expect(try await caller.read(order.id, as: .alice).version == paid.version)
        }
    }

    @Test func aCancellationForNothingEndsIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            try await caller.act("cancel", order.id, as: .alice)
        }
        #expect(try await last(bench).state == .cancelled)
    }

    @Test func itIsToldWithEveryEventThatChangesIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in _ = try await caller.order(in: .parked) }
        let versions = try await bench.published(EngagementChanged.self).map(\.engagement.version)
        #expect(versions == [1, 2, 3, 4])
    }
}
