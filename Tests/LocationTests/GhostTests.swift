import Contracts
import Foundation
import Geo
import Redis
import Support
import Testing

@testable import Location

/// A valet is at exactly one place: never in two cells, never in a cell that was left.
@Suite struct GhostTests {
    @Test func movingToAnotherCellLeavesTheOld() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        for step in 1...20 {
            bench.clock.advance(by: 20)
            let next = Bench.inIsland.moved(Double(step) * 250, bearing: 0)
            try await bench.record(.victor, at: next)
            #expect(try await bench.freeSets()[TestPerson.victor.valet]?.count == 1)
        }
        let cells = try await bench.redis.pool.execute(
            RawCommand("SCARD", LocationKeys(region: Region(area: Bench.island)).cells))
        #expect(cells.int == 1)
    }

    @Test func crossingIntoAnotherAreaTakesTheValetAlong() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        bench.clock.advance(by: 300)
        try await bench.record(.victor, at: Bench.inKowloon)
        let sets = try await bench.freeSets()[TestPerson.victor.valet] ?? []
        #expect(sets.count == 1)
        #expect(sets.first?.hasPrefix("location:{kowloon}:free:") == true)
        let found = try await bench.useCases.whereabouts(of: [TestPerson.victor.valet]).items
        #expect(found.map(\.valet) == [TestPerson.victor.valet])
        #expect(found.first?.status.known == .available)
        let areas = try await bench.events().compactMap { $0 as? AvailabilityChanged }
        #expect(areas.contains { $0.serviceArea == Bench.kowloon && $0.status == .available })
    }

    @Test func leavingAllAreasTakesTheValetOutOfEverySearch() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inKowloon)
        bench.clock.advance(by: 300)
        try await bench.record(.victor, at: Bench.outside)
        #expect(try await bench.freeSets().isEmpty)
        #expect(try await bench.status(of: .victor) == .available)
        bench.clock.advance(by: 300)
        try await bench.record(.victor, at: Bench.inKowloon)
        #expect(try await bench.freeSets()[TestPerson.victor.valet]?.count == 1)
    }

    @Test func oneBatchMayCrossABorderManyTimes() async throws {
        let bench = try await Bench()
        _ = try await bench.useCases.setShift(TestPerson.victor.valet, .on)
        let border = Coordinate(latitude: 22.25, longitude: 114.2)
        let entries = (0..<40).map { step in
            bench.entry(
                .victor, border.moved(100, bearing: step.isMultiple(of: 2) ? 90 : 270),
                secondsAgo: Double(400 - 10 * step))
        }
        let outcomes = try await bench.useCases.record(entries.map { try Point($0) })
        #expect(outcomes.allSatisfy { $0 == .used })
        #expect(try await bench.freeSets()[TestPerson.victor.valet]?.count == 1)
    }

    /// What a crash between leaving the old home and settling in the new one leaves behind.
    @Test func anUnfinishedMoveIsFinishedByTheNextPoint() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        bench.clock.advance(by: 300)
        let point = try Point(bench.entry(.victor, Bench.inKowloon))
        let areas = try bench.location.areas.areas()
        let placed = PlacedPoint(0, point, in: areas)
        // Only the first of the steps.
        _ = try await bench.store.run(
            LocationScripts.positions, in: Region(area: Bench.island),
            [
                point.person.description, "valet", "1", String(point.at),
                String(point.coordinate.latitude), String(point.coordinate.longitude), "", "", "",
                "", placed.cell, placed.region.description,
            ])
        #expect(try await bench.freeSets().isEmpty)
        bench.clock.advance(by: 10)
        try await bench.record(.victor, at: Bench.inKowloon.moved(20))
        #expect(try await bench.freeSets()[TestPerson.victor.valet]?.count == 1)
        #expect(try await bench.status(of: .victor) == .available)
    }

    @Test func anUnfinishedMoveDoesNotStopAChange() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        bench.clock.advance(by: 300)
        let point = try Point(bench.entry(.victor, Bench.inKowloon))
        _ = try await bench.store.run(
            LocationScripts.positions, in: Region(area: Bench.island),
            [
                point.person.description, "valet", "1", String(point.at),
                String(point.coordinate.latitude), String(point.coordinate.longitude), "", "", "",
                "", Cell(containing: point.coordinate).description, "kowloon",
            ])
        #expect(
            try await bench.useCases.setShift(TestPerson.victor.valet, .off) == .offline)
        #expect(try await bench.status(of: .victor) == .offline)
        #expect(try await bench.freeSets().isEmpty)
    }

    /// Many valets wander over cells, areas and the outside, go on and off shift and get jobs, at
    /// two replicas at once; points arrive in any order.
    @Test(arguments: [11, 12, 13])
    func nobodyIsEverInTwoPlaces(_ seed: UInt64) async throws {
        var rules = LocationRules()
        rules.silenceSeconds = 1_000_000
        let bench = try await Bench(rules: rules)
        let replicas = [bench.location, try await bench.replica()]
        let valets = (0..<12).map { _ in PersonID.new() }
        let end = bench.clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, valet) in valets.enumerated() {
                for part in 0..<2 {
                    let walk = Walk(
                        valet: valet, seed: seed * 1_000 + UInt64(number), part: part, end: end)
                    group.addTask { try await walk.run(on: replicas) }
                }
            }
            try await group.waitForAll()
        }
        let free = try await bench.freeSets()
        #expect(free.values.allSatisfy { $0.count == 1 })
        let listed = try await bench.useCases.whereabouts(
            of: valets.map { $0.as(ValetID.self) }
        ).items
        #expect(listed.count == valets.count)
        for one in listed {
            let place = try #require(one.position)
            let region = AreaBook.region(
                of: Coordinate(latitude: place.latitude, longitude: place.longitude),
                in: try bench.location.areas.areas())
            let cell = Cell(
                containing: Coordinate(latitude: place.latitude, longitude: place.longitude))
            let isOffered = one.status == .available && region != .nowhere
            let expected = isOffered ? [LocationKeys(region: region).free(cell)] : nil
            #expect(free[one.valet] == expected)
        }
    }

    /// Half of one valet's day: both halves know the same places, and send every other point.
    private struct Walk: Sendable {
        static let steps = 120

        let valet: PersonID
        let seed: UInt64
        let part: Int
        let end: Date

        private func places() -> [Coordinate] {
            var random = SeededRandom(seed: seed)
            var place = Bench.inIsland
            return (0..<Self.steps).map { _ in
                let next = place.moved(
                    .random(in: 0...6_000, using: &random),
                    bearing: .random(in: 0..<360, using: &random))
                if (22.2...22.3).contains(next.latitude), (114.1...114.4).contains(next.longitude) {
                    place = next
                }
                return place
            }
        }

        func run(on replicas: [Location]) async throws {
            var random = SeededRandom(seed: seed &* 31 &+ UInt64(part))
            for (step, place) in places().enumerated() where step % 2 == part {
                let location = replicas.randomElement(using: &random) ?? replicas[0]
                let point = PositionBody(
                    latitude: place.latitude, longitude: place.longitude,
                    recordedAt: end.addingTimeInterval(-Double(Self.steps - step) * 200))
                _ = try await location.useCases.record([
                    Point(.init(person: valet, role: .valet, point: point, receivedAt: end))
                ])
                switch Int.random(in: 0..<8, using: &random) {
                case 0: try await shift(location, isOn: false)
                case 1, 2, 3: try await shift(location, isOn: true)
                case 4: try await job(location, &random)
                default: break
                }
            }
        }

        private func shift(_ location: Location, isOn: Bool) async throws {
            do {
                _ = try await location.useCases.setShift(
                    valet.as(ValetID.self), isOn ? .on : .off)
            } catch Refusal.valetOnJob {}
        }

        private func job(_ location: Location, _ random: inout SeededRandom) async throws {
            var order = OrderSnapshot.test(.droppingOff, version: 2, id: .new())
            order.dropOffValet = valet.as(ValetID.self)
            try await location.useCases.apply(EngagementChanged(order).engagement)
            order.version = 3
            order.status = .known(.cancelled)
            try await location.useCases.apply(EngagementChanged(order).engagement)
        }
    }
}
