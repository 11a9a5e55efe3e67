import Client
import Contracts
import Foundation
import Support
import Synchronization

/// What journeys do, and how long each of their steps had to wait, while parts of the system are away.
final class Diary: Sendable {
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// A call that was repeated until it was answered, or a condition that was awaited.
    struct Step: Sendable {
        let name: String
        let begun, ended: ContinuousClock.Instant

        var seconds: Double { (ended - begun) / .seconds(1) }
    }

    /// The journeys of a product.
    struct Count: Sendable {
        var begun = 0
        var finished = 0
        /// When the last one that has finished was begun.
        var lastBegun: ContinuousClock.Instant?
    }

    private struct State {
        var steps: [Step] = []
        /// Begun and not ended, by number.
        var open: Set<Int> = []
        var begun = 0
        var counts: [String: Count] = [:]
        var faults: [String] = []
        var isClosed = false
    }

    /// After this time a step counts as failed: longer than any trouble may take.
    static let limit: Duration = .seconds(300)
    private static let pause: Duration = .milliseconds(100)

    private let state: Mutex<State>

    init(products: [String]) {
        state = Mutex(
            State(counts: Dictionary(uniqueKeysWithValues: products.map { ($0, Count()) })))
    }

    // MARK: A journey writes

    /// Makes a journey again and again, until the diary is closed.
    func keep(_ product: String, _ journey: () async throws -> Void) async {
        while !isClosed {
            let begun = ContinuousClock.now
            state.withLock { $0.counts[product]?.begun += 1 }
            do {
                try await journey()
                state.withLock { state in
                    state.counts[product]?.finished += 1
                    state.counts[product]?.lastBegun = begun
                }
            } catch {
                state.withLock { $0.faults.append("\(product): \(error)") }
                return
            }
        }
    }

    /// Repeats a call, always with the same key, while a part of the system is away, or while a service has not heard
    /// yet of what others know, which it says by these codes.
    @discardableResult
    func step<Answer>(
        _ name: String, past codes: Set<String> = [],
        _ body: (_ key: RequestKey) async throws -> Answer
    ) async throws -> Answer {
        let begun = ContinuousClock.now
        let number = open()
        defer { close(number) }
        var key = RequestKey.new()
        while true {
            do {
                let answer = try await body(key)
                write(name, begun)
                return answer
            } catch let error as ClientError {
                let wasNotProcessed = error.problem?.detail == "not_processed"
                guard wasNotProcessed || error.isPassing || error.code.map(codes.contains) == true
                else { throw Fault(description: "\(name): \(error)") }
                // The provider took nothing: the person taps again.
                if wasNotProcessed { key = .new() }
                try await wait(name, since: begun, for: "\(error)")
            }
        }
    }

    /// Waits for a condition, in the same manner.
    func until(
        _ name: String, past codes: Set<String> = [], _ condition: () async throws -> Bool
    ) async throws {
        let begun = ContinuousClock.now
        let number = open()
        defer { close(number) }
        while true {
            do {
                if try await condition() { return write(name, begun) }
                try await wait(name, since: begun, for: "it did not come")
            } catch let error as ClientError
                where error.isPassing || error.code.map(codes.contains) == true
            {
                try await wait(name, since: begun, for: "\(error)")
            }
        }
    }

    private func wait(
        _ name: String, since begun: ContinuousClock.Instant, for reason: String
    ) async throws {
        guard ContinuousClock.now - begun < Self.limit else {
            write(name, begun)
            throw Fault(description: "\(name) took more than \(Self.limit): \(reason)")
        }
        try await Task.sleep(for: Self.pause)
    }

    private func open() -> Int {
        state.withLock { state in
            state.begun += 1
            state.open.insert(state.begun)
            return state.begun
        }
    }

    private func close(_ number: Int) { _ = state.withLock { $0.open.remove(number) } }

    private func write(_ name: String, _ begun: ContinuousClock.Instant) {
        let step = Step(name: name, begun: begun, ended: .now)
        state.withLock { $0.steps.append(step) }
    }

    // MARK: The test reads

    var counts: [String: Count] { state.withLock { $0.counts } }
    var faults: [String] { state.withLock { $0.faults } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func close() { state.withLock { $0.isClosed = true } }

    /// The step that took longest of those that ended after the moment.
    func longest(since moment: ContinuousClock.Instant) -> Step? {
        state.withLock { $0.steps.filter { $0.ended >= moment }.max { $0.seconds < $1.seconds } }
    }

    /// Returns when each product has finished a journey that began after this call, and the steps that were waiting
    /// then have ended: what follows does not count as their cause. Throws when one has failed.
    func goOn() async throws {
        let begun = ContinuousClock.now
        let hasGoneOn = try await eventually(within: Self.limit * 2) {
            if !faults.isEmpty { throw Fault(description: faults.joined(separator: "\n")) }
            return counts.values.allSatisfy { $0.lastBegun.map { $0 > begun } == true }
        }
        guard hasGoneOn else { throw Fault(description: "journeys stand still") }
        let waiting = state.withLock { $0.open }
        _ = try await eventually(within: Self.limit * 2) {
            state.withLock { $0.open.isDisjoint(with: waiting) }
        }
    }
}
