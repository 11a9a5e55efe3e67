import Contracts
import Foundation
import Logging
import Pictures
import ServiceKit

/// Stores pictures of one kind, without metadata.
public struct KeptPictures: Sendable {
    private let kind: StaticString
    private let blobs: any BlobStore
    private let logger: Logger

    /// `kind` is the folder in the store.
    public init(_ kind: StaticString, in blobs: any BlobStore, logger: Logger) {
        (self.kind, self.blobs, self.logger) = (kind, blobs, logger)
    }

    /// Throws 422 unless the bytes are a complete picture of an accepted type.
    public static func checked(_ data: Data) throws -> Picture {
        do {
            return try Picture(data)
        } catch {
            throw error.refusal
        }
    }

    /// Throws 503 if the store can't be reached; so does `get`.
    public func put(_ data: Data, _ type: PictureType, as id: PictureID) async throws {
        do {
            try await blobs.put(key(id), Blob(data: data, contentType: type.rawValue))
        } catch {
            logger.error("a picture could not be stored", metadata: ["error": "\(error.detail)"])
            throw Refusal.unavailable("We can't store pictures at the moment.")
        }
    }

    public func get(_ id: PictureID) async throws -> Blob? {
        do {
            return try await blobs.get(key(id))
        } catch {
            logger.error("a picture could not be read", metadata: ["error": "\(error.detail)"])
            throw Refusal.unavailable("We can't read pictures at the moment.")
        }
    }

    public func delete(_ id: PictureID) async throws { try await blobs.delete(key(id)) }

    private func key(_ id: PictureID) -> BlobKey { BlobKey(kind, id.uuid) }
}

extension Call<SignatureQuery> {
    /// The picture behind a signed address, which may be cached while the address is valid.
    public func picture(
        at path: (PictureID) -> String, by addresses: SignedAddresses, at now: Date,
        _ bytes: (PictureID) async throws -> Blob
    ) async throws -> PictureReply {
        let id: PictureID = try self.id()
        let left = try addresses.verify(
            path(id), expires: query.expires, signature: query.signature, at: now)
        let blob = try await bytes(id)
        return PictureReply(blob.data, contentType: blob.contentType, secondsLeft: left)
    }
}

extension PictureError {
    public var refusal: Refusal {
        switch self {
        case .empty: .pictureEmpty
        case .unknownType: .pictureTypeUnknown.because("Send a JPEG, PNG or WebP.")
        case .truncated: .pictureTruncated
        case .tooManyPixels:
            .pictureTooLarge.because(
                """
                At most \(Picture.longestSide) pixels a side and \(Picture.mostPixels / 1_000_000) million in all.
                """)
        case .malformed: .pictureMalformed
        }
    }
}
