import Client
import Threads
import Contracts
import Foundation
import Geo
import Synchronization

/// The command's options.
package struct SimulationSettings: Sendable {
    var url: URL
    var valets: Int
    var customers: Int
    var drivers: Int
    var commuters: Int
    var speed: Double
    /// Nil for the first area with a map of the platform, or else the first one.
    var area: ServiceAreaID?
    /// Real time after which no new orders are placed; nil to run until stopped.
    var time: Duration?
    var seed: Int
    var operatorPhone: String
    var operatorPassword: String

    package init(
        url: URL, valets: Int, customers: Int, drivers: Int, commuters: Int, speed: Double,
        area: ServiceAreaID?, time: Duration?, seed: Int, operatorPhone: String,
        operatorPassword: String
    ) {
        (self.url, self.valets, self.customers) = (url, valets, customers)
        (self.drivers, self.commuters) = (drivers, commuters)
        (self.speed, self.area, self.time, self.seed) = (speed, area, time, seed)
        (self.operatorPhone, self.operatorPassword) = (operatorPhone, operatorPassword)
    }
}

/// The state that all people in the simulated city share.
package final class Simulation: Sendable {
    /// The phase of the simulation, which only advances.
    enum Phase: Int, Comparable, Sendable {
        /// People place orders.
        case open
        /// No new orders; everything under way is finished.
        case closing
        /// Everybody goes home.
        case over

        static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    let settings: SimulationSettings
    let town: SimulatedTown
    let boss: SimulatedPerson
    let tally: Tally
    let spokenCodes = SpokenCodes()
    let strangers: Strangers
    let roads = Roads()
    /// Whether the system is a demo, in which strangers are served, too.
    let isDemo: Bool
    let desk = Desk()
    let begun = ContinuousClock.now
    let console: Console
    /// Phone numbers of the simulated people.
    let cast: Set<String>
    /// Phone numbers of valets that the server knows, with their last positions.
    let known: [String: Coordinate?]
    /// Gates of the car parks where drivers park.
    let gates: Gates
    private let state = Mutex<(phase: Phase, wakes: [Signal])>((.open, []))

    init(
        _ settings: SimulationSettings, town: SimulatedTown, boss: SimulatedPerson,
        isDemo: Bool = false, known: [String: Coordinate?],
        gates: [CarParkID: NewGate] = [:], console: Console
    ) {
        self.isDemo = isDemo
        self.gates = Gates(
            gates,
            keeper: SimulatedPerson(
                client: OpenValetClient(settings.url, observer: { boss.tally.observe($0) }),
                tally: boss.tally, phone: nil, password: "", desk: Desk()))
        self.known = known
        self.settings = settings
        self.town = town
        self.boss = boss
        tally = boss.tally
        self.console = console
        let valets = (0..<settings.valets).map { Persona(.valet, $0, seed: settings.seed) }
        let customers = (0..<settings.customers).map { Persona(.customer, $0, seed: settings.seed) }
        cast = Set((valets + customers).map(\.phone))
        strangers = Strangers(cast: cast)
    }

    var phase: Phase { state.withLock { $0.phase } }

    /// Somebody outside this simulation: a real person, or one of another simulation.
    func isStranger(_ party: Party) -> Bool { !cast.contains(party.phone) }

    /// Real time to wait for a stranger, who may be looking elsewhere.
    var patienceWithStrangers: Duration { phase == .open ? .seconds(2_700) : .seconds(300) }

    /// Advances to a later phase and wakes everybody.
    func enter(_ phase: Phase) {
        state.withLock { $0.phase = max($0.phase, phase) }
        wakeEverybody()
    }

    func wakeEverybody() {
        for wake in state.withLock(\.wakes) { wake.raise() }
    }

    /// A signal that is also raised when something concerns everybody.
    func wake() -> Signal {
        let wake = Signal()
        state.withLock { $0.wakes.append(wake) }
        return wake
    }

    /// Converts simulated seconds to real time.
    func real(_ simulatedSeconds: Double) -> Duration {
        .seconds(simulatedSeconds / settings.speed)
    }

    /// If one side of an order can't be reached, an operator sets its state and gives a reason.
    func callOperator(_ order: OrderView, _ status: OrderStatus, _ reason: String) async throws {
        let body = OverrideBody(status: status, reason: reason)
        let isSet = try await boss.tryTo { client, key in
            _ = try await client(OrderEndpoints.overrideOrder(order.id, body: body, key: key))
            return true
        }
        // If nothing is due, the order skips the payment.
        if isSet == nil, status == .waitingForPayment {
            try await callOperator(order, .finished, reason)
        }
    }

    /// A person with their own client, not signed in yet.
    func person(_ persona: Persona) -> SimulatedPerson {
        SimulatedPerson(
            client: OpenValetClient(settings.url, observer: { [tally] in tally.observe($0) }),
            tally: tally, phone: persona.email == nil ? persona.phone : nil, email: persona.email,
            password: persona.password, desk: desk)
    }

    func generator(_ part: Persona.Part, _ index: Int, _ occasion: String, _ number: Int = 0)
        -> SeededGenerator
    {
        SeededGenerator(UInt64(settings.seed), part.rawValue, index, occasion, number)
    }
}
