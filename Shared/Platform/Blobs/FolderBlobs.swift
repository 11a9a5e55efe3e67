import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Stores blobs as files in one folder, readable by the owner only.
///
/// A file's first line is the media type, so that type and bytes are replaced together.
public struct FolderBlobs: BlobStore {
    /// Maximum number of files that are read or written concurrently; each occupies a thread.
    private static let mostAtOnce = 4
    /// Maximum length of a media type, in bytes.
    private static let longestType = 200
    private static let newline: UInt8 = 0x0A

    private let folder: URL
    private let queue: OperationQueue

    public init(_ folder: String) throws(BlobError) {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = Self.mostAtOnce
        try Self.make(self.folder)
    }

    public func put(_ key: BlobKey, _ blob: Blob) async throws(BlobError) {
        let file = file(key)
        let content = Data(blob.contentType.utf8) + [Self.newline] + blob.data
        guard (1...Self.longestType).contains(blob.contentType.utf8.count),
            !blob.contentType.utf8.contains(Self.newline)
        else { throw BlobError(.refused, "not a media type") }
        try await onThread { () throws(BlobError) in try Self.replace(file, with: content) }
    }

    public func get(_ key: BlobKey) async throws(BlobError) -> Blob? {
        let file = file(key)
        return try await onThread { () throws(BlobError) -> Blob? in
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            let content: Data
            do {
                content = try Data(contentsOf: file)
            } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
                return nil
            } catch {
                throw BlobError(.unavailable, "\(key) can't be read")
            }
            guard let end = content.prefix(Self.longestType + 1).firstIndex(of: Self.newline)
            else { throw BlobError(.unavailable, "\(key) is not a file of ours") }
            return Blob(
                data: Data(content[(end + 1)...]),
                contentType: String(decoding: content[..<end], as: UTF8.self))
        }
    }

    public func delete(_ key: BlobKey) async throws(BlobError) {
        let file = file(key)
        try await onThread { () throws(BlobError) in
            guard unlink(file.path) != 0, errno != ENOENT else {
                return try Self.sync(file.deletingLastPathComponent())
            }
            throw Self.failure("delete", errno)
        }
    }

    private func file(_ key: BlobKey) -> URL {
        folder.appending(path: key.description, directoryHint: .notDirectory)
    }

    /// A slow disk blocks a thread of this queue, never one of the cooperative pool.
    private func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws(BlobError) -> Result
    ) async throws(BlobError) -> Result {
        try await withCheckedContinuation { continuation in
            queue.addOperation {
                do throws(BlobError) {
                    continuation.resume(
                        returning: Swift.Result<Result, BlobError>.success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }.get()
    }
}

// MARK: Files

extension FolderBlobs {
    private static func make(_ folder: URL) throws(BlobError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw BlobError(.unavailable, "the folder of blobs can't be made")
        }
    }

    /// Readers see the old contents or the new ones, even after a power cut.
    private static func replace(_ file: URL, with content: Data) throws(BlobError) {
        let home = file.deletingLastPathComponent()
        if !FileManager.default.fileExists(atPath: home.path) { try make(home) }
        let draft = home.appending(path: ".\(UUID().uuidString).part")
        do throws(BlobError) {
            try write(content, to: draft)
            guard rename(draft.path, file.path) == 0 else { throw failure("rename", errno) }
        } catch {
            unlink(draft.path)
            throw error
        }
        try sync(home)
    }

    private static func write(_ content: Data, to draft: URL) throws(BlobError) {
        let descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw failure("open", errno) }
        defer { close(descriptor) }
        let code: Int32 = content.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = posixWrite(descriptor, rest)
                if written < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                rest = rest.dropFirst(written)
            }
            return fsync(descriptor) == 0 ? 0 : errno
        }
        guard code == 0 else { throw failure("write", code) }
    }

    private static func posixWrite(
        _ descriptor: Int32, _ bytes: Slice<UnsafeRawBufferPointer>
    ) -> Int {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        #if canImport(Darwin)
        return Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// Makes a rename or a removal in the folder durable.
    private static func sync(_ folder: URL) throws(BlobError) {
        let descriptor = open(folder.path, O_RDONLY)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw failure("open", errno)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("fsync", errno) }
    }

    private static func failure(_ what: String, _ code: Int32) -> BlobError {
        let isFull = code == ENOSPC || code == EDQUOT
        return BlobError(isFull ? .full : .unavailable, "\(what): error \(code)")
    }
}
