import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

@Suite struct ParkedVehicleTests {
    private static let path = "/v1/me/parked-vehicle"

    @Test func oneSaysWhereItIsAndFindsItAgain() async throws {
        try await Bench.run { bench in
            try await bench.call(.get, Self.path, as: .alice)
                .refused(404, "parked_vehicle.unknown")
            var body = ParkedVehicleBody(position: .valletta, level: " -2 ", bay: "C14")
            let kept = try await bench.call(.put, Self.path, body, as: .alice)
                .expect(200, ParkedVehicle.self)
            #expect(kept.level == "-2")
            #expect(kept.note == nil)
            #expect(kept.at == bench.clock.now)
            #expect(
                try await bench.call(.get, Self.path, as: .alice).expect(200, ParkedVehicle.self)
                    == kept)
            try await bench.call(.get, Self.path, as: .bob).refused(404, "parked_vehicle.unknown")
            (body.level, body.note) = (nil, "Beside the lift.")
            _ = try await bench.call(.put, Self.path, body, as: .alice)
            let newer = try await bench.call(.get, Self.path, as: .alice)
                .expect(200, ParkedVehicle.self)
            #expect(newer.level == nil)
            #expect(newer.note == "Beside the lift.")
            for _ in 1...2 {
                #expect(try await bench.call(.delete, Self.path, as: .alice).status == 204)
            }
            try await bench.call(.get, Self.path, as: .alice)
                .refused(404, "parked_vehicle.unknown")
        }
    }

    @Test func whatIsNoPlaceIsRefused() async throws {
        try await Bench.run { bench in
            let body = ParkedVehicleBody(
                position: .valletta, note: String(repeating: "x", count: 201))
            try await bench.call(.put, Self.path, body, as: .alice)
                .refused(422, "request.invalid", field: "note")
            try await bench.call(.put, Self.path, ["position": 1], as: .alice)
                .refused(400, "request.malformed", field: "position")
        }
    }

    @Test func itIsInAnExportAndGoesWithItsPerson() async throws {
        try await Bench.run { bench in
            let body = ParkedVehicleBody(position: .valletta)
            _ = try await bench.call(.put, Self.path, body, as: .alice)
            let held = try await bench.parts.bookings.held(on: TestPerson.alice.id)
            #expect(held.parkedVehicle?.position == .valletta)
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 9,
                    deletedAt: bench.clock.now))
            let left = try await bench.parts.bookings.held(on: TestPerson.alice.id)
            #expect(left.parkedVehicle == nil)
        }
    }
}
