import Contracts
import EventBus
import Foundation
import Pictures
import Store

/// A table with one row per picture in use, by `id`.
public struct PictureTable: Sendable {
    private let name: String
    /// The kind of work that removes a picture without a row.
    public let removal: String

    public init(_ name: String, removal: String) { (self.name, self.removal) = (name, removal) }

    func has(_ picture: PictureID, in transaction: Transaction) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM \(name) WHERE id = ?", picture) != nil
    }

    /// Deletes the row; the bytes are removed later.
    public func remove(_ picture: PictureID, at now: Date, in transaction: Transaction) throws {
        try transaction.execute("DELETE FROM \(name) WHERE id = ?", picture)
        try transaction.schedule(removal, picture, at: now)
    }
}

/// Stores pictures of one kind that a table lists.
public struct ListedPictures: Sendable {
    /// Seconds after which the picture of an unfinished request is removed.
    public static let uploadTime: TimeInterval = 600

    private let kept: KeptPictures
    private let table: PictureTable
    private let database: Database

    public init(_ kept: KeptPictures, in table: PictureTable, of database: Database) {
        (self.kept, self.table, self.database) = (kept, table, database)
    }

    /// Stores a picture without metadata if `check` allows it; `store` inserts its row.
    ///
    /// Its removal is scheduled until the row is stored, so that a request which breaks off leaves no bytes behind.
    public func add<Checked: Sendable, Stored: Sendable>(
        _ data: Data, at now: Date,
        check: @escaping @Sendable (Transaction, PictureID) throws -> Checked,
        store: @escaping @Sendable (Transaction, PictureID, Checked) throws -> Stored
    ) async throws -> Stored {
        let picture = try KeptPictures.checked(data)
        let id = PictureID.new(at: now)
        let checked = try await database.write { transaction in
            let checked = try check(transaction, id)
            try transaction.schedule(
                table.removal, id, at: now.addingTimeInterval(Self.uploadTime))
            return checked
        }
        try await kept.put(picture.withoutMetadata(), picture.type, as: id)
        return try await database.write { transaction in
            let stored = try store(transaction, id, checked)
            try transaction.unschedule(table.removal, id)
            return stored
        }
    }

    /// The picture, even without a row.
    public func get(_ id: PictureID) async throws -> Blob? { try await kept.get(id) }

    public func picture(_ id: PictureID) async throws -> Blob {
        guard try await database.read({ try table.has(id, in: $0) }), let blob = try await get(id)
        else { throw Refusal.pictureUnknown }
        return blob
    }

    /// Removes a picture whose row was deleted or never stored.
    public func remove(_ id: PictureID) async throws {
        guard try await !database.read({ try table.has(id, in: $0) }) else { return }
        try await kept.delete(id)
    }
}
