import Contracts
import Foundation
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

    private let now = Date(timeIntervalSince1970: 1_795_000_000)
    private let weekAgo = "2026-11-11T11:06:40.000Z"

    private func examination(_ copied: [String: [StateCount]]) -> Examination {
        Examination(reports(copied), at: now)
    }

    @Test func copiesLikeTheirOwnersAreWhole() {
        var payers = count(.people)
        payers.use = "payers"
        let examination = examination([
            "location": [count(.areas, "b", "a")], "payments": [count(.people), payers],
            "ratings": [count(.engagements, "2", "1")],
        ])
        #expect(examination.isHealthy)
        #expect(
            examination.lines == [
                "location  service areas     2 of 2",
                "payments  people            0 of 0",
                "payments  people (payers)   0 of 0",
                "ratings   open engagements  2 of 2",
                "",
                "All copies are whole.",
            ])
    }

    @Test func ofACopyThatDiffersItIsSaidWhoHasToReplay() {
        let examination = examination([
            "location": [count(.areas)], "ratings": [count(.engagements, "1", "3")],
        ])
        #expect(!examination.isHealthy)
        #expect(
            examination.lines == [
                "location  service areas     0 of 2  differs",
                "ratings   open engagements  2 of 2  differs",
                "",
                "Some copies differ. Run this, then openvalet doctor again:",
                "  openvalet replay --service areas",
                "  openvalet replay --service orders",
                "  openvalet replay --service carparks",
                "  openvalet replay --service spots",
                "  openvalet replay --service carpool",
            ])
    }

    /// The present state doesn't say what has ended, and some of it is told only to those that ask.
    @Test func whereTheStateAloneDoesNotHelpStoredEventsAreReplayedToo() {
        func todo(_ copied: [String: [StateCount]]) -> [String] {
            examination(copied).lines.filter { $0.hasPrefix("  ") }
        }
        let since = "--since \(weekAgo)"
        #expect(
            todo(["location": [count(.areas, "a", "b", "c")]])
                == ["  openvalet replay --service areas \(since)"])
        #expect(
            todo(["location": [count(.shifts, "v")]])
                == ["  openvalet replay --service location \(since)"])
        #expect(
            todo(["carparks": [count(.parkedVehicles, "o")]])
                == ["  openvalet replay --service orders \(since)"])
    }

    @Test func copiesOfEverySetAreCompared() {
        for set in StateSet.allCases where set != .areas && set != .engagements {
            #expect(examination(["location": [count(set)]]).isHealthy, "\(set)")
            #expect(!examination(["location": [count(set, "x")]]).isHealthy, "\(set)")
        }
    }

    @Test func noTwoSetsHaveTheSameLine() {
        let examination = examination(["location": StateSet.allCases.map { count($0, "x") }])
        let named = examination.lines.prefix(StateSet.allCases.count)
        #expect(Set(named).count == StateSet.allCases.count)
    }

    @Test func withoutAnOwnerNothingIsComparedWithIt() {
        var reports = reports(["location": [count(.areas)]])
        reports["areas"] = .some(nil)
        let examination = Examination(reports)
        #expect(!examination.isHealthy)
        #expect(
            examination.lines == [
                "location  service areas  0 of ?",
                "",
                "These don't answer. Start them, then run openvalet doctor again:",
                "  areas",
            ])
    }
}
