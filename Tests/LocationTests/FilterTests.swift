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

    /// 45 seconds, local time for UTC, a wrong day and a wrong year.
    @Test(arguments: [45, 10_800, 86_400, 34_560_000] as [Double])
    func aPointOfAClockThatIsAheadCountsByTheTimeOfReceipt(seconds: Double) async throws {
        let bench = try await Bench()
        for _ in 0..<2 {
            bench.clock.advance(by: 10)
            let entry = bench.entry(.victor, start, secondsAgo: -seconds)
            #expect(try await bench.record(entry) == [.used])
            let seen = try await bench.store.lastSeen([TestPerson.victor.id])
            #expect(seen[TestPerson.victor.id]?.at == bench.clock.now.milliseconds)
        }
    }

    /// Seconds by which the times of one request are ahead, and by which its clock is.
    @Test(
        arguments: [
            ([-5, -3, -1], 0), ([40, 45, 43], 45), ([-700, 45], 45), ([-7_200, 10_800], 10_800),
            ([-5, 7_200, -3], 0), ([-5, 400_000_000, -3], 0), ([7_190, 7_200, -3], 7_200),
            ([34_560_000, 34_560_010], 34_560_010), ([], 0),
        ] as [([Int], Int)])
    func oneTimeFarAheadOfAllOthersIsNotTheClocks(ahead: [Int], lead: Int) {
        let received = Date(milliseconds: 1_800_000_000_000)
        let points = ahead.map {
            PositionBody(
                latitude: 0, longitude: 0,
                recordedAt: received.addingTimeInterval(TimeInterval($0)))
        }
        let found = Point.clockLead(points, receivedAt: received.milliseconds)
        #expect(found == lead * 1_000)
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

    /// Another district, another city, another continent.
    @Test(arguments: [3_000.0, 150_000, 8_000_000])
    func aWrongFirstPointShutsOutOnlyTheNextTwo(metersOff: Double) async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: start.moved(metersOff))
        var outcomes: [PointOutcome?] = []
        for step in 1...4 {
            bench.clock.advance(by: 10)
            outcomes.append(try await bench.record(.victor, at: start.moved(20 * Double(step))))
        }
        #expect(outcomes == [.ignored(.jump), .ignored(.jump), .used, .used])
        #expect(try await bench.nearbyCount() == 1)
        let seen = try await bench.store.lastSeen([TestPerson.victor.id])
        #expect(seen[TestPerson.victor.id]?.coordinate == start.moved(80))
    }

    @Test func aWrongFirstPointOfABatchShutsOutOnlyTheNextTwo() async throws {
        let bench = try await Bench()
        let outcomes = try await bench.record(
            bench.entry(.alice, start.moved(150_000), secondsAgo: 50),
            bench.entry(.alice, start, secondsAgo: 40),
            bench.entry(.alice, start.moved(10), secondsAgo: 30),
            bench.entry(.alice, start.moved(20), secondsAgo: 20),
            bench.entry(.alice, start.moved(150_000), secondsAgo: 10))
        #expect(outcomes == [.used, .ignored(.jump), .ignored(.jump), .used, .ignored(.jump)])
    }

    @Test func jumpsInTheMiddleOfATrackAreIgnored() async throws {
        let bench = try await Bench()
        let far = start.moved(20_000)
        let places = [start, far, far.moved(5), start.moved(20), far, far, start.moved(30)]
        var outcomes: [PointOutcome?] = []
        for place in places {
            bench.clock.advance(by: 10)
            outcomes.append(try await bench.record(.victor, at: place))
        }
        let jump = PointOutcome.ignored(.jump)
        #expect(outcomes == [.used, jump, jump, .used, jump, jump, .used])
    }

    @Test func jumpsThatDoNotAgreeAreIgnored() async throws {
        let bench = try await Bench()
        try await bench.record(.victor, at: start)
        for bearing in [0.0, 90, 180, 270, 45, 135] {
            bench.clock.advance(by: 10)
            let place = start.moved(150_000, bearing: bearing)
            #expect(try await bench.record(.victor, at: place) == .ignored(.jump))
        }
        bench.clock.advance(by: 10)
        #expect(try await bench.record(.victor, at: start) == .used)
    }

    @Test func aJumpThatIsSentAgainDoesNotConfirmItself() async throws {
        let bench = try await Bench()
        try await bench.record(bench.entry(.victor, start, secondsAgo: 20))
        let jump = bench.entry(.victor, start.moved(150_000), secondsAgo: 10)
        for _ in 0..<5 { #expect(try await bench.record(jump) == [.ignored(.jump)]) }
    }

    @Test func aPointOfADeviceWithoutAFixIsMarked() async throws {
        let bench = try await Bench()
        let zero = Coordinate(latitude: 0, longitude: 0)
        let outcomes = try await bench.record(
            bench.entry(.victor, zero, secondsAgo: 4),
            bench.entry(.victor, Coordinate(latitude: -0.0, longitude: 0), secondsAgo: 3),
            bench.entry(.victor, start, secondsAgo: 2), bench.entry(.victor, zero, secondsAgo: 1),
            bench.entry(.vera, Coordinate(latitude: 0, longitude: 6.7)),
            bench.entry(.alice, Coordinate(latitude: 51.5, longitude: 0)),
            bench.entry(.bob, Coordinate(latitude: 1e-9, longitude: -0.000_001)))
        let zeroMark = PointOutcome.ignored(.zero)
        #expect(outcomes == [zeroMark, zeroMark, .used, zeroMark, .used, .used, zeroMark])
        let seen = try await bench.store.lastSeen([TestPerson.victor.id])
        #expect(seen[TestPerson.victor.id]?.coordinate == start)
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
            bench.entry(.victor, start, secondsAgo: -60), clockLead: 0)
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
