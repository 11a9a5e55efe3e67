import Foundation

/// A folder of a test's own, which goes with the last reference.
public final class TestFolder: Sendable {
    public let url: URL

    public var path: String { url.path }

    /// With these files: their texts by their names.
    public init(_ name: String, _ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (file, text) in files { try write(text, to: file) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Makes the folders on the way, too.
    public func write(_ text: String, to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
