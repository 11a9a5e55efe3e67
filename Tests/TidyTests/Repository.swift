import Foundation
import Support

/// The project's own files.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func lines(_ path: String) throws -> [Substring] {
        try text(path).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Lines without comments and without what stands in string literals on one line.
    static func code(_ path: String) throws -> [String] {
        try lines(path).map { line in
            var code: [UInt8] = []
            var (isLiteral, isEscaped) = (false, false)
            for byte in line.replacing("\"\"\"", with: "").utf8 {
                if isEscaped {
                    isEscaped = false
                } else if isLiteral, byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isLiteral.toggle()
                    code.append(byte)
                } else if !isLiteral {
                    if byte == UInt8(ascii: "/"), code.last == byte {
                        code.removeLast()
                        break
                    }
                    code.append(byte)
                }
            }
            return String(decoding: code, as: UTF8.self)
        }
    }

    /// What one of its scripts prints; throws when it fails.
    @discardableResult
    static func run(
        _ script: String, _ arguments: String..., environment: [String: String] = [:]
    ) throws -> String {
        try Command.output(root.appending(path: script).path, arguments, environment)
    }

    /// Swift files below the folders, as paths relative to the root.
    static func swiftFiles(_ folders: String...) throws -> [String] {
        try folders.flatMap { try files(in: $0, ending: ".swift") }.sorted()
    }

    /// Files below a folder with one of these endings, as paths relative to the root.
    static func files(in folder: String, ending endings: String...) throws -> [String] {
        let names = try FileManager.default
            .subpathsOfDirectory(atPath: root.appending(path: folder).path)
        return names.filter { name in endings.contains { name.hasSuffix($0) } }
            .map { "\(folder)/\($0)" }
    }
}
