import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

@Suite struct SpendingAlertTests {
    private static let path = "/v1/me/spending-alert"

    private func set(
        _ amount: Int, _ bench: Bench, currency: String = "EUR"
    ) async throws {
        let alert = SpendingAlert(perDay: Money(amount: amount, currency: currency))
        let kept = try await bench.call(.put, Self.path, alert, as: .alice)
            .expect(200, SpendingAlert.self)
        #expect(kept == alert)
    }

    private func told(_ bench: Bench) async throws -> Int {
        try await bench.notices(to: .alice).filter { $0.contains("Your limit is") }.count
    }

    @Test func itIsSetAndSwitchedOff() async throws {
        try await Bench.run { bench in
            func alert() async throws -> SpendingAlert {
                try await bench.call(.get, Self.path, as: .alice).expect(200, SpendingAlert.self)
            }
            #expect(try await alert().perDay == nil)
            try await set(1_000, bench)
            #expect(try await alert().perDay == Money(amount: 1_000, currency: "EUR"))
            let off = try await bench.call(.put, Self.path, SpendingAlert(perDay: nil), as: .alice)
                .expect(200, SpendingAlert.self)
            #expect(off.perDay == nil)
            #expect(try await alert().perDay == nil)
            for (money, field) in [
                (Money(amount: 0, currency: "EUR"), "perDay.amount"),
                (Money(amount: 1, currency: "euro"), "perDay.currency"),
            ] {
                try await bench.call(.put, Self.path, SpendingAlert(perDay: money), as: .alice)
                    .refused(422, "request.invalid", field: field)
            }
        }
    }

    @Test func oneIsToldOnceADay() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 200)
            try await set(500, bench)
            let first = try await bench.confirmed(offer)
            #expect(try await told(bench) == 0)
            _ = try await bench.confirmed(offer, startsIn: 8 * 86_400)
            #expect(try await told(bench) == 1)
            try await bench.carryEvents()
            _ = try await bench.confirmed(offer, startsIn: 9 * 86_400)
            #expect(try await told(bench) == 1)
            bench.clock.advance(by: 86_400)
            _ = try await bench.confirmed(offer, startsIn: 10 * 86_400, quantity: 1)
            #expect(try await told(bench) == 1)
            _ = try await bench.confirmed(offer, startsIn: 11 * 86_400)
            #expect(try await told(bench) == 2)
            #expect(first.status == .confirmed)
        }
    }

    @Test func whatGoesBackWasNotSpent() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 200)
            try await set(500, bench)
            let first = try await bench.confirmed(offer)
            _ = try await bench.call(.post, "/v1/bookings/\(first.id)/cancel", as: .alice)
                .expect(200, BookingCancellation.self)
            _ = try await bench.confirmed(offer, startsIn: 8 * 86_400)
            #expect(try await told(bench) == 0)
        }
    }

    @Test func anotherCurrencyDoesNotCount() async throws {
        try await Bench.run { bench in
            try await set(100, bench, currency: "HKD")
            _ = try await bench.confirmed(try await bench.offer())
            #expect(try await told(bench) == 0)
        }
    }

    @Test func itGoesWithItsPerson() async throws {
        try await Bench.run { bench in
            try await set(100, bench)
            _ = try await bench.confirmed(try await bench.offer())
            let held = try await bench.held()
            #expect(held.spendingAlert.perDay?.amount == 100)
            try await bench.deleteAlice()
            let left = try await bench.database.read { transaction in
                try transaction.rows("SELECT person FROM spending").count
                    + transaction.rows("SELECT person FROM spending_alerts").count
            }
            #expect(left == 0)
        }
    }

    @Test func amountsAreForgottenAfterSomeDays() async throws {
        try await Bench.run { bench in
            _ = try await bench.confirmed(try await bench.offer())
            bench.clock.advance(by: SpendingAlerts.kept + 1)
            try await bench.parts.spending.sweep()
            let left = try await bench.database.read {
                try $0.rows("SELECT person FROM spending").count
            }
            #expect(left == 0)
        }
    }
}

@Suite struct WatchedCarParkTests {
    /// A car park with a gate, all of whose spaces are taken by drive-ups.
    private func full(_ bench: Bench) async throws -> (CarPark, NewGate) {
        let carPark = try await bench.carPark(bookable: 1) {
            $0.capacity = SpaceCounts([.general: 1])
        }
        let gate = try await bench.gate(of: carPark)
        #expect(try await bench.pass(gate, .in, "FULL 1").open)
        return (carPark, gate)
    }

    private func watch(
        _ carPark: CarPark, _ bench: Bench, as person: TestPerson = .alice
    ) async throws -> Answer {
        try await bench.call(.put, "/v1/me/watched-car-parks/\(carPark.id)", as: person)
    }

    private func watched(_ bench: Bench) async throws -> [CarParkID] {
        try await bench.call(.get, "/v1/me/watched-car-parks", as: .alice)
            .expect(200, Page<WatchedCarPark>.self).items.map(\.carPark.id)
    }

    private func told(_ bench: Bench, _ person: TestPerson = .alice) async throws -> Int {
        await bench.work()
        return try await bench.notices(to: person).filter { $0.contains("free space") }.count
    }

    @Test func oneIsToldOnceWhenAVehicleLeaves() async throws {
        try await Bench.run { bench in
            let (carPark, gate) = try await full(bench)
            for person in [TestPerson.alice, .bob] {
                for _ in 1...2 {
                    _ = try await watch(carPark, bench, as: person)
                        .expect(200, WatchedCarPark.self)
                }
            }
            #expect(try await watched(bench) == [carPark.id])
            #expect(try await told(bench) == 0)
            bench.clock.advance(by: 60)
            #expect(try await bench.pass(gate, .out, "FULL 1").open)
            #expect(try await told(bench) == 1)
            #expect(try await told(bench, .bob) == 1)
            #expect(try await watched(bench) == [])
            bench.clock.advance(by: 60)
            #expect(try await bench.pass(gate, .in, "FULL 1").open)
            bench.clock.advance(by: 60)
            #expect(try await bench.pass(gate, .out, "FULL 1").open)
            #expect(try await told(bench) == 1)
        }
    }

    @Test func aBookingThatIsGivenUpFreesASpace() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(bookable: 1)
            var body = CarParkBody(
                name: "City Gate", address: "Valletta", position: .valletta,
                timeZone: "Europe/Malta", currency: "EUR",
                capacity: SpaceCounts([.general: 1]), bookable: SpaceCounts([.general: 1]))
            body.terms = "Park within the lines."
            _ = try await bench.call(
                .put, "/v1/admin/car-parks/\(offer.carPark.id)", body, as: .olivia,
                headers: [.ifMatch: ETag.text(offer.carPark.version + 1)]
            ).expect(200, CarPark.self)
            _ = try await bench.gate(of: offer.carPark)
            let held = try await bench.book(
                bench.body(offer, [try await bench.vehicle()], startsIn: 0)
            ).expect(201, Booking.self)
            _ = try await watch(offer.carPark, bench, as: .bob).expect(200, WatchedCarPark.self)
            #expect(try await told(bench, .bob) == 0)
            bench.clock.advance(by: 601)
            await bench.work()
            #expect(try await bench.booking(held.id).status == .expired)
            #expect(try await told(bench, .bob) == 1)
        }
    }

    @Test func anOperatorCountsAFreeSpace() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            func count(_ free: Int) async throws {
                bench.clock.advance(by: 1)
                _ = try await bench.call(
                    .put, "/v1/admin/car-parks/\(carPark.id)/occupancy",
                    OccupancyBody(free: SpaceCounts([.general: free])), as: .olivia
                ).expect(200, [LiveSpaces].self)
            }
            try await watch(carPark, bench).refused(409, "car_park.not_full")
            try await count(0)
            _ = try await watch(carPark, bench).expect(200, WatchedCarPark.self)
            try await count(0)
            #expect(try await told(bench) == 0)
            try await count(3)
            #expect(try await told(bench) == 1)
            try await watch(carPark, bench).refused(409, "car_park.not_full")
        }
    }

    private func freed(_ bench: Bench) async throws -> [ParkingFreed] {
        await bench.work()
        return try await outboxEvents(of: ParkingFreed.self, in: bench.database)
    }

    /// For those who wait around there, and do not watch this one.
    @Test func thatAFullCarParkHasSpaceAgainIsSaidOnce() async throws {
        try await Bench.run { bench in
            let (carPark, gate) = try await full(bench)
            _ = try await bench.product(of: carPark, price: 250)
            #expect(try await freed(bench).isEmpty)
            bench.clock.advance(by: 60)
            #expect(try await bench.pass(gate, .out, "FULL 1").open)
            let event = try #require(try await freed(bench).first)
            #expect(event.subject == carPark.id.description)
            #expect(event.position == carPark.position)
            #expect(event.freedAt == bench.clock.now)
            #expect(event.price?.amount == 250)
            #expect(event.state.link == "/park/\(carPark.id)")
            try EventFixtures.expectShape(of: event)
            // There was space before.
            _ = try await bench.call(
                .put, "/v1/admin/car-parks/\(carPark.id)/occupancy",
                OccupancyBody(free: SpaceCounts([.general: 1])), as: .olivia)
            #expect(try await freed(bench).count == 1)
            for direction in [PassageDirection.in, .out] {
                bench.clock.advance(by: 60)
                #expect(try await bench.pass(gate, direction, "FULL 1").open)
                await bench.work()
            }
            #expect(try await freed(bench).count == 2)
        }
    }

    @Test func itIsWatchedNoMoreWhenOneSaysSo() async throws {
        try await Bench.run { bench in
            let (carPark, gate) = try await full(bench)
            _ = try await watch(carPark, bench)
            let path = "/v1/me/watched-car-parks/\(carPark.id)"
            for _ in 1...2 {
                #expect(try await bench.call(.delete, path, as: .alice).status == 204)
            }
            bench.clock.advance(by: 60)
            _ = try await bench.pass(gate, .out, "FULL 1")
            #expect(try await told(bench) == 0)
            let unknown = "/v1/me/watched-car-parks/\(CarParkID.new(at: bench.clock.now))"
            try await bench.call(.put, unknown, as: .alice).refused(404, "car_park.unknown")
            try await bench.call(.delete, unknown, as: .alice).refused(404, "car_park.unknown")
        }
    }

    @Test func watchesHaveALimitAndGoWithTheirPerson() async throws {
        try await Bench.run { bench in
            for _ in 1...WatchedCarParks.most {
                let (carPark, _) = try await full(bench)
                _ = try await watch(carPark, bench).expect(200, WatchedCarPark.self)
            }
            let (carPark, _) = try await full(bench)
            try await watch(carPark, bench).refused(409, "watched_car_parks.too_many")
            let held = try await bench.held()
            #expect(held.watchedCarParks.count == WatchedCarParks.most)
            try await bench.deleteAlice()
            #expect(
                try await bench.database.read { try $0.watches.list(of: TestPerson.alice.id) } == []
            )
        }
    }
}
