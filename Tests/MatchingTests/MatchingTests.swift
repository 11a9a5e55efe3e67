import Contracts
import EventBus
import Foundation
import Redis
import ServiceKit
import Support
import Testing

@testable import Matching

@Suite struct MatchingTests {
    // MARK: One request

    @Test(arguments: RedisKind.allCases)
    func aRequestIsAnsweredAtOnceWithTheNearestValet(_ kind: RedisKind) async throws {
        try await Bench.with(redis: kind.start()) { bench in
            let (near, far) = (Bench.valet(200), Bench.valet(500))
            bench.location.set(far, near)
            try await bench.run {
                let order = try await bench.ask()
                try await until { !bench.said.records.isEmpty }
                let match = try #require(bench.said.matched.first)
                #expect(match.order == order.id)
                #expect(match.valet == near.id)
                #expect(match.leg == .dropOff)
                #expect(match.attempt == 1)
                #expect((38...42).contains(match.etaSeconds))
                try await bench.assign(order, near.id)
            }
            #expect(bench.location.asked.count == 1)
            #expect(try await bench.parts.store.stored(in: Bench.area).isEmpty)
        }
    }

    @Test func theRadiusGrowsUntilSomebodyIsFound() async throws {
        try await Bench.with { bench in
            let valet = Bench.valet(2_000)
            bench.location.set(valet)
            try await bench.run {
                try await bench.ask()
                try await until { bench.location.asked.count > 1 }
                #expect(bench.said.records.isEmpty)
                bench.clock.advance(by: 10)
                try await until { bench.said.matched.first?.valet == valet.id }
            }
            let radii = Set(bench.location.asked.flatMap(\.points).map(\.radiusMeters))
            #expect(radii == [800, 3_000])
        }
    }

    @Test func whenPatienceEndsNobodyIsFound() async throws {
        try await Bench.with { bench in
            try await bench.run {
                let order = try await bench.ask()
                try await until { bench.location.asked.count > 1 }
                bench.clock.advance(by: 20)
                try await until { bench.said.nobody.first?.order == order.id }
                #expect(bench.said.matched.isEmpty)
            }
            #expect(bench.location.asked.last?.points.first?.radiusMeters == 6_000)
        }
    }

    @Test func withoutPatienceTheAnswerComesAtOnce() async throws {
        var rules = Bench.rules
        rules.patienceSeconds = 0
        try await Bench.with(rules) { bench in
            try await bench.run {
                try await bench.ask()
                try await until { bench.said.nobody.count == 1 }
            }
            #expect(bench.location.asked.flatMap(\.points).map(\.radiusMeters) == [6_000])
        }
    }

    @Test func aValetWhoBecomesAvailableIsOfferedWithoutWaitingForTheNextLook() async throws {
        var rules = Bench.rules
        rules.retry = .seconds(3_600)
        rules.patienceSeconds = 7_200
        try await Bench.with(rules) { bench in
            try await bench.run {
                try await bench.ask()
                try await until { !bench.location.asked.isEmpty }
                let valet = Bench.valet(100)
                bench.location.set(valet)
                try await bench.receive(
                    AvailabilityChanged(
                        valet: valet.id, status: .available, serviceArea: Bench.area,
                        changedAt: bench.clock.now))
                try await until { bench.said.matched.first?.valet == valet.id }
            }
        }
    }

    @Test func theAnswerGoesOnWithTheTraceOfTheRequest() async throws {
        try await Bench.with { bench in
            bench.location.set(Bench.valet(100))
            let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            let event = DropOffRequested(order: bench.order(), match: Bench.match())
            var envelope = Delivery.of(event, at: bench.clock.now).envelope
            envelope.traceparent = trace
            try await bench.reactions.receive(event, Delivery(envelope))
            try await bench.run {
                try await until { !bench.said.records.isEmpty }
            }
            let header = bench.said.records.first?.headers.first { $0.name == "traceparent" }
            #expect(header?.value == trace)
        }
    }

    // MARK: Several requests

    @Test func twoValetsForSixCustomersAreGivenAwayOnce() async throws {
        try await Bench.with { bench in
            let valets = [Bench.valet(100), Bench.valet(200)]
            bench.location.set(valets)
            for index in 0..<6 { try await bench.ask(at: Double(index * 10)) }
            try await bench.run {
                try await until { bench.location.asked.count > 1 }
                #expect(bench.said.records.isEmpty)
                bench.clock.advance(by: 2)
                try await until { bench.said.matched.count == 2 }
                bench.clock.advance(by: 20)
                try await until { bench.said.nobody.count == 4 }
            }
            #expect(Set(bench.said.matched.map(\.valet)) == Set(valets.map(\.id)))
            let answered = bench.said.matched.map(\.order) + bench.said.nobody.map(\.order)
            #expect(Set(answered).count == 6)
            #expect(answered.count == 6)
        }
    }

    @Test func requestsOfTheSameWindowGetTheCheapestSum() async throws {
        try await Bench.with { bench in
            // The valet at 300 m is nearest to both; only the first order has another in reach.
            let (left, middle) = (Bench.valet(-700), Bench.valet(300))
            bench.location.set(left, middle)
            let first = try await bench.ask(at: 0)
            let second = try await bench.ask(at: 800)
            try await bench.run {
                try await until { bench.location.asked.count > 1 }
                bench.clock.advance(by: 2)
                try await until { bench.said.matched.count == 2 }
            }
            let pairs = bench.said.matched.map { ($0.order, $0.valet) }
            let byOrder = Dictionary(uniqueKeysWithValues: pairs)
            #expect(byOrder == [first.id: left.id, second.id: middle.id])
            let asked = try #require(bench.location.asked.last)
            #expect(asked.points.count == 2)
        }
    }

    @Test func requestsThatShareNobodyDoNotWaitForEachOther() async throws {
        try await Bench.with { bench in
            bench.location.set(Bench.valet(0), Bench.valet(5_000))
            try await bench.ask(at: 10)
            try await bench.ask(at: 5_010)
            try await bench.run {
                try await until { bench.said.matched.count == 2 }
            }
        }
    }

    @Test(arguments: RedisKind.allCases)
    func twoReplicasNeverAnswerTwiceNorGiveOneValetAwayTwice(_ kind: RedisKind) async throws {
        var rules = Bench.rules
        rules.windowSeconds = 0
        try await Bench.with(rules, redis: kind.start()) { bench in
            let valets = (0..<10).map { Bench.valet(Double($0) * 20) }
            bench.location.set(valets)
            let other = try bench.again()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for replica in [bench, other] {
                    group.addTask { try await Matcher(parts: replica.parts).run() }
                }
                for index in 0..<20 {
                    try await (index.isMultiple(of: 2) ? bench : other).ask(at: Double(index) * 10)
                    bench.parts.areas.call(Bench.area)
                    other.parts.areas.call(Bench.area)
                }
                try await until { bench.said.matched.count >= 10 }
                bench.clock.advance(by: 20)
                try await until { Set(bench.said.ids).count == 20 }
                group.cancelAll()
            }
            #expect(Set(bench.said.matched.map(\.valet)).count == 10)
            #expect(Set(bench.said.matched.map(\.order)).count == 10)
            let served = Set(bench.said.matched.map(\.order))
            #expect(served.isDisjoint(with: bench.said.nobody.map(\.order)))
        }
    }

    // MARK: Order of events

    @Test func anEventThatComesTwiceIsAnsweredOnce() async throws {
        try await Bench.with { bench in
            bench.location.set(Bench.valet(100), Bench.valet(200))
            let event = DropOffRequested(order: bench.order(), match: Bench.match())
            try await bench.receive(event)
            try await bench.receive(event)
            try await bench.run {
                try await until { bench.said.matched.count == 1 }
                try await bench.receive(event)
                try await bench.ask(at: 5)
                try await until { bench.said.matched.count == 2 }
            }
            #expect(Set(bench.said.matched.map(\.order)).count == 2)
        }
    }

    @Test func aRequestThatComesAfterItsCancellationIsIgnored() async throws {
        try await Bench.with { bench in
            let order = bench.order()
            try await bench.receive(
                OrderCancelled(
                    order: order.then(.cancelled), cause: .customer, valet: nil, fee: .zero("HKD")))
            try await bench.receive(DropOffRequested(order: order, match: Bench.match()))
            #expect(try await bench.parts.store.stored(in: Bench.area).isEmpty)
        }
    }

    @Test func anythingThatEndsTheRequestForgetsIt() async throws {
        try await Bench.with { bench in
            let valet = ValetID.new()
            func check(_ event: (OrderSnapshot) -> some Event) async throws {
                let order = try await bench.ask()
                #expect(try await bench.parts.store.stored(in: Bench.area).count == 1)
                try await bench.receive(event(order))
                #expect(try await bench.parts.store.stored(in: Bench.area).isEmpty)
            }
            try await check { order in
                ValetAssigned(
                    order: order.then(.droppingOff), leg: .dropOff, valet: valet,
                    meetingPoint: order.dropOff)
            }
            try await check { OrderUnfulfilled(order: $0.then(.unfulfilled)) }
            try await check { ReturnUnfulfilled(order: $0.then(.parked)) }
            try await check { RecallCancelled(order: $0.then(.parked), valet: nil) }
            try await check { order in
                OrderCancelled(
                    order: order.then(.cancelled), cause: .customer, valet: nil,
                    fee: .zero("HKD"))
            }
            try await check { order in
                OrderOverridden(
                    order: order.then(.parked), from: .requested, by: .new(), reason: "found",
                    released: nil, match: nil, bill: nil)
            }
        }
    }

    @Test func anOverrideThatAsksForAValetIsARequest() async throws {
        try await Bench.with { bench in
            let valet = Bench.valet(100)
            bench.location.set(valet)
            try await bench.receive(
                OrderOverridden(
                    order: bench.order(), from: .droppingOff, by: .new(), reason: "stuck",
                    released: nil, match: Bench.match(attempt: 3), bill: nil))
            try await bench.run {
                try await until { bench.said.matched.first?.attempt == 3 }
            }
        }
    }

    @Test func aReturnIsMatchedAtTheParkedVehicle() async throws {
        try await Bench.with { bench in
            bench.location.set(Bench.valet(3_000))
            try await bench.receive(
                ReturnRequested(
                    order: bench.order(version: 9), match: Bench.match(3_010, leg: .return)))
            try await bench.run {
                try await until { bench.said.matched.first?.leg.known == .return }
            }
        }
    }

    @Test func aRepeatedRequestOfTheSameVersionGetsAnotherAnswer() async throws {
        try await Bench.with { bench in
            let (near, far) = (Bench.valet(100), Bench.valet(200))
            bench.location.set(near, far)
            try await bench.run {
                let order = try await bench.ask()
                try await until { bench.said.matched.count == 1 }
                // The nearer one was taken meanwhile, and is still held.
                try await bench.receive(
                    MatchRepeated(order: order, match: Bench.match(attempt: 2)))
                try await until { bench.said.matched.count == 2 }
            }
            #expect(bench.said.matched.map(\.attempt) == [1, 2])
            #expect(bench.said.matched.map(\.valet) == [near.id, far.id])
            #expect(Set(bench.said.ids).count == 2)
        }
    }

    @Test func aValetWhoWithdrewIsNotOfferedThisLegAgain() async throws {
        try await Bench.with { bench in
            let (near, far) = (Bench.valet(100), Bench.valet(200))
            bench.location.set(near, far)
            try await bench.run {
                let order = try await bench.ask()
                try await until { bench.said.matched.count == 1 }
                let assigned = order.then(.droppingOff)
                try await bench.assign(order, near.id)
                let withdrawn = assigned.then(.requested)
                try await bench.receive(
                    ValetWithdrawn(
                        order: withdrawn, leg: .dropOff, valet: near.id,
                        match: Bench.match(attempt: 2)))
                try await until { bench.said.matched.count == 2 }
                #expect(bench.said.matched.last?.valet == far.id)
                // A valet who withdrew is free for another order at once.
                try await bench.ask()
                try await until { bench.said.matched.count == 3 }
                #expect(bench.said.matched.last?.valet == near.id)
            }
        }
    }

    @Test func aValetWhoseMatchCameTooLateIsFreeAtOnce() async throws {
        try await Bench.with { bench in
            let valet = Bench.valet(100)
            bench.location.set(valet)
            try await bench.run {
                let order = try await bench.ask()
                try await until { bench.said.matched.count == 1 }
                let next = try await bench.ask()
                try await bench.receive(
                    OrderCancelled(
                        order: order.then(.cancelled), cause: .customer, valet: nil,
                        fee: .zero("HKD")))
                try await until { bench.said.matched.count == 2 }
                #expect(bench.said.matched.last?.order == next.id)
            }
        }
    }

    @Test func anOldEventDoesNotFreeAValetWhoIsHeldAgain() async throws {
        try await Bench.with { bench in
            let valet = Bench.valet(100)
            bench.location.set(valet)
            let order = bench.order(version: 7)
            try await bench.receive(
                ReturnRequested(order: order, match: Bench.match(leg: .return)))
            try await bench.run {
                try await until { bench.said.matched.count == 1 }
            }
            try await bench.receive(
                VehicleParked(order: order.then(.parked, version: 5), valet: valet.id))
            let held = try await bench.parts.store.held([valet.id], area: Bench.area)
            #expect(held == [valet.id])
            try await bench.receive(
                VehicleReturned(
                    order: order.then(.finished, version: 9), valet: valet.id,
                    bill: Quote(durationSeconds: 0, charge: .zero("HKD"), lines: [])))
            #expect(try await bench.parts.store.held([valet.id], area: Bench.area).isEmpty)
        }
    }

    // MARK: Trouble

    @Test func requestsSurviveARestart() async throws {
        try await Bench.with { bench in
            let order = try await bench.ask()
            bench.location.set(Bench.valet(100))
            let restarted = try bench.again()
            try await restarted.run {
                try await until { bench.said.matched.first?.order == order.id }
            }
        }
    }

    @Test func anAnswerThatTheBrokerDidNotTakeIsSaidAgainAfterARestart() async throws {
        try await Bench.with(turnTime: .seconds(2)) { bench in
            bench.location.set(Bench.valet(100))
            bench.said.isAway = true
            let order = try await bench.ask()
            try await bench.run {
                try await until {
                    let stored = try await bench.parts.store.stored(in: Bench.area)
                    return stored.first?.answer != nil
                }
            }
            let kept = try await bench.parts.store.stored(in: Bench.area).first?.answer
            // Another valet would be chosen now; the decision stands.
            bench.location.set(Bench.valet(1))
            bench.said.isAway = false
            try await bench.again().run {
                try await until { bench.said.matched.first?.order == order.id }
                try await until {
                    let stored = try await bench.parts.store.stored(in: Bench.area)
                    return stored.first?.answer?.saidAt != nil
                }
            }
            #expect(bench.said.matched.first?.valet == kept?.valet)
            #expect(bench.said.ids == [kept?.eventID.description])
        }
    }

    @Test func whatTheBrokerDidNotTakeIsSaidWhenItIsBack() async throws {
        try await Bench.with { bench in
            bench.location.set(Bench.valet(100))
            bench.said.isAway = true
            try await bench.run {
                try await bench.ask()
                try await until {
                    try await bench.parts.store.stored(in: Bench.area).first?.answer != nil
                }
                bench.said.isAway = false
                try await until { bench.said.matched.count == 1 }
            }
        }
    }

    @Test func whileLocationIsAwayRequestsAreKept() async throws {
        try await Bench.with { bench in
            bench.location.set(Bench.valet(100))
            bench.location.goAway()
            try await bench.run {
                try await bench.ask()
                try await until { bench.location.asked.count > 1 }
                bench.clock.advance(by: 25)
                #expect(bench.said.records.isEmpty)
                bench.location.comeBack()
                try await until { bench.said.matched.count == 1 }
            }
        }
    }

    @Test func ifLocationStaysAwayNobodyIsFoundInTheEnd() async throws {
        try await Bench.with { bench in
            bench.location.goAway()
            try await bench.run {
                let order = try await bench.ask()
                try await until { !bench.location.asked.isEmpty }
                bench.clock.advance(by: 30)
                try await until { bench.said.nobody.first?.order == order.id }
                try await until {
                    let decisions = try await bench.parts.store.decisions(of: order.id)
                    return decisions.first?.outcome == .noValet
                }
            }
        }
    }

    @Test func whileRedisIsAwayAnEventIsNotTaken() async throws {
        try await Bench.with(redis: .start()) { bench in
            await bench.redis.stop()
            let event = DropOffRequested(order: bench.order(), match: Bench.match())
            await #expect {
                try await bench.receive(event)
            } throws: { ($0 as? any Retriable)?.isRetriable == true }
        }
    }

    @Test func aFullAreaAnswersThatNobodyIsThere() async throws {
        try await Bench.with { bench in
            let fields = (0..<MatchingStore.mostOpenPerArea).flatMap { ["x\($0)", "{}"] }
            let key = MatchingStore.Key.open(Bench.area)
            _ = try await bench.redis.pool.execute(RawCommand(["HSET", key] + fields))
            let order = try await bench.ask()
            #expect(bench.said.nobody.map(\.order) == [order.id])
        }
    }

    @Test func whatCannotBeReadDoesNotStopTheOthers() async throws {
        try await Bench.with { bench in
            bench.location.set(Bench.valet(100))
            let key = MatchingStore.Key.open(Bench.area)
            _ = try await bench.redis.pool.execute(RawCommand("HSET", key, "x", "{"))
            try await bench.ask()
            try await bench.run {
                try await until { bench.said.matched.count == 1 }
            }
        }
    }

    @Test func openRequestsAreFoundWhenNobodySignalsThem() async throws {
        try await Bench.with { bench in
            bench.location.set(Bench.valet(100))
            let order = try await bench.ask()
            #expect(try await bench.parts.store.unattendedAreas() == [Bench.area])
            try await bench.again().run {
                try await until { bench.said.matched.count == 1 }
                #expect(try await bench.parts.store.unattendedAreas().isEmpty)
                try await bench.assign(order, try #require(bench.said.matched.first).valet)
            }
            #expect(try await bench.parts.store.unattendedAreas().isEmpty)
        }
    }

    // MARK: Replicas

    @Test func oneReplicaLooksAtATimeAndTheOneWithNewsIsNext() async throws {
        try await Bench.with { bench in
            let store = bench.parts.store
            func turn(_ replica: String, takingOver: Bool) async throws -> String {
                switch try await store.begin(Bench.area, by: replica, takingOver: takingOver) {
                case .ours(let stored): "ours, \(stored.count)"
                case .busy: "busy"
                case .others: "others"
                }
            }
            try await bench.ask()
            #expect(try await turn("a", takingOver: false) == "ours, 1")
            #expect(try await turn("a", takingOver: false) == "ours, 1")
            #expect(try await turn("b", takingOver: true) == "busy")
            try await store.end(Bench.area, by: "a", isOver: false)
            #expect(try await turn("b", takingOver: false) == "others")
            #expect(try await turn("b", takingOver: true) == "ours, 1")
            // What an earlier turn says at its end does not end this one.
            try await store.end(Bench.area, by: "a", isOver: true)
            #expect(try await turn("a", takingOver: false) == "others")
            try await store.end(Bench.area, by: "b", isOver: true)
            #expect(try await turn("a", takingOver: false) == "ours, 1")
        }
    }

    @Test func anAreaWhoseReplicaDiedInTheMiddleIsTakenOver() async throws {
        try await Bench.with { bench in
            bench.location.set(Bench.valet(100))
            try await bench.ask()
            _ = try await bench.parts.store.begin(Bench.area, by: "dead", takingOver: true)
            #expect(try await bench.parts.store.unattendedAreas().isEmpty)
            // Its last turn is as short as those of the service.
            let store = MatchingStore(redis: bench.redis.pool)
            _ = try await store.begin(Bench.area, by: "dead", takingOver: true)
            try await bench.again().run {
                try await until { bench.said.matched.count == 1 }
            }
        }
    }

    @Test func anAnswerIsSaidAgainUntilTheOrderGoesOn() async throws {
        try await Bench.with { bench in
            let valet = Bench.valet(100)
            bench.location.set(valet)
            try await bench.run {
                let order = try await bench.ask()
                for times in 1...3 {
                    try await until { bench.said.records.count == times }
                    bench.clock.advance(by: MatchAnswer.repeatSeconds)
                }
                try await until { bench.said.records.count == 4 }
                #expect(Set(bench.said.ids).count == 1)
                try await bench.assign(order, valet.id)
                #expect(try await bench.parts.store.stored(in: Bench.area).isEmpty)
            }
        }
    }

    @Test func anAnswerToWhichTheOrderSaysNothingIsForgottenInTheEnd() async throws {
        try await Bench.with { bench in
            try await bench.run {
                try await bench.ask()
                bench.clock.advance(by: 20)
                try await until { bench.said.nobody.count == 1 }
                bench.clock.advance(by: MatchAnswer.repeatLimitSeconds)
                try await until {
                    try await bench.parts.store.stored(in: Bench.area).isEmpty
                }
            }
        }
    }

    @Test func twentyAnswersTakeAsManyCallsAsOne() async throws {
        var rules = Bench.rules
        rules.windowSeconds = 0
        try await Bench.with(rules, redis: .start()) { bench in
            bench.location.set((0..<20).map { Bench.valet(Double($0) * 20) })
            for index in 0..<20 { try await bench.ask(at: Double(index) * 20) }
            var matcher = AreaMatcher(Bench.area, bench.parts)
            _ = try await bench.redis.pool.execute(RawCommand("CONFIG", "RESETSTAT"))
            _ = await matcher.round(isCalled: true)
            #expect(bench.said.matched.count == 20)
            let text = try await bench.redis.pool.execute(RawCommand("INFO", "commandstats"))
            let calls = text.string?.firstMatch(of: /cmdstat_evalsha:calls=(\d+)/)?.1
            // The turn begins, is decided, settled, and ends.
            #expect(calls == "4")
        }
    }
}
