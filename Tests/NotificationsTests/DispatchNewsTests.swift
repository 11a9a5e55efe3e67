import Contracts
import Foundation
import Support
import Testing

@testable import Notifications

/// What people hear of offers, orders ahead and tasks.
@Suite struct DispatchNewsTests {
    private func offered(_ leg: OrderLeg = .dropOff) -> ValetOffered {
        var order = OrderSnapshot.of(leg == .dropOff ? .requested : .requestingBack, nil)
        order.offeredTo = TestPerson.victor.valet
        return ValetOffered(
            order: order, leg: leg, attempt: 1, valet: TestPerson.victor.valet,
            meetingPoint: order.dropOff, etaSeconds: 200, answerSeconds: 20)
    }

    private func ended(_ outcome: OfferEnded.Outcome) -> OfferEnded {
        OfferEnded(
            order: .of(.requested, version: 4, nil), leg: .dropOff,
            valet: TestPerson.victor.valet, outcome: outcome,
            match: outcome == .withdrawn ? nil : .dropOff)
    }

    @Test func anOfferIsToldToTheValetAloneInTheirLanguage() async throws {
        let bench = try Bench()
        try await bench.knows(.victor, .traditionalChinese)
        try await bench.hear(offered())
        #expect(try await bench.feed(.victor).map(\.title) == ["有工作給您"])
        #expect(try await bench.feed(.alice).isEmpty)
        #expect(try await bench.feed(.operators).map(\.text) == [nil])
        try await bench.knows(.victor, .english, version: 2)
        try await bench.hear(offered(.return))
        #expect(
            try await bench.feed(.victor).last?.text
                == "K7-42: a parked vehicle to bring back, about 4 minutes away. Will you take it?")
    }

    @Test func whoDoesNotAnswerHearsThatTheyMissedIt() async throws {
        let bench = try Bench()
        for outcome in OfferEnded.Outcome.allCases { try await bench.hear(ended(outcome)) }
        let titles = try await bench.feed(.victor).map(\.title)
        #expect(titles == [nil, "You missed a job", "You missed a job", "Job no longer open"])
        #expect(try await bench.feed(.alice).isEmpty)
    }

    @Test func theCustomerDoesNotSeeWhoIsAsked() async throws {
        let bench = try Bench()
        var order = OrderSnapshot.of(.requested, nil)
        order.offeredTo = TestPerson.victor.valet
        try await bench.hear(OrderOverdue(order: order, limitSeconds: 300))
        #expect(try await bench.feed(.alice).last?.order?.offeredTo == nil)
    }

    @Test func anOrderAheadIsConfirmedAndRemembered() async throws {
        let bench = try Bench()
        try await bench.knows(.alice, .english)
        var order = OrderSnapshot.of(.requested, version: 1, nil)
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        order.scheduledFor = time
        try await bench.hear(OrderScheduled(order: order, scheduledFor: time))
        order.version = 2
        try await bench.hear(DropOffRequested(order: order, match: .dropOff))
        #expect(
            try await bench.feed(.alice).map(\.title) == ["Ordered ahead", "It is nearly time"])
    }

    @Test func aTaskThatIsDoneIsToldToTheCustomer() async throws {
        let bench = try Bench()
        func hear(_ kind: Extra, _ status: OrderTask.Status, _ order: OrderStatus) async throws {
            let vera = TestPerson.vera.valet
            try await bench.hear(
                TaskChanged(
                    order: .of(order),
                    task: OrderTask(
                        kind: kind, status: status, valet: status == .open ? nil : vera),
                    by: vera))
        }
        try await hear(.wash, .taken, .parked)
        #expect(try await bench.feed(.alice).map(\.title) == [nil])
        try await hear(.wash, .done, .parked)
        try await hear(.refuel, .done, .parked)
        #expect(
            try await bench.feed(.alice).compactMap(\.title)
                == ["Your vehicle is clean", "Your vehicle is refuelled"])
        #expect(try await bench.feed(.vera).allSatisfy { $0.title == nil })
        // The vehicle was called back: whoever had taken it hears so.
        try await hear(.wash, .open, .requestingBack)
        #expect(try await bench.feed(.vera).last?.title == "Task no longer needed")
        #expect(try await bench.feed(.operators).count == 4)
    }
}
