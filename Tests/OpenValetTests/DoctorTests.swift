import Contracts
import ServiceKit
import Support
import Testing

@testable import OpenValet

@Suite(.withoutDatabase) struct DoctorTests {
    private func count(_ set: StateSet, _ ids: String...) -> StateCount {
        ids.reduce(into: StateDigest()) { $0.add(StateMark(set, $1, version: 1)) }.count(of: set)
    }

    private func report(_ name: String, copied: [StateCount] = []) -> StateReport {
        switch name {
        case "areas": StateReport(owned: [count(.areas, "a", "b")], copied: copied)
        case "orders": StateReport(owned: [count(.engagements, "1")], copied: copied)
        case "spots": StateReport(owned: [count(.engagements, "2")], copied: copied)
        default: StateReport(owned: [], copied: copied)
        }
    }

    private func reports(_ copied: [String: [StateCount]]) -> [String: StateReport?] {
        Dictionary(
            uniqueKeysWithValues: allServices.map {
                ($0.name, report($0.name, copied: copied[$0.name] ?? []))
            })
    }

    @Test func copiesLikeTheirOwnersAreWhole() {
        let examination = Examination(
            reports([
                "location": [count(.areas, "b", "a")], "ratings": [count(.engagements, "2", "1")],
            ]))
        #expect(examination.isHealthy)
        #expect(
            examination.lines == [
                "location  areas          2 of 2", "ratings   engagements    2 of 2",
                "All copies are whole.",
            ])
    }

    @Test func ofACopyThatDiffersItIsSaidWhoHasToReplay() {
        let examination = Examination(
            reports([
                "location": [count(.areas)], "ratings": [count(.engagements, "1", "3")],
            ]))
        #expect(!examination.isHealthy)
        #expect(
            examination.lines == [
                "location  areas          0 of 2  differs",
                "ratings   engagements    2 of 2  differs",
                "To do: openvalet replay --service areas",
                "To do: openvalet replay --service orders",
                "To do: openvalet replay --service carparks",
                "To do: openvalet replay --service spots",
                "To do: openvalet replay --service carpool",
            ])
    }

    @Test func withoutAnOwnerNothingIsComparedWithIt() {
        var reports = reports(["location": [count(.areas)]])
        reports["areas"] = .some(nil)
        let examination = Examination(reports)
        #expect(!examination.isHealthy)
        #expect(
            examination.lines == [
                "location  areas          its owner is silent",
                "areas doesn't answer: start it, then ask again",
            ])
    }
}
