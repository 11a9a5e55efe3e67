import Client
import Threads
import Contracts
import Foundation

/// A person with a client, who retries like people do.
struct SimulatedPerson: Sendable {
    /// Repetitions of a call without an answer, with the same key, beyond the client's own tries.
    private static let mostRepetitions = 4
    private static let firstPause: Duration = .seconds(1)
    /// Maximum number of waits for the gateway's limits, of at most a second each.
    private static let mostSlowDowns = 600
    /// Pause before a suspended person tries to sign in again: each try counts towards the gateway's limit of
    /// sign-ins.
    private static let pauseAtHome: Duration = .seconds(30)
    /// Pause before a live stream that was refused or unreadable is opened again.
    private static let pauseBetweenStreams: Duration = .seconds(10)

    let client: OpenValetClient
    let tally: Tally
    /// The credential for signing in: each person has one of the two.
    let phone: String?
    var email: String?
    let password: String
    /// Where they sign in.
    let desk: Desk
    /// Only one of their own tasks at a time signs in again.
    let door = Desk()
    /// Raised after they have signed in again.
    let isBack = Signal()

    /// Makes a call: waits when the gateway limits requests, repeats it without an answer, and signs in again when
    /// the session has ended.
    func ask<Value: Sendable>(
        _ body: (OpenValetClient, RequestKey) async throws -> Value
    ) async throws -> Value {
        let key = RequestKey.new()
        var patience = Patience()
        while true {
            do {
                return try await body(client, key)
            } catch let error as ClientError {
                try await wait(after: error, &patience)
            }
        }
    }

    /// The tries of one call so far.
    private struct Patience {
        var repetitions = 0
        var slowDowns = 0
        var pause = SimulatedPerson.firstPause
        var mayComeBack = true
    }

    /// Returns when the call may be repeated; throws the error if it may not.
    private func wait(after error: ClientError, _ patience: inout Patience) async throws {
        if case .signedOut = error, patience.mayComeBack {
            patience.mayComeBack = false
            try await comeBack()
        } else if error.code == "rate.limited", patience.slowDowns < Self.mostSlowDowns {
            patience.slowDowns += 1
            try await Task.sleep(for: .seconds(error.problem?.retryAfterSeconds ?? 1))
        } else if case .unreachable = error, patience.repetitions < Self.mostRepetitions {
            patience.repetitions += 1
            try await Task.sleep(for: patience.pause)
            patience.pause *= 2
        } else {
            tally.lost(error)
            throw error
        }
    }

    /// The same for calls without a key.
    func ask<Value: Sendable>(
        _ body: (OpenValetClient) async throws -> Value
    ) async throws -> Value {
        try await ask { client, _ in try await body(client) }
    }

    /// The same for one call that has its key.
    @discardableResult
    func ask<Answer: Decodable & Sendable>(_ call: EndpointCall<Answer>) async throws -> Answer {
        try await ask { client in try await client(call) }
    }

    func ask(_ call: EndpointCall<Void>) async throws {
        try await ask { client in try await client(call) }
    }

    /// Nil if it is refused for any reason: nothing depends on it.
    func tryTo<Value: Sendable>(
        _ body: (OpenValetClient, RequestKey) async throws -> Value
    ) async throws -> Value? {
        do {
            return try await ask(body)
        } catch is ClientError {
            return nil
        }
    }

    @discardableResult
    func tryTo<Answer: Decodable & Sendable>(_ call: EndpointCall<Answer>) async throws -> Answer? {
        try await tryTo { client, _ in try await client(call) }
    }

    func tryTo(_ call: EndpointCall<Void>) async throws {
        _ = try await tryTo { client, _ in try await client(call) }
    }

    /// Signs in with the person's credential.
    @discardableResult
    func signIn() async throws -> Account {
        try await ask {
            try await $0.signIn(phone: phone, email: email, password: password).account
        }
    }

    /// Signs in again: an operator ended the session, or the answer with the new tokens was lost.
    private func comeBack() async throws {
        try await door.serve {
            // Another of their tasks was faster.
            guard await client.session.tokens == nil else { return }
            do {
                try await desk.serve { _ = try await signIn() }
            } catch let error as ClientError {
                try await Task.sleep(for: Self.pause(after: error))
                throw error
            }
            isBack.raise()
        }
    }

    /// The pause before the next try to sign in.
    static func pause(after error: ClientError) -> Duration {
        error.code == "account.suspended" ? pauseAtHome : SimulatedCustomer.stumble
    }

    /// Raises the signal at each event about an order, until the task ends.
    ///
    /// Reconnects when the stream breaks: callers that wait for the signal also look regularly.
    func listen(_ wake: Signal) async throws {
        while true {
            _ = try await tryTo { client, _ in
                for try await event in client.stream() {
                    if case .order = event { wake.raise() }
                }
            }
            try await Task.sleep(for: Self.pauseBetweenStreams)
        }
    }
}
