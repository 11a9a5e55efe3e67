import Foundation
import Synchronization

/// A program that tests need. The shell around it kills it once its input is closed: on request, with the last
/// reference, and whenever this process ends.
///
/// `kill -9`, and no `wait`: a child inherits a signal mask under which it hears of no SIGTERM, nor its
/// shell of a SIGCHLD.
public final class ChildProcess: Sendable {
    public struct Missing: Error, CustomStringConvertible {
        public let description: String
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    /// One start at a time: a child that is forked between another's pipes and their closing keeps them
    /// open, and then neither the program nor its output ever ends.
    private static let oneAtATime = Mutex(())

    private let input: Mutex<FileHandle?>

    /// - Parameters:
    ///   - commands: A shell's; their `$1` and so on are the arguments, and the last of them is killed in
    ///     the end.
    ///   - afterwards: Commands to clean up with.
    ///   - output: What they print, which is dropped without it.
    public init(
        _ commands: String, _ arguments: [String], afterwards: String = "", output: Pipe? = nil
    ) throws {
        let script = "\(commands) &\nread -r _\nkill -9 $!\n\(afterwards)"
        let handle = try Self.oneAtATime.withLock { _ in
            let (shell, input) = (Process(), Pipe())
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", script, "sh"] + arguments
            shell.standardInput = input
            shell.standardOutput = output ?? FileHandle.nullDevice
            shell.standardError = output ?? FileHandle.nullDevice
            try shell.run()
            return input.fileHandleForWriting
        }
        input = Mutex(handle)
    }

    /// Starts a process while nobody else starts one; its pipes are to be made in here, too.
    public static func starting<Value: Sendable>(_ start: () throws -> Value) throws -> Value {
        try oneAtATime.withLock { _ in try start() }
    }

    deinit { release() }

    public func release() {
        input.withLock { input in
            try? input?.close()
            input = nil
        }
    }

    /// A file of the project's virtual environment, which `make test` installs.
    public static func installed(_ path: String) throws -> String {
        let file = root.appending(path: ".venv").appending(path: path).path
        guard FileManager.default.fileExists(atPath: file) else {
            throw Missing(description: "There is no \(file): run `make .venv/installed` first.")
        }
        return file
    }

    /// A file of the folder Tests.
    public static func script(_ name: String) -> String {
        root.appending(path: "Tests").appending(path: name).path
    }
}
