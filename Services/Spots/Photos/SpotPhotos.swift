import Blobs
import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Pictures of spots: stored before an offer or a dispute uses them, and opened by signed URLs.
struct SpotPhotos: Sendable {
    /// The most unused pictures per person.
    static let most = 5
    /// How long an unused picture is kept, in seconds.
    static let unnamedTime: TimeInterval = 3_600
    static let migration = Migration(
        "spot-photos-1",
        """
        CREATE TABLE spot_photos (
            id TEXT NOT NULL PRIMARY KEY,
            person TEXT NOT NULL,
            spot TEXT,
            is_kept BIGINT NOT NULL)
        """,
        "CREATE INDEX spot_photos_unnamed ON spot_photos (person) WHERE spot IS NULL",
        "CREATE INDEX spot_photos_of_spot ON spot_photos (spot) WHERE spot IS NOT NULL")

    let database: Database
    let clock: ServiceClock
    let pictures: KeptPictures
    let views: SpotViews

    /// Stores a picture without the camera's metadata.
    ///
    /// Its deletion is scheduled until it is used, so that an interrupted request leaves no data behind.
    func add(_ data: Data, by person: PersonID) async throws -> SpotPhoto {
        let picture = try KeptPictures.checked(data)
        let (id, now) = (PictureID.new(at: clock.now), clock.now)
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            let unnamed =
                try transaction.row(
                    """
                    SELECT COUNT(*) AS count FROM spot_photos WHERE person = ? AND spot IS NULL
                    """, person)?.get("count") ?? 0
            guard unnamed < Self.most else {
                throw Refusal.tooManySpotPhotos.because("The limit is \(Self.most).")
            }
            try transaction.execute(
                "INSERT INTO spot_photos (id, person, spot, is_kept) VALUES (?, ?, NULL, ?)", id,
                person, false)
            try transaction.schedule(
                SpotWork.picture, id, at: now.addingTimeInterval(Self.unnamedTime))
        }
        try await pictures.put(picture.withoutMetadata(), picture.type, as: id)
        _ = try await database.write {
            try $0.execute("UPDATE spot_photos SET is_kept = ? WHERE id = ?", true, id)
        }
        return SpotPhoto(id: id, url: views.address(id, at: now))
    }

    /// The picture's data, for anyone with its signed URL.
    func picture(_ id: PictureID) async throws -> Blob {
        guard try await database.read({ try $0.photos.isKept(id) }),
            let blob = try await pictures.get(id)
        else { throw Refusal.spotPhotoUnknown }
        return blob
    }

    /// Deletes a picture that was not used in time, or is no longer needed.
    func remove(_ id: PictureID) async throws {
        let isNamed = try await database.read { transaction in
            try transaction.row(
                "SELECT 1 AS one FROM spot_photos WHERE id = ? AND spot IS NOT NULL", id) != nil
        }
        guard !isNamed else { return }
        try await pictures.delete(id)
        _ = try await database.write {
            try $0.execute("DELETE FROM spot_photos WHERE id = ? AND spot IS NULL", id)
        }
    }
}

extension Transaction {
    var photos: PhotoStore { PhotoStore(transaction: self) }
}

/// The owner of each picture, and the spot that uses it.
struct PhotoStore {
    let transaction: Transaction

    fileprivate func isKept(_ id: PictureID) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM spot_photos WHERE id = ? AND is_kept = 1", id)
            != nil
    }

    /// Assigns a picture to the spot; throws if it is another person's or in use.
    func claim(_ id: PictureID, of person: PersonID, for spot: SpotID) throws {
        let changed = try transaction.execute(
            """
            UPDATE spot_photos SET spot = ?
            WHERE id = ? AND person = ? AND spot IS NULL AND is_kept = 1
            """, spot, id, person)
        guard changed == 1 else { throw Refusal.spotPhotoUnknown }
        try transaction.unschedule(SpotWork.picture, id)
    }

    /// Schedules the deletion of pictures that are no longer needed.
    func drop(_ pictures: [PictureID], at now: Date) throws {
        for picture in pictures {
            try transaction.execute("UPDATE spot_photos SET spot = NULL WHERE id = ?", picture)
            try transaction.schedule(SpotWork.picture, picture, at: now)
        }
    }

    func dropUnnamed(of person: PersonID, at now: Date) throws {
        let ids = try transaction.rows(
            "SELECT id FROM spot_photos WHERE person = ? AND spot IS NULL", person
        ).map { try $0.get("id", as: PictureID.self) }
        try drop(ids, at: now)
    }
}
