import Blobs
import Contracts
import EventBus
import Foundation
import Logging
import Pictures
import ServiceKit
import Store

/// The bytes of profile pictures, and their signed addresses.
struct PhotoStore: Sendable {
    /// The accepted types.
    static let types: Set<PictureType> = [.jpeg, .png]
    /// Seconds after which an unused picture is deleted.
    static let uploadTime: TimeInterval = 600

    let blobs: any BlobStore
    let addresses: SignedAddresses
    let logger: Logger

    func address(of photo: PictureID, at now: Date) -> String {
        addresses.sign(SignedAddresses.path(person: photo), at: now)
    }

    func put(_ photo: PictureID, _ blob: Blob) async throws {
        try await reaching { try await blobs.put(Self.key(photo), blob) }
    }

    func get(_ photo: PictureID) async throws -> Blob? {
        try await reaching { try await blobs.get(Self.key(photo)) }
    }

    func delete(_ photo: PictureID) async throws {
        try await reaching { try await blobs.delete(Self.key(photo)) }
    }

    private static func key(_ photo: PictureID) throws -> BlobKey {
        guard let key = BlobKey("people/\(photo)") else { throw Refusal.pictureUnknown }
        return key
    }

    private func reaching<Result>(_ call: () async throws -> Result) async throws -> Result {
        do {
            return try await call()
        } catch let error as BlobError {
            logger.error("the picture store failed", metadata: ["error": "\(loggable(error))"])
            throw Refusal.unavailable("We can't reach the pictures at the moment.")
        }
    }
}

extension AccountUseCases {
    /// Shows a new picture, without the metadata that cameras add, and deletes the previous one.
    ///
    /// A row exists before the bytes are stored and until they are deleted, so the sweeper finds them whenever the
    /// process crashes.
    func setPhoto(_ data: Data, of identity: Identity) async throws -> PhotoAnswer {
        let blob = try Self.checked(data)
        let person = identity.person
        let (photo, now) = (PictureID.new(at: clock.now), clock.now)
        try await database.write { transaction in
            guard try transaction.sessions.isAlive(identity.session, of: person, at: now) else {
                throw Refusal.sessionEnded
            }
            try transaction.photos.prepare(photo, of: person, at: now)
        }
        try await photos.put(photo, blob)
        do {
            try await show(photo, of: person, at: now)
        } catch let error as Refusal where Refusal.unavailable ~= error {
            // Without a row the sweeper would never find the bytes.
            try await photos.delete(photo)
            throw error
        }
        return PhotoAnswer(photoURL: photos.address(of: photo, at: now))
    }

    func removePhoto(of identity: Identity) async throws {
        try await show(nil, of: identity.person, at: clock.now)
    }

    /// The bytes of a picture, for a request with a signed address.
    func photo(_ id: PictureID) async throws -> Blob {
        let isShown = try await database.read { try $0.photos.isShown(id) }
        guard isShown, let blob = try await photos.get(id) else {
            throw Refusal.pictureUnknown
        }
        return blob
    }

    private static func checked(_ data: Data) throws -> Blob {
        let picture = try KeptPictures.checked(data)
        guard PhotoStore.types.contains(picture.type) else {
            throw Refusal.pictureTypeUnknown.because("Send a JPEG or PNG.")
        }
        return Blob(data: picture.withoutMetadata(), contentType: picture.type.rawValue)
    }

    private func show(_ photo: PictureID?, of id: PersonID, at now: Date) async throws {
        let hidden = try await database.write { transaction -> [PictureID] in
            guard try transaction.people.change(id, at: now, { $0.show(photo) }) != nil else {
                throw Refusal.accountUnknown
            }
            return try transaction.photos.show(photo, of: id, at: now)
        }
        await deletePhotos(hidden)
    }

    /// Deletes pictures. Those that can't be deleted now are left for the sweeper.
    func deletePhotos(_ photos: [PictureID]) async {
        for photo in photos {
            do {
                try await self.photos.delete(photo)
                try await database.write { try $0.photos.forget(photo) }
            } catch {
                self.photos.logger.warning("an unused picture could not be deleted yet")
            }
        }
    }

    /// Deletes unused pictures, and returns how many.
    func sweepPhotos(before limit: Date) async throws -> Int {
        let hidden = try await database.read { transaction in
            try transaction.photos.hidden(before: limit, most: Self.sweepBatch)
        }
        await deletePhotos(hidden)
        return hidden.count
    }
}

extension Transaction {
    var photos: PhotoRowStore { PhotoRowStore(transaction: self) }
}

/// Rows of pictures whose bytes are stored, or about to be.
struct PhotoRowStore {
    let transaction: Transaction

    func prepare(_ photo: PictureID, of person: PersonID, at now: Date) throws {
        try transaction.execute(
            "INSERT INTO photos (id, person, shown, changed_at) VALUES (?, ?, 0, ?)", photo, person,
            now)
    }

    /// Returns the pictures that are no longer shown.
    func show(_ photo: PictureID?, of person: PersonID, at now: Date) throws -> [PictureID] {
        let hidden = try transaction.rows(
            "SELECT id FROM photos WHERE person = ? AND shown = 1", person
        ).map { try $0.get("id", as: PictureID.self) }
        try transaction.execute(
            "UPDATE photos SET shown = 0, changed_at = ? WHERE person = ? AND shown = 1", now,
            person)
        guard let photo else { return hidden }
        let shown = try transaction.execute(
            "UPDATE photos SET shown = 1, changed_at = ? WHERE id = ?", now, photo)
        // The sweeper has removed the row in the meantime.
        guard shown == 1 else {
            throw Refusal.unavailable("The upload took too long. Please try again.")
        }
        return hidden
    }

    func isShown(_ photo: PictureID) throws -> Bool {
        try transaction.row("SELECT id FROM photos WHERE id = ? AND shown = 1", photo) != nil
    }

    func hidden(before limit: Date, most: Int) throws -> [PictureID] {
        try transaction.rows(
            "SELECT id FROM photos WHERE shown = 0 AND changed_at < ? LIMIT ?", limit, most
        ).map { try $0.get("id") }
    }

    func forget(_ photo: PictureID) throws {
        try transaction.execute("DELETE FROM photos WHERE id = ? AND shown = 0", photo)
    }
}
