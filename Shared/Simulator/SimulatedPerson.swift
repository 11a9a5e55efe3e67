import Client
import Threads
import Contracts
import Foundation

/// Somebody with a client, and with the patience of a person who wants something.
struct SimulatedPerson: Sendable {
    /// How often a call without an answer is repeated with the same key, beyond the client's own tries.
    private static let mostRepetitions = 4
    private static let firstPause: Duration = .seconds(1)
    /// How often one waits as the gateway asks: at worst a second each time.
    private static let mostSlowDowns = 600
    /// Pause before a suspended person tries again to sign in: each try counts towards the gateway's limit of
    /// sign-ins.
    private static let pauseAtHome: Duration = .seconds(30)
    /// Before a live stream that was refused, or said what can't be read, begins again.
    private static let pauseBetweenStreams: Duration = .seconds(10)

    let client: OpenValetClient
    let tally: Tally
    /// What they sign in with; of each person one of both.
    let phone: String?
    var email: String?
    let password: String
    /// Where they sign in.
    let desk: Desk
    /// One of their own tasks at a time stands at the desk to sign in again.
    let door = Desk()
    /// Rings when they have signed in again.
    let isBack = Signal()

    /// Carries out one wish: waits when told to slow down, repeats it when no answer comes, signs in
    /// again when the session has ended.
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

    /// What has been tried for one wish.
    private struct Patience {
        var repetitions = 0
        var slowDowns = 0
        var pause = SimulatedPerson.firstPause
        var mayComeBack = true
    }

    /// Returns when the call may be made again; throws the error when it may not.
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

    /// The same where no key is needed.
    func ask<Value: Sendable>(
        _ body: (OpenValetClient) async throws -> Value
    ) async throws -> Value {
        try await ask { client, _ in try await body(client) }
    }

    /// The same for one call, which has its key.
    @discardableResult
    func ask<Answer: Decodable & Sendable>(_ call: EndpointCall<Answer>) async throws -> Answer {
        try await ask { client in try await client(call) }
    }

    func ask(_ call: EndpointCall<Void>) async throws {
        try await ask { client in try await client(call) }
    }

    /// Nil when it is refused, for whatever reason: nothing depends on it.
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

    /// Signs in with what the person has.
    @discardableResult
    func signIn() async throws -> Account {
        try await ask {
            try await $0.signIn(phone: phone, email: email, password: password).account
        }
    }

    /// Signs in again: an operator had sent them home, or the answer with the next tokens was lost.
    private func comeBack() async throws {
        try await door.serve {
            // Another of their tasks was quicker.
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

    /// How long to wait before the next try to sign in.
    static func pause(after error: ClientError) -> Duration {
        error.code == "account.suspended" ? pauseAtHome : SimulatedCustomer.stumble
    }

    /// Rings whenever something is told about an order, until the task ends.
    ///
    /// Begins again when it breaks: whoever waits for the signal looks by themselves meanwhile.
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
