import ArgumentParser
import Foundation
import Synchronization

/// The folder that holds all state of one machine's OpenValet; held by one `up` at a time.
struct DataFolder: Sendable {
    let path: String

    init(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        self.path = url.standardizedFileURL.path
        try lock()
    }

    /// Held until the process ends, however it ends.
    private func lock() throws {
        let descriptor = open("\(path)/up.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw ValidationError(
                "Another openvalet up uses \(path). Stop it, or choose another folder with --data.")
        }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func read(_ name: String) -> String? {
        (try? String(contentsOfFile: file(name), encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// For the owner's eyes only, and never half written.
    func write(_ text: String, to name: String) throws {
        let temporary = file(".\(name).new")
        let isWritten = FileManager.default.createFile(
            atPath: temporary, contents: Data((text + "\n").utf8),
            attributes: [.posixPermissions: 0o600])
        guard isWritten, rename(temporary, file(name)) == 0 else {
            throw ValidationError("Can't write \(file(name)).")
        }
    }

    /// The file's text, made and kept at the first start.
    func kept(_ name: String, make: () -> String) throws -> String {
        if let text = read(name), !text.isEmpty { return text }
        let text = make()
        try write(text, to: name)
        return text
    }
}

/// What proves that services are ours, and that the operator is the operator.
struct UpSecrets: Sendable {
    static let standardPhone = "+85290000000"

    let serviceSecret: String
    let redisPassword: String
    /// Between plates and the stub of a recogniser.
    let recogniserStubKey: String
    let operatorPhone: String
    let operatorPassword: String
    /// Where the operator finds the password; nil when they gave it themselves.
    let passwordFile: String?

    init(_ folder: DataFolder, _ environment: [String: String]) throws {
        if let given = try Self.given("OPENVALET_SERVICE_SECRET", environment) {
            serviceSecret = given
        } else {
            serviceSecret = try folder.kept("service-secret") { Self.random(32) }
        }
        redisPassword = try folder.kept("redis-password") { Self.random(32) }
        recogniserStubKey = try folder.kept("recogniser-stub-key") { Self.random(16) }
        operatorPhone = environment["OPENVALET_OPERATOR_PHONE"] ?? Self.standardPhone
        if let given = try Self.given("OPENVALET_OPERATOR_PASSWORD", environment) {
            operatorPassword = given
            passwordFile = nil
        } else {
            operatorPassword = try folder.kept("operator-password") { Self.random(12) }
            passwordFile = folder.file("operator-password")
        }
    }

    /// From the variable, or from the file that `<name>_FILE` names.
    private static func given(_ name: String, _ environment: [String: String]) throws -> String? {
        if let value = environment[name] { return value }
        guard let path = environment["\(name)_FILE"] else { return nil }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ValidationError("\(name)_FILE names a file that can't be read.")
        }
        return text.trimmingCharacters(in: .newlines)
    }

    /// Hexadecimal text of so many random bytes.
    static func random(_ bytes: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<bytes).map { _ in
            String(format: "%02x", UInt8.random(in: .min ... .max, using: &generator))
        }.joined()
    }
}
