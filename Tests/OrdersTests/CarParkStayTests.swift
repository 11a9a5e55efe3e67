import Answers
import Contracts
import Foundation
import Geo
import HTTPTypes
import Support
import Testing

@testable import Orders

/// A vehicle that is parked in a car park of ours.
struct CarParkStayTests {
    private static let carPark = CarParkID.new()
    private static let entrance = Coordinate(latitude: 22.2810, longitude: 114.1590)

    private func space(
        _ hourly: Int = 3_000, in carPark: CarParkID = carPark
    ) -> TakenSpace {
        TakenSpace(
            carParkId: carPark, name: "City Hall", position: Self.entrance,
            rate: ParkingRate(hourly: Money(amount: hourly, currency: "HKD")))
    }

    private func body(lot: String? = nil, bay: String? = "12") -> ParkBody {
        let place = ParkedAt(
            latitude: 22.28, longitude: 114.16, lot: lot, bay: bay, carParkId: Self.carPark)
        return ParkBody(at: place, vehicle: .tesla)
    }

    // MARK: Taken

    @Test func theSpaceIsTakenAndTheVehicleStandsAtTheEntrance() async throws {
        let carParks = PretendServer(try .having(space()))
        try await carParks.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                let order = try await caller.order(in: .parking)
                let parked = try await caller.act("park", order.id, body(), as: .victor)
                #expect(parked.status == .parked)
                let place = try #require(parked.parked)
                #expect(place.carParkId == Self.carPark)
                #expect((place.lot, place.bay) == ("City Hall", "12"))
                #expect((place.latitude, place.longitude) == (22.2810, 114.1590))
                let told = try #require(try await bench.published(VehicleParked.self).last)
                #expect(told.order.parked == place)
                let asked = try #require(carParks.asked.last)
                #expect((asked.method, asked.path) == ("POST", "/internal/spaces"))
                let sent = try Wire.decode(SpaceBody.self, from: Data(asked.body.utf8))
                #expect((sent.order, sent.orderVersion) == (order.id, order.version))
                #expect((sent.carParkId, sent.currency) == (Self.carPark, "HKD"))
                #expect(sent.plate == "AB 1234")
            }
        }
    }

    @Test func onlyAVehicleInACarParkCountsAsCopied() async throws {
        let carParks = PretendServer(try .having(space()))
        try await carParks.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                func told() async throws -> [StateMark] {
                    try await bench.database.read { try $0.orders.toldParked(after: "", limit: 10) }
                        .flatMap(\.marks)
                }
                _ = try await caller.order(in: .parked, of: .bob)
                #expect(try await told().isEmpty)
                let order = try await caller.order(in: .parking)
                #expect(try await told().isEmpty)
                let parked = try await caller.act("park", order.id, body(), as: .victor)
                let mark = StateMark(.parkedVehicles, order.id, version: parked.version)
                #expect(try await told() == [mark])
            }
        }
    }

    @Test(arguments: [
        (404, "car_park.unknown"), (409, "booking.full"), (409, "car_park.closed"),
        (409, "car_park.other_currency"),
    ])
    func aRefusalOfTheCarParkIsPassedOnAndChangesNothing(status: Int, code: String) async throws {
        let carParks = PretendServer(.refusing(status, code))
        try await carParks.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                let order = try await caller.order(in: .parking)
                try await caller.call(
                    .post, "/v1/orders/\(order.id)/park", body(), as: .victor
                ).refused(status, code, field: "carParkId")
                #expect(try await bench.stored(order.id).status == .parking)
                #expect(try await bench.published(VehicleParked.self).isEmpty)
                // Somewhere else there is room.
                try await caller.act(
                    "park", order.id, ParkBody(at: .garage, vehicle: .tesla), as: .victor)
            }
        }
    }

    @Test func whileCarParksIsAwayNothingChanges() async throws {
        let carParks = PretendServer(.failing(500))
        try await carParks.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                let order = try await caller.order(in: .parking)
                let path = "/v1/orders/\(order.id)/park"
                let key: HTTPFields = [.idempotencyKey: UUID().uuidString]
                let problem = try await caller.call(
                    .post, path, body(), as: .victor, headers: key
                ).refused(503, "service.unavailable")
                #expect(problem.retryAfterSeconds != nil)
                #expect(try await bench.stored(order.id).status == .parking)
                carParks.set(try .having(space()))
                for _ in 0..<2 {
                    try await caller.call(.post, path, body(), as: .victor, headers: key)
                        .expect(200, OrderView.self)
                }
                // A valet who has parked does not ask for a space again, with the same tap or with another.
                try await caller.call(.post, path, body(), as: .victor)
                    .refused(409, "order.not_possible")
                #expect(carParks.asked.count { $0.method == "POST" } == 2)
                #expect(try await bench.published(VehicleParked.self).count == 1)
            }
        }
    }

    @Test func whoMayNotParkItAsksForNoSpace() async throws {
        let carParks = PretendServer(try .having(space()))
        try await carParks.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                let order = try await caller.order(in: .parking)
                try await caller.call(.post, "/v1/orders/\(order.id)/park", body(), as: .vera)
                    .refused(404, "order.unknown")
                let early = try await caller.place(as: .bob)
                try await bench.match(early.id, .vera)
                try await caller.call(.post, "/v1/orders/\(early.id)/park", body(), as: .vera)
                    .refused(409, "order.not_possible")
                #expect(!carParks.asked.contains { $0.method == "POST" })
            }
        }
    }

    // MARK: Paid

    private func parked(hourly: Int = 3_000) throws -> Order {
        var order = try Order.inState(.parking)
        _ = try order.park(
            Parking(
                place: ParkedAt.garage.within(space(hourly)), vehicle: .tesla, space: space(hourly)),
            by: TestPerson.victor.valet, at: start)
        return order
    }

    private func line(_ quote: Quote) -> Int? {
        quote.lines.first { $0.kind == .known(.carPark) }?.amount.amount
    }

    private func recall(_ order: inout Order, at now: Date) throws {
        _ = try order.recall(
            to: .central, code: Order.returnCode, by: order.customer, at: now)
        _ = try order.assign(TestPerson.vera.valet, etaSeconds: 300, at: now)
    }

    @Test(.withoutDatabase) func startedHoursUntilItIsFetchedAreALineOfTheBill() throws {
        var order = try parked()
        #expect(line(order.quote(at: start.addingTimeInterval(60))) == 3_000)
        #expect(line(order.quote(at: start.addingTimeInterval(3_600))) == 3_000)
        #expect(line(order.quote(at: start.addingTimeInterval(3_601))) == 6_000)
        let fetched = start.addingTimeInterval(2 * 3_600 + 60)
        try recall(&order, at: fetched)
        _ = try order.retrieve(by: TestPerson.vera.valet, at: fetched)
        // The way back takes its time, and not the car park's.
        let back = fetched.addingTimeInterval(5 * 3_600)
        let bill = try order.handBack(by: TestPerson.vera.valet, at: back).bill
        #expect(line(bill) == 9_000)
        #expect(bill.lines.reduce(0) { $0 + $1.amount.amount } == bill.charge.amount)
        let told = order.currentBill()
        #expect(told.lines.last?.kind == "carPark")
        #expect(told.lines.last?.text[.english] == "Car park City Hall")
        // The car park earns it: three started hours.
        #expect(told.lines.last?.product == .parking)
        #expect(
            told.lines.last?.site
                == Bill.Site(.carPark, id: Self.carPark.description, name: "City Hall"))
        #expect(told.lines.last?.quantity == 3)
        #expect(told.lines.last?.unit?[.english] == "hours")
        #expect(told.lines.last?.unitPrice == Money(amount: 3_000, currency: "HKD"))
        #expect(told.total == bill.charge)
    }

    @Test(.withoutDatabase) func elsewhereThereIsNoSuchLineAndFreeOnesAreShown() throws {
        #expect(line(try Order.inState(.parked).quote(at: start)) == nil)
        #expect(line(try parked(hourly: 0).quote(at: start.addingTimeInterval(60))) == 0)
    }

    @Test(.withoutDatabase) func anOverrideEndsTheStayOrTakesItUpAgain() throws {
        let word = OperatorWord(
            by: TestPerson.olivia.operatorID, reason: "the phone broke", newCode: "2468")
        let (hour, day) = (start.addingTimeInterval(3_600), start.addingTimeInterval(86_400))
        var order = try parked()
        _ = try order.override(to: .parking, word, at: hour)
        #expect(line(order.quote(at: day)) == 3_000)
        // Parked anew, in a second car park: both are paid.
        _ = try order.park(
            Parking(place: .garage, vehicle: .tesla, space: space(1_000, in: .new())),
            by: TestPerson.victor.valet, at: hour)
        #expect(line(order.quote(at: hour.addingTimeInterval(60))) == 4_000)

        order = try parked()
        try recall(&order, at: hour)
        _ = try order.retrieve(by: TestPerson.vera.valet, at: hour)
        _ = try order.override(to: .parked, word, at: hour.addingTimeInterval(60))
        #expect(line(order.quote(at: day)) == 24 * 3_000)

        order = try parked()
        _ = try order.override(to: .waitingForPayment, word, at: hour)
        #expect(line(order.quote(at: day)) == 3_000)

        order = try parked()
        _ = try order.override(to: .requested, word, at: hour)
        #expect(line(order.quote(at: day)) == nil)
    }

    @Test(.withoutDatabase) func noStayCostsMoreThanMayBeCharged() throws {
        let rate = ParkingRate(hourly: Money(amount: Money.largestAmount, currency: "HKD"))
        #expect(rate.amount(from: start, until: .distantFuture) == Money.largestAmount)
        #expect(rate.amount(from: start, until: start) == Money.largestAmount)
        let order = try parked(hourly: Money.largestAmount)
        let later = start.addingTimeInterval(365 * 86_400)
        #expect(order.quote(at: later).charge.amount == Money.largestAmount)
    }
}
