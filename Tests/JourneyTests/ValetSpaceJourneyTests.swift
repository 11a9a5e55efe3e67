import Client
import Contracts
import Foundation
import Geo
import Support
import Testing

/// Valets park in a car park of ours, through the gateway; with the services dying in between.
@Suite(.serialized) struct ValetSpaceJourneyTests {
    /// A car park of one space with a gate, 20 dollars an hour, in the middle of a town.
    private func carPark(in town: Town) async throws -> CarPark {
        let point = Coordinate(latitude: town.center.latitude, longitude: town.center.longitude)
        let body = CarParkBody(
            name: "Town Hall", address: "Town Hall", position: point, timeZone: "Asia/Hong_Kong",
            currency: "HKD", capacity: SpaceCounts([.general: 1]),
            bookable: SpaceCounts([.general: 1]))
        let boss = town.world.boss
        let carPark = try await boss(CarParkEndpoints.addCarPark(body: body))
        _ = try await boss(
            CarParkEndpoints.addProduct(
                carPark.id, body: ParkingProductBody(name: "Hour", kind: .hourly, price: 2_000)))
        _ = try await boss(
            CarParkEndpoints.addGate(body: GateBody(carParkId: carPark.id, name: "North")))
        return carPark
    }

    private func body(_ carPark: CarPark) -> ParkBody {
        ParkBody(
            at: ParkedAt(
                latitude: carPark.position.latitude, longitude: carPark.position.longitude,
                bay: "17", carParkId: carPark.id), vehicle: Someone.car)
    }

    private func free(_ carPark: CarPark, for person: Someone) async throws -> Int? {
        try await insisting {
            try await person.client(CarParkEndpoints.carPark(carPark.id)).spaces.first {
                $0.kind == .general
            }?.free
                ?? -1
        }
    }

    @Test func theSpaceIsTakenAndItsPriceIsALineOfTheBill() async throws {
        let pair = try await Pair.meet()
        let carPark = try await carPark(in: pair.town)
        let (ada, lee) = (pair.customer, pair.valet)
        let order = try await pair.collect()
        try await refused("car_park.unknown") {
            var elsewhere = body(carPark)
            elsewhere.carParkId = .new()
            _ = try await lee.client(OrderEndpoints.park(order.id, body: elsewhere))
        }
        let parked = try await lee.client(OrderEndpoints.park(order.id, body: body(carPark)))
        #expect(parked.parked?.carParkId == carPark.id)
        #expect(parked.parked?.lot == "Town Hall")
        #expect(parked.parked?.bay == "17")
        #expect(try await free(carPark, for: ada) == 0)
        let line = try await ada.client(OrderEndpoints.quote(order.id)).lines.last
        #expect(line == Quote.Line(kind: .carPark, amount: Money(amount: 2_000, currency: "HKD")))

        // The second vehicle has to go somewhere else.
        let (bob, kim) = (try await pair.town.customer("Bob"), try await pair.town.valet("Kim"))
        let other = Pair(town: pair.town, customer: bob, valet: kim)
        let placed = try await bob.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: pair.town.center)).waiting(20))
        let valet = placed.dropOffValet?.id == kim.account.id ? kim : lee
        _ = try await valet.client(
            OrderEndpoints.collect(
                placed.id, body: CodeBody(code: try #require(placed.handoverCode))))
        try await refused("booking.full") {
            _ = try await valet.client(OrderEndpoints.park(placed.id, body: body(carPark)))
        }
        _ = try await valet.client(
            OrderEndpoints.park(
                placed.id, body: ParkBody(at: other.town.garage, vehicle: Someone.car)))

        try await ada.client(
            OrderEndpoints.recall(order.id, body: RecallBody(returnTo: pair.town.east(500))))
        let recalled = try await ada.order(order.id, hasValetFor: .return)
        let bringer = recalled.returnValet?.id == lee.account.id ? lee : kim
        _ = try await bringer.client(OrderEndpoints.retrieve(order.id))
        let isFree = try await eventually { try await free(carPark, for: ada) == 1 }
        #expect(isFree)
        let back = try await bringer.client(
            OrderEndpoints.handBack(
                order.id, body: CodeBody(code: try #require(recalled.handoverCode))))
        #expect(back.charge == Money(amount: 10_000, currency: "HKD"))
        let payment = try await ada.client.payWhenDue(order.id, PayBody(token: "pm_card_visa"))
        #expect(payment.amount == back.charge)
        let receipt = try await ada.client(
            PaymentEndpoints.receipt(order.id, asks: LanguageQuery()))
        #expect(receipt.lines.last?.kind == .known(.carPark))
    }

    /// Between each two steps one of the two services dies: the space is never lost, and never given twice.
    @Test func whateverDiesTheSpaceIsTakenOnceAndGivenBack() async throws {
        let pair = try await Pair.meet(in: try await City.ofProcesses.world())
        let carPark = try await carPark(in: pair.town)
        let (ada, lee, system) = (pair.customer, pair.valet, pair.town.world.processes)
        let order = try await pair.collect()
        func kill(_ services: String...) async throws {
            for service in services { try system.kill(service) }
            let isBack = try await eventually { try await system.isServing() }
            #expect(isBack)
        }
        let (parkTap, fetchTap, handTap) = (RequestKey.new(), RequestKey.new(), RequestKey.new())
        async let parking = insisting {
            try await lee.client(OrderEndpoints.park(order.id, body: body(carPark), key: parkTap))
        }
        try await kill("carparks")
        try await kill("orders", "carparks")
        #expect(try await parking.status == .parked)
        #expect(try await free(carPark, for: ada) == 0)
        // Whether the confirmation has come before or comes after.
        try await kill("carparks")
        #expect(try await free(carPark, for: ada) == 0)
        let recalled = try await pair.recall(order.id)
        async let fetching = insisting {
            try await lee.client(OrderEndpoints.retrieve(order.id, key: fetchTap))
        }
        try await kill("orders", "carparks")
        _ = try await fetching
        let isFree = try await eventually { try await free(carPark, for: ada) == 1 }
        #expect(isFree)
        let back = try await insisting {
            try await lee.client(
                OrderEndpoints.handBack(
                    order.id, body: CodeBody(code: try #require(recalled.handoverCode)),
                    key: handTap))
        }
        #expect(back.charge == Money(amount: 10_000, currency: "HKD"))
    }
}
