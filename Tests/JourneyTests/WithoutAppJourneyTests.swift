import Client
import Contracts
import Foundation
import Geo
import Support
import Testing

/// People who pay without the app: a guest at the exit, and customers who have cash.
@Suite(.serialized) struct WithoutAppJourneyTests {
    @Test func aGuestPaysAtTheExitByPlate() async throws {
        let world = try await City.shared.world()
        let (carPark, gate) = try await opened(
            by: world.boss, at: Coordinate(latitude: 39.4, longitude: 17.9))
        let plate = "G \(Int.random(in: 100_000...999_999))"
        let client = world.door.client()
        let entered = Date(timeIntervalSinceNow: -5_400)
        _ = try await client.pass(gate, PassageBody(.in, plate: plate, at: entered))
        let shut = try await client.pass(gate, PassageBody(.out, plate: plate, at: Date()))
        #expect(shut.reason == .paymentDue)
        try await refused("parking.nothing_found") {
            let guess = ParkingLookupBody(
                carParkId: carPark, plate: plate, enteredAt: entered.addingTimeInterval(-3_600))
            _ = try await client(WithoutAppEndpoints.lookUpParking(body: guess))
        }
        let question = ParkingLookupBody(
            carParkId: carPark, plate: plate, enteredAt: entered.addingTimeInterval(240))
        let found = try await client(WithoutAppEndpoints.lookUpParking(body: question))
        #expect(found.due == Money(amount: 500, currency: "EUR"))
        let body = ParkingPayBody(lookup: found.token, token: "pm_card_visa")
        let paid = try await client(WithoutAppEndpoints.payForParking(body: body))
        #expect(paid.status == .succeeded)
        #expect(paid.leaveBy != nil)
        // A double tap.
        let again = try await client(WithoutAppEndpoints.payForParking(body: body))
        #expect(again.bill == paid.bill)
        let receipt = try await client(
            WithoutAppEndpoints.parkingReceipt(
                body: ParkingReceiptBody(lookup: found.token, bill: paid.bill)))
        #expect(receipt.total == paid.amount)
        #expect(receipt.number.wholeMatch(of: /.*[0-9]{4}-[0-9]{6}/) != nil)
        let exit = try await client.pass(gate, PassageBody(.out, plate: plate, at: Date()))
        #expect(exit.open)
        #expect(exit.reason == .paid)
        let payments = try await world.boss(
            PaymentEndpoints.payments(asks: PaymentsQuery().with(\.bill, paid.bill))
        ).items
        #expect(payments.compactMap(\.payment?.amount.amount) == [500])
    }

    @Test func aCustomerPaysTheValetInCash() async throws {
        let town = try await Town.found()
        let ada = try await town.customer("Ada")
        let pair = Pair(town: town, customer: ada, valet: try await town.valet())
        let order = try await pair.handBack()
        let charge = try #require(order.charge)
        let pouch = try await pair.valet.client(
            CashEndpoints.openPouch(body: OpenDrawerBody(name: "Pouch")))
        let bill = order.id.as(BillID.self)
        let body = ReceiveBody(.cash, given: charge.amount + 300)
        let received = try await insisting(past: ["payment.bill_unknown", "payment.not_due"]) {
            try await pair.valet.client(
                CashEndpoints.receiveOrder(order.id, body: InCurrency(body)))
        }
        #expect(received.change == Money(amount: 300, currency: charge.currency))
        _ = try await ada.order(order.id, reaches: .finished)
        let receipt = try await ada.client(
            PaymentEndpoints.billReceipt(bill, asks: LanguageQuery()))
        #expect(receipt.paid == charge)
        let closed = try await pair.valet.client(
            CashEndpoints.closeDrawer(pouch.id, body: CloseDrawerBody(counted: [charge])))
        #expect(closed.differences?.map(\.amount) == [0])
        let balances = try await town.world.boss(PaymentEndpoints.trialBalance()).lines
        #expect(balances.reduce(0) { $0 + $1.balance } == 0)
    }

    @Test func aDriverPaysCashAtTheDesk() async throws {
        let world = try await City.shared.world()
        let (_, gate) = try await opened(
            by: world.boss, at: Coordinate(latitude: 39.4, longitude: 18.9))
        let plate = "C \(Int.random(in: 100_000...999_999))"
        let client = world.door.client()
        let entry = try await client.pass(
            gate, PassageBody(.in, plate: plate, at: Date(timeIntervalSinceNow: -5_400)))
        let stay = try #require(entry.session)
        let drawer = try await world.boss(
            CashEndpoints.openDrawer(
                body: OpenDrawerBody(
                    name: "Desk", float: [Money(amount: 2_000, currency: "EUR")])))
        let body = ReceiveBody(.cash, given: 1_000)
        let received = try await world.boss(WithoutAppEndpoints.receiveForStay(stay, body: body))
        #expect(received.payment.means == .known(.cash))
        #expect(received.change == Money(amount: 500, currency: "EUR"))
        let exit = try await client.pass(gate, PassageBody(.out, plate: plate, at: Date()))
        #expect(exit.reason == .paid)
        let counted = [Money(amount: 2_500, currency: "EUR")]
        let closed = try await world.boss(
            CashEndpoints.closeDrawer(drawer.id, body: CloseDrawerBody(counted: counted)))
        #expect(closed.differences?.map(\.amount) == [0])
    }

    private func opened(
        by boss: OpenValetClient, at point: Coordinate
    ) async throws -> (CarParkID, NewGate) {
        let carPark = try await boss(
            CarParkEndpoints.addCarPark(
                body: CarParkBody(
                    name: "City Gate", address: "Valletta", position: point,
                    timeZone: "Europe/Malta", currency: "EUR",
                    capacity: SpaceCounts([.general: 10]), bookable: SpaceCounts([.general: 5]))))
        try await boss(
            CarParkEndpoints.addProduct(
                carPark.id, body: ParkingProductBody(name: "Hour", kind: .hourly, price: 250)))
        let gate = try await boss(
            CarParkEndpoints.addGate(body: GateBody(carParkId: carPark.id, name: "North")))
        return (carPark.id, gate)
    }
}
