import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Redis
import Support
import Testing

@testable import Matching

@Suite struct TraceTests {
    private func get(
        _ bench: Bench, _ order: String, as person: TestPerson?
    ) async throws -> (status: HTTPResponse.Status, body: Data) {
        let router = bench.environment.router()
        MatchingRoutes(matching: bench.matching).add(to: router)
        var headers = HTTPFields()
        if let person { headers[.authorization] = try await person.bearer(at: bench.clock.now) }
        return try await Application(router: router).test(.router) { [headers] client in
            let answer = try await client.execute(
                uri: "/v1/orders/\(order)/matching", method: .get, headers: headers)
            return (answer.status, Data(answer.body.readableBytesView))
        }
    }

    private func code(_ body: Data) throws -> String {
        try Wire.decode(Problem.self, from: body).code
    }

    @Test func anOperatorReadsWhoWasConsideredAndWhyNotTheOthers() async throws {
        try await Bench.with { bench in
            let (near, far, gone) = (Bench.valet(100), Bench.valet(300), Bench.valet(50))
            bench.location.set(near, far, gone)
            let order = bench.order()
            try await bench.receive(
                DropOffRequested(order: order, match: Bench.match(excluded: [gone.id])))
            try await bench.run {
                try await until {
                    try await !bench.parts.store.decisions(of: order.id).isEmpty
                }
            }
            let answer = try await get(bench, "\(order.id)", as: .olivia)
            #expect(answer.status == .ok)
            let trace = try Wire.decode(MatchingTrace.self, from: answer.body)
            #expect(trace.order == order.id)
            let decision = try #require(trace.decisions.first)
            #expect(trace.decisions.count == 1)
            #expect(decision.outcome == .matched)
            #expect(decision.radiusMeters == 800)
            #expect(decision.componentOrders == 1)
            #expect(decision.candidates.map(\.valet) == [gone.id, near.id, far.id])
            #expect(decision.candidates.map(\.chosen) == [false, true, false])
            #expect(decision.candidates.map(\.refusal) == [.withdrew, nil, .costlier])
        }
    }

    @Test func waitingIsSaidOnceAStepAndTheEndLast() async throws {
        try await Bench.with { bench in
            let order = bench.order()
            try await bench.receive(DropOffRequested(order: order, match: Bench.match()))
            try await bench.run {
                for _ in 0..<4 {
                    let asked = bench.location.asked.count
                    try await until { bench.location.asked.count > asked + 2 }
                    bench.clock.advance(by: 5)
                }
                try await until {
                    let decisions = try await bench.parts.store.decisions(of: order.id)
                    return decisions.first?.outcome == .noValet
                }
            }
            let decisions = try await bench.parts.store.decisions(of: order.id)
            #expect(decisions.map(\.radiusMeters) == [6_000, 6_000, 3_000, 1_600, 800])
            #expect(decisions.map(\.outcome) == [.noValet] + Array(repeating: .waiting, count: 4))
        }
    }

    @Test func aTraceIsBoundedAndForgottenAfterAWeek() async throws {
        try await Bench.with { bench in
            let order = OrderID.new()
            for index in 0..<60 {
                let decision = MatchingTrace.Decision(
                    leg: .known(.dropOff), attempt: index, outcome: .waiting, radiusMeters: 800,
                    waitedSeconds: 0, componentOrders: 1, candidates: [],
                    decidedAt: bench.clock.now)
                try await bench.parts.store.record([(order, decision)])
            }
            let decisions = try await bench.parts.store.decisions(of: order)
            #expect(decisions.count == MatchingStore.mostDecisionsPerOrder)
            #expect(decisions.first?.attempt == 59)
            let key = MatchingStore.Key.trace(order)
            let left = try await bench.redis.pool.execute(RawCommand("TTL", key)).int ?? 0
            #expect((604_000...604_800).contains(left))
        }
    }

    @Test func onlyOperatorsMayReadIt() async throws {
        try await Bench.with { bench in
            let order = "\(OrderID.new())"
            let nobody = try await get(bench, order, as: nil)
            #expect(nobody.status == .unauthorized)
            #expect(try code(nobody.body) == "auth.token_missing")
            for person in [TestPerson.alice, .victor] {
                let answer = try await get(bench, order, as: person)
                #expect(answer.status == .forbidden)
                #expect(try code(answer.body) == "auth.role")
            }
        }
    }

    @Test func anOrderWithoutADecisionIsNotFound() async throws {
        try await Bench.with { bench in
            let unknown = try await get(bench, "\(OrderID.new())", as: .olivia)
            #expect(unknown.status == .notFound)
            #expect(try code(unknown.body) == "matching.no_decision")
            let malformed = try await get(bench, "no-id", as: .olivia)
            #expect(malformed.status == .notFound)
        }
    }

    @Test func withoutRedisItIsUnavailable() async throws {
        try await Bench.with(redis: .start()) { bench in
            await bench.redis.stop()
            let answer = try await get(bench, "\(OrderID.new())", as: .olivia)
            #expect(answer.status == .serviceUnavailable)
        }
    }
}
