import Client
import Contracts
import Foundation
import Support
import Testing

/// Drivers and commuters of `openvalet simulate`, who need no valet.
@Suite(.serialized) struct SimulatedParkingTests {
    @Test func driversBookComeInAndLeaveAndEveryStayHasItsEnd() async throws {
        let world = try await World(
            try await TestPlatform.start([
                "OPENVALET_GATEWAY_FORWARD_SECONDS": "60",
                "OPENVALET_GATEWAY_STRICT_PER_MINUTE": "600",
            ]))
        defer { world.platform.stop() }
        try await world.boss(
            AreaEndpoints.putServiceArea(
                try #require(Simulated.village.id), body: Simulated.village))
        let arguments = [
            "--speed", "60", "--seed", "9", "--area", "village", "--url",
            world.system.baseURL.absoluteString, "--data", world.system.folder.path,
            "--valets", "1", "--customers", "1", "--drivers", "8", "--commuters", "8",
            "--minutes", "0.75",
        ]
        // Nobody can book anything yet.
        let without = try await Simulated.run(arguments + ["--minutes", "0.05"])
        #expect(without.status == 0, "\(without.output)")
        #expect(without.output.contains("Nobody parks by themselves: no car park in Village"))

        let carPark = try await Self.carPark(world.boss)
        // On a busy machine people come slowly; the next run takes up where the last one ended.
        var bookings: [Booking] = []
        var (paid, arrivals) = (0, 0)
        var isEnough: Bool {
            paid > 0 && bookings.contains { $0.status == .completed }
                && bookings.contains { $0.quantity > 3 || $0.status == .cancelled }
        }
        for _ in 0..<3 where !isEnough {
            let simulated = try await Simulated.run(arguments)
            #expect(simulated.status == 0, "\(simulated.output)")
            #expect(simulated.output.contains(Simulated.allWell))
            #expect(simulated.output.contains("Car parks"))
            #expect(simulated.output.contains("Lifts"))
            bookings = try await world.boss(
                CarParkEndpoints.bookings(asks: BookingsQuery().page(limit: 200))
            ).items
            #expect(bookings.allSatisfy { ![.held, .active].contains($0.status) })
            let report = try await world.boss(
                CarParkEndpoints.carParkReport(carPark.id, asks: CarParkReportQuery()))
            (paid, arrivals) = (report.revenue.amount, report.arrivals)
        }
        // Some have been inside for hours without a booking.
        #expect(arrivals > 0)
        #expect(bookings.contains { $0.status == .completed })
        #expect(bookings.contains { $0.quantity > 3 || $0.status == .cancelled })
        #expect(paid > 0)
        let spots = try await world.boss(
            SpotOperatorEndpoints.allSpots(asks: AllSpotsQuery().page(limit: 200))
        ).items
        #expect(spots.allSatisfy { ![.offered, .reserved].contains($0.status) })
        // Nobody has forgotten a vehicle inside, and no run has made a second gate.
        let spaces = try await world.boss(CarParkEndpoints.carPark(carPark.id)).spaces
        #expect(spaces.first { $0.kind == .general }?.free == 5)
        #expect(try await world.boss(CarParkEndpoints.gates()).items.count == 1)
    }

    private static func carPark(_ boss: OpenValetClient) async throws -> CarPark {
        var body = CarParkBody(
            name: "Village Green", address: "1 Lane",
            position: Simulated.village.properties.servicePoint.coordinate,
            timeZone: "Asia/Hong_Kong", currency: "HKD",
            capacity: SpaceCounts([.general: 5]), bookable: SpaceCounts([.general: 4]))
        body.overstayFee = 500
        let carPark = try await boss(CarParkEndpoints.addCarPark(body: body))
        _ = try await boss(
            CarParkEndpoints.addProduct(
                carPark.id, body: ParkingProductBody(name: "Hour", kind: .hourly, price: 1_000)))
        return carPark
    }

    @Test func commutersDriveEveryWeekInMalta() async throws {
        let world = try await World(
            try await TestPlatform.start([
                "OPENVALET_GATEWAY_FORWARD_SECONDS": "60",
                "OPENVALET_GATEWAY_STRICT_PER_MINUTE": "600",
            ]))
        defer { world.platform.stop() }
        let malta = Simulated.square("malta", "EUR", south: 35.86, west: 14.44, degrees: 0.05)
        try await world.boss(AreaEndpoints.putServiceArea(try #require(malta.id), body: malta))
        // On a busy machine people come slowly; the next run takes up where the last one ended.
        var trips: [Trip] = []
        for _ in 0..<3 where trips.count < 4 {
            let simulated = try await Simulated.run([
                "--speed", "60", "--seed", "12", "--area", "malta", "--url",
                world.system.baseURL.absoluteString, "--data", world.system.folder.path,
                "--valets", "1", "--customers", "1", "--drivers", "0", "--commuters", "8",
                "--minutes", "0.5",
            ])
            #expect(simulated.status == 0, "\(simulated.output)")
            #expect(
                simulated.output.contains(Simulated.allWell) && simulated.output.contains("Lifts"))
            trips = try await world.boss(
                CarpoolOperatorEndpoints.allTrips(asks: AllTripsQuery().with(\.area, malta.id))
            ).items
        }
        #expect(trips.count >= 4)
        for trip in trips {
            #expect(trip.timeZone == "Europe/Malta")
            let weekdays = Set(trip.repeats?.weekdays ?? [])
            #expect(weekdays.isSuperset(of: [.monday, .friday]))
        }
    }
}
