import Client
import Threads
import Contracts
import Foundation
import Geo
import Synchronization

/// Opens the city, runs its people, closes it, and checks the result.
package struct SimulationRun: Sendable {
    /// Maximum real time for finishing everything under way.
    private static let closingLimit: Duration = .seconds(600)
    /// Maximum time for valets to sign off.
    private static let homeLimit: Duration = .seconds(15)
    /// How often it looks for strangers who wait for work.
    private static let watch: Duration = .seconds(3)
    private static let forever: Duration = .seconds(365 * 86_400)

    private let world: Simulation
    private let progressInterval: Duration
    private let interruption = Interruption()
    private let othersAreDone = Signal()
    private let valetsAreHome = Signal()

    package init(_ world: Simulation, progressInterval: Duration) {
        self.world = world
        self.progressInterval = progressInterval
    }

    package func run() async throws -> SimulationResult {
        interruption.watch()
        defer { interruption.forget() }
        let settings = world.settings
        world.console.say(
            "\(settings.valets) valets, \(settings.customers) customers, \(settings.drivers) drivers and "
                + "\(settings.commuters) commuters in "
                + "\(world.town.feature.properties.name), \(Self.number(world.settings.speed)) times"
                + " as fast as the clock, seed \(world.settings.seed).")
        let closing = world.wake()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await showProgress() }
            group.addTask { try await hearInterruptions(closing) }
            group.addTask { try await valets() }
            group.addTask { try await others() }
            if world.isDemo { group.addTask { try await watchForStrangers() } }
            try await direct(closing)
            group.cancelAll()
            // A task that is still busy ends with a cancellation.
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
        return await world.outcome(wasInterrupted: interruption.count > 1)
    }

    /// Directs the phases of the run.
    private func direct(_ closing: Signal) async throws {
        let end = ContinuousClock.now + (world.settings.time ?? Self.forever)
        while ContinuousClock.now < end, interruption.count == 0 {
            try await closing.wait(upTo: end - .now)
        }
        world.enter(.closing)
        if interruption.count < 2 { try await othersAreDone.wait(upTo: Self.closingLimit) }
        world.enter(.over)
        if interruption.count < 2 { try await valetsAreHome.wait(upTo: Self.homeLimit) }
    }

    private func valets() async throws {
        try await everyone(world.settings.valets) { try await SimulatedValet(world, $0).live() }
        valetsAreHome.raise()
    }

    private func others() async throws {
        async let drivers: Void = everyone(world.settings.drivers) {
            try await SimulatedDriver(world, $0).live()
        }
        async let commuters: Void = everyone(world.settings.commuters) {
            try await SimulatedCommuter(world, $0).live()
        }
        try await everyone(world.settings.customers) {
            try await SimulatedCustomer(world, $0).live()
        }
        try await drivers
        try await commuters
        othersAreDone.raise()
    }

    private func everyone(
        _ count: Int, _ live: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count { group.addTask { try await live(index) } }
            try await group.waitForAll()
        }
    }

    private func showProgress() async throws {
        let settings = world.settings
        let people =
            settings.valets + settings.customers + settings.drivers + settings.commuters
        while true {
            try await Task.sleep(for: progressInterval)
            world.console.show(
                Progress(
                    world.tally.counts, people: people, elapsed: .now - world.begun,
                    phase: world.phase))
        }
    }

    private func watchForStrangers() async throws {
        while world.phase == .open {
            if let valets = try? await world.boss.valets() {
                let here = valets.filter { valet in
                    valet.position.map { world.town.contains($0.coordinate) } == true
                }
                if world.strangers.see(here) { world.wakeEverybody() }
            }
            try await Task.sleep(for: Self.watch)
        }
    }

    private func hearInterruptions(_ closing: Signal) async throws {
        for await count in interruption.signals {
            if count == 1 {
                world.console.say(
                    "Nobody orders any more; what is under way is brought to its end. Ctrl-C again ends it now."
                )
                closing.raise()
            } else {
                othersAreDone.raise()
                valetsAreHome.raise()
            }
        }
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}

/// Why the simulation can't start; the process ends with the exit code 1.
struct SimulationFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Counts Ctrl-C, once or twice; SIGTERM counts as twice.
final class Interruption: Sendable {
    let signals: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation
    private let state = Mutex<(count: Int, sources: [any DispatchSourceSignal])>((0, []))

    init() { (signals, continuation) = AsyncStream.makeStream() }

    var count: Int { state.withLock { $0.count } }

    func watch() {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { [self] in come(number == SIGTERM ? 2 : 1) }
            source.resume()
            state.withLock { $0.sources.append(source) }
        }
    }

    func forget() { state.withLock { $0.sources.forEach { $0.cancel() } } }

    private func come(_ times: Int) {
        for _ in 0..<times {
            let count = state.withLock { state in
                state.count += 1
                return state.count
            }
            continuation.yield(count)
        }
    }
}

extension SimulatedPerson {
    private static let pageSize = 200

    /// All valets that an operator sees.
    fileprivate func valets() async throws -> [ValetRecord] {
        try await all { try await $0(AccountEndpoints.valets(after: $1, limit: Self.pageSize)) }
    }
}

extension Simulation {
    /// Signs the operator in and reads the town.
    package static func open(_ settings: SimulationSettings, console: Console) async throws
        -> Simulation
    {
        let tally = Tally()
        let client = OpenValetClient(settings.url, observer: { tally.observe($0) })
        // With their own desk: operators add valets, who queue at the other one.
        let boss = SimulatedPerson(
            client: client, tally: tally, phone: settings.operatorPhone,
            password: settings.operatorPassword, desk: Desk())
        do {
            // First without retries, so that a wrong address is reported at once.
            let areas = try await client(AreaEndpoints.serviceAreas()).features
            try await boss.signIn()
            let maps = settings.area == nil ? try await client.maps().maps : []
            let feature = try SimulatedTown.area(settings.area, of: areas, on: maps)
            let town = try await SimulatedTown(feature, seed: settings.seed).onStreets { point in
                try await boss.tryTo(PlaceEndpoints.placesAround(asks: PointQuery(point)))
            }
            let isDemo = try await boss.tryTo { client, _ in try await client.demo() != nil }
            let gates =
                settings.drivers > 0
                ? try await boss.gates(in: town, seed: settings.seed) : [:]
            var settings = settings
            if settings.drivers > 0, gates.isEmpty {
                console.say(
                    "Nobody parks by themselves: no car park in \(feature.properties.name) can be booked by the hour."
                )
                settings.drivers = 0
            }
            return Simulation(
                settings, town: town, boss: boss, isDemo: isDemo ?? false,
                known: Dictionary(
                    try await boss.valets().map { ($0.phone, $0.position?.coordinate) },
                    uniquingKeysWith: { $1 }),
                gates: gates, console: console)
        } catch let error as ClientError {
            throw SimulationFailure(
                error.problem.map {
                    "The operator can't open the simulation at \(settings.url): \($0.status) \($0.code)"
                } ?? "Nobody answers at \(settings.url). Start it with: openvalet up")
        }
    }
}
