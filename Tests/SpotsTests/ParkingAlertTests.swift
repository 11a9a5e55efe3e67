import Answers
import Contracts
import Foundation
import Geo
import Support
import Testing

@testable import Spots

@Suite struct ParkingAlertTests {
    private func alert(
        _ bench: Bench, as person: TestPerson = .bob,
        _ change: (inout ParkingAlertBody) -> Void = { _ in }
    ) async throws -> Answer {
        var body = ParkingAlertBody(name: "Work", center: .valletta, radiusMeters: 300)
        change(&body)
        return try await bench.call(.post, "/v1/me/parking-alerts", body, as: person)
    }

    @Test func whoWaitsThereIsToldOnceInFiveMinutes() async throws {
        try await Bench.run { bench in
            let known = try await alert(bench).expect(201, ParkingAlert.self)
            let spot = try await bench.offered()
            await bench.work()
            #expect(try await bench.told(.bob) == ["A spot is free"])
            try await bench.spot("cancel", spot.id, as: .alice).expect(200, Spot.self)
            let again = try await bench.offered()
            await bench.work()
            #expect(try await bench.told(.bob).count == 1)
            try await bench.spot("cancel", again.id, as: .alice).expect(200, Spot.self)
            bench.clock.advance(by: 300)
            _ = try await bench.offered()
            await bench.work()
            #expect(try await bench.told(.bob).count == 2)
            let page = try await bench.call(.get, "/v1/me/parking-alerts", as: .bob)
                .expect(200, Page<ParkingAlert>.self)
            #expect(page.items == [known])
        }
    }

    @Test func whatDoesNotFitIsNotTold() async throws {
        try await Bench.run { bench in
            let people = (0..<6).map { TestPerson.another(.customer, 20 + $0) }
            try await alert(bench, as: people[0]) { $0.maxPrice = 499 }.expect(
                201, ParkingAlert.self)
            try await alert(bench, as: people[1]) { $0.center = Coordinate.valletta.north(400) }
                .expect(201, ParkingAlert.self)
            // It is Monday, 8:00 UTC.
            try await alert(bench, as: people[2]) { $0.days = [.tuesday] }
                .expect(201, ParkingAlert.self)
            try await alert(bench, as: people[3]) { ($0.fromMinute, $0.untilMinute) = (481, 600) }
                .expect(201, ParkingAlert.self)
            try await alert(bench, as: people[4]) {
                ($0.fromMinute, $0.untilMinute) = (540, 541)
                $0.timeZone = "Europe/Malta"
            }.expect(201, ParkingAlert.self)
            try await alert(bench, as: .alice).expect(201, ParkingAlert.self)
            let gone = try await alert(bench, as: people[5]).expect(201, ParkingAlert.self)
            try await bench.call(.delete, "/v1/me/parking-alerts/\(gone.id)", as: .bob)
                .expectEmpty(204)
            try await bench.call(.delete, "/v1/me/parking-alerts/\(gone.id)", as: people[5])
                .expectEmpty(204)
            _ = try await bench.offered()
            await bench.work()
            for index in [0, 1, 2, 3, 5] {
                #expect(try await bench.told(people[index]).isEmpty, "\(index)")
            }
            #expect(try await bench.told(people[4]).count == 1)
            #expect(try await !bench.told(.alice).contains("A spot is free"))
        }
    }

    private func freed(
        _ bench: Bench, _ subject: String = "car-park", price: Int? = 250, age: TimeInterval = 0
    ) async throws {
        var event = try EventFixtures.read(ParkingFreed.self)
        (event.subject, event.position) = (subject, .valletta)
        event.price = price.map { Money(amount: $0, currency: "EUR") }
        event.freedAt = bench.clock.now.addingTimeInterval(-age)
        try await bench.hear(event)
        await bench.work()
    }

    @Test func aSpaceOfAnotherProductIsToldToo() async throws {
        try await Bench.run { bench in
            let (thrifty, far) = (
                TestPerson.another(.customer, 20), TestPerson.another(.customer, 21)
            )
            try await alert(bench).expect(201, ParkingAlert.self)
            try await alert(bench, as: thrifty) { $0.maxPrice = 249 }.expect(201, ParkingAlert.self)
            try await alert(bench, as: far) { $0.center = Coordinate.valletta.north(400) }
                .expect(201, ParkingAlert.self)
            // Of which the news came too late.
            try await freed(bench, age: 301)
            #expect(try await bench.told(.bob).isEmpty)
            try await freed(bench)
            #expect(try await bench.told(.bob) == ["A space is free"])
            let notice = try #require(
                try await outboxEvents(of: NoticeIssued.self, in: bench.database).last?.notice)
            #expect(notice.state?.link == "/park/01900000-0000-7000-8000-000000000702")
            // One alert, one pause, whoever has the space.
            _ = try await bench.offered()
            try await freed(bench, "another")
            #expect(try await bench.told(.bob).count == 1)
            #expect(try await bench.told(thrifty).isEmpty)
            bench.clock.advance(by: 300)
            // What it costs nobody says: that is for those who set no limit.
            try await freed(bench, price: nil)
            #expect(try await bench.told(.bob).count == 2)
            #expect(try await bench.told(thrifty).isEmpty)
            #expect(try await bench.told(far).isEmpty)
        }
    }

    @Test func hoursMayGoOverMidnight() {
        var body = ParkingAlertBody(center: .valletta, radiusMeters: 100)
        (body.fromMinute, body.untilMinute, body.days) = (22 * 60, 2 * 60, [.monday])
        let alert = ParkingAlert(id: .new(), body, createdAt: Date())
        // 2026-01-05 is a Monday.
        let monday = Date(timeIntervalSince1970: 1_767_571_200)
        #expect(!alert.isAwake(at: monday.addingTimeInterval(3_600)))
        #expect(!alert.isAwake(at: monday.addingTimeInterval(12 * 3_600)))
        #expect(alert.isAwake(at: monday.addingTimeInterval(22 * 3_600)))
        #expect(alert.isAwake(at: monday.addingTimeInterval(25 * 3_600)))
        #expect(!alert.isAwake(at: monday.addingTimeInterval(26 * 3_600)))
    }

    @Test func anAreaIsDrawnAndWhatIsNoneIsRefused() async throws {
        try await Bench.run { bench in
            let (south, north) = (Coordinate.valletta.north(-200), Coordinate.valletta.north(200))
            let corners = [
                south, north,
                Coordinate(latitude: north.latitude, longitude: north.longitude + 0.01),
            ]
            try await alert(bench) {
                ($0.center, $0.radiusMeters, $0.polygon) = (nil, nil, corners)
            }
            .expect(201, ParkingAlert.self)
            func refused(_ field: String, _ change: (inout ParkingAlertBody) -> Void) async throws {
                try await alert(bench, change).refused(422, "request.invalid", field: field)
            }
            try await refused("center") { $0.polygon = corners }
            try await refused("center") { $0.radiusMeters = nil }
            try await refused("radiusMeters") { $0.radiusMeters = 5_001 }
            try await refused("polygon") {
                ($0.center, $0.radiusMeters, $0.polygon) = (nil, nil, [corners[0], corners[1]])
            }
            try await refused("days") { $0.days = [] }
            try await refused("timeZone") { $0.timeZone = "Mars/Olympus" }
            try await refused("untilMinute") { $0.fromMinute = 5 }
            try await refused("maxPrice") { $0.maxPrice = -1 }
            for _ in 1..<ParkingAlerts.most {
                try await alert(bench).expect(201, ParkingAlert.self)
            }
            try await alert(bench).refused(409, "parking_alert.too_many")
        }
    }
}
