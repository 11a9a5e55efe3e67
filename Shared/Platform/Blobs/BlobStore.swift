import EventBus
import Foundation

/// A store for pictures: a folder, or any S3-compatible store.
public protocol BlobStore: Sendable {
    /// Stores `data` under `key`, and replaces what was there.
    func put(_ key: BlobKey, _ blob: Blob) async throws(BlobError)
    /// Nil if nothing is stored under `key`.
    func get(_ key: BlobKey) async throws(BlobError) -> Blob?
    /// Does nothing if nothing is stored under `key`.
    func delete(_ key: BlobKey) async throws(BlobError)
}

/// Bytes and their media type.
public struct Blob: Sendable, Hashable {
    public var data: Data
    public var contentType: String

    public init(data: Data, contentType: String) {
        self.data = data
        self.contentType = contentType
    }
}

/// A key of letters, digits, `-`, `_`, `.` and `/` that can't leave its folder.
public struct BlobKey: Hashable, Sendable, CustomStringConvertible {
    public static let longest = 200
    public let description: String

    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: true
            default: false
            }
        }
        guard isPlain, (1...Self.longest).contains(text.utf8.count),
            parts.allSatisfy({ !$0.isEmpty && !$0.allSatisfy { $0 == "." } })
        else { return nil }
        description = text
    }

    /// A key of a fixed folder and an id.
    public init(_ folder: StaticString, _ id: UUID) {
        description = "\(folder)/\(id.uuidString.lowercased())"
    }
}

/// An error that says whether a later retry may succeed.
public struct BlobError: Loggable, Sendable {
    public enum Kind: Sendable { case unavailable, refused, full }

    public let kind: Kind
    public let detail: String

    public init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    public var loggable: String { "\(kind): \(detail)" }
}
