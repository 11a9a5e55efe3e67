import Contracts
import EventBus
import Foundation
import Support
import Testing

@testable import Orders

/// Working times, as location's events of availability make them.
struct ShiftTests {
    private func shifts(
        _ caller: Caller, _ query: String = "", as person: TestPerson = .victor
    ) async throws -> [Shift] {
        let path = person.role == .operator ? "/v1/admin/shifts" : "/v1/me/shifts"
        return try await caller.call(.get, path + query, as: person)
            .expect(200, Page<Shift>.self).items
    }

    private struct Step {
        var status: ValetStatus
        var second: Double
    }

    /// On at 0, a job from 10 to 20, a break from 30 to 40, off at 50; on again at 60.
    private static let day = [
        Step(status: .available, second: 0), Step(status: .busy, second: 10),
        Step(status: .available, second: 20), Step(status: .onBreak, second: 30),
        Step(status: .available, second: 40), Step(status: .offline, second: 50),
        Step(status: .available, second: 60),
    ]

    private func expected(from start: Date) -> [Shift] {
        func at(_ second: Double) -> Date { start.addingTimeInterval(second) }
        let victor = TestPerson.victor.valet
        return [
            Shift(valet: victor, startedAt: at(60), endedAt: nil, breaks: []),
            Shift(
                valet: victor, startedAt: at(0), endedAt: at(50),
                breaks: [Shift.Break(startedAt: at(30), endedAt: at(40))]),
        ]
    }

    @Test(arguments: 0..<12)
    func aDayIsTheSameHoweverItsEventsCome(_ seed: Int) async throws {
        let bench = try await Bench()
        let start = bench.clock.now
        bench.clock.advance(by: 100)
        var steps = Self.day
        // The first in order; then turned around; then shuffled.
        if seed == 1 { steps.reverse() }
        if seed > 1 { steps.shuffle() }
        for step in steps + steps.prefix(seed % 4) {
            try await bench.become(step.status, .victor, secondsAgo: 100 - step.second)
        }
        let order = "\(steps)"
        try await bench.run { caller in
            let found = try await shifts(caller)
            #expect(found == expected(from: start), "\(order)")
        }
    }

    @Test func aBreakStillRunsWhileTheValetIsOnIt() async throws {
        let bench = try await Bench()
        try await bench.become(.available, .victor)
        bench.clock.advance(by: 60)
        try await bench.become(.onBreak, .victor)
        let began = bench.clock.now
        try await bench.run { caller in
            let shift = try #require(try await shifts(caller).first)
            #expect(shift.endedAt == nil)
            #expect(shift.breaks == [Shift.Break(startedAt: began, endedAt: nil)])
            bench.clock.advance(by: 60)
            try await bench.become(.offline, .victor)
            let ended = try #require(try await shifts(caller).first)
            #expect(ended.endedAt == bench.clock.now)
            #expect(ended.breaks.first?.endedAt == bench.clock.now)
        }
    }

    @Test func everybodySeesTheirOwnAndOperatorsAll() async throws {
        let bench = try await Bench()
        for valet in [TestPerson.victor, .vera] {
            for _ in 1...2 {
                bench.clock.advance(by: 60)
                try await bench.become(.available, valet)
                bench.clock.advance(by: 60)
                try await bench.become(.offline, valet)
            }
        }
        try await bench.run { caller in
            #expect(try await shifts(caller).count == 2)
            #expect(
                try await shifts(caller, as: .vera).allSatisfy { $0.valet == TestPerson.vera.valet }
            )
            let all = try await shifts(caller, as: .olivia)
            #expect(all.count == 4)
            #expect(all.map(\.startedAt) == all.map(\.startedAt).sorted(by: >))
            let victor = TestPerson.victor.valet
            #expect(try await shifts(caller, "?valet=\(victor)", as: .olivia).count == 2)
            var (paged, next): ([Shift], String?) = ([], nil)
            repeat {
                let after = next.map { "&after=\($0)" } ?? ""
                let page = try await caller.call(
                    .get, "/v1/admin/shifts?limit=1\(after)", as: .olivia
                ).expect(200, Page<Shift>.self)
                paged += page.items
                next = page.next
            } while next != nil
            #expect(paged == all)
        }
    }

    @Test func whatIsNotTheirsOrNoCursorIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for person in [TestPerson.alice, .olivia] {
                try await caller.call(.get, "/v1/me/shifts", as: person).refused(403, "auth.role")
            }
            for person in [TestPerson.alice, .victor] {
                try await caller.call(.get, "/v1/admin/shifts", as: person)
                    .refused(403, "auth.role")
            }
            try await caller.call(.get, "/v1/admin/shifts?valet=x", as: .olivia)
                .refused(422, "request.invalid", field: "valet")
            for cursor in ["x", "1.x", "1.2.3"] {
                try await caller.call(.get, "/v1/me/shifts?after=\(cursor)", as: .victor)
                    .refused(422, "request.invalid", field: "after")
            }
        }
    }

    @Test func onlyValetsOnShiftAreCounted() async throws {
        let bench = try await Bench()
        try await bench.become(.available, .vera)
        bench.clock.advance(by: 60)
        try await bench.become(.offline, .vera)
        try await bench.become(.onBreak, .victor)
        let told = try await bench.database.read { try $0.shifts.told(after: "", limit: 10) }
        let marks = told.flatMap(\.marks)
        #expect(marks == [StateMark(.shifts, TestPerson.victor.valet, version: 0)])
        let off = AvailabilityChanged(
            valet: TestPerson.vera.valet, status: .offline, serviceArea: nil,
            changedAt: bench.clock.now)
        #expect(off.marks.isEmpty)
    }

    @Test func theSameEventTwiceIsOnce() async throws {
        let bench = try await Bench()
        let id = EventID.new()
        for _ in 1...3 { try await bench.become(.available, .victor, id: id) }
        try await bench.run { caller in
            let found = try await shifts(caller)
            #expect(found.count == 1)
        }
    }
}
