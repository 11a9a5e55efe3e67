import Foundation
import Synchronization

/// A program that a test may kill, freeze and start again. It stops with its last reference, and when this process
/// ends.
public final class TestProgram: Sendable {
    private struct State {
        var process: ChildProcess?
        /// Files that each run writes: its number, and what it prints.
        var runs = 0
    }

    private let program: String
    private let arguments: [String]
    private let environment: [String: String]
    private let folder: TestFolder
    private let state = Mutex(State())

    /// - Parameter environment: All variables that it gets.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws {
        (self.program, self.arguments) = (program, arguments)
        self.environment = environment
        folder = try TestFolder("program", ["log": ""])
    }

    /// What all its runs have printed.
    public var log: String {
        (try? String(contentsOf: folder.url.appending(path: "log"), encoding: .utf8)) ?? ""
    }

    public var isRunning: Bool { state.withLock { $0.process != nil } }

    /// Its number, once the shell has written it down.
    private var pid: pid_t? {
        let run = state.withLock { $0.process == nil ? nil : $0.runs }
        guard let run else { return nil }
        let file = folder.url.appending(path: "\(run).pid")
        let text = try? String(contentsOf: file, encoding: .utf8)
        return text.flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    public func start() throws {
        let values = environment.map { "\($0)=\($1)" }
        try state.withLock { state in
            state.runs += 1
            // The inner shell becomes the program, so its number is the program's.
            state.process = try ChildProcess(
                #"sh -c 'echo $$ >"$0.pid"; log=$1; shift; exec env -i "$@" >>"$log" 2>&1' "$@""#,
                ["\(folder.path)/\(state.runs)", "\(folder.path)/log"] + values + [program]
                    + arguments)
        }
    }

    /// `kill -9`; also of a frozen one.
    public func kill() { state.withLock { $0.process.take() }?.release() }

    /// Until `thaw` it keeps its connections, the system accepts new ones for it, and it answers nothing.
    public func freeze() { pid.map { _ = Foundation.kill($0, SIGSTOP) } }
    public func thaw() { pid.map { _ = Foundation.kill($0, SIGCONT) } }
}
