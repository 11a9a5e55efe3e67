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

extension Answer {
    fileprivate func expectEmpty(_ status: Int) { #expect(self.status == status, "\(text)") }
}
