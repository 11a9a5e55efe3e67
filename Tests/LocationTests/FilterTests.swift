import Contracts
import Foundation
import Geo
import Support
import Testing

@testable import Location

/// A point is used, or kept and marked, never silently lost.
@Suite struct FilterTests {
    private let start = Bench.inIsland
    private let region = Region(area: Bench.island)

    @Test func distancesInRedisAreOnTheSameEarthAsOurs() {
        let script = String(decoding: PackageResources.positions_lua, as: UTF8.self)
        #expect(script.contains("EARTH_RADIUS = \(Geo.earthRadiusMeters)\n"))
    }

    @Test func aFirstPointIsUsed() async throws {
        let bench = try await Bench()
        #expect(try await bench.record(.victor, at: start) == .used)
        let seen = try await bench.store.lastSeen([TestPerson.victor.id])
        #expect(seen[TestPerson.victor.id]?.coordinate == start)
    }

    @Test func aPointThatIsTooOldIsMarked() async throws {
        let bench = try await Bench()
        let old = bench.entry(.victor, start, secondsAgo: 86_401)
        let justNotOld = bench.entry(.victor, start, secondsAgo: 86_400)
        #expect(try await bench.record(old, justNotOld) == [.ignored(.old), .used])
    }

    @Test func aPointFromTheFutureIsMarkedUnlessAClockMayBeSoWrong() async throws {
        let bench = try await Bench()
        let outcomes = try await bench.record(
            bench.entry(.victor, start, secondsAgo: -30.001),
            bench.entry(.vera, start, secondsAgo: -30))
        #expect(outcomes == [.ignored(.future), .used])
    }

    @Test func anInaccuratePointIsMarked() async throws {
        let bench = try await Bench()
        let outcomes = try await bench.record(
            bench.entry(.victor, start, secondsAgo: 2, accuracy: 100.1),
            bench.entry(.victor, start, secondsAgo: 1, accuracy: 100))
        #expect(outcomes == [.ignored(.inaccurate), .used])
    }

    @Test func aPointThatIsOlderThanTheLastIsMarked() async throws {
        let bench = try await Bench()
        try await bench.record(bench.entry(.victor, start, secondsAgo: 10))
        let late = try await bench.record(
            bench.entry(.victor, start.moved(50), secondsAgo: 10.001))
        #expect(late == [.ignored(.late)])
        let seen = try await bench.store.lastSeen([TestPerson.victor.id])
        #expect(seen[TestPerson.victor.id]?.coordinate == start)
    }

    @Test func aRepeatIsMarked() async throws {
        let bench = try await Bench()
        let entry = bench.entry(.victor, start, secondsAgo: 5)
        #expect(try await bench.record(entry) == [.used])
        #expect(try await bench.record(entry, entry) == [.ignored(.repeat), .ignored(.repeat)])
    }

    @Test func anImpossibleJumpIsMarkedAndForgottenForTheNextPoint() async throws {
        let bench = try await Bench()
        let outcomes = try await bench.record(
            bench.entry(.victor, start, secondsAgo: 30),
            bench.entry(.victor, start.moved(710), secondsAgo: 20),
            bench.entry(.victor, start.moved(600), secondsAgo: 20),
            bench.entry(.victor, start.moved(690), secondsAgo: 10))
        #expect(outcomes == [.used, .ignored(.jump), .used, .used])
    }

    @Test func twoPointsWithinASecondMayTremble() async throws {
        let bench = try await Bench()
        let outcomes = try await bench.record(
            bench.entry(.victor, start, secondsAgo: 0.01),
            bench.entry(.victor, start.moved(40), secondsAgo: 0.005),
            bench.entry(.victor, start.moved(200), secondsAgo: 0.001))
        #expect(outcomes == [.used, .used, .ignored(.jump)])
    }

    @Test func everyPointIsKeptWithItsMark() async throws {
        let bench = try await Bench()
        let used = bench.entry(.victor, start, secondsAgo: 10)
        try await bench.record(
            bench.entry(.victor, start, secondsAgo: 90_000), used, used,
            bench.entry(.victor, start, secondsAgo: 5, accuracy: 500),
            bench.entry(.victor, start.moved(9_000), secondsAgo: 4),
            bench.entry(.victor, start, secondsAgo: -60))
        try await bench.record(bench.entry(.victor, start, secondsAgo: 11))
        let marks = try await bench.track(.victor, in: region).map(\.mark)
        #expect(
            marks == ["old", "", "repeat", "inaccurate", "jump", "future", "late"])
    }

    @Test func aTrackIsCapped() async throws {
        var rules = LocationRules()
        rules.trackPoints = 50
        let bench = try await Bench(rules: rules)
        for ago in (1...1_000).reversed() {
            try await bench.record(bench.entry(.victor, start, secondsAgo: Double(ago)))
        }
        // Redis drops whole nodes of 100 entries.
        #expect(try await bench.track(.victor, in: region).count <= 250)
    }

    @Test(arguments: 1...5)
    func timeOrderDecidesNotTheOrderOfArrival(_ seed: UInt64) async throws {
        let bench = try await Bench()
        var random = SeededRandom(seed: seed)
        let walk = (0..<60).map { step in
            bench.entry(
                .victor, start.moved(Double(step) * 12), secondsAgo: Double(60 - step))
        }
        var arriving = walk.shuffled(using: &random)
        var used: [Int] = []
        while !arriving.isEmpty {
            let batch = Array(arriving.prefix(.random(in: 1...8, using: &random)))
            arriving.removeFirst(batch.count)
            let outcomes = try await bench.useCases.record(batch.map { try Point($0) })
            let ats = zip(batch, outcomes).filter { $0.1 == .used }
                .compactMap { $0.0.point.recordedAt?.milliseconds }
            used += ats.sorted()
        }
        #expect(used == used.sorted())
        let seen = try await bench.store.lastSeen([TestPerson.victor.id])
        #expect(seen[TestPerson.victor.id]?.at == walk.last?.point.recordedAt?.milliseconds)
        let kept = try await bench.track(.victor, in: region)
        #expect(kept.count == walk.count)
        #expect(kept.filter { $0.mark == "" }.count == used.count)
    }

    @Test func oneBatchHoldsSeveralPeople() async throws {
        let bench = try await Bench()
        let outcomes = try await bench.record(
            bench.entry(.victor, start), bench.entry(.alice, Bench.outside),
            bench.entry(.vera, Bench.inKowloon), bench.entry(.victor, start))
        #expect(outcomes == [.used, .used, .used, .ignored(.repeat)])
    }
}

/// The same numbers on every run (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
