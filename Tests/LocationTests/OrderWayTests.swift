import Answers
import Contracts
import Foundation
import Geo
import Routing
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Location

/// The way is shown to whom `track` shows the valet, and only where one is known.
@Suite struct OrderWayTests {
    private static let valetAt = Bench.inIsland.moved(400)
    /// From there to the middle of the island, by a detour, in Valhalla's words.
    private static let answer =
        #"{"trip":{"legs":[{"shape":"_``mi@cykvxEg^buBf^~{B"}],"#
        + #""summary":{"time":61.2,"length":0.55},"status":0}}"#

    private func bench(
        _ router: RouterConfig = .none, patience: Duration = LocationUseCases.patience
    ) async throws -> Bench {
        let bench = try await Bench(router: router, patience: patience)
        try await bench.makeAvailable(.victor, at: Self.valetAt)
        try await bench.makeAvailable(.vera, at: Self.valetAt.moved(100))
        try await bench.record(.alice, at: Bench.inIsland)
        return bench
    }

    private func ask(_ bench: Bench, as person: TestPerson) async throws -> Answer {
        let path = "/v1/orders/\(OrderSnapshot.testID)/route"
        let box = Mutex<Answer?>(nil)
        try await bench.http { caller in
            let answer = try await caller.call(.get, path, as: person)
            box.withLock { $0 = answer }
        }
        return try #require(box.withLock { $0 })
    }

    private func expectNoRoute(_ bench: Bench, _ detail: String) async throws {
        for person in [TestPerson.alice, .olivia] {
            let answer = try await ask(bench, as: person)
            #expect(answer.status == 409)
            #expect(answer.problem?.code == "location.no_route")
            #expect(answer.problem?.detail == detail)
        }
    }

    private func ends(_ answer: Answer) throws -> [[Double]] {
        let line = try answer.decoded(RouteAnswer.self).geometry.coordinates
        return [line.first ?? [], line.last ?? []]
    }

    private func position(_ point: Coordinate) -> [Double] { [point.longitude, point.latitude] }

    @Test func partiesAndOperatorsSeeTheWayToTheMeetingPoint() async throws {
        let bench = try await bench()
        try await bench.receive(ValetAssigned.test(.victor))
        for person in [TestPerson.alice, .victor, .olivia] {
            let answer = try await ask(bench, as: person)
            #expect(answer.status == 200)
            let route = try answer.decoded(RouteAnswer.self)
            #expect(route.source == .straightLine)
            #expect(route.attribution == nil)
            #expect(route.geometry.coordinates.count == 2)
            #expect(abs(route.distanceMeters - 520) < 1)
            #expect(route.durationSeconds == 80 || route.durationSeconds == 81)
            #expect(
                try ends(answer) == [position(Self.valetAt), position(Bench.inIsland)])
            #expect(String(decoding: answer.data, as: UTF8.self).contains(#""attribution":null"#))
        }
    }

    @Test func toOthersTheOrderDoesNotExist() async throws {
        let bench = try await bench()
        try await bench.receive(ValetAssigned.test(.victor))
        for person in [TestPerson.bob, .vera] {
            #expect(try await ask(bench, as: person).status == 404)
        }
        try await bench.http { caller in
            for id in [OrderID.new().description, "none"] {
                let answer = try await caller.call(.get, "/v1/orders/\(id)/route", as: .alice)
                #expect(answer.status == 404)
            }
            let nobody = try await caller.call(
                .get, "/v1/orders/\(OrderSnapshot.testID)/route", as: nil)
            #expect(nobody.status == 401)
        }
    }

    @Test func beforeAndAfterTheLegsThereIsNone() async throws {
        let bench = try await bench()
        let nobody = "Nobody is on the way at the moment."
        let valet = TestPerson.victor.valet
        try await bench.receive(
            DropOffRequested(
                order: .test(.requested, version: 1),
                match: MatchRequest(
                    leg: .dropOff, attempt: 1, meetingPoint: Place(Bench.inIsland), excluded: [])))
        try await expectNoRoute(bench, nobody)
        try await bench.receive(
            VehicleCollected(
                order: .test(.parking, version: 3, dropOffValet: .victor), valet: valet))
        try await expectNoRoute(bench, "They choose their own destination.")
        #expect(try await ask(bench, as: .victor).status == 409)
        try await bench.receive(
            VehicleParked(order: .test(.parked, version: 4, dropOffValet: .victor), valet: valet))
        try await expectNoRoute(bench, nobody)
        #expect(try await ask(bench, as: .victor).status == 404, "the job is over")
        try await bench.receive(
            ReturnRequested(
                order: .test(.requestingBack, version: 5, dropOffValet: .victor),
                match: MatchRequest(
                    leg: .return, attempt: 1,
                    meetingPoint: Place(latitude: 22.26, longitude: 114.16), excluded: [])))
        try await expectNoRoute(bench, nobody)
    }

    @Test func aValetWhoIsOnlyAskedShowsNoWay() async throws {
        let bench = try await bench()
        var order = OrderSnapshot.test(.requested, version: 2)
        order.offeredTo = TestPerson.victor.valet
        try await bench.receive(
            ValetOffered(
                order: order, leg: .dropOff, attempt: 1, valet: TestPerson.victor.valet,
                meetingPoint: Place(Bench.inIsland), etaSeconds: 60, answerSeconds: 20))
        try await expectNoRoute(bench, "Nobody is on the way at the moment.")
    }

    @Test func theWayBackGoesToTheVehicleAndThenToTheCustomer() async throws {
        let bench = try await bench()
        let returnTo = Bench.inIsland.moved(900)
        func order(_ status: OrderStatus, _ version: Int) -> OrderSnapshot {
            var order = OrderSnapshot.test(
                status, version: version, dropOffValet: .victor, returnValet: .vera)
            order.returnTo = Place(returnTo)
            return order
        }
        try await bench.receive(
            ValetAssigned(
                order: order(.requestingBack, 7), leg: .return, valet: TestPerson.vera.valet,
                meetingPoint: Place(latitude: 22.26, longitude: 114.16)))
        let start = position(Self.valetAt.moved(100))
        var answer = try await ask(bench, as: .alice)
        #expect(try ends(answer) == [start, [114.16, 22.26]])
        try await bench.receive(
            VehicleRetrieved(order: order(.returningBack, 8), valet: TestPerson.vera.valet))
        answer = try await ask(bench, as: .alice)
        #expect(try ends(answer) == [start, position(returnTo)])
        #expect(try await ask(bench, as: .victor).status == 404)
    }

    @Test func withoutAPositionThereIsNone() async throws {
        let bench = try await Bench()
        try await bench.receive(ValetAssigned.test(.victor))
        try await expectNoRoute(bench, "We don't know their position yet.")
    }

    @Test func afterALongSilenceThereIsNone() async throws {
        let bench = try await bench()
        try await bench.receive(ValetAssigned.test(.victor))
        bench.clock.advance(by: 61)
        try await expectNoRoute(bench, "We haven't received their position for a while.")
    }

    @Test func whoAsksBeforeLocationHasHeardOfTheOrderWaitsForIt() async throws {
        let bench = try await bench(patience: patience)
        async let answer = ask(bench, as: .victor)
        try await bench.receive(ValetAssigned.test(.victor))
        #expect(try await answer.status == 200)
    }

    // MARK: Along roads

    @Test func theRoutersWayIsShownAndRemembered() async throws {
        let server = PretendServer(.answering(Self.answer))
        try await server.serve { url in
            let bench = try await bench(
                RouterConfig(
                    router: .valhalla(url), attribution: "© somebody", limit: patience))
            try await bench.receive(ValetAssigned.test(.victor))
            let first = try await ask(bench, as: .alice).decoded(RouteAnswer.self)
            #expect(first.source == .router)
            #expect(first.attribution == "© somebody")
            #expect(first.distanceMeters == 550)
            #expect(first.durationSeconds == 62)
            #expect(first.geometry.coordinates.count > 2)
            #expect(first.geometry.coordinates.first == position(Self.valetAt))
            for person in [TestPerson.alice, .victor, .olivia] {
                #expect(try await ask(bench, as: person).decoded(RouteAnswer.self) == first)
            }
            #expect(server.asked.count == 1, "for all who look")

            bench.clock.advance(by: 10)
            try await bench.record(.victor, at: Self.valetAt.moved(-20))
            _ = try await ask(bench, as: .alice)
            #expect(server.asked.count == 1, "hardly moved")
            bench.clock.advance(by: 2)
            try await bench.record(.victor, at: Self.valetAt.moved(-60))
            _ = try await ask(bench, as: .alice)
            #expect(server.asked.count == 2, "moved")
            bench.clock.advance(by: 2)
            try await bench.record(.victor, at: Self.valetAt.moved(-120))
            _ = try await ask(bench, as: .alice)
            #expect(server.asked.count == 2, "moved, but asked a moment ago")
            bench.clock.advance(by: KnownRoutes.longestSeconds)
            _ = try await ask(bench, as: .alice)
            #expect(server.asked.count == 3, "old")
        }
    }

    /// What is remembered of one valet is not shown as the way of the next.
    @Test func anotherValetsWayIsAnother() async throws {
        let server = PretendServer(.answering(Self.answer))
        try await server.serve { url in
            let bench = try await bench(
                RouterConfig(router: .valhalla(url), attribution: nil, limit: patience))
            try await bench.receive(ValetAssigned.test(.victor))
            _ = try await ask(bench, as: .alice)
            try await bench.receive(ValetAssigned.test(.vera, version: 3))
            let answer = try await ask(bench, as: .alice)
            #expect(try ends(answer).first == position(Self.valetAt.moved(100)))
            #expect(server.asked.count == 2)
        }
    }

    @Test func aRouterThatFailsIsAStraightLineUntilItIsBack() async throws {
        let server = PretendServer(.failing(500))
        try await server.serve { url in
            let bench = try await bench(
                RouterConfig(
                    router: .valhalla(url), attribution: "© somebody", limit: patience))
            try await bench.receive(ValetAssigned.test(.victor))
            let answer = try await ask(bench, as: .alice)
            #expect(answer.status == 200)
            let route = try answer.decoded(RouteAnswer.self)
            #expect(route.source == .straightLine)
            #expect(route.attribution == nil)
            server.set(.answering(Self.answer))
            let next = try await ask(bench, as: .alice).decoded(RouteAnswer.self)
            #expect(next.source == .router)
        }
    }
}
