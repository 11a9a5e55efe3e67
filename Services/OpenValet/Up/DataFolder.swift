import ArgumentParser
import Foundation
import ServiceKit
import Synchronization

/// The folder with all state of one machine's OpenValet; one `up` at a time uses it.
struct DataFolder: Sendable {
    let path: String

    init(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        self.path = url.standardizedFileURL.path
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Self.unusable(self.path)
        }
        try lock()
        try close(to: self.path)
    }

    /// Removes other users' access, whatever an earlier start or somebody else left: the folder has phone numbers
    /// and password hashes.
    private func close(to folder: String) throws {
        guard chmod(folder, 0o700) == 0 else {
            throw ToolError(
                "\(folder) belongs to another user and is open to others. Choose another folder with --data."
            )
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0,
                status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0
            else { continue }
            chmod("\(folder)/\(name)", status.st_mode & 0o700)
        }
    }

    private static func unusable(_ path: String) -> ToolError {
        ToolError("Can't write to \(path): choose a folder of your own with --data.")
    }

    /// Held until the process ends, however it ends.
    private func lock() throws {
        let descriptor = open("\(path)/up.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unusable(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw ToolError(
                "Another openvalet up uses \(path). Stop it, or choose another folder with --data.")
        }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func read(_ name: String) -> String? {
        (try? String(contentsOfFile: file(name), encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Writes a file that only its owner can read, and never half of it.
    func write(_ text: String, to name: String) throws {
        let temporary = file(".\(name).new")
        let isWritten = FileManager.default.createFile(
            atPath: temporary, contents: Data((text + "\n").utf8),
            attributes: [.posixPermissions: 0o600])
        guard isWritten, rename(temporary, file(name)) == 0 else {
            throw ToolError("Can't write \(file(name)).")
        }
    }

    /// The file's text, which the first start makes and stores.
    func kept(_ name: String, make: () -> String) throws -> String {
        if let text = read(name), !text.isEmpty { return text }
        let text = make()
        try write(text, to: name)
        return text
    }
}

/// Secrets of the services, of Redis and of the first operator.
struct UpSecrets: Sendable {
    static let standardPhone = "+85290000000"

    let serviceSecret: String
    let redisPassword: String
    /// Key of the custody record's hashes; it has to stay with the data.
    let custodyKey: String
    /// Key with which plates calls the recogniser's stub.
    let recogniserStubKey: String
    let operatorPhone: String
    let operatorPassword: String
    /// File with the operator's password; nil if they chose it themselves.
    let passwordFile: String?

    init(_ folder: DataFolder, _ environment: [String: String]) throws {
        if let given = try Self.given("OPENVALET_SERVICE_SECRET", environment) {
            serviceSecret = given
        } else {
            serviceSecret = try folder.kept("service-secret") { Self.random(32) }
        }
        redisPassword = try folder.kept("redis-password") { Self.random(32) }
        custodyKey = try folder.kept("custody-key") { Self.random(32) }
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

    /// The variable's value, or the text of the file that `<name>_FILE` names.
    private static func given(_ name: String, _ environment: [String: String]) throws -> String? {
        if let value = environment[name] { return value }
        guard let path = environment["\(name)_FILE"] else { return nil }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ToolError("\(name)_FILE names a file that can't be read.")
        }
        return text.trimmingCharacters(in: .newlines)
    }

    /// This many random bytes as hexadecimal text.
    static func random(_ bytes: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hex
    }
}
