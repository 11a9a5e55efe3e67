import Foundation

/// The project's own files.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// What one of its scripts prints; throws when it fails.
    @discardableResult
    static func run(
        _ script: String, _ arguments: String..., environment: [String: String] = [:]
    ) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = root.appending(path: script)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(script: script, status: process.terminationStatus)
        }
        return String(decoding: text, as: UTF8.self)
    }

    struct Failure: Error {
        let script: String
        let status: Int32
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
