import Foundation

/// The project's own files.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Swift files below the folders, as paths relative to the root.
    static func swiftFiles(_ folders: String...) throws -> [String] {
        try folders.flatMap { folder in
            let base = root.appending(path: folder)
            let names = try FileManager.default.subpathsOfDirectory(atPath: base.path)
            return names.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
        }.sorted()
    }
}
