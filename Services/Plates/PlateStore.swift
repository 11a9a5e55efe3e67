import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Copies of engagements.
let engagements = Replica<Engagement>("engagements")

/// The owner of a picture is the owner of its vehicle; it is deleted with their account.
let plateMigrations =
    [
        engagements.migration, Standings.migration,
        Migration(
            "plates-1",
            """
            CREATE TABLE recognitions (
                id TEXT NOT NULL PRIMARY KEY,
                engagement TEXT,
                owner TEXT,
                valet TEXT NOT NULL,
                proposal TEXT NOT NULL,
                confirmed TEXT,
                made_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX recognitions_by_engagement ON recognitions (engagement)",
            "CREATE INDEX recognitions_by_owner ON recognitions (owner)",
            "CREATE INDEX recognitions_by_valet ON recognitions (valet)",
            """
            CREATE TABLE photos (
                id TEXT NOT NULL PRIMARY KEY,
                engagement TEXT NOT NULL,
                product TEXT NOT NULL,
                owner TEXT,
                moment TEXT NOT NULL,
                sha256 TEXT NOT NULL,
                latitude DOUBLE PRECISION,
                longitude DOUBLE PRECISION,
                author TEXT NOT NULL,
                role TEXT NOT NULL,
                taken_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX photos_by_engagement ON photos (engagement, id)",
            "CREATE INDEX photos_by_owner ON photos (owner)",
            "CREATE INDEX photos_by_author ON photos (author)"),
    ] + WorkQueue.migrations

/// A stored recognition: the proposal, and the valet's version of it.
struct StoredRecognition: Sendable {
    var id: RecognitionID
    var engagement: EngagementID?
    var owner: PersonID?
    var valet: ValetID
    var proposal: Proposal
    var confirmed: VehicleDescription?
    var madeAt: Date

    var picture: PictureID { id.as(PictureID.self) }

    var event: RecognitionMade {
        RecognitionMade(
            recognition: id, engagement: engagement, valet: valet, plate: proposal.plate?.text,
            madeAt: madeAt)
    }
}

/// A stored photo of a vehicle's condition.
struct StoredPhoto: Sendable {
    var id: PictureID
    var engagement: EngagementID
    var product: Product
    var owner: PersonID?
    var moment: PhotoMoment
    var sha256: String
    var place: Place?
    var author: PersonID
    var role: Role
    var takenAt: Date
}

extension Transaction {
    var recognitions: RecognitionStore { RecognitionStore(transaction: self) }
    var photos: PhotoStore { PhotoStore(transaction: self) }
    var pictures: PictureStore { PictureStore(transaction: self) }
}

// MARK: Recognitions

/// Recognitions and their confirmations by valets.
struct RecognitionStore {
    let transaction: Transaction

    func save(_ recognition: StoredRecognition) throws {
        try transaction.execute(
            """
            INSERT INTO recognitions (id, engagement, owner, valet, proposal, made_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            recognition.id, recognition.engagement, recognition.owner, recognition.valet,
            Wire.json(recognition.proposal),
            recognition.madeAt)
    }

    func find(_ id: RecognitionID) throws -> StoredRecognition? {
        try transaction.row("SELECT * FROM recognitions WHERE id = ?", id).map(recognition)
    }

    func count(of engagement: EngagementID) throws -> Int {
        try transaction.row(
            "SELECT COUNT(*) AS n FROM recognitions WHERE engagement = ?", engagement)?
            .get("n") ?? 0
    }

    /// False if it was confirmed before.
    func confirm(_ id: RecognitionID, as vehicle: VehicleDescription) throws -> Bool {
        let changed = try transaction.execute(
            "UPDATE recognitions SET confirmed = ? WHERE id = ? AND confirmed IS NULL",
            Wire.json(vehicle), id)
        return changed == 1
    }

    private func recognition(_ row: Row) throws -> StoredRecognition {
        StoredRecognition(
            id: try row.get("id"), engagement: try row.getIfPresent("engagement"),
            owner: try row.getIfPresent("owner"),
            valet: try row.get("valet"),
            proposal: try row.json("proposal"), confirmed: try row.jsonIfPresent("confirmed"),
            madeAt: try row.get("made_at"))
    }

    /// Recognitions of a person's vehicles, and those that they requested; newest first.
    func all(concerning person: PersonID, most: Int) throws -> [StoredRecognition] {
        try transaction.rows(
            """
            SELECT * FROM recognitions
            WHERE valet = ? OR owner = ?
            ORDER BY id DESC LIMIT ?
            """, person, person, most
        ).map(recognition)
    }
}

// MARK: Photos

/// Photos of vehicles' condition.
struct PhotoStore {
    let transaction: Transaction

    func save(_ photo: StoredPhoto) throws {
        try transaction.execute(
            """
            INSERT INTO photos
                (id, engagement, product, owner, moment, sha256, latitude, longitude, author,
                 role, taken_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            photo.id, photo.engagement, photo.product.description, photo.owner,
            photo.moment.rawValue, photo.sha256, photo.place?.latitude,
            photo.place?.longitude, photo.author, photo.role.rawValue, photo.takenAt)
    }

    func find(_ id: PictureID) throws -> StoredPhoto? {
        try transaction.row("SELECT * FROM photos WHERE id = ?", id).map(photo)
    }

    func count(of engagement: EngagementID) throws -> Int {
        try transaction.row("SELECT COUNT(*) AS n FROM photos WHERE engagement = ?", engagement)?
            .get("n") ?? 0
    }

    /// Newest first, with one more than the page shows.
    func all(of engagement: EngagementID, _ page: PageRequest) throws -> [StoredPhoto] {
        try transaction.rows(
            "SELECT * FROM photos WHERE engagement = ? AND id < ? ORDER BY id DESC LIMIT ?",
            engagement, page.below(PictureID.self), page.rows
        ).map(photo)
    }

    private func photo(_ row: Row) throws -> StoredPhoto {
        guard let moment = PhotoMoment(rawValue: try row.get("moment")),
            let role = Role(rawValue: try row.get("role")),
            let product = Product(try row.get("product", as: String.self))
        else { throw StoreError(.decoding, "photos.moment") }
        let latitude: Double? = try row.getIfPresent("latitude")
        let longitude: Double? = try row.getIfPresent("longitude")
        let place: Place? =
            if let latitude, let longitude {
                Place(latitude: latitude, longitude: longitude)
            } else { nil }
        return StoredPhoto(
            id: try row.get("id"), engagement: try row.get("engagement"), product: product,
            owner: try row.getIfPresent("owner"), moment: moment,
            sha256: try row.get("sha256"), place: place, author: try row.get("author"), role: role,
            takenAt: try row.get("taken_at"))
    }

    /// Photos of a person's vehicles, and those that they took; newest first.
    func all(concerning person: PersonID, most: Int) throws -> [StoredPhoto] {
        try transaction.rows(
            """
            SELECT * FROM photos
            WHERE author = ? OR owner = ?
            ORDER BY id DESC LIMIT ?
            """, person, person, most
        ).map(photo)
    }
}

// MARK: Pictures

/// Deletes pictures from the blob store unless their rows exist by then.
private let deletion = "deletion"

extension PlateUseCases {
    /// Deletes pictures that are due. A failed deletion is retried and doesn't block others.
    var deletions: WorkQueue {
        WorkQueue(
            database, now: { clock.now }, logger: logger,
            handlers: [deletion: WorkQueue.once(PictureID.init, remove)])
    }
}

/// Pictures in the blob store, of any kind.
struct PictureStore {
    let transaction: Transaction

    func deleteLater(_ picture: PictureID, at due: Date) throws {
        try transaction.schedule(deletion, picture, at: due)
    }

    /// Cancels the deletion once the picture's row is stored.
    func keep(_ picture: PictureID) throws { try transaction.unschedule(deletion, picture) }

    /// Whether a row here has this picture.
    func isKnown(_ id: PictureID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS one FROM photos WHERE id = ?
            UNION ALL SELECT 1 AS one FROM recognitions WHERE id = ?
            """, id, id) != nil
    }

    /// Deletes the rows of a person's vehicles, and the pictures that they took without an engagement; the
    /// picture data is deleted soon after.
    func forget(_ person: PersonID, at now: Date) throws {
        let theirs = "owner = ?"
        let loose = "valet = ? AND engagement IS NULL"
        let pictures = try transaction.rows(
            """
            SELECT id FROM photos WHERE \(theirs)
            UNION SELECT id FROM recognitions WHERE \(theirs) OR \(loose)
            """, person, person, person)
        for row in pictures { try deleteLater(row.get("id"), at: now) }
        try transaction.execute("DELETE FROM photos WHERE \(theirs)", person)
        try transaction.execute(
            "DELETE FROM recognitions WHERE \(theirs) OR \(loose)", person, person)
    }
}
