import Blobs
import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Pictures of car parks: operators manage them, everybody sees them.
struct CarParkPictures: Sendable {
    static let most = 10
    /// A picture whose request did not come to an end is removed after so many seconds.
    static let uploadTime: TimeInterval = 600
    /// Work: removes a picture.
    static let removal = "car-park-picture"
    static let migration = Migration(
        "car-park-pictures-1",
        """
        CREATE TABLE car_park_pictures (
            id TEXT NOT NULL PRIMARY KEY,
            car_park TEXT NOT NULL)
        """)

    let database: Database
    let clock: ServiceClock
    let pictures: KeptPictures

    static func path(_ picture: PictureID) -> String { "/v1/pictures/car-parks/\(picture)" }

    /// Keeps a picture, freed of what a camera writes into it, as the car park's last.
    ///
    /// Its removal is due until its row is stored, so that a request which breaks off leaves no bytes behind.
    func add(_ data: Data, to id: CarParkID, by person: PersonID) async throws -> CarPark {
        let picture = try KeptPictures.checked(data)
        let (photo, now) = (PictureID.new(at: clock.now), clock.now)
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            _ = try transaction.carParks.require(id).photos(with: photo)
            try transaction.schedule(
                Self.removal, photo, at: now.addingTimeInterval(Self.uploadTime))
        }
        try await pictures.put(picture.withoutMetadata(), picture.type, as: photo)
        return try await database.write { transaction in
            var carPark = try transaction.carParks.require(id)
            carPark.show(try carPark.photos(with: photo))
            try transaction.record("carparks.add-car-park-photo", id, by: person, at: now)
            try transaction.execute(
                "INSERT INTO car_park_pictures (id, car_park) VALUES (?, ?)", photo, id)
            try transaction.unschedule(Self.removal, photo)
            try transaction.carParks.keep(carPark, at: now)
            return try transaction.carParks.view(of: carPark, at: now)
        }
    }

    /// Shows them in another order, and those that are not named no more.
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
                throw Refusal.invalid("photos", "Addresses that the car park has, each once.")
            }
            carPark.show(photos)
            try transaction.record("carparks.arrange-car-park-photos", id, by: person, at: now)
            try transaction.carParks.hide(known.filter { !photos.contains($0) }, at: now)
            try transaction.carParks.keep(carPark, at: now)
            return try transaction.carParks.view(of: carPark, at: now)
        }
    }

    func picture(_ id: PictureID) async throws -> Blob {
        guard try await database.read({ try $0.carParks.isShown(id) }),
            let blob = try await pictures.get(id)
        else { throw Refusal.pictureUnknown }
        return blob
    }

    /// One whose row is gone, or never came to be.
    func remove(_ id: PictureID) async throws {
        guard try await !database.read({ try $0.carParks.isShown(id) }) else { return }
        try await pictures.delete(id)
    }
}

extension CarParkRecord {
    fileprivate func photos(with new: PictureID) throws(Refusal) -> [PictureID] {
        guard photos.count < CarParkPictures.most else {
            throw .tooManyCarParkPhotos.because("At most \(CarParkPictures.most).")
        }
        return photos + [new]
    }
}

extension CarParkStore {
    fileprivate func isShown(_ picture: PictureID) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM car_park_pictures WHERE id = ?", picture) != nil
    }

    /// The bytes follow.
    func hide(_ pictures: [PictureID], at now: Date) throws {
        for picture in pictures {
            try transaction.execute("DELETE FROM car_park_pictures WHERE id = ?", picture)
            try transaction.schedule(CarParkPictures.removal, picture, at: now)
        }
    }
}
