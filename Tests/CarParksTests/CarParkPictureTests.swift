import Answers
import Blobs
import Contracts
import Foundation
import HTTPTypes
import NIOCore
import ServiceKit
import Support
import Testing

@testable import CarParks

struct CarParkPictureTests {
    @Test func everybodySeesThePicturesOfACarPark() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            #expect(carPark.photos.isEmpty)
            let shown = try await bench.add(to: carPark)
            #expect(shown.photos.count == 1 && shown.version == carPark.version + 1)
            let seen = try await bench.call(.get, "/v1/car-parks/\(carPark.id)", as: nil)
                .expect(200, CarPark.self)
            #expect(seen.photos == shown.photos)

            let address = try #require(seen.photos.first)
            let picture = try await bench.call(.get, address, as: nil)
            #expect(picture.status == 200)
            #expect(picture.headers[.contentType] == "image/png")
            #expect(picture.headers[.cacheControl]?.hasPrefix("public, max-age=") == true)
            // What a camera writes into it is gone.
            #expect(picture.data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(picture.data.range(of: Data("SecretCamera".utf8)) == nil)
            let tag = try #require(picture.headers[.eTag])
            let again = try await bench.call(.get, address, as: nil, headers: [.ifNoneMatch: tag])
            #expect(again.status == 304 && again.data.isEmpty)
            #expect(again.headers[.eTag] == tag)
        }
    }

    @Test func operatorsOrderThemAndTakeThemAway() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            _ = try await bench.add(to: carPark)
            let two = try await bench.add(to: carPark)
            let path = "/v1/admin/car-parks/\(carPark.id)/photos"
            let turned = CarParkPhotos(two.photos.reversed())
            try await bench.call(.put, path, turned, as: .olivia, headers: [.ifMatch: "\"1\""])
                .refused(412, "request.precondition_failed")
            let ordered = try await bench.call(
                .put, path, turned, as: .olivia, headers: [.ifMatch: ETag.text(two.version)]
            ).expect(200, CarPark.self)
            #expect(ordered.photos == turned.photos)
            for wrong in [[two.photos[0], two.photos[0]], ["/v1/pictures/car-parks/other"]] {
                try await bench.call(.put, path, CarParkPhotos(wrong), as: .olivia)
                    .refused(422, "request.invalid", field: "photos")
            }

            let left = try await bench.call(
                .put, path, CarParkPhotos([two.photos[1]]), as: .olivia
            ).expect(200, CarPark.self)
            #expect(left.photos == [two.photos[1]])
            try await bench.call(.get, two.photos[0], as: nil).refused(404, "picture.unknown")
            await bench.work()
            #expect(try await bench.call(.get, two.photos[1], as: nil).status == 200)
            let acts = try await outboxEvents(of: OperatorActed.self, in: bench.database)
            #expect(acts.contains { $0.action == "carparks.add-car-park-photo" })
            #expect(acts.contains { $0.action == "carparks.arrange-car-park-photos" })
        }
    }

    @Test func theBytesOfWhatIsNotShownGo() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let shown = try await bench.add(to: carPark)
            let text = try #require(shown.photos.first?.split(separator: "/").last)
            let id = try #require(PictureID(String(text)))
            let kept = bench.parts.pictures.pictures
            // Shown: it stays when the time of its upload is over.
            bench.clock.advance(by: ListedPictures.uploadTime + 1)
            await bench.work()
            #expect(try await kept.get(id) != nil)
            let removed = try await bench.call(
                .delete, "/v1/admin/car-parks/\(carPark.id)", as: .olivia)
            #expect(removed.status == 204)
            await bench.work()
            #expect(try await kept.get(id) == nil)
        }
    }

    @Test func whatIsNoPictureOrOneTooManyIsRefused() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let path = "/v1/admin/car-parks/\(carPark.id)/photos"
            for (data, code) in [
                (Data("no picture".utf8), "picture.unknown_type"), (Data(), "picture.empty"),
                (TestPicture.pngWithMetadata.dropLast(20), "picture.truncated"),
            ] {
                try await bench.post(data, to: path, as: .olivia).refused(422, code)
            }
            #expect(
                try await bench.post(TestPicture.pngWithMetadata, to: path, as: .alice).status
                    == 403)
            let unknown = "/v1/admin/car-parks/\(CarParkID.new(at: bench.clock.now))/photos"
            try await bench.post(TestPicture.pngWithMetadata, to: unknown, as: .olivia)
                .refused(404, "car_park.unknown")
            for _ in 1...CarParkPictures.most { _ = try await bench.add(to: carPark) }
            try await bench.post(TestPicture.pngWithMetadata, to: path, as: .olivia)
                .refused(409, "car_park.too_many_photos")
            #expect(
                try await bench.call(.get, "/v1/pictures/car-parks/nothing", as: nil).status == 404)
        }
    }
}

extension Bench {
    fileprivate func add(to carPark: CarPark) async throws -> CarPark {
        try await post(
            TestPicture.pngWithMetadata, to: "/v1/admin/car-parks/\(carPark.id)/photos",
            as: .olivia
        ).expect(201, CarPark.self)
    }

    fileprivate func post(
        _ data: Data, to path: String, as person: TestPerson
    ) async throws -> Answer {
        Answer(
            try await client.execute(
                uri: path, method: .post,
                headers: [.authorization: try await person.bearer(at: clock.now)],
                body: ByteBuffer(bytes: data)))
    }
}
