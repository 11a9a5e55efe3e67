import Contracts
import Foundation
import Geo
import Routing
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Matching

/// A router whose travel times the test decides.
private final class PretendRoads: RoadRouter {
    private let seconds: @Sendable (Coordinate, Coordinate) -> Double?
    private let counted = Mutex<[(starts: Int, ends: Int)]>([])

    init(_ seconds: @escaping @Sendable (Coordinate, Coordinate) -> Double?) {
        self.seconds = seconds
    }

    var asked: [(starts: Int, ends: Int)] { counted.withLock { $0 } }

    func route(from start: Coordinate, to end: Coordinate) async throws -> Route {
        throw RoutingError.refused
    }

    func travelSeconds(
        from starts: [Coordinate], to ends: [Coordinate]
    ) async throws -> [[Double?]] {
        counted.withLock { $0.append((starts.count, ends.count)) }
        return starts.map { start in ends.map { seconds(start, $0) } }
    }
}

@Suite struct RoadTimeTests {
    private func decision(_ bench: Bench, _ order: OrderSnapshot) async throws
        -> MatchingTrace.Decision
    {
        try await until { try await !bench.parts.store.decisions(of: order.id).isEmpty }
        return try #require(try await bench.parts.store.decisions(of: order.id).first)
    }

    @Test func whoIsNearerByRoadIsChosen() async throws {
        let (river, bridge) = (Bench.valet(200), Bench.valet(-600))
        let router = PretendRoads { start, _ in start == river.at ? 900 : 150.4 }
        try await Bench.with(roads: Roads(router, attribution: nil)) { bench in
            bench.location.set(river, bridge)
            try await bench.run {
                let order = try await bench.ask()
                try await until { !bench.said.records.isEmpty }
                #expect(bench.said.matched.first?.valet == bridge.id)
                #expect(bench.said.matched.first?.etaSeconds == 151)
                let decision = try await decision(bench, order)
                #expect(decision.travelTimes == .router)
                #expect(decision.candidates.map(\.valet) == [river.id, bridge.id])
                #expect(decision.candidates.map(\.travelSeconds) == [900, 150.4])
            }
        }
        #expect(router.asked.count == 1)
    }

    @Test func withoutARouterTheStraightLineDecides() async throws {
        try await Bench.with { bench in
            let near = Bench.valet(200)
            bench.location.set(near, Bench.valet(-600))
            try await bench.run {
                let order = try await bench.ask()
                let decision = try await decision(bench, order)
                #expect(decision.travelTimes == .straightLine)
                #expect(decision.candidates.first { $0.chosen }?.valet == near.id)
            }
        }
    }

    @Test func aRouterThatCantSayLeavesItToTheStraightLine() async throws {
        let router = PretendRoads { _, _ in -1 }
        try await Bench.with(roads: Roads(router, attribution: nil)) { bench in
            let near = Bench.valet(200)
            bench.location.set(near)
            try await bench.run {
                let order = try await bench.ask()
                let decision = try await decision(bench, order)
                #expect(decision.travelTimes == .straightLine)
                #expect(bench.said.matched.first?.valet == near.id)
            }
        }
    }

    @Test func whoHasNoWayIsTakenLast() async throws {
        let (island, mainland) = (Bench.valet(200), Bench.valet(600))
        let router = PretendRoads { start, _ in start == island.at ? nil : 130 }
        try await Bench.with(roads: Roads(router, attribution: nil)) { bench in
            bench.location.set(island, mainland)
            try await bench.run {
                let (first, second) = (try await bench.ask(), try await bench.ask())
                try await until { bench.location.asked.count > 1 }
                bench.clock.advance(by: 2)
                try await until { bench.said.matched.count == 2 }
                let decisions = [
                    try await decision(bench, first), try await decision(bench, second),
                ]
                #expect(decisions.allSatisfy { $0.travelTimes == .router })
                let times = decisions[0].candidates.map { $0.travelSeconds.rounded() }
                #expect(times == [160, 130], "four times the straight line, and the router's")
            }
        }
    }

    @Test func noCandidatesHaveNoTravelTimes() async throws {
        var rules = Bench.rules
        rules.patienceSeconds = 0
        let router = PretendRoads { _, _ in 1 }
        try await Bench.with(rules, roads: Roads(router, attribution: nil)) { bench in
            try await bench.run {
                let order = try await bench.ask()
                let decision = try await decision(bench, order)
                #expect(decision.outcome == .noValet)
                #expect(decision.travelTimes == nil)
            }
        }
        #expect(router.asked.isEmpty)
    }

    // MARK: The question

    private func request(_ place: Coordinate, excluded: [ValetID] = []) -> OpenRequest {
        OpenRequest(
            order: .new(), area: Bench.area, version: 1,
            match: MatchRequest(
                leg: .dropOff, attempt: 1, meetingPoint: Place(place), excluded: excluded),
            openedAt: Date(timeIntervalSince1970: 1_800_000_000), traceparent: nil)
    }

    private func candidates(_ count: Int) -> [CandidateAnswer.Candidate] {
        (0..<count).map { index in
            .init(
                valet: .new(), at: Bench.place(Double(index)), distanceMeters: Double(index),
                idleSeconds: 0)
        }
    }

    @Test func oneQuestionHasEachValetOnce() {
        let (one, two) = (request(Bench.place(0)), request(Bench.place(100)))
        let shared = candidates(3)
        let question = RoadTimes.Question(
            [one, two], [one.order: shared, two.order: Array(shared.reversed())], held: [])
        #expect(question.valets == shared.map(\.valet))
        #expect(question.starts == shared.map(\.at))
        #expect(question.orders == [one.order, two.order])
        #expect(question.ends == [Bench.place(0), Bench.place(100)])
    }

    @Test func requestsThatNobodyCanTakeAreLeftOut() {
        let valets = candidates(2)
        let names = valets.map(\.valet)
        let one = request(Bench.place(0), excluded: [names[0]])
        let two = request(Bench.place(0))
        let question = RoadTimes.Question(
            [one, two], [one.order: valets, two.order: []], held: [names[1]])
        #expect(question.orders.isEmpty)
        #expect(question.starts.isEmpty)
    }

    @Test func aQuestionIsBoundedAndTheFirstRequestsAreInIt() async {
        let requests = (0..<60).map { request(Bench.place(Double($0))) }
        let found = Dictionary(
            requests.map { ($0.order, candidates(MatchingRules.candidatesPerRequest)) }
        ) { first, _ in first }
        let question = RoadTimes.Question(requests, found, held: [])
        #expect(
            Roads.isWithinLimits(starts: question.starts.count, ends: question.ends.count))
        #expect(question.orders == requests.prefix(13).map(\.order))
        let router = PretendRoads { _, _ in 7 }
        let times = await RoadTimes.ask(
            Roads(router, attribution: nil), requests, found, held: [])
        #expect(times.source(of: requests[0].order) == .router)
        #expect(times.source(of: requests[59].order) == .straightLine)
        #expect(router.asked.count == 1)
    }
}
