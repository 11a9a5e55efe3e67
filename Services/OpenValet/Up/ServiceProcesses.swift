import AsyncHTTPClient
import Threads
import Contracts
import Foundation
import ServiceKit
import ServiceLifecycle
import Subprocess
import Synchronization
import SystemPackage

/// All processes of one machine, which start together and stop in reverse.
final class ServiceProcesses: Sendable {
    /// Longest time that everything together may take to stop.
    static let stopLimit: Duration = .seconds(60)
    /// Longest time from the first process to the last one's readiness.
    static let startLimit: Duration = .seconds(60)

    let plan: UpPlan
    let printer: LinePrinter
    let wiring = Wiring()
    let start = ContinuousClock.now
    /// Rings when everything is ready and has been said.
    let hasGreeted = Signal()
    /// Rings then, too, for the history of a demo.
    let mayRecall = Signal()
    private let reason = Mutex<String?>(nil)

    init(plan: UpPlan, printer: LinePrinter) {
        self.plan = plan
        self.printer = printer
    }

    /// Why the processes stopped by themselves; nil if they were asked to.
    var failure: String? { reason.withLock { $0 } }

    func fail(_ text: String) { reason.withLock { $0 = $0 ?? text } }

    var services: [any Service] {
        let children = allServices.map { SupervisedProcess(self, .service($0)) }
        let stub = plan.recogniserStubPort == nil ? [] : [SupervisedProcess(self, .recogniserStub)]
        return [SupervisedProcess(self, .redis), SupervisedProcess(self, .broker)] + stub
            + [SupervisedProcess(self, .router)] + children + [Supervisor(processes: self)]
            + (plan.demo == nil
                ? [] : [SupervisedProcess(self, .simulator), DemoHistory(processes: self)])
    }
}

/// What a process tells the others: the broker's address, which changes when the broker is started anew.
final class Wiring: Sendable {
    private struct State {
        var kafka: String?
        var generation = 0
        var waiters: [UUID: (after: Int, continuation: AsyncStream<Void>.Continuation)] = [:]
    }

    private let state = Mutex(State())

    var generation: Int { state.withLock { $0.generation } }

    func announce(kafka: String) {
        let waiters = state.withLock { state in
            state.kafka = kafka
            state.generation += 1
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.continuation.finish() }
    }

    /// The address and its generation, once it is newer than the given one.
    func kafka(after generation: Int = 0) async throws -> (servers: String, generation: Int) {
        while true {
            let stream = AsyncStream<Void>.makeStream()
            let id = UUID()
            let known: (String, Int)? = state.withLock { state in
                if let kafka = state.kafka, state.generation > generation {
                    return (kafka, state.generation)
                }
                state.waiters[id] = (generation, stream.continuation)
                return nil
            }
            if let known { return known }
            for await _ in stream.stream {}
            state.withLock { _ = $0.waiters.removeValue(forKey: id) }
            try Task.checkCancellation()
        }
    }
}
