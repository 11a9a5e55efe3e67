import Blobs
import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Pictures of spots: kept before they are named, by an offer or a dispute, and opened by signed addresses.
struct SpotPhotos: Sendable {
    /// That one person may have and not have named.
    static let most = 5
    /// A picture that nobody has named by then is removed, in seconds.
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

    /// Keeps a picture, freed of what a camera writes into it.
    ///
    /// Its removal is due until it is named, so that a request which breaks off leaves no bytes behind.
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
                throw Refusal.tooManySpotPhotos.because("At most \(Self.most).")
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

    /// The bytes, for whoever has a signed address of them.
    func picture(_ id: PictureID) async throws -> Blob {
        guard try await database.read({ try $0.photos.isKept(id) }),
            let blob = try await pictures.get(id)
        else { throw Refusal.spotPhotoUnknown }
        return blob
    }

    /// One that nobody has named in time, or that is not needed any more.
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

/// The person of each picture, and the spot that has it.
struct PhotoStore {
    let transaction: Transaction

    fileprivate func isKept(_ id: PictureID) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM spot_photos WHERE id = ? AND is_kept = 1", id)
            != nil
    }

    /// A picture is one of the spot from now on; refuses what is not theirs, or named already.
    func claim(_ id: PictureID, of person: PersonID, for spot: SpotID) throws {
        let changed = try transaction.execute(
            """
            UPDATE spot_photos SET spot = ?
            WHERE id = ? AND person = ? AND spot IS NULL AND is_kept = 1
            """, spot, id, person)
        guard changed == 1 else { throw Refusal.spotPhotoUnknown }
        try transaction.unschedule(SpotWork.picture, id)
    }

    /// Not needed any more; the bytes follow.
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
