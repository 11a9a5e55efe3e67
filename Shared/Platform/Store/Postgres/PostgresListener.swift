import Foundation
import Synchronization

/// Wakes this process when another has committed, and the others when this one has. It also holds the lock of the
/// leader.
///
/// It has its own connection on its own thread, made when first needed. Notifications are sent outside the
/// transactions that they announce, since the server would let only one such transaction commit at a time. A
/// notification that is lost with its process is made up for by listeners, which look again after a while.
final class PostgresListener: Sendable {
    private static let channel = "openvalet"
    /// Maximum size of a payload in bytes; the channel accepts 8,000.
    private static let longestPayload = 7_000
    /// Maximum number of signals that wait while the connection is lost.
    private static let mostPending = 10_000
    private static let lead = "SELECT pg_try_advisory_lock(7016601, 3) AS is_ours"
    /// How often a process tries to become the leader, or checks that it still is.
    private static let beatMilliseconds: Int32 = 500
    private static let firstPause: TimeInterval = 0.05
    private static let longestPause: TimeInterval = 1

    private struct State {
        var isRunning = false
        var isStopped = false
        var wantsLead = false
        var leads = false
        var pending: Set<String> = []
        /// Writing a byte to it wakes the thread.
        var wake: FileHandle?
    }

    private let opener: PostgresOpener
    private let signals: Signals
    private let id = UUID().uuidString
    private let state = Mutex(State())

    init(_ opener: PostgresOpener, _ signals: Signals) {
        self.opener = opener
        self.signals = signals
    }

    /// False at first; reading it makes this process a candidate.
    var leads: Bool {
        let leads = state.withLock { state in
            state.wantsLead = true
            return state.leads
        }
        start()
        return leads
    }

    func announce(_ names: Set<String>) {
        guard !names.isEmpty else { return }
        start()
        state.withLock { state in
            let isAwake = !state.pending.isEmpty
            // Beyond the limit, listeners find the change when they look again.
            guard state.pending.count < Self.mostPending else { return }
            state.pending.formUnion(names)
            if !isAwake { Self.wake(state) }
        }
    }

    func start() {
        let input = state.withLock { state -> FileHandle? in
            guard !state.isRunning, !state.isStopped else { return nil }
            state.isRunning = true
            let pipe = Pipe()
            state.wake = pipe.fileHandleForWriting
            return pipe.fileHandleForReading
        }
        guard let input else { return }
        let thread = Thread { [self] in run(input) }
        thread.name = "store.listener"
        thread.start()
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.leads = false
            Self.wake(state)
        }
    }

    private static func wake(_ state: State) { try? state.wake?.write(contentsOf: [0]) }

    private func run(_ input: FileHandle) {
        var pause = Self.firstPause
        while !isStopped {
            do {
                let connection = try opener.connection()
                // Notifications may be lost with the server: listeners look again.
                try connection.run("SET synchronous_commit = off; LISTEN \(Self.channel)")
                // For signals that were sent while this process did not listen.
                signals.fireAll()
                pause = Self.firstPause
                while !isStopped { try beat(connection, input) }
            } catch {
                state.withLock { $0.leads = false }
                Thread.sleep(forTimeInterval: pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
        state.withLock { $0.wake = nil }
    }

    private func beat(_ connection: PostgresConnection, _ input: FileHandle) throws {
        try sendPending(connection)
        try keepLead(connection)
        let payloads = try connection.notifications(
            wake: input.fileDescriptor, within: Self.beatMilliseconds)
        drain(input)
        for payload in payloads {
            let names = payload.split(separator: "\n").map(String.init)
            // The commit has already woken our own listeners.
            if names.first != id { signals.fire(Set(names.dropFirst())) }
        }
    }

    private func keepLead(_ connection: PostgresConnection) throws {
        let (wants, leads) = state.withLock { ($0.wantsLead, $0.leads) }
        guard wants else { return }
        if leads { return try connection.run("SELECT 1") }
        let row = try connection.rows(Self.lead, [], limit: 1).first
        guard try row?.get("is_ours") == true else { return }
        state.withLock { $0.leads = !$0.isStopped }
        signals.fireAll()
    }

    private func sendPending(_ connection: PostgresConnection) throws {
        let names = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        do {
            var payload = id
            for name in names {
                if payload.utf8.count + name.utf8.count + 1 > Self.longestPayload {
                    try notify(payload, connection)
                    payload = id
                }
                payload += "\n" + name
            }
            if payload != id { try notify(payload, connection) }
        } catch {
            state.withLock { $0.pending.formUnion(names) }
            throw error
        }
    }

    private func notify(_ payload: String, _ connection: PostgresConnection) throws {
        _ = try connection.execute(
            "SELECT pg_notify(?, ?)", [.text(Self.channel), .text(payload)])
    }

    /// Reads until the pipe is empty; does not block if it has no byte.
    private func drain(_ input: FileHandle) {
        var byte: UInt8 = 0
        var waiting = pollfd(fd: input.fileDescriptor, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 0) > 0, Foundation.read(input.fileDescriptor, &byte, 1) > 0 {}
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }
}
