import Contracts
import Foundation
import Support
import Testing

@testable import Orders

@Suite(.withoutDatabase) struct OverrideTests {
    let word = OperatorWord(
        by: TestPerson.olivia.operatorID, reason: "the phone broke", newCode: "2468")
    let now = start.addingTimeInterval(7_200)

    static let possible: [OrderStatus: Set<OrderStatus>] = [
        .requested: [.finished, .cancelled, .unfulfilled],
        .droppingOff: [
            .requested, .parking, .parked, .requestingBack, .finished, .cancelled, .unfulfilled,
        ],
        .parking: [
            .requested, .droppingOff, .parked, .requestingBack, .waitingForPayment, .finished,
            .cancelled,
        ],
        .parked: [
            .requested, .droppingOff, .parking, .requestingBack, .waitingForPayment, .finished,
            .cancelled,
        ],
        .requestingBack: [
            .requested, .droppingOff, .parking, .parked, .waitingForPayment, .finished, .cancelled,
        ],
        .returningBack: [
            .requested, .droppingOff, .parking, .parked, .requestingBack, .waitingForPayment,
            .finished, .cancelled,
        ],
        .waitingForPayment: [
            .requested, .droppingOff, .parking, .parked, .requestingBack, .returningBack,
            .finished, .cancelled,
        ],
        .finished: [], .cancelled: [], .unfulfilled: [],
    ]

    @Test(arguments: OrderStatus.allCases)
    func anOverrideLeadsToEveryStateWhoseFactsAreThere(_ from: OrderStatus) throws {
        for to in OrderStatus.allCases {
            var order = try Order.inState(from)
            let before = order
            if Self.possible[from]?.contains(to) == true {
                let event = try order.override(to: to, word, at: now)
                #expect(order.status == to)
                #expect(order.version.number == before.version.number + 1)
                #expect(event.from == from)
                #expect(event.by == word.by)
                #expect(event.order.reason == word.reason)
                #expect((event.match != nil) == [.requested, .requestingBack].contains(to))
                #expect((event.bill != nil) == (to == .waitingForPayment))
                #expect((order.soughtLeg != nil) == (event.match != nil))
                #expect(order.isEnded == (order.endedAt != nil))
                if let released = event.released { #expect(order.activeValet != released) }
            } else {
                let refusal = #expect(throws: Refusal.self) {
                    _ = try order.override(to: to, word, at: now)
                }
                #expect(refusal?.code == "order.not_possible")
                #expect(order == before)
            }
        }
    }

    @Test func anOverrideReleasesTheValetAndAsksForAnother() throws {
        var order = try Order.inState(.returningBack)
        let event = try order.override(to: .requestingBack, word, at: now)
        #expect(event.released == TestPerson.vera.valet)
        #expect(event.match?.leg.known == .return)
        #expect(event.match?.attempt == 2)
        #expect(order.handoverCode == "2468")
    }

    @Test func anOverrideToWaitingForPaymentBillsTheTimeSoFar() throws {
        var order = try Order.inState(.parked)
        let event = try order.override(to: .waitingForPayment, word, at: now)
        #expect(event.bill == order.bill)
        #expect(try #require(event.bill).durationSeconds == 7_200 - 120)
        #expect(order.returnedAt == now)
    }

    @Test func whatWasOrderedBesidesAndNeverDoneIsNotBilled() throws {
        var order = try Order.inState(.parking, extras: [.wash])
        let now = try #require(order.collectedAt)
        let event = try order.override(to: .waitingForPayment, word, at: now)
        #expect(try #require(event.bill).lines.map(\.kind) == [.known(.base)])
        #expect(order.charge?.amount == order.tariff.baseFee)
    }

    @Test func anOverrideOfACancelledOrderIsRefused() throws {
        var order = try Order.inState(.cancelled)
        #expect(throws: order.notPossible(.override)) {
            _ = try order.override(to: .requested, word, at: now)
        }
    }

    @Test func cancellingByOverrideCostsNothing() throws {
        var order = try Order.inState(.waitingForPayment)
        _ = try order.override(to: .cancelled, word, at: now)
        #expect(order.charge?.amount == 0)
    }
}
