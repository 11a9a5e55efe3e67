import Foundation
import Redis
import Synchronization

/// One run of a server or a Sentinel, under a shell that kills it when this process lets go of its input.
final class RedisProcess: Sendable {
    private let process: ChildProcess
    /// The server's own number, not that of its shell.
    private let pid: pid_t
    private let ended: Gate

    private init(process: ChildProcess, pid: pid_t, ended: Gate) {
        self.process = process
        self.pid = pid
        self.ended = ended
    }

    /// In memory, at 127.0.0.1.
    static func options(port: Int, folder: String = "/tmp") -> [String] {
        [
            "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir",
            folder,
        ]
    }

    /// Returns once the server answers. The options are those of its command line.
    static func start(_ options: [String]) async throws -> RedisProcess {
        let output = Pipe()
        let process = try ChildProcess(#"redis-server "$@""#, options, output: output)
        let ready = Gate()
        let ended = Gate()
        let said = Mutex("")
        let lines = output.fileHandleForReading
        // A thread of its own, since a readability handler is a dispatch source: one whose file is
        // closed before the cancelled source has gone leaves libdispatch a pointer to nothing.
        let reader = Thread {
            while true {
                let bytes = lines.availableData
                if bytes.isEmpty { break }
                let text = said.withLock { said in
                    said += String(decoding: bytes, as: UTF8.self)
                    return said
                }
                // The shell outlives a server that did not get its port.
                if Self.pid(in: text) != nil || text.contains("Failed listening") { ready.open() }
            }
            // Both the server and its shell are gone.
            ready.open()
            ended.open()
        }
        reader.start()
        await ready.wait()
        let text = said.withLock { $0 }
        guard !ended.isOpen, let pid = Self.pid(in: text) else {
            process.release()
            throw TestRedis.DidNotStart(output: text)
        }
        return RedisProcess(process: process, pid: pid, ended: ended)
    }

    /// Each line begins with the server's number; this one says that it is ready, as a server or a Sentinel.
    private static func pid(in output: String) -> pid_t? {
        let ready = output.split(separator: "\n").first { line in
            line.contains("Ready to accept connections") || line.contains("Sentinel ID is")
        }
        return ready?.prefixMatch(of: /[0-9]+/).flatMap { pid_t($0.output) }
    }

    /// A frozen server keeps its connections, and accepts new ones, without an answer.
    func freeze() { kill(pid, SIGSTOP) }
    func thaw() { kill(pid, SIGCONT) }

    func release() {
        process.release()
    }

    func stop() async {
        release()
        await ended.wait()
    }
}

/// Opens once, for everybody who waits.
private final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func open() {
        let waiting = state.withLock { state in
            defer { state = State(isOpen: true) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

extension RedisConfiguration {
    /// A busy machine is slow.
    var patient: RedisConfiguration {
        var configuration = self
        configuration.connectTimeout = patience
        configuration.commandTimeout = patience
        return configuration
    }

    static func patient(_ address: String) throws -> RedisConfiguration {
        guard let configuration = RedisConfiguration(address) else {
            throw TestRedis.DidNotStart(output: "\(address) is no address")
        }
        return configuration.patient
    }
}
