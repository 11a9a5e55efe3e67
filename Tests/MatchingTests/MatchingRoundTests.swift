import Contracts
import Foundation
import Testing

@testable import Matching

@Suite struct MatchingRoundTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let near = ValetID.new()
    private let far = ValetID.new()
    private let third = ValetID.new()

    private func request(waited: Double = 0, excluded: [ValetID] = []) -> OpenRequest {
        OpenRequest(
            order: .new(), area: Bench.area, version: 1, match: Bench.match(excluded: excluded),
            openedAt: now.addingTimeInterval(-waited), traceparent: nil)
    }

    private func candidate(
        _ valet: ValetID, _ meters: Double, idle: Double = 0
    ) -> CandidateAnswer.Candidate {
        CandidateAnswer.Candidate(
            valet: valet, at: Bench.centre, distanceMeters: meters, idleSeconds: idle)
    }

    private func decide(
        _ requests: [OpenRequest], _ found: [[CandidateAnswer.Candidate]],
        held: Set<ValetID> = []
    ) -> [MatchingRound.Outcome] {
        let pairs = zip(requests, found).map { ($0.order, $1) }
        return MatchingRound(rules: Bench.rules, now: now).decide(
            requests, Dictionary(pairs) { first, _ in first }, held: held)
    }

    @Test func theNearestGetsTheJobAndTheOtherIsCostlier() {
        let outcome = decide([request()], [[candidate(near, 100), candidate(far, 400)]])[0]
        #expect(outcome.chosen?.valet == near)
        #expect(outcome.chosen?.travelSeconds == 20)
        #expect(outcome.chosen?.cost == 20)
        #expect(outcome.candidates.map(\.refusal) == [nil, .costlier])
    }

    @Test func anIdleValetIsPreferredToASlightlyNearerOne() {
        let outcome = decide(
            [request()], [[candidate(near, 100), candidate(far, 200, idle: 3_600)]])[0]
        #expect(outcome.chosen?.valet == far)
    }

    @Test func aBonusHasALimit() {
        func cost(idle: Double, waited: Double) -> Double {
            MatchingRules.cost(travelSeconds: 100, idleSeconds: idle, waitedSeconds: waited)
        }
        #expect(cost(idle: 0, waited: 0) == 100)
        #expect(cost(idle: 600, waited: 0) == 90)
        #expect(cost(idle: 1e9, waited: 0) == 40)
        #expect(cost(idle: 0, waited: 10) == 90)
        #expect(cost(idle: 0, waited: 1e9) == 40)
        #expect(cost(idle: -5, waited: -5) == 100)
    }

    @Test func whoWithdrewAndWhoIsHeldAreNotOffered() {
        let outcome = decide(
            [request(excluded: [near])],
            [[candidate(near, 100), candidate(far, 200), candidate(third, 300)]], held: [far])[0]
        #expect(outcome.chosen?.valet == third)
        #expect(outcome.candidates.map(\.refusal) == [.withdrew, .leased, nil])
    }

    @Test func requestsThatShareACandidateAreHeldBackForTheWindow() {
        let requests = [request(waited: 1.5), request()]
        let found = [[candidate(near, 100)], [candidate(near, 200), candidate(far, 300)]]
        let outcomes = decide(requests, found)
        #expect(outcomes.allSatisfy { $0.chosen == nil && $0.componentOrders == 2 })
        #expect(outcomes.allSatisfy { $0.ripeAt == now.addingTimeInterval(0.5) })
    }

    @Test func afterTheWindowTheCheapestSumIsTaken() {
        // Alone the first would take the nearest, and the second would have to go without.
        let requests = [request(waited: 2), request(waited: 2)]
        let found = [[candidate(near, 100), candidate(far, 200)], [candidate(near, 300)]]
        let outcomes = decide(requests, found)
        #expect(outcomes.map { $0.chosen?.valet } == [far, near])
        #expect(outcomes[0].candidates.map(\.refusal) == [.servesAnother, nil])
    }

    @Test func whoWaitsLongestIsServedFirstWhenThereIsOneValet() {
        let requests = [request(waited: 2), request(waited: 30)]
        let found = [[candidate(near, 100)], [candidate(near, 150)]]
        let outcomes = decide(requests, found)
        #expect(outcomes.map { $0.chosen?.valet } == [nil, near])
        #expect(outcomes[0].candidates[0].refusal == .servesAnother)
    }

    @Test func requestsThatShareNothingAreDecidedAtOnce() {
        let outcomes = decide(
            [request(), request()], [[candidate(near, 100)], [candidate(far, 100)]])
        #expect(outcomes.map { $0.chosen?.valet } == [near, far])
        #expect(outcomes.allSatisfy { $0.componentOrders == 1 })
    }

    @Test func aSharedValetWhoIsHeldDoesNotHoldAnybodyBack() {
        let outcomes = decide(
            [request(), request()],
            [[candidate(near, 1), candidate(far, 9)], [candidate(near, 1)]],
            held: [near])
        #expect(outcomes[0].chosen?.valet == far)
        #expect(outcomes[1].ripeAt == nil)
        #expect(outcomes[1].chosen == nil)
    }

    @Test func whatCannotBeMeasuredOrComesTwiceIsIgnored() {
        let found = [
            candidate(near, .nan), candidate(far, .infinity), candidate(third, -1),
            candidate(far, 100), candidate(far, 50), candidate(near, 10, idle: .nan),
        ]
        let outcome = decide([request()], [found])[0]
        #expect(outcome.candidates.map(\.valet) == [far])
        #expect(outcome.chosen?.distanceMeters == 100)
    }

    @Test func onlyTheNearestTenAreConsidered() {
        let found = (0..<15).map { candidate(.new(), Double($0)) }
        #expect(decide([request()], [found])[0].candidates.count == 10)
        let excluded = found.prefix(3).map(\.valet)
        let outcome = decide([request(excluded: excluded)], [found])[0]
        #expect(outcome.candidates.count == 13)
        #expect(outcome.chosen?.valet == found[3].valet)
    }

    @Test func nobodyAskedNobodyAnswered() {
        #expect(decide([], []).isEmpty)
        #expect(decide([request()], [[]])[0].chosen == nil)
    }

    @Test func theRadiusGrowsInStepsOverThePatience() {
        let radius = Bench.rules.radiusMeters
        #expect(
            [0, 4.9, 5, 9.9, 10, 15, 19.9, 20, 99].map(radius) == [
                800, 800, 1_600, 1_600, 3_000, 6_000, 6_000, 6_000, 6_000,
            ])
        var impatient = Bench.rules
        impatient.patienceSeconds = 0
        #expect(impatient.radiusMeters(waitedSeconds: 0) == 6_000)
    }

    @Test func anAnswerHasTheSameIdAlwaysAndAnotherAnswerHasAnother() {
        let request = request()
        let valet = MatchAnswer(request, valet: near, travelSeconds: 24.1, at: now)
        let later = MatchAnswer(
            request, valet: near, travelSeconds: 24.1, at: now.addingTimeInterval(60))
        let nobody = MatchAnswer(request, valet: nil, travelSeconds: 0, at: now)
        #expect(valet.eventID == later.eventID)
        #expect(valet.eventID != nobody.eventID)
        #expect(valet.etaSeconds == 25)
        let other = MatchAnswer(self.request(), valet: near, travelSeconds: 0, at: now)
        #expect(valet.eventID != other.eventID)
        let text = valet.eventID.description
        #expect(Array(text)[14] == "8")
        #expect("89ab".contains(Array(text)[19]))
    }
}
