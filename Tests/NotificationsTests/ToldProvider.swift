import Synchronization

@testable import Notifications

/// A provider that answers as it is told, and remembers what it was given.
final class ToldProvider: MessageProvider {
    private struct State {
        var answers: [any Error]
        var sent: [OutgoingMessage] = []
    }

    private let state: Mutex<State>

    /// Fails with these, one after the other, then succeeds.
    init(_ errors: [any Error] = []) { state = Mutex(State(answers: errors)) }

    var sent: [OutgoingMessage] { state.withLock { $0.sent } }

    func send(_ message: OutgoingMessage) async throws {
        let error: (any Error)? = state.withLock { state in
            state.sent.append(message)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        if let error { throw error }
    }
}
