import Answers
import Contracts
import Foundation
import Geo
import HTTPTypes
import NIOCore
import ServiceKit
import Support
import Testing

@testable import CarParks

@Suite struct ParkedVehicleTests {
    private static let path = "/v1/me/parked-vehicle"
    private static let photo = "/v1/me/parked-vehicle/photo"

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
            let held = try await bench.held()
            #expect(held.parkedVehicle?.position == .valletta)
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 9,
                    deletedAt: bench.clock.now))
            let left = try await bench.held()
            #expect(left.parkedVehicle == nil)
        }
    }

    // MARK: The way back

    @Test func theWayThereIsTakenOnFoot() async throws {
        try await Bench.run { bench in
            let path = "\(Self.path)/route?latitude=35.9&longitude=14.51"
            try await bench.call(.get, path, as: .alice).refused(404, "parked_vehicle.unknown")
            try await bench.park()
            let way = try await bench.call(.get, path, as: .alice).expect(200, WayAnswer.self)
            #expect((way.mode, way.source) == (.foot, .straightLine))
            #expect(
                way.geometry.coordinates.last
                    == [Coordinate.valletta.longitude, Coordinate.valletta.latitude])
            try await bench.call(.get, path, as: .bob).refused(404, "parked_vehicle.unknown")
            try await bench.call(.get, "\(Self.path)/route", as: .alice)
                .refused(422, "request.invalid", field: "latitude")
        }
    }

    // MARK: Pictures

    @Test func aPictureIsItsOwnersAlone() async throws {
        try await Bench.run { bench in
            try await bench.park()
            let address = try await bench.photograph()
            #expect(try await bench.parked().photo == address)
            let picture = try await bench.call(.get, address, as: nil)
            #expect(picture.status == 200)
            #expect(picture.headers[.contentType] == "image/png")
            #expect(picture.headers[.cacheControl]?.hasPrefix("private, max-age=") == true)
            // What a camera writes into it is gone.
            #expect(picture.data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(picture.data.range(of: Data("SecretCamera".utf8)) == nil)
            let bare = try #require(address.split(separator: "?").first.map(String.init))
            try await bench.call(.get, bare, as: .alice).refused(403, "picture.address_invalid")
            bench.clock.advance(by: SignedAddresses.life * 2)
            try await bench.call(.get, address, as: nil).refused(403, "picture.address_expired")
            // The owner is told another.
            await bench.work()
            let renewed = try #require(try await bench.parked().photo)
            #expect(try await bench.call(.get, renewed, as: nil).status == 200)
        }
    }

    @Test func anotherPictureReplacesItAndOneIsTakenAway() async throws {
        try await Bench.run { bench in
            try await bench.park()
            let first = try await bench.photograph()
            let second = try await bench.photograph()
            #expect(first != second)
            try await bench.isGone(first)
            #expect(try await bench.call(.get, second, as: nil).status == 200)
            for _ in 1...2 {
                #expect(try await bench.call(.delete, Self.photo, as: .alice).status == 204)
            }
            #expect(try await bench.parked().photo == nil)
            try await bench.isGone(second)
        }
    }

    @Test func aPictureGoesWithItsPlace() async throws {
        try await Bench.run { bench in
            try await bench.park()
            let first = try await bench.photograph()
            bench.clock.advance(by: 1)
            try await bench.park()
            #expect(try await bench.parked().photo == nil)
            try await bench.isGone(first)
            let second = try await bench.photograph()
            #expect(try await bench.call(.delete, Self.path, as: .alice).status == 204)
            try await bench.isGone(second)
        }
    }

    @Test func aPictureIsInAnExportAndGoesWithItsPerson() async throws {
        try await Bench.run { bench in
            try await bench.park()
            let address = try await bench.photograph()
            #expect(try await bench.held().parkedVehicle?.photo == address)
            try await bench.deleteAlice()
            try await bench.isGone(address)
        }
    }

    @Test func whatIsNoPictureOrHasNoPlaceIsRefused() async throws {
        try await Bench.run { bench in
            try await bench.upload(TestPicture.pngWithMetadata)
                .refused(404, "parked_vehicle.unknown")
            try await bench.park()
            for (data, code) in [
                (Data("no picture".utf8), "picture.unknown_type"), (Data(), "picture.empty"),
                (TestPicture.pngWithMetadata.dropLast(20), "picture.truncated"),
            ] {
                try await bench.upload(data).refused(422, code)
            }
            try await bench.upload(TestPicture.pngWithMetadata, as: .victor)
                .refused(403, "auth.role")
            #expect(try await bench.parked().photo == nil)
            try await bench.call(.get, "/v1/pictures/parked-vehicles/nothing", as: nil)
                .refused(404, "request.not_found")
        }
    }
}

extension Bench {
    fileprivate func park() async throws {
        try await call(
            .put, "/v1/me/parked-vehicle", ParkedVehicleBody(position: .valletta), as: .alice
        ).expect(200, ParkedVehicle.self)
    }

    fileprivate func parked() async throws -> ParkedVehicle {
        try await call(.get, "/v1/me/parked-vehicle", as: .alice).expect(200, ParkedVehicle.self)
    }

    fileprivate func photograph() async throws -> String {
        try #require(
            try await upload(TestPicture.pngWithMetadata).expect(200, ParkedVehicle.self).photo)
    }

    fileprivate func upload(_ data: Data, as person: TestPerson = .alice) async throws -> Answer {
        Answer(
            try await client.execute(
                uri: "/v1/me/parked-vehicle/photo", method: .put,
                headers: [.authorization: try await person.bearer(at: clock.now)],
                body: ByteBuffer(bytes: data)))
    }

    /// Not shown, and no bytes are left.
    fileprivate func isGone(_ address: String) async throws {
        try await call(.get, address, as: nil).refused(404, "picture.unknown")
        await work()
        let name = try #require(address.split(separator: "?").first?.split(separator: "/").last)
        let id = try #require(PictureID(String(name)))
        #expect(try await parts.parked.pictures.get(id) == nil)
    }
}
