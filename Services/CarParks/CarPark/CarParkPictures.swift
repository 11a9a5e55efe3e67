import Blobs
import Contracts
import Foundation
import ServiceKit
import Store

let carParkPictures = PictureTable("car_park_pictures", removal: "car-park-picture")

/// Pictures of car parks, which operators manage and everybody sees.
struct CarParkPictures: Sendable {
    static let most = 10
    static let migration = Migration(
        "car-park-pictures-1",
        """
        CREATE TABLE car_park_pictures (
            id TEXT NOT NULL PRIMARY KEY,
            car_park TEXT NOT NULL)
        """)

    let database: Database
    let clock: ServiceClock
    let pictures: ListedPictures

    static func path(_ picture: PictureID) -> String { "/v1/pictures/car-parks/\(picture)" }

    /// Adds a picture after the others.
    func add(_ data: Data, to id: CarParkID, by person: PersonID) async throws -> CarPark {
        let now = clock.now
        return try await pictures.add(data, at: now) { transaction, photo in
            try transaction.requireStanding(of: person)
            _ = try transaction.carParks.require(id).photos(with: photo)
        } store: { transaction, photo, _ in
            var carPark = try transaction.carParks.require(id)
            carPark.show(try carPark.photos(with: photo))
            try transaction.record("carparks.add-car-park-photo", id, by: person, at: now)
            try transaction.execute(
                "INSERT INTO car_park_pictures (id, car_park) VALUES (?, ?)", photo, id)
            try transaction.carParks.keep(carPark, at: now)
            return try transaction.carParks.view(of: carPark, at: now)
        }
    }

    /// Reorders the pictures, and removes those that are not named.
    func arrange(
        _ addresses: [String], of id: CarParkID, by person: PersonID, ifVersion: VersionCondition
    ) async throws -> CarPark {
        let now = clock.now
        return try await database.write { transaction in
            var carPark = try transaction.carParks.require(id)
            try ifVersion.require(carPark.version)
            let known = carPark.photos
            let photos = addresses.compactMap { address in
                known.first { Self.path($0) == address }
            }
            guard photos.count == addresses.count, Set(photos).count == photos.count else {
                throw Refusal.invalid("photos", "Use the car park's pictures, each once.")
            }
            carPark.show(photos)
            try transaction.record("carparks.arrange-car-park-photos", id, by: person, at: now)
            for picture in known where !photos.contains(picture) {
                try carParkPictures.remove(picture, at: now, in: transaction)
            }
            try transaction.carParks.keep(carPark, at: now)
            return try transaction.carParks.view(of: carPark, at: now)
        }
    }
}

extension CarParkRecord {
    fileprivate func photos(with new: PictureID) throws(Refusal) -> [PictureID] {
        guard photos.count < CarParkPictures.most else {
            throw .tooManyCarParkPhotos.because("The limit is \(CarParkPictures.most).")
        }
        return photos + [new]
    }
}
