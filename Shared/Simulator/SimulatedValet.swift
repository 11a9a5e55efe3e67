import Client
import Threads
import Contracts
import Foundation
import Geo

/// A valet who works shifts, does jobs and tasks, takes breaks, and loses the signal now and then.
struct SimulatedValet: Sendable {
    /// How often a moving phone reports its position; a still one does so less often. After sixty seconds of silence
    /// a valet counts as lost, at any speed of the simulation.
    private static let movingInterval: Duration = .seconds(2)
    private static let stillInterval: Duration = .seconds(7)
    /// Longest time between two looks for a job.
    private static let look: Duration = .seconds(10)
    private static let poll: Duration = .seconds(4)
    private static let accuracyMeters = 6.0
    private static let mostLooksForWay = 5
    /// Maximum number of points that are collected offline and then sent at once.
    private static let mostGathered = 100

    let world: Simulation
    let persona: Persona
    let person: SimulatedPerson
    let wake: Signal
    let whereabouts: Whereabouts

    init(_ world: Simulation, _ index: Int) {
        self.world = world
        persona = Persona(.valet, index, seed: world.settings.seed)
        person = world.person(persona)
        wake = world.wake()
        var generator = world.generator(.valet, index, "start")
        whereabouts = Whereabouts(world.town.start(&generator))
    }

    /// Returns when the day is over and the valet is offline.
    func live() async throws {
        guard try await arrive() else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if persona.streams { group.addTask { try await person.listen(wake) } }
            group.addTask { try await report() }
            try await work()
            group.cancelAll()
        }
    }

    // MARK: Where

    /// Reports the position repeatedly; collects positions while offline.
    private func report() async throws {
        var gathered: [PositionBody] = []
        while !Task.isCancelled {
            let fix = whereabouts.fix
            let position = fix.body(at: Date(), accuracyMeters: Self.accuracyMeters)
            if whereabouts.isSilent {
                if gathered.count < Self.mostGathered { gathered.append(position) }
            } else if gathered.isEmpty {
                try await person.tryTo(LocationEndpoints.recordPosition(body: position))
            } else {
                let points = gathered + [position]
                gathered = []
                try await person.tryTo(
                    LocationEndpoints.recordPositions(body: PositionsBody(points: points))
                        .repeatable)
            }
            try await Task.sleep(
                for: fix.metersPerSecond > 0 ? Self.movingInterval : Self.stillInterval)
        }
    }

    /// Sends two positions at the same place, by which the server recognises an arrival.
    func standStill() async throws {
        whereabouts.stop()
        // While offline, the valet can neither report nor act.
        while whereabouts.isSilent { try await Task.sleep(for: .seconds(1)) }
        for _ in 0..<2 {
            let position = whereabouts.fix.body(at: Date(), accuracyMeters: Self.accuracyMeters)
            try await person.tryTo(LocationEndpoints.recordPosition(body: position))
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// Travels along these points. False if interrupted.
    func travel(
        along way: [Coordinate], _ pace: TravelSpeed, while isStillWanted: () async throws -> Bool
    ) async throws -> Bool {
        let time = whereabouts.go(
            through: way, metersPerSecond: pace.metersPerSecond(speed: world.settings.speed))
        let arrival = ContinuousClock.now + time
        while ContinuousClock.now < arrival {
            try await wake.wait(upTo: min(arrival - .now, Self.look))
            guard ContinuousClock.now < arrival else { break }
            guard try await isStillWanted() else {
                whereabouts.stop()
                return false
            }
        }
        return true
    }

    /// The server's route for an order; else a known one, or a straight line.
    func way(to goal: Coordinate, of order: OrderID) async throws -> [Coordinate] {
        for _ in 0..<(world.town.hasStreets ? Self.mostLooksForWay : 1) {
            let route = try await person.tryTo(LocationEndpoints.route(order))
            guard let route else {
                // Location learns of an order a moment later.
                if world.town.hasStreets { try await wake.wait(upTo: .seconds(1)) }
                continue
            }
            let points = route.geometry.coordinates.compactMap { pair in
                pair.count < 2 ? nil : Coordinate(latitude: pair[1], longitude: pair[0])
            }
            if route.source == .router { world.roads.learn(points) }
            return points + [goal]
        }
        return way(to: goal) ?? [goal]
    }

    /// A route without an order: a straight line if there are no streets, else a known one; nil if there is none.
    func way(to goal: Coordinate) -> [Coordinate]? {
        world.town.hasStreets ? world.roads.way(from: whereabouts.fix.point, to: goal) : [goal]
    }

    // MARK: The day

    private func work() async throws {
        let shift = ValetShift(self)
        var job: ValetJob?
        var jobs = 0
        try await shift.begin()
        while world.phase < .over {
            do {
                try await beginAgainIfBack(shift)
                try await shift.answerOffers()
                if let order = try await person.ask(
                    OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))
                {
                    if job?.isAbout(order) != true {
                        job = ValetJob(self, order, number: jobs)
                        jobs += 1
                    }
                    if try await job?.goOn(order) == true { continue }
                } else {
                    if let order = job?.order { shift.remember(order) }
                    job = nil
                    if try await shift.doSomethingElse() { continue }
                }
                try await wake.wait(upTo: persona.streams ? Self.look : Self.poll)
            } catch is ClientError {
                try await wake.wait(upTo: .seconds(1))
            }
        }
        try await shift.end()
    }

    /// Starts the shift again after a new sign-in: the valet may have been taken off it meanwhile.
    private func beginAgainIfBack(_ shift: ValetShift) async throws {
        guard try await person.isBack.wait(upTo: .zero) else { return }
        // The event that they may work again may not have arrived yet, so the next look tries again.
        if try await !shift.begin() { person.isBack.raise() }
    }
}

// MARK: - Coming to work

extension SimulatedValet {
    /// Creates the account if it is missing, and signs in. False if the time was over before.
    private func arrive() async throws -> Bool {
        while world.phase == .open {
            do {
                try await world.desk.serve {
                    guard world.phase == .open else { throw ClientError.signedOut }
                    try await hire()
                    try await person.signIn()
                }
                world.tally.arrive()
                return true
            } catch let error as ClientError {
                try await wake.wait(upTo: SimulatedPerson.pause(after: error))
            }
        }
        return false
    }

    private func hire() async throws {
        if let position = world.known[persona.phone] {
            // At the last position that the server knows, so that valets don't jump across the town.
            if let position, world.town.contains(position) { whereabouts.appear(at: position) }
            return
        }
        do {
            try await world.boss.ask(AccountEndpoints.addValet(body: NewValetBody(persona)))
        } catch let error as ClientError where error.code == "account.phone_taken" {
            // Created by a try whose answer was lost.
        }
    }
}
