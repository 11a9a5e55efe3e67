import Client
import Contracts
import Foundation
import Support
import Testing

/// A running system, and its operator.
struct World: Sendable {
    let door: any TestSystem
    let boss: OpenValetClient

    init(_ door: any TestSystem) async throws {
        self.door = door
        boss = try await door.signedInOperator()
    }

    /// For tests that look behind the gateway.
    var system: any LocalSystem { behind() }

    /// For tests that take processes away.
    var processes: RunningSystem { behind() }

    /// For tests that stop it.
    var platform: TestPlatform { behind() }

    private func behind<System>() -> System {
        guard let system = door as? System else {
            preconditionFailure("\(type(of: door)) is no \(System.self)")
        }
        return system
    }
}

/// A system that several tests share: starts with the first, stops with the process.
actor City {
    /// For the journeys that break nothing, all of it in this process.
    ///
    /// Patience is short, so that nobody waits long to hear that nobody comes. A valet who says nothing for a minute is
    /// still there: on a busy machine so much may lie between two steps of a test.
    static let shared = City(start: {
        try await TestPlatform.start([
            "OPENVALET_LOCATION_SILENCE_SECONDS": "3600",
            "OPENVALET_MATCHING_PATIENCE_SECONDS": "10",
            "OPENVALET_ORDERS_SCHEDULE_EARLIEST_SECONDS": "2",
            "OPENVALET_ORDERS_SCHEDULE_LEAD_SECONDS": "2",
        ])
    })
    /// For the tests that take its processes away. Matching looks for a valet as long as can be, since parts are away
    /// meanwhile.
    static let ofProcesses = City(start: processes)
    /// The same, until the last test of `TroubleTests` ends it.
    static let troubled = City(start: processes)

    private static let processes: @Sendable () async throws -> any TestSystem = {
        try await RunningSystem.start(environment: ["OPENVALET_MATCHING_PATIENCE_SECONDS": "45"])
    }

    private enum State {
        case asleep
        case waking([CheckedContinuation<World, any Error>])
        case awake(World)
    }

    private let start: @Sendable () async throws -> any TestSystem
    private var state = State.asleep

    init(start: @escaping @Sendable () async throws -> any TestSystem) { self.start = start }

    func world() async throws -> World {
        switch state {
        case .awake(let world): return world
        case .waking(let waiting):
            return try await withCheckedThrowingContinuation {
                state = .waking(waiting + [$0])
            }
        case .asleep: return try await wake()
        }
    }

    private func wake() async throws -> World {
        state = .waking([])
        let result: Result<World, any Error>
        do {
            result = .success(try await World(try await start()))
        } catch {
            result = .failure(error)
        }
        if case .waking(let waiting) = state {
            for continuation in waiting { continuation.resume(with: result) }
        }
        // After a failure, the next caller tries again.
        if case .success(let world) = result { state = .awake(world) } else { state = .asleep }
        return try result.get()
    }
}

/// Expects a refusal with a code of the API, and gives the problem.
@discardableResult
func refused(
    _ code: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async throws -> Problem? {
    do {
        try await body()
        Issue.record("it was not refused with \(code)", sourceLocation: sourceLocation)
        return nil
    } catch let error as ClientError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error.problem
    }
}

extension ClientError {
    /// The server, or a part of it, is away for the moment.
    var isPassing: Bool {
        switch self {
        case .unreachable: true
        case .problem, .unexpectedStatus: status.map { (502...504).contains($0) } ?? false
        case .malformedAnswer, .signedOut: false
        }
    }
}

/// Repeats a call for as long as a part of the system is away, or refuses it with one of these codes
/// because it has not heard yet of what others know.
@discardableResult
func insisting<Answer>(
    past codes: Set<String> = [], within limit: Duration = patience,
    _ body: () async throws -> Answer
) async throws -> Answer {
    var answer: Answer?
    let isAnswered = try await eventually(within: limit) {
        do {
            answer = try await body()
            return true
        } catch let error as ClientError
            where error.isPassing || error.code.map(codes.contains) == true
        {
            return false
        }
    }
    #expect(isAnswered, "it stayed away")
    return try #require(answer)
}

extension OpenValetClient {
    /// Pays a bill that payments may hear of a moment after the customer: on a busy machine, or after a restart. What
    /// died before the provider heard of it, and took nothing, is tapped again.
    @discardableResult
    func payWhenDue(
        _ order: OrderID, _ body: PayBody, key: RequestKey = .new()
    ) async throws -> Payment {
        var key = key
        return try await insisting(past: ["payment.bill_pending"]) {
            do {
                return try await self(PaymentEndpoints.pay(order, body: InCurrency(body), key: key))
                    .payment
            } catch let error as ClientError where error.problem?.detail == "not_processed" {
                key = .new()
                return try await self(PaymentEndpoints.pay(order, body: InCurrency(body), key: key))
                    .payment
            }
        }
    }
}
