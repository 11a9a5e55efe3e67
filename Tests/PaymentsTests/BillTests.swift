import Contracts
import EventBus
import Foundation
import Support
import Testing

@testable import Payments

@Suite struct BillTests {
    @Test func aBillThatArrivesTwiceIsOwedOnce() async throws {
        let bench = try Bench()
        let order = OrderSnapshot.of(.alice, .waitingForPayment, version: 8)
        let id = EventID.new()
        try await bench.hear(VehicleReturned.of(order, 12_000), id: id)
        try await bench.hear(VehicleReturned.of(order, 12_000), id: id)
        // Under another id too: the order's version tells.
        try await bench.hear(VehicleReturned.of(order, 12_000))
        #expect(try await bench.balances()[.customerReceivable] == 12_000)
    }

    @Test func anOlderEventChangesNothing() async throws {
        let bench = try Bench()
        let order = OrderSnapshot.of(.alice, .finished, version: 9)
        try await bench.hear(OrderOverridden.of(order))
        try await bench.hear(
            VehicleReturned.of(order.with(.waitingForPayment, version: 8), 12_000))
        await #expect(throws: PaymentError.notDue) { try await bench.pay(order.id) }
        #expect(try await bench.balances().isEmpty)
    }

    @Test func theOrdersFirstEventMayComeLast() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        let first = order.with(.requested, version: 1)
        try await bench.hear(
            DropOffRequested(
                order: first,
                match: MatchRequest(
                    leg: .dropOff, attempt: 1, meetingPoint: order.dropOff, excluded: [])))
        #expect(try await bench.pay(order.id).status == .succeeded)
    }

    @Test func aCancellationWithAFeeIsDue() async throws {
        let bench = try Bench()
        let order = OrderSnapshot.of(.alice, .cancelled, version: 3)
        try await bench.hear(
            OrderCancelled(
                order: order, cause: .customer, valet: TestPerson.victor.valet, fee: .hkd(5_000)))
        #expect(try await bench.pay(order.id).amount == .hkd(5_000))
    }

    @Test func aFreeCancellationAndAFreeReturnAreNotDue() async throws {
        let bench = try Bench()
        let cancelled = OrderSnapshot.of(.alice, .cancelled, version: 2)
        try await bench.hear(
            OrderCancelled(order: cancelled, cause: .customer, valet: nil, fee: .hkd(0)))
        let returned = OrderSnapshot.of(.alice, .finished, version: 8)
        try await bench.hear(VehicleReturned.of(returned, 0))
        for order in [cancelled, returned] {
            await #expect(throws: PaymentError.notDue) { try await bench.pay(order.id) }
        }
        #expect(try await bench.balances().isEmpty)
    }

    @Test func anOperatorsBillReplacesTheEarlierOne() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.hear(
            OrderOverridden.of(order.with(.waitingForPayment, version: 9), bill: 7_000))
        #expect(try await bench.balances() == [.customerReceivable: 7_000, .revenue: -7_000])
        #expect(try await bench.pay(order.id).amount == .hkd(7_000))
    }

    @Test func anOverrideToAnotherStateWaivesTheBill() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.hear(OrderOverridden.of(order.with(.finished, version: 9)))
        await #expect(throws: PaymentError.notDue) { try await bench.pay(order.id) }
        #expect(try await bench.balances() == [.customerReceivable: 0, .revenue: 0])
    }

    @Test func anOrderThatWaitsAgainForWhatItHasGotIsToldAgain() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        let payment = try await bench.pay(order.id)
        let again = OrderOverridden.of(order.with(.waitingForPayment, version: 10), bill: 9_000)
        try await bench.hear(again)
        #expect(try await bench.succeeded().map(\.payment) == [payment, payment])
        await #expect(throws: PaymentError.alreadyPaid) { try await bench.pay(order.id) }
        #expect(try await bench.captures(of: order.id) == 1)
    }
}
