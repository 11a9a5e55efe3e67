import AsyncHTTPClient
import Threads
import Contracts
import Foundation
import ServiceKit
import ServiceLifecycle
import Subprocess
import Synchronization
import SystemPackage

/// All processes of one machine, which start together and stop in reverse order.
final class ServiceProcesses: Sendable {
    /// How long all processes together may take to stop.
    static let stopLimit: Duration = .seconds(60)
    /// How long all processes together may take to become ready.
    static let startLimit: Duration = .seconds(60)

    let plan: UpPlan
    let printer: LinePrinter
    let wiring = Wiring()
    let start = ContinuousClock.now
    /// Raised when everything is ready and the greeting is printed; the simulation waits for it.
    let hasGreeted = Signal()
    /// Raised at the same time, for the past orders of a demo.
    let mayRecall = Signal()
    private let reason = Mutex<String?>(nil)

    init(plan: UpPlan, printer: LinePrinter) {
        self.plan = plan
        self.printer = printer
        if let kafka = plan.outside.kafka { wiring.announce(kafka: kafka.bootstrapServers) }
    }

    /// Why the processes stopped by themselves; nil if they were asked to.
    var failure: String? { reason.withLock { $0 } }

    func fail(_ text: String) { reason.withLock { $0 = $0 ?? text } }

    var services: [any Service] {
        var engines: [SupervisedProcess] = []
        if plan.outside.redis == nil { engines.append(SupervisedProcess(self, .redis)) }
        if plan.outside.kafka == nil { engines.append(SupervisedProcess(self, .broker)) }
        let children = allServices.map { SupervisedProcess(self, .service($0)) }
        let stub = plan.recogniserStubPort == nil ? [] : [SupervisedProcess(self, .recogniserStub)]
        return engines + stub
            + [SupervisedProcess(self, .router)] + children + [Supervisor(processes: self)]
            + (plan.demo == nil
                ? [] : [SupervisedProcess(self, .simulator), DemoHistory(processes: self)])
    }
}

/// The broker's address for the other processes; it changes when the broker is restarted.
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

    /// Waits for an address that is newer than this generation; returns it with its generation.
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
