import Client
import Threads
import Contracts
import Foundation
import Geo

/// A valet's activities besides jobs: starts and ends shifts, takes breaks, washes cars, strolls, rates.
final class ValetShift {
    /// Simulated seconds between two of a kind, and the duration of each.
    private static let untilBreak = 40.0 * 60...200 * 60
    private static let breakSeconds = 5.0 * 60...15 * 60
    private static let untilEnd = 90.0 * 60...400 * 60
    private static let offSeconds = 8.0 * 60...20 * 60
    private static let untilSilence = 60.0 * 60...400 * 60
    /// Real seconds: a valet counts as lost after sixty.
    private static let silentSeconds = 65.0...95
    private static let untilTask = 4.0 * 60...20 * 60
    private static let taskSeconds = 4.0 * 60...8 * 60
    private static let untilStroll = 3.0 * 60...10 * 60
    private static let strollMeters = 600.0
    /// Maximum number of customers of past jobs that the valet may still rate.
    private static let mostRemembered = 5

    private let valet: SimulatedValet
    // Separate generators, so that an additional job does not move the next break.
    private var ends: SeededGenerator
    private var breaks: SeededGenerator
    private var silences: SeededGenerator
    private var tasks: SeededGenerator
    private var strolls: SeededGenerator
    private var offers: SeededGenerator
    private var ratings: SeededGenerator
    private var nextBreak: ContinuousClock.Instant
    private var nextEnd: ContinuousClock.Instant
    private var nextSilence: ContinuousClock.Instant
    private var nextTask: ContinuousClock.Instant
    private var nextStroll: ContinuousClock.Instant
    private var served: [OrderID] = []

    private var world: Simulation { valet.world }
    private var person: SimulatedPerson { valet.person }

    init(_ valet: SimulatedValet) {
        self.valet = valet
        let world = valet.world
        func own(_ occasion: String) -> SeededGenerator {
            world.generator(.valet, valet.persona.index, occasion)
        }
        ends = own("ends")
        breaks = own("breaks")
        silences = own("silences")
        tasks = own("tasks")
        strolls = own("strolls")
        offers = own("offers")
        ratings = own("ratings")
        nextEnd = world.after(Self.untilEnd, &ends)
        nextBreak = world.after(Self.untilBreak, &breaks)
        nextSilence = world.after(Self.untilSilence, &silences)
        nextTask = world.after(Self.untilTask, &tasks)
        nextStroll = world.after(Self.untilStroll, &strolls)
    }

    /// False if the server refuses.
    @discardableResult
    func begin() async throws -> Bool {
        try await valet.standStill()
        return try await set(.available)
    }

    /// Goes offline, unless there is a job that nobody could finish.
    func end() async throws { try await set(.offline) }

    @discardableResult
    private func set(_ status: ValetStatus) async throws -> Bool {
        try await person.tryTo(
            LocationEndpoints.setAvailability(body: AvailabilityBody(status: status))) != nil
    }

    /// Does one thing that is due. False if there is none.
    func doSomethingElse() async throws -> Bool {
        guard world.phase == .open else { return false }
        let now = ContinuousClock.now
        if nextEnd < now {
            try await away(.offline, until: world.after(Self.offSeconds, &ends))
            nextEnd = world.after(Self.untilEnd, &ends)
        } else if nextBreak < now {
            try await away(.onBreak, until: world.after(Self.breakSeconds, &breaks))
            nextBreak = world.after(Self.untilBreak, &breaks)
        } else if nextSilence < now {
            valet.whereabouts.loseSignal(for: .seconds(silences.within(Self.silentSeconds)))
            nextSilence = world.after(Self.untilSilence, &silences)
        } else if nextTask < now {
            nextTask = world.after(Self.untilTask, &tasks)
            try await doTask()
        } else if nextStroll < now {
            nextStroll = world.after(Self.untilStroll, &strolls)
            try await rate()
            try await stroll()
        } else {
            return false
        }
        return true
    }

    private func away(
        _ status: ValetStatus, until end: ContinuousClock.Instant
    ) async throws {
        guard try await set(status) else { return }
        while world.phase == .open, ContinuousClock.now < end {
            try await valet.wake.wait(upTo: end - .now)
        }
        try await set(.available)
    }

    /// Strolls to where customers are likely, while there is no job.
    private func stroll() async throws {
        let here = valet.whereabouts.fix.point
        let way =
            world.town.hasStreets
            ? world.roads.stroll(from: here, meters: Self.strollMeters, &strolls)
            : [world.town.point(near: here, within: Self.strollMeters, &strolls)]
        _ = try await valet.travel(along: way, .strolling) {
            guard
                try await person.ask(OrderEndpoints.currentOrder(asks: CurrentOrderQuery())) == nil
            else { return false }
            return try await !hasOffer()
        }
    }

    // MARK: Offers

    private var isAsked: Bool { world.town.feature.properties.dispatch?.mode.known == .offer }

    private func hasOffer() async throws -> Bool {
        guard isAsked else { return false }
        return try await !person.ask(OrderEndpoints.offers()).items.isEmpty
    }

    /// In areas that ask valets first: usually accepts, sometimes declines, now and then ignores the offer.
    func answerOffers() async throws {
        guard isAsked,
            let offer = try await person.ask(OrderEndpoints.offers()).items.first
        else {
            return
        }
        try await person.ask(OrderEndpoints.confirmOfferDelivery(offer.order))
        let answer = offers.within(0...100)
        let isClosing = world.phase > .open
        if answer > 96, !isClosing {
            // No answer counts as declined.
            try await Task.sleep(for: .seconds(max(0, offer.expiresAt.timeIntervalSinceNow) + 1))
        } else if answer > 88, !isClosing {
            try await person.ask(OrderEndpoints.declineOffer(offer.order))
        } else {
            try await person.ask(OrderEndpoints.acceptOffer(offer.order))
        }
    }

    // MARK: Tasks

    /// Washes or refuels a parked vehicle, if one is waiting.
    private func doTask() async throws {
        let open = try await person.ask(
            OrderEndpoints.tasks(asks: TasksQuery().with(\.status, .open).page(limit: 20))
        ).items
        guard let task = tasks.pick(open), let kind = task.task.kind.known,
            let parked = task.parked,
            let way = valet.way(
                to: Coordinate(latitude: parked.latitude, longitude: parked.longitude))
        else { return }
        try await person.ask(OrderEndpoints.takeTask(task.order, body: TaskBody(kind: kind)))
        let isHere = try await valet.travel(along: way, .riding) {
            try await person.ask(OrderEndpoints.currentOrder(asks: CurrentOrderQuery())) == nil
        }
        guard isHere else {
            try await person.tryTo(
                OrderEndpoints.releaseTask(task.order, body: TaskBody(kind: kind)))
            return
        }
        try await Task.sleep(for: world.real(tasks.within(Self.taskSeconds)))
        try await person.ask(
            OrderEndpoints.completeTask(task.order, body: TaskBody(kind: kind)))
    }

    // MARK: Ratings

    /// A finished job; the customer can be rated after paying.
    func remember(_ order: OrderView) {
        guard ratings.chance(40) else { return }
        served.append(order.id)
        if served.count > Self.mostRemembered { served.removeFirst() }
    }

    private func rate() async throws {
        guard let order = served.first else { return }
        let now = try await person.tryTo(OrderEndpoints.order(order))
        guard let now, now.status.isEnd else { return }
        served.removeFirst()
        guard now.status == .finished else { return }
        let stars = ratings.pick([5, 5, 5, 4, 4, 3]) ?? 5
        let rating = try await person.tryTo(
            RatingEndpoints.rate(order, body: RatingBody(stars: stars)))
        if rating != nil { world.tally.rated(stars) }
    }
}

extension Simulation {
    /// The real time after that many simulated seconds.
    fileprivate func after(
        _ range: ClosedRange<Double>, _ generator: inout SeededGenerator
    ) -> ContinuousClock.Instant {
        .now + real(generator.within(range))
    }
}
