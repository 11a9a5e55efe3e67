import Contracts
import EventBus
import Foundation
import Store

let plateMigrations = [
    Migration(
        "plates-1",
        """
        CREATE TABLE orders (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            status TEXT NOT NULL,
            customer TEXT NOT NULL,
            drop_off_valet TEXT,
            return_valet TEXT,
            ended_at BIGINT
        )
        """,
        "CREATE INDEX orders_by_customer ON orders (customer)",
        """
        CREATE TABLE recognitions (
            id TEXT NOT NULL PRIMARY KEY,
            order_id TEXT,
            valet TEXT NOT NULL,
            proposal TEXT NOT NULL,
            confirmed TEXT,
            made_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX recognitions_by_order ON recognitions (order_id)",
        "CREATE INDEX recognitions_by_valet ON recognitions (valet)",
        """
        CREATE TABLE photos (
            id TEXT NOT NULL PRIMARY KEY,
            order_id TEXT NOT NULL,
            moment TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            latitude DOUBLE PRECISION,
            longitude DOUBLE PRECISION,
            author TEXT NOT NULL,
            role TEXT NOT NULL,
            taken_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX photos_by_order ON photos (order_id, id)",
        "CREATE INDEX photos_by_author ON photos (author)",
        // Pictures that are to be removed from the blob store, unless their row is stored by then.
        "CREATE TABLE doomed (id TEXT NOT NULL PRIMARY KEY, due_at BIGINT NOT NULL)")
]

/// A recognition as stored: what was proposed, and what the valet made of it.
struct StoredRecognition: Sendable {
    var id: RecognitionID
    var order: OrderID?
    var valet: ValetID
    var proposal: Proposal
    var confirmed: OrderVehicle?
    var madeAt: Date

    var picture: PictureID { id.as(PictureID.self) }
}

/// A photo of a vehicle's state as stored.
struct StoredPhoto: Sendable {
    var id: PictureID
    var order: OrderID
    var moment: PhotoMoment
    var sha256: String
    var place: Place?
    var author: PersonID
    var role: Role
    var takenAt: Date
}

// MARK: Orders

extension Transaction {
    static let orderChanged = "order-changed"

    /// Keeps the newest version, in whatever order they arrive.
    func learn(_ order: KnownOrder) throws {
        try execute(
            """
            INSERT INTO orders
                (id, version, status, customer, drop_off_valet, return_valet, ended_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                version = excluded.version, status = excluded.status,
                customer = excluded.customer, drop_off_valet = excluded.drop_off_valet,
                return_valet = excluded.return_valet, ended_at = excluded.ended_at
            WHERE excluded.version > orders.version
            """,
            order.id, order.version, order.status.rawValue, order.customer, order.dropOffValet,
            order.returnValet, order.endedAt)
        signal(Self.orderChanged)
    }

    func order(_ id: OrderID) throws -> KnownOrder? {
        try row("SELECT * FROM orders WHERE id = ?", id).map { row in
            guard let status = OrderStatus(rawValue: try row.get("status")) else {
                throw StoreError(.decoding, "orders.status")
            }
            return KnownOrder(
                id: id, version: try row.get("version"), status: status,
                customer: try row.get("customer"),
                dropOffValet: try row.getIfPresent("drop_off_valet"),
                returnValet: try row.getIfPresent("return_valet"),
                endedAt: try row.getIfPresent("ended_at"))
        }
    }
}

// MARK: Recognitions

extension Transaction {
    func save(_ recognition: StoredRecognition) throws {
        try execute(
            """
            INSERT INTO recognitions (id, order_id, valet, proposal, made_at)
            VALUES (?, ?, ?, ?, ?)
            """,
            recognition.id, recognition.order, recognition.valet, text(recognition.proposal),
            recognition.madeAt)
    }

    func recognition(_ id: RecognitionID) throws -> StoredRecognition? {
        try row("SELECT * FROM recognitions WHERE id = ?", id).map(recognition)
    }

    func recognitions(of order: OrderID) throws -> Int {
        try row("SELECT COUNT(*) AS n FROM recognitions WHERE order_id = ?", order)?.get("n") ?? 0
    }

    /// False when it was confirmed before.
    func confirm(_ id: RecognitionID, as vehicle: OrderVehicle) throws -> Bool {
        let changed = try execute(
            "UPDATE recognitions SET confirmed = ? WHERE id = ? AND confirmed IS NULL",
            text(vehicle), id)
        return changed == 1
    }

    private func recognition(_ row: Row) throws -> StoredRecognition {
        let confirmed: String? = try row.getIfPresent("confirmed")
        return StoredRecognition(
            id: try row.get("id"), order: try row.getIfPresent("order_id"),
            valet: try row.get("valet"),
            proposal: try Wire.decode(from: Data(row.get("proposal", as: String.self).utf8)),
            confirmed: try confirmed.map { try Wire.decode(from: Data($0.utf8)) },
            madeAt: try row.get("made_at"))
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try Wire.encode(value), as: UTF8.self)
    }
}

// MARK: Photos

extension Transaction {
    func save(_ photo: StoredPhoto) throws {
        try execute(
            """
            INSERT INTO photos
                (id, order_id, moment, sha256, latitude, longitude, author, role, taken_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            photo.id, photo.order, photo.moment.rawValue, photo.sha256, photo.place?.latitude,
            photo.place?.longitude, photo.author, photo.role.rawValue, photo.takenAt)
    }

    func photo(_ id: PictureID) throws -> StoredPhoto? {
        try row("SELECT * FROM photos WHERE id = ?", id).map(photo)
    }

    func countOfPhotos(of order: OrderID) throws -> Int {
        try row("SELECT COUNT(*) AS n FROM photos WHERE order_id = ?", order)?.get("n") ?? 0
    }

    /// Newest first, below the cursor.
    func photos(
        of order: OrderID, below cursor: PictureID?, most: Int
    ) throws -> [StoredPhoto] {
        // No id sorts after this.
        let beyondAll = "g"
        return try rows(
            "SELECT * FROM photos WHERE order_id = ? AND id < ? ORDER BY id DESC LIMIT ?",
            order, cursor?.description ?? beyondAll, most
        ).map(photo)
    }

    private func photo(_ row: Row) throws -> StoredPhoto {
        guard let moment = PhotoMoment(rawValue: try row.get("moment")),
            let role = Role(rawValue: try row.get("role"))
        else { throw StoreError(.decoding, "photos.moment") }
        let latitude: Double? = try row.getIfPresent("latitude")
        let longitude: Double? = try row.getIfPresent("longitude")
        let place: Place? =
            if let latitude, let longitude {
                Place(latitude: latitude, longitude: longitude)
            } else { nil }
        return StoredPhoto(
            id: try row.get("id"), order: try row.get("order_id"), moment: moment,
            sha256: try row.get("sha256"), place: place, author: try row.get("author"), role: role,
            takenAt: try row.get("taken_at"))
    }

    /// Whether anything here has that picture.
    func hasPicture(_ id: PictureID) throws -> Bool {
        try row(
            """
            SELECT 1 AS one FROM photos WHERE id = ?
            UNION ALL SELECT 1 AS one FROM recognitions WHERE id = ?
            """, id, id) != nil
    }
}

// MARK: One person

extension Transaction {
    /// Photos of a customer's orders and those that the person took; newest first.
    func photos(concerning person: PersonID, most: Int) throws -> [StoredPhoto] {
        try rows(
            """
            SELECT * FROM photos
            WHERE author = ? OR order_id IN (SELECT id FROM orders WHERE customer = ?)
            ORDER BY id DESC LIMIT ?
            """, person, person, most
        ).map(photo)
    }

    /// Recognitions of a customer's vehicles and those that the valet asked for; newest first.
    func recognitions(concerning person: PersonID, most: Int) throws -> [StoredRecognition] {
        try rows(
            """
            SELECT * FROM recognitions
            WHERE valet = ? OR order_id IN (SELECT id FROM orders WHERE customer = ?)
            ORDER BY id DESC LIMIT ?
            """, person, person, most
        ).map(recognition)
    }

    /// Removes what shows a customer's vehicles, and what a valet photographed for no order; the
    /// pictures are doomed.
    func forget(_ person: PersonID, at now: Date) throws {
        let theirs = "order_id IN (SELECT id FROM orders WHERE customer = ?)"
        let loose = "valet = ? AND order_id IS NULL"
        try execute(
            """
            INSERT INTO doomed (id, due_at)
            SELECT id, ? FROM photos WHERE \(theirs)
            UNION SELECT id, ? FROM recognitions WHERE \(theirs) OR \(loose)
            """, now, person, now, person, person)
        try execute("DELETE FROM photos WHERE \(theirs)", person)
        try execute("DELETE FROM recognitions WHERE \(theirs) OR \(loose)", person, person)
    }
}

// MARK: Pictures that nobody needs

extension Transaction {
    func doom(_ picture: PictureID, at due: Date) throws {
        try execute("INSERT INTO doomed (id, due_at) VALUES (?, ?)", picture, due)
    }

    func doomed(at now: Date, most: Int) throws -> [PictureID] {
        try rows("SELECT id FROM doomed WHERE due_at <= ? ORDER BY id LIMIT ?", now, most)
            .map { try $0.get("id") }
    }

    /// It stays, or is gone already.
    func spare(_ picture: PictureID) throws {
        try execute("DELETE FROM doomed WHERE id = ?", picture)
    }
}
