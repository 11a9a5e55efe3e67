import Answers
import Contracts
import Foundation
import Geo
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Spaces in which valets park: none is lost, and none is given twice, whatever comes late or never.
@Suite struct ValetSpaceTests {
    private let order = OrderID.new()

    // MARK: Taken

    @Test func aSpaceIsTakenUntilTheVehicleIsFetched() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 1)
            let space = try await bench.take(place, for: order).expect(200, TakenSpace.self)
            #expect(space.name == place.name)
            #expect(space.rate.hourly == Money(amount: 200, currency: "EUR"))
            #expect(space.position == place.position)
            // The same again changes nothing, also when it is full by then.
            let again = try await bench.take(place, for: order).expect(200, TakenSpace.self)
            #expect(again == space)
            try await bench.take(place, for: .new()).refused(409, "booking.full")
            #expect(try await bench.mayBeBooked(place) == 0)
            try await bench.hear(bench.parked(order, in: place, version: 5))
            bench.clock.advance(by: 3 * 3_600)
            await bench.work()
            try await bench.take(place, for: .new()).refused(409, "booking.full")
            try await bench.hear(bench.retrieved(order, from: place, version: 7))
            try await bench.take(place, for: .new()).expect(200, TakenSpace.self)
        }
    }

    @Test func parkedVehiclesAreCountedAsOrdersCountsThem() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 4)
            let (here, gone, coming) = (order, OrderID.new(), OrderID.new())
            for order in [here, gone, coming] {
                try await bench.take(place, for: order).expect(200, TakenSpace.self)
            }
            func isWhole(_ events: VehicleParked...) async throws -> Bool {
                let owned = StateDigest(events.flatMap(\.marks)).count(of: .parkedVehicles)
                return try await ValetSpaceStore.copies.count(in: bench.database)
                    .counts(theSameAs: owned)
            }
            let parked = bench.parked(here, in: place, version: 5)
            #expect(try await isWhole())
            #expect(try await !isWhole(parked))
            for event in [parked, bench.parked(gone, in: place, version: 5)] {
                try await bench.hear(event)
            }
            #expect(try await !isWhole(parked))
            try await bench.hear(bench.retrieved(gone, from: place, version: 7))
            #expect(try await isWhole(parked))
            // A vehicle at the kerb takes no space.
            var kerb = parked
            kerb.order.id = .new()
            kerb.order.parked = ParkedAt(latitude: 35.89, longitude: 14.5)
            try await bench.hear(kerb)
            #expect(try await isWhole(parked, kerb))
        }
    }

    @Test func theEntranceNextToTheValetIsTold() async throws {
        try await Bench.run { bench in
            let (north, south) = (
                Coordinate(latitude: 35.8975, longitude: 14.5101),
                Coordinate(latitude: 35.8955, longitude: 14.5101)
            )
            let place = try await bench.carPark {
                $0.entrances = [
                    Entrance(position: south, kind: .vehicle),
                    Entrance(position: north, kind: .vehicle),
                ]
            }
            let space = try await bench.take(
                place, for: order, at: Coordinate(latitude: 35.8985, longitude: 14.5101)
            ).expect(200, TakenSpace.self)
            #expect(space.position == north)
            // Nobody has to pay where nothing is offered by the hour.
            #expect(space.rate.hourly.amount == 0)
        }
    }

    @Test func whatIsClosedUnknownOrPaidInOtherMoneyIsRefused() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 1)
            try await bench.take(place, for: order, currency: "HKD")
                .refused(409, "car_park.other_currency")
            let closed = try await bench.carPark { $0.openingHours = "Mo-Su 01:00-02:00" }
            try await bench.take(closed, for: order).refused(409, "car_park.closed")
            try await bench.call(
                .put, "/v1/admin/car-parks/\(place.id)/status",
                CarParkStatusBody(.closed, reason: "flood"), as: .olivia
            ).expect(200, CarPark.self)
            let problem = try await bench.take(place, for: order).refused(409, "car_park.closed")
            #expect(problem.detail == "flood")
            var unknown = bench.body(place, order)
            unknown.carParkId = .new()
            try await bench.take(unknown).refused(404, "car_park.unknown")
            try await bench.call(.post, "/internal/spaces", unknown, as: .victor)
                .refused(401, "auth.token_invalid")
            #expect(try await bench.taken() == 0)
        }
    }

    @Test func anotherCarParkTakesThePlaceOfTheFirst() async throws {
        try await Bench.run { bench in
            let (one, other) = (
                try await bench.small(spaces: 1), try await bench.small(spaces: 1)
            )
            try await bench.take(one, for: order).expect(200, TakenSpace.self)
            try await bench.take(other, for: order).expect(200, TakenSpace.self)
            #expect(try await bench.taken() == 1)
            try await bench.take(one, for: .new()).expect(200, TakenSpace.self)
        }
    }

    @Test func manyValetsForTheLastSpace() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 1)
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await bench.take(place, for: .new()) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status == 200 } == 1)
            for answer in answers where answer.status != 200 {
                try answer.refused(409, "booking.full")
            }
        }
    }

    @Test func whatIsBookedForTheDayIsNotTaken() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 1)
            let offer = Bench.Offer(carPark: place, product: try await bench.product(of: place))
            let booking = try await bench.confirmed(offer, startsIn: 7_200)
            try await bench.take(place, for: order).refused(409, "booking.full")
            try await bench.call(.post, "/v1/bookings/\(booking.id)/cancel", as: .alice)
                .expect(200, BookingCancellation.self)
            try await bench.take(place, for: order).expect(200, TakenSpace.self)
            let bobs = try await bench.vehicle(of: .bob, plate: "BOB 1")
            try await bench.book(bench.body(offer, [bobs], startsIn: 7_200), as: .bob)
                .refused(409, "booking.full")
        }
    }

    // MARK: Between the steps

    @Test func whatIsNeverConfirmedIsGivenBack() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 1)
            try await bench.take(place, for: order).expect(200, TakenSpace.self)
            // Looking too early, as work scheduled before a repeat does, gives nothing back.
            try await bench.parts.valets.look(at: order)
            bench.clock.advance(by: ValetSpaces.patience - 1)
            await bench.work()
            #expect(try await bench.taken() == 1)
            // A repeat begins the wait anew.
            try await bench.take(place, for: order).expect(200, TakenSpace.self)
            bench.clock.advance(by: 2)
            await bench.work()
            #expect(try await bench.taken() == 1)
            bench.clock.advance(by: ValetSpaces.patience)
            await bench.work()
            #expect(try await bench.taken() == 0)
            try await bench.take(place, for: .new()).expect(200, TakenSpace.self)
        }
    }

    @Test func aConfirmationThatComesLateTakesItAgain() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 2)
            try await bench.take(place, for: order).expect(200, TakenSpace.self)
            bench.clock.advance(by: ValetSpaces.patience)
            await bench.work()
            #expect(try await bench.taken() == 0)
            let parked = bench.parked(order, in: place, version: 5)
            try await bench.hear(parked)
            #expect(try await bench.taken() == 1)
            // Also of an order that nothing is known of any more; twice is once.
            let other = bench.parked(.new(), in: place, version: 5)
            for _ in 0..<2 { try await bench.hear(other) }
            #expect(try await bench.taken() == 2)
            try await bench.hear(parked)
            #expect(try await bench.taken() == 2)
        }
    }

    @Test func aVehicleThatStandsThereIsCountedWhoeverHasTheSpaceMeanwhile() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 1)
            try await bench.take(place, for: order).expect(200, TakenSpace.self)
            bench.clock.advance(by: ValetSpaces.patience)
            await bench.work()
            let other = OrderID.new()
            try await bench.take(place, for: other).expect(200, TakenSpace.self)
            try await bench.hear(bench.parked(order, in: place, version: 5))
            // Nothing is allocated twice; it gets its own as soon as there is one.
            #expect(try await bench.taken() == 1)
            try await bench.hear(bench.retrieved(other, from: place, version: 6))
            #expect(try await bench.taken() == 0)
            bench.clock.advance(by: ValetSpaces.renewal)
            await bench.work()
            #expect(try await bench.taken() == 1)
            try await bench.call(.delete, "/v1/admin/car-parks/\(place.id)", as: .olivia)
                .refused(409, "car_park.in_use")
        }
    }

    @Test func oldNewsOfAnOrderGiveNothingBack() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 1)
            // It was parked here before, and fetched; an operator set it to parking, and it is parked again.
            try await bench.hear(bench.parked(order, in: place, version: 4))
            try await bench.hear(bench.retrieved(order, from: place, version: 6))
            #expect(try await bench.taken() == 0)
            try await bench.take(place, for: order, version: 7).expect(200, TakenSpace.self)
            try await bench.hear(bench.retrieved(order, from: place, version: 6))
            try await bench.hear(bench.overridden(order, to: .parking, version: 7))
            #expect(try await bench.taken() == 1)
            try await bench.hear(bench.overridden(order, to: .cancelled, version: 8))
            #expect(try await bench.taken() == 0)
            try await bench.hear(bench.overridden(order, to: .parked, in: place, version: 9))
            #expect(try await bench.taken() == 1)
        }
    }

    @Test func whatIsParkedAnewIsConfirmedAnew() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 1)
            try await bench.hear(bench.parked(order, in: place, version: 4))
            // A request of before that comes late changes nothing.
            try await bench.take(place, for: order, version: 3).expect(200, TakenSpace.self)
            bench.clock.advance(by: ValetSpaces.renewal)
            await bench.work()
            #expect(try await bench.taken() == 1)
            // An operator has set it to parking, of which no word has come; it is never parked again.
            try await bench.take(place, for: order, version: 5).expect(200, TakenSpace.self)
            bench.clock.advance(by: ValetSpaces.patience)
            await bench.work()
            #expect(try await bench.taken() == 0)
        }
    }

    @Test func aStayOfDaysKeepsItsSpaceAndIsForgottenAWeekAfterItsEnd() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 1)
            try await bench.take(place, for: order).expect(200, TakenSpace.self)
            try await bench.hear(bench.parked(order, in: place, version: 5))
            for _ in 0..<5 {
                bench.clock.advance(by: 20 * 3_600)
                await bench.work()
                try await bench.take(place, for: .new()).refused(409, "booking.full")
            }
            try await bench.hear(bench.retrieved(order, from: place, version: 7))
            #expect(try await bench.taken() == 0)
            bench.clock.advance(by: ValetSpaces.kept + 1)
            try await bench.parts.valets.sweep()
            #expect(try await bench.database.read { try $0.valetSpaces.find(order) } == nil)
        }
    }

    // MARK: Gates and counts

    @Test(arguments: [true, false])
    func atAGateTheOrderPaysAndTheSpaceCountsOnce(isInFirst: Bool) async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 2)
            let gate = try await bench.gate(of: place)
            _ = try await bench.vehicle(plate: bench.plate)
            func drive() async throws {
                let entry = try await bench.pass(gate, .in, bench.plate)
                #expect(entry.reason == (isInFirst ? .driveUp : .booked))
            }
            if isInFirst { try await drive() }
            try await bench.take(place, for: order).expect(200, TakenSpace.self)
            try await bench.hear(bench.parked(order, in: place, version: 5))
            if !isInFirst { try await drive() }
            #expect(try await bench.free(in: place) == 1)
            // It is the order's: its customer is not asked at the gate, and is not bound by it.
            #expect(try await bench.bonds() == [])
            bench.clock.advance(by: 5 * 3_600)
            await bench.work()
            try await bench.hear(bench.retrieved(order, from: place, version: 7))
            let exit = try await bench.pass(gate, .out, bench.plate)
            #expect(exit.open)
            #expect(exit.due == nil)
            #expect(try await outboxEvents(of: BillChanged.self, in: bench.database).isEmpty)
            #expect(try await bench.free(in: place) == 2)
        }
    }

    @Test func aGateThatMisreadsThePlateKnowsTheOrder() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 2)
            let gate = try await bench.gate(of: place)
            try await bench.take(place, for: order).expect(200, TakenSpace.self)
            try await bench.hear(bench.parked(order, in: place, version: 5))
            #expect(try await bench.pass(gate, .in, "VALI").reason == .booked)
            #expect(try await bench.free(in: place) == 1)
            bench.clock.advance(by: 5 * 3_600)
            await bench.work()
            try await bench.hear(bench.retrieved(order, from: place, version: 7))
            let exit = try await bench.pass(gate, .out, "V\u{410}L 1")
            #expect(exit.open && exit.due == nil)
        }
    }

    /// A gate that was cut off tells of both passages when the space has been given back.
    @Test func whatAGateTellsLateIsTheOrdersWhenTheVehicleWasThereForIt() async throws {
        try await Bench.run { bench in
            let place = try await bench.small(spaces: 2)
            let gate = try await bench.gate(of: place)
            _ = try await bench.vehicle(plate: bench.plate)
            bench.clock.advance(by: 10 * 3_600)
            try await bench.take(place, for: order).expect(200, TakenSpace.self)
            try await bench.hear(bench.parked(order, in: place, version: 5))
            bench.clock.advance(by: 2 * 3_600)
            try await bench.hear(bench.retrieved(order, from: place, version: 7))
            bench.clock.advance(by: 3_600)
            // Three hours ago the valet drove in, an hour ago out.
            let entry = try await bench.pass(gate, .in, bench.plate, ago: 3 * 3_600 + 120)
            #expect(entry.reason == .booked)
            let exit = try await bench.pass(gate, .out, bench.plate, ago: 3_600 - 120)
            #expect(exit.open && exit.due == nil)
            #expect(try await outboxEvents(of: BillChanged.self, in: bench.database).isEmpty)
            // What the owner did there before that is theirs.
            let before = try await bench.pass(gate, .in, bench.plate, ago: 8 * 3_600)
            #expect(before.reason == .driveUp)
            let after = try await bench.pass(gate, .out, bench.plate, ago: 6 * 3_600)
            #expect(after.reason == .billed)
            #expect(try await outboxEvents(of: BillChanged.self, in: bench.database).count == 1)
        }
    }

    @Test func whatGatesOrCountsCallFullIsFull() async throws {
        try await Bench.run { bench in
            let gated = try await bench.small(spaces: 1)
            let gate = try await bench.gate(of: gated)
            _ = try await bench.pass(gate, .in, "XYZ 1")
            try await bench.take(gated, for: order).refused(409, "booking.full")
            let counted = try await bench.small(spaces: 3)
            func count(_ free: Int) async throws {
                let body = OccupancyBody(free: SpaceCounts([.general: free]))
                try await bench.call(
                    .put, "/v1/admin/car-parks/\(counted.id)/occupancy", body, as: .olivia
                ).expect(200, [LiveSpaces].self)
            }
            try await count(0)
            try await bench.take(counted, for: order).refused(409, "booking.full")
            try await count(2)
            bench.clock.advance(by: 1)
            try await bench.take(counted, for: order).expect(200, TakenSpace.self)
            #expect(try await bench.free(in: counted) == 1)
            // The next count has it.
            bench.clock.advance(by: 1)
            try await count(1)
            #expect(try await bench.free(in: counted) == 1)
        }
    }
}

extension Bench {
    fileprivate var plate: String { "VAL 1" }

    /// A car park of so few spaces, all of which may be booked, at 2 euros an hour.
    fileprivate func small(spaces: Int) async throws -> CarPark {
        let carPark = try await carPark(bookable: spaces) {
            $0.capacity = SpaceCounts([.general: spaces])
        }
        _ = try await product(of: carPark)
        return carPark
    }

    fileprivate func body(
        _ carPark: CarPark, _ order: OrderID, version: Int = 4, currency: String = "EUR",
        at point: Coordinate = .valletta
    ) -> SpaceBody {
        SpaceBody(
            order: order, orderVersion: version, carParkId: carPark.id, plate: plate,
            position: point, currency: currency)
    }

    /// As orders asks.
    @discardableResult
    fileprivate func take(_ body: SpaceBody) async throws -> Answer {
        try await internally(.post, "/internal/spaces", Wire.json(body), from: "orders")
    }

    @discardableResult
    fileprivate func take(
        _ carPark: CarPark, for order: OrderID, version: Int = 4, currency: String = "EUR",
        at point: Coordinate = .valletta
    ) async throws -> Answer {
        try await take(body(carPark, order, version: version, currency: currency, at: point))
    }

    // MARK: What orders says

    private func snapshot(
        _ order: OrderID, _ status: OrderStatus, in carPark: CarPark?, version: Int
    ) -> OrderSnapshot {
        var snapshot = OrderSnapshot(
            id: order, ticket: "K7-42", status: status, version: version,
            serviceArea: ServiceAreaID("malta") ?? { preconditionFailure("a valid name") }(),
            customer: TestPerson.alice.customer,
            dropOff: Place(latitude: 35.89, longitude: 14.5), extras: [], createdAt: clock.now)
        snapshot.vehicle = OrderVehicle(
            id: nil, plate: plate, make: "Fiat", model: "Panda", colour: "red")
        snapshot.parked = carPark.map {
            ParkedAt(
                latitude: $0.position.latitude, longitude: $0.position.longitude, carParkId: $0.id)
        }
        return snapshot
    }

    fileprivate func parked(
        _ order: OrderID, in carPark: CarPark, version: Int
    ) -> VehicleParked {
        VehicleParked(
            order: snapshot(order, .parked, in: carPark, version: version),
            valet: TestPerson.victor.valet)
    }

    fileprivate func retrieved(
        _ order: OrderID, from carPark: CarPark, version: Int
    ) -> VehicleRetrieved {
        VehicleRetrieved(
            order: snapshot(order, .returningBack, in: carPark, version: version),
            valet: TestPerson.victor.valet)
    }

    fileprivate func overridden(
        _ order: OrderID, to status: OrderStatus, in carPark: CarPark? = nil, version: Int
    ) -> OrderOverridden {
        OrderOverridden(
            order: snapshot(order, status, in: carPark, version: version), from: .parked,
            by: TestPerson.olivia.operatorID, reason: "a test", released: nil, match: nil,
            bill: nil)
    }

    // MARK: What there is

    /// Spaces that are allocated now, in all car parks.
    fileprivate func taken() async throws -> Int {
        let now = clock.now
        return try await database.read { transaction in
            try transaction.row(
                """
                SELECT COUNT(*) AS count FROM allocations WHERE starts_at <= ? AND ends_at > ?
                """, now, now)?.get("count") ?? 0
        }
    }

    fileprivate func mayBeBooked(_ carPark: CarPark) async throws -> Int {
        let (from, until) = (clock.now, clock.now.addingTimeInterval(3_600))
        return try await call(
            .get,
            "/v1/car-parks/\(carPark.id)/availability?from=\(Wire.text(from))"
                + "&until=\(Wire.text(until))", as: nil
        ).expect(200, Availability.self).free
    }

    fileprivate func free(in carPark: CarPark) async throws -> Int? {
        try await call(.get, "/v1/car-parks/\(carPark.id)", as: nil).expect(200, CarPark.self)
            .spaces.first { $0.kind == .general }?.free
    }
}
