import Contracts
import Foundation
import Geo
import Support
import Testing

@testable import Location

/// Whether a valet is free, busy or off shift follows from shifts, jobs and accounts, in whatever order
/// events arrive.
@Suite struct JobTests {
    private let victor = TestPerson.victor

    private func bench() async throws -> Bench {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland.moved(300))
        return bench
    }

    private func released(_ kind: Int) -> any Event {
        let valet = victor.valet
        let requested = MatchRequest(
            leg: .dropOff, attempt: 2, meetingPoint: Place(Bench.inIsland), excluded: [valet])
        switch kind {
        case 0:
            return VehicleParked(
                order: .test(.parked, version: 9, dropOffValet: .victor), valet: valet)
        case 1:
            return ValetWithdrawn(
                order: .test(.requested, version: 9), leg: .dropOff, valet: valet, match: requested)
        case 2:
            return OrderCancelled(
                order: .test(.cancelled, version: 9, dropOffValet: .victor), cause: .customer,
                valet: valet, fee: .zero("HKD"))
        case 3:
            return RecallCancelled(
                order: .test(.parked, version: 9, dropOffValet: .victor), valet: valet)
        case 4:
            return VehicleReturned(
                order: .test(.waitingForPayment, version: 9, returnValet: .victor), valet: valet,
                bill: Quote(
                    durationSeconds: 60, charge: Money(amount: 1, currency: "HKD"), lines: []))
        case 5:
            return OrderFinished(order: .test(.finished, version: 9, returnValet: .victor))
        case 6:
            return OrderOverridden(
                order: .test(.requested, version: 9), from: .droppingOff,
                by: TestPerson.olivia.operatorID, reason: "accident", released: valet,
                match: requested, bill: nil)
        default:
            return ValetAssigned.test(.vera, version: 9)
        }
    }

    @Test func anAssignedValetIsBusyAndNotOffered() async throws {
        let bench = try await bench()
        #expect(try await bench.nearbyCount() == 1)
        try await bench.receive(ValetAssigned.test(.victor))
        #expect(try await bench.nearbyCount() == 0)
        #expect(try await bench.status(of: .victor) == .busy)
        try await bench.record(.victor, at: Bench.inIsland)
        #expect(try await bench.nearbyCount() == 0)
        #expect(try await bench.statuses(of: .victor) == [.available, .busy])
    }

    @Test(arguments: 0...7)
    func everyEndOfAJobFreesTheValet(_ kind: Int) async throws {
        let bench = try await bench()
        try await bench.receive(ValetAssigned.test(.victor))
        bench.clock.advance(by: 30)
        try await bench.receive(released(kind))
        #expect(try await bench.status(of: .victor) == .available)
        #expect(try await bench.nearbyCount() == 1)
        #expect(try await bench.statuses(of: .victor) == [.available, .busy, .available])
    }

    @Test(arguments: 0...7)
    func anAssignmentThatComesAfterTheEndChangesNothing(_ kind: Int) async throws {
        let bench = try await bench()
        try await bench.receive(released(kind))
        try await bench.receive(ValetAssigned.test(.victor))
        #expect(try await bench.status(of: .victor) == .available)
        #expect(try await bench.nearbyCount() == 1)
    }

    @Test func theWholeOrderInAnyOrderEndsTheSame() async throws {
        let valet = victor.valet
        let events: [any Event] = [
            DropOffRequested(
                order: .test(.requested, version: 1),
                match: MatchRequest(
                    leg: .dropOff, attempt: 1, meetingPoint: Place(Bench.inIsland), excluded: [])),
            ValetAssigned.test(.victor, version: 2),
            VehicleCollected(
                order: .test(.parking, version: 3, dropOffValet: .victor), valet: valet),
            VehicleParked(order: .test(.parked, version: 4, dropOffValet: .victor), valet: valet),
        ]
        var random = SeededRandom(seed: 5)
        for _ in 0..<8 {
            let bench = try await bench()
            for event in (events + events).shuffled(using: &random) {
                try await bench.receive(event)
            }
            #expect(try await bench.status(of: .victor) == .available)
            let engagement = try await bench.store.engagement(OrderSnapshot.engagementID)
            #expect(engagement?.version == 4)
            #expect(
                engagement?.markers.compactMap(\.at)
                    == [Coordinate(latitude: 22.26, longitude: 114.16)])
        }
    }

    @Test func aNewJobThatIsHeardOfBeforeTheOldOneEndsIsKept() async throws {
        let bench = try await bench()
        let second = OrderID.new()
        try await bench.receive(ValetAssigned.test(.victor))
        try await bench.receive(ValetAssigned.test(.victor, id: second))
        try await bench.receive(released(0))
        #expect(try await bench.status(of: .victor) == .busy)
        try await bench.receive(
            OrderCancelled(
                order: .test(.cancelled, version: 3, id: second), cause: .customer,
                valet: victor.valet, fee: .zero("HKD")))
        #expect(try await bench.status(of: .victor) == .available)
    }

    @Test func aValetOffShiftStaysSoAfterAJob() async throws {
        let bench = try await Bench()
        try await bench.receive(ValetAssigned.test(.victor))
        #expect(try await bench.status(of: .victor) == .busy)
        try await bench.receive(released(0))
        #expect(try await bench.status(of: .victor) == .offline)
    }

    @Test func aJobMovesWithTheValetToAnotherArea() async throws {
        let bench = try await bench()
        try await bench.receive(ValetAssigned.test(.victor))
        bench.clock.advance(by: 300)
        try await bench.record(.victor, at: Bench.inKowloon)
        #expect(try await bench.status(of: .victor) == .busy)
        try await bench.receive(released(0))
        #expect(try await bench.status(of: .victor) == .available)
        #expect(try await bench.freeSets()[victor.valet]?.count == 1)
    }

    @Test func aSuspendedValetIsTakenOffShift() async throws {
        let bench = try await bench()
        try await suspend(bench, true, version: 2)
        #expect(try await bench.status(of: .victor) == .offline)
        #expect(try await bench.nearbyCount() == 0)
        await #expect(throws: Refusal.valetSuspended) {
            try await bench.useCases.setShift(victor.valet, .on)
        }
        // An older event that comes late.
        try await suspend(bench, false, version: 1)
        await #expect(throws: Refusal.valetSuspended) {
            try await bench.useCases.setShift(victor.valet, .on)
        }
        try await suspend(bench, false, version: 3)
        #expect(try await bench.useCases.setShift(victor.valet, .on) == .available)
    }

    @Test func aSuspendedValetFinishesTheJobFirst() async throws {
        let bench = try await bench()
        try await bench.receive(ValetAssigned.test(.victor))
        try await suspend(bench, true, version: 2)
        #expect(try await bench.status(of: .victor) == .busy)
        try await bench.receive(released(0))
        #expect(try await bench.status(of: .victor) == .offline)
    }

    private func suspend(_ bench: Bench, _ suspended: Bool, version: Int) async throws {
        let account = victor.account(createdAt: bench.clock.now)
        try await bench.receive(
            AccountChanged(account: account, suspended: suspended, version: version))
    }

    @Test func customersAccountsMakeNoValets() async throws {
        let bench = try await Bench()
        let account = TestPerson.alice.account(createdAt: bench.clock.now)
        try await bench.receive(AccountChanged(account: account, suspended: false, version: 1))
        #expect(
            try await bench.useCases.whereabouts(of: [TestPerson.alice.id.as(ValetID.self)]).items
                .isEmpty)
    }

    @Test func idleTimeCountsFromTheEndOfTheLastJob() async throws {
        let bench = try await bench()
        try await bench.receive(ValetAssigned.test(.victor))
        bench.clock.advance(by: 40)
        try await bench.receive(released(0))
        bench.clock.advance(by: 15)
        let answer = try await bench.useCases.candidates(
            CandidateQuery(
                area: Bench.island,
                points: [.init(engagement: .new(), at: Bench.inIsland, radiusMeters: 1_000)],
                limit: 5))
        #expect(answer.found.first?.candidates.first?.idleSeconds == 15)
    }
}
