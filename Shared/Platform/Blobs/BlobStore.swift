import Foundation

/// Where pictures are kept: a folder, or any S3-compatible store.
public protocol BlobStore: Sendable {
    /// Keeps `data` under `key`; what was there is replaced.
    func put(_ key: BlobKey, _ blob: Blob) async throws(BlobError)
    /// Nil when nothing is kept under `key`.
    func get(_ key: BlobKey) async throws(BlobError) -> Blob?
    /// Does nothing when nothing is kept under `key`.
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

/// A name of letters, digits, `-`, `_`, `.` and `/`, which can't climb out of its folder.
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

    /// Of a folder named by the program, and an id.
    public init(_ folder: StaticString, _ id: UUID) {
        description = "\(folder)/\(id.uuidString.lowercased())"
    }
}

/// What a caller can do: try again later, or not.
public struct BlobError: Error, Sendable {
    public enum Kind: Sendable { case unavailable, refused, full }

    public let kind: Kind
    public let detail: String

    public init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }
}
