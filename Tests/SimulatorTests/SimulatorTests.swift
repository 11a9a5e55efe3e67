import Client
import Threads
import Contracts
import Foundation
import Geo
import Support
import Testing

@testable import Simulator

private let start = Coordinate(latitude: 22.28, longitude: 114.15)

private func goal(_ bearing: Double, _ meters: Double) -> Coordinate {
    Geo.destination(from: start, bearingDegrees: bearing, distanceMeters: meters)
}

private func town() throws -> SimulatedTown {
    let id = try #require(ServiceAreaID("square"))
    let ring = [[114.1, 22.2], [114.2, 22.2], [114.2, 22.3], [114.1, 22.3], [114.1, 22.2]]
    let tariff = Tariff(
        currency: "HKD", baseFee: 1, freeMinutes: 1, incrementPrice: 1, incrementMinutes: 1,
        dailyCap: 1, extras: ["wash": 1], cancellationFee: 1, cancellationGraceSeconds: 1,
        noShowFee: 1, waitingSeconds: 1)
    return try SimulatedTown(
        ServiceAreaFeature(
            id: id,
            properties: .init(
                id: id, name: "Square", servicePoint: Place(start), currency: "HKD",
                tariff: tariff),
            geometry: .polygon([ring])), seed: 1)
}

private func simulation(at url: URL) throws -> Simulation {
    let town = try town()
    let settings = SimulationSettings(
        url: url, valets: 1, customers: 1, speed: 8, area: town.id, time: nil, seed: 1,
        operatorPhone: "+85290000000", operatorPassword: "a password", companion: nil)
    let tally = Tally()
    let boss = SimulatedPerson(
        client: OpenValetClient(url, observer: { tally.observe($0) }), tally: tally,
        phone: settings.operatorPhone, password: settings.operatorPassword, desk: Desk())
    return Simulation(
        settings, town: town, boss: boss, known: [:],
        voice: Voice(isTerminal: false) { _ in })
}

struct SimulatedMovementTests {
    @Test func whoMovesIsAtEachPointOfTheLineInTurn() {
        let corner = goal(90, 1_000)
        let path = Path(from: start, through: [corner, goal(0, 2_000)])
        #expect(abs(Geo.distanceMeters(start, path.point(at: 250)) - 250) < 1)
        #expect(Geo.distanceMeters(corner, path.point(at: 1_000)) < 1)
        #expect(path.point(at: -5) == start)
        #expect(path.point(at: 1_000_000) == path.points.last)
        #expect(abs((path.headingDegrees(at: 10) ?? 0) - 90) < 1)
        #expect(path.headingDegrees(at: path.lengthMeters + 1) == nil)
    }

    @Test func aPathToWhereOneIsHasNoLength() {
        let path = Path(from: start, through: [start, start])
        #expect(path.lengthMeters == 0)
        #expect(path.point(at: 0) == start)
        #expect(path.headingDegrees(at: 0) == nil)
    }

    @Test(arguments: [1.0, 8, 20, 60])
    func nobodyIsFasterThanAServerBelieves(_ speed: Double) {
        for pace in [Pace.strolling, .riding, .driving] {
            #expect(pace.metersPerSecond(speed: speed) <= Pace.fastestMetersPerSecond)
        }
        #expect(Pace.riding.metersPerSecond(speed: 1) == Pace.riding.rawValue)
    }

    @Test func whereaboutsEndAtTheGoal() {
        let whereabouts = Whereabouts(start)
        let time = whereabouts.go(through: [goal(0, 1)], metersPerSecond: 1_000_000)
        #expect(time < .seconds(1))
        #expect(Geo.distanceMeters(whereabouts.fix.point, goal(0, 1)) < 2)
        #expect(!whereabouts.isSilent)
        whereabouts.loseSignal(for: .seconds(100))
        #expect(whereabouts.isSilent)
    }
}

struct SeededTests {
    @Test func theSameSeedGivesTheSameNumbersAndAnotherOthers() {
        func numbers(_ seed: UInt64, _ part: String, _ index: Int) -> [UInt64] {
            var generator = SeededGenerator(seed, part, index)
            return (0..<5).map { _ in generator.next() }
        }
        #expect(numbers(1, "valet", 3) == numbers(1, "valet", 3))
        #expect(numbers(1, "valet", 3) != numbers(2, "valet", 3))
        #expect(numbers(1, "valet", 3) != numbers(1, "valet", 4))
        #expect(numbers(1, "valet", 3) != numbers(1, "customer", 3))
        // Also on other machines and in years to come: a run is to be repeated.
        #expect(numbers(1, "valet", 3).first == Self.first)
    }

    private static let first: UInt64 = 0xDDC6_9FBC_125B_67D8

    @Test func aPersonIsTheSameInEveryRunAndNobodyElse() {
        let seeds = [Persona.seeds.lowerBound, 1, Persona.seeds.upperBound]
        var phones: Set<String> = []
        for seed in seeds {
            for index in [0, 1, 99, 100, Persona.mostValets - 1] {
                let persona = Persona(.valet, index, seed: seed)
                #expect(persona == Persona(.valet, index, seed: seed))
                #expect(persona.password.count >= 10)
                phones.insert(persona.phone)
            }
            for index in [0, 1, Persona.mostCustomers - 1] {
                phones.insert(Persona(.customer, index, seed: seed).phone)
            }
        }
        #expect(phones.count == seeds.count * 8)
        #expect(phones.allSatisfy { $0.contains(/^\+1[2-7]\d\d55501\d\d$/) })
    }

    @Test func whatACustomerHasInMindRepeatsItself() throws {
        let town = try town()
        func visits(_ index: Int) -> [Visit] {
            (0..<50).map { number in
                var generator = SeededGenerator(1, "customer", index, "visit", number)
                return Visit(&generator, in: town, vehicles: 2)
            }
        }
        #expect(visits(1) == visits(1))
        #expect(visits(1) != visits(2))
        let all = (0..<20).flatMap(visits)
        #expect(all.allSatisfy { town.contains($0.dropOff.coordinate) })
        #expect(all.allSatisfy { town.contains($0.returnTo.coordinate) })
        #expect(all.allSatisfy { $0.extras.allSatisfy { $0 == .wash } })
        // Life has all of it.
        #expect(all.contains { $0.cancelling == .afterGrace } && all.contains(where: \.isAbsent))
        #expect(all.contains { $0.aheadSeconds != nil } && all.contains(where: \.isLost))
        #expect(all.contains { $0.stars == nil } && all.contains { $0.tipPercent > 0 })
    }

    @Test func whatAValetMakesOfAJobRepeatsItself() throws {
        let minds = (0..<200).map { JobMind(SeededGenerator(1, "valet", 1, "job", $0)) }
        #expect(minds == (0..<200).map { JobMind(SeededGenerator(1, "valet", 1, "job", $0)) })
        #expect(minds.contains(where: \.mistypes) && minds.contains(where: \.recognises))
        let garages = try town().garages
        #expect(!garages.isEmpty)
        let nearest = garages.sorted {
            Geo.distanceMeters(start, $0.point) < Geo.distanceMeters(start, $1.point)
        }.prefix(3)
        for mind in minds {
            #expect(mind.garage(of: garages, near: start).map(nearest.contains) == true)
        }
        #expect(minds[0].garage(of: [], near: start) == nil)
    }

    @Test func carParksAreWhereTheyWereBefore() throws {
        #expect(try town().garages == town().garages)
    }
}

struct BellTests {
    @Test func aRingThatNobodyWaitedForIsKeptOnce() async throws {
        let wake = Signal()
        wake.raise()
        wake.raise()
        #expect(try await wake.wait(upTo: .seconds(60)))
        #expect(try await !wake.wait(upTo: .milliseconds(1)))
    }

    @Test func aRingWakesWhoWaits() async throws {
        let wake = Signal()
        async let isRung = wake.wait(upTo: .seconds(60))
        wake.raise()
        #expect(try await isRung)
    }

    @Test func waitingEndsWhenItIsCancelled() async {
        let wake = Signal()
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await wake.wait(upTo: .seconds(60))) == nil }
            group.cancelAll()
            #expect(await group.next() == true)
        }
    }
}

struct TallyTests {
    private func exchange(
        _ method: String, _ path: String, _ status: Int?, _ code: String? = nil
    ) -> Exchange {
        Exchange(method: method, path: path, status: status, code: code, duration: .seconds(1))
    }

    private let id = "01900000-0000-7000-8000-000000000001"

    @Test func aKindOfRequestNamesNoSingleThing() {
        #expect(
            RequestKind("GET", "/v1/orders/\(id)/track").description == "GET /v1/orders/{id}/track")
        #expect(RequestKind("GET", "/v1/orders/current").description == "GET /v1/orders/current")
    }

    @Test func aRefusalThatBelongsToLifeIsNoFault() {
        let tally = Tally()
        tally.observe(exchange("POST", "/v1/orders/\(id)/collect", 422, "order.wrong_code"))
        tally.observe(exchange("POST", "/v1/orders/\(id)/cancel", 409, "order.not_possible"))
        tally.observe(exchange("POST", "/v1/sessions", 429, "rate.limited"))
        tally.observe(exchange("GET", "/v1/me", nil))
        let counts = tally.counts
        #expect(counts.faults.isEmpty)
        #expect(
            counts.refusals == [
                "order.wrong_code": 1, "order.not_possible": 1, "rate.limited": 1,
            ])
        #expect(counts.unanswered == 1)
        #expect(counts.requests == 3)
    }

    @Test(arguments: [
        ("POST", "/v1/orders", 500, "internal"), ("POST", "/v1/orders", 503, "rate.limited"),
        ("GET", "/v1/me", 404, "account.unknown"), ("POST", "/v1/orders", 422, "request.invalid"),
        ("POST", "/v1/sessions", 401, "account.credentials_mismatch"),
        ("GET", "/v1/me", 401, "auth.token_invalid"),
    ])
    func anythingElseIsAFault(_ method: String, _ path: String, _ status: Int, _ code: String) {
        let tally = Tally()
        for _ in 0..<2 { tally.observe(exchange(method, path, status, code)) }
        let fault = Fault(kind: RequestKind(method, path), status: status, code: code)
        #expect(tally.counts.faults == [fault: 2])
    }

    @Test func aCallThatNeverGotAnAnswerIsAFault() {
        let tally = Tally()
        tally.lost(.unreachable("POST /v1/orders/\(id)/cancel: connection refused"))
        tally.lost(.signedOut)
        let fault = Fault(
            kind: RequestKind("POST", "/v1/orders/\(id)/cancel"), status: nil, code: nil)
        #expect(tally.counts.faults == [fault: 1])
    }

    private func order(_ status: OrderStatus, _ id: OrderID = .new()) -> OrderView {
        OrderView(
            id: id, ticket: "K7-42", status: status, serviceArea: ServiceAreaID("square")!,
            customer: Party(id: .new(), firstName: "", lastName: "", phone: ""),
            dropOff: Place(start), extras: [], createdAt: Date(timeIntervalSince1970: 0), version: 1
        )
    }

    @Test func anOrderIsCountedFromItsBeginningToItsEnd() {
        let (tally, id) = (Tally(), OrderID.new())
        tally.begin(order(.requested, id), isNew: true)
        tally.begin(order(.requested, id), isNew: false)
        #expect(tally.counts.running(.requested) == 1)
        tally.see(order(.parked, id))
        #expect(tally.counts.running(.requested, .parked) == 1)
        tally.see(order(.finished, id))
        tally.see(order(.finished, id))
        let counts = tally.counts
        #expect(counts.running.isEmpty)
        #expect(counts.ended == [.finished: 1])
        #expect((counts.placed, counts.takenUp) == (1, 0))
        #expect(counts.orders == [id])
    }

    @Test func onlyWhatSucceededIsPaid() {
        let tally = Tally()
        let amount = Money(amount: 1_100, currency: "HKD")
        var paid = Payment(
            id: .new(), bill: .new(), amount: amount, status: .succeeded,
            createdAt: Date(timeIntervalSince1970: 0))
        paid.tip = Money(amount: 100, currency: "HKD")
        tally.paid(paid)
        paid.status = .known(.declined)
        tally.paid(paid)
        #expect(tally.counts.paid == ["HKD": 1_100])
        #expect(tally.counts.tips == ["HKD": 100])
    }

    // MARK: The outcome

    private func outcome(
        _ counts: Counts = Counts(), _ orders: [OrderView] = [], interrupted: Bool = false
    ) -> Outcome {
        Outcome(
            counts: counts, orders: orders, stuck: Outcome.stuck(counts.orders, in: orders),
            elapsed: .seconds(1), wasInterrupted: interrupted)
    }

    @Test func allWellIsZero() {
        let tally = Tally()
        let ended = order(.cancelled)
        tally.begin(ended, isNew: true)
        let outcome = outcome(tally.counts, [ended])
        #expect(outcome.exitCode == 0)
        #expect(Summary.verdict(outcome).hasPrefix("All well"))
    }

    @Test func anOrderWithoutAnEndIsNamedAndOne() {
        let tally = Tally()
        let stuck = order(.parking)
        tally.begin(stuck, isNew: true)
        let outcome = outcome(tally.counts, [stuck])
        #expect(outcome.exitCode == 1)
        #expect(outcome.stuck == [StuckOrder(ticket: "K7-42", status: .parking)])
        #expect(Summary(outcome, speed: 8, bold: { $0 }).text.contains("K7-42 is parking"))
    }

    @Test func anOrderThatTheOperatorDoesNotSeeIsStuck() {
        let tally = Tally()
        tally.begin(order(.requested), isNew: true)
        #expect(outcome(tally.counts).exitCode == 1)
    }

    @Test func whatIsOpenWhenOneStopsAtOnceIsNoFault() {
        let tally = Tally()
        let open = order(.parked)
        tally.begin(open, isNew: true)
        #expect(outcome(tally.counts, [open], interrupted: true).exitCode == 0)
    }

    @Test func whoStopsAtOnceIsToldHowManyOrdersAreOpenAndAsksNobody() async throws {
        // Port 1 of this machine: nothing listens there.
        let world = try simulation(at: try #require(URL(string: "http://127.0.0.1:1")))
        world.tally.begin(order(.parked), isNew: true)
        world.tally.begin(order(.requested), isNew: true)
        let outcome = await world.outcome(wasInterrupted: true)
        #expect(world.tally.counts.unanswered == 0)
        #expect(outcome.failure == nil)
        #expect(outcome.exitCode == 0)
        #expect(Summary.verdict(outcome).hasPrefix("Stopped with 2 orders open"))
    }

    @Test func aFaultIsNamedAndOne() {
        let tally = Tally()
        tally.observe(exchange("POST", "/v1/orders", 500, "internal"))
        let outcome = outcome(tally.counts, interrupted: true)
        #expect(outcome.exitCode == 1)
        let text = Summary(outcome, speed: 8, bold: { $0 }).text
        #expect(text.contains("1 × POST /v1/orders: 500 internal"))
        #expect(text.contains("Not well: 1 errors."))
    }

    @Test func timesAreOfTheClockAndOfTheSimulation() {
        var placed = order(.finished)
        placed.assignedAt = placed.createdAt + 30
        let text = Summary(outcome(Counts(), [placed]), speed: 8, bold: { $0 }).text
        #expect(text.contains("tap to valet found"))
        #expect(text.contains("30.0 s"))
        #expect(text.contains("4:00 min"))
    }

    @Test func theProgressIsOneLine() {
        let tally = Tally()
        tally.arrive()
        tally.begin(order(.parked), isNew: true)
        let progress = Progress(
            tally.counts, people: 18, elapsed: .seconds(151), phase: .closing)
        let whole = progress.line()
        #expect(
            whole.hasPrefix("02:31 (closing)  1/18 people · 0 waiting · 0 under way · 1 parked"))
        #expect(!whole.contains("\n"))
        #expect(progress.line(within: whole.count) == whole)
    }

    @Test(arguments: [
        (
            100,
            "1/18 people · 0 waiting · 0 under way · 1 parked · 0 paying · 0 finished · 0 errors"
        ),
        (99, "1/18 people · 0 waiting · 0 under way · 1 parked · 0 finished · 0 errors"),
        (79, "1/18 people · 0 waiting · 0 under way · 0 finished · 0 errors"),
        (40, "0 waiting · 0 errors"),
    ])
    func whatHasNoRoomInTheTerminalIsLeftOutWhole(width: Int, parts: String) {
        let tally = Tally()
        tally.arrive()
        tally.begin(order(.parked), isNew: true)
        let progress = Progress(
            tally.counts, people: 18, elapsed: .seconds(151), phase: .closing)
        #expect(progress.line(within: width) == "02:31 (closing)  \(parts)")
    }

    @Test func quantilesAreNearTheTruth() throws {
        var histogram = Histogram()
        #expect(histogram.quantile(0.5) == nil)
        for number in 1...1_000 { histogram.add(Double(number) / 1_000) }
        let (p50, p99) = (histogram.quantile(0.5), histogram.quantile(0.99))
        #expect(abs(try #require(p50) - 0.5) < 0.03)
        #expect(abs(try #require(p99) - 0.99) < 0.06)
        var twice = histogram
        twice.merge(histogram)
        #expect(twice.count == 2_000)
        #expect(twice.quantile(0.5) == p50)
        #expect(Summary.quantile([3, 1, 2], 0.5) == 2)
    }
}

struct SimulatedPersonTests {
    private let session: String

    init() throws {
        let account = Account(
            id: .new(), roles: [.valet], firstName: "Bo", lastName: "Li", phone: "+12005550100",
            phoneVerified: true, language: .english, createdAt: Date(timeIntervalSince1970: 0))
        let tokens = Tokens(accessToken: "a", refreshToken: "r", expiresInSeconds: 900)
        session = String(
            decoding: try Wire.encode(SignedIn(account: account, tokens: tokens)), as: UTF8.self)
    }

    /// Nobody is signed in: so it is when a session has ended.
    private func someone(at url: URL, _ tally: Tally = Tally()) -> SimulatedPerson {
        SimulatedPerson(
            client: OpenValetClient(url, observer: { tally.observe($0) }), tally: tally,
            phone: "+12005550100", password: "a password", desk: Desk())
    }

    @Test func whoseSessionHasEndedSignsInAgainAndGetsWhatTheyWanted() async throws {
        let server = PretendServer(.answering(session))
        try await server.serve { url in
            let person = someone(at: url)
            let found = try await person.ask { try await $0.exportMe() }
            #expect(found == Data(session.utf8))
            #expect(try await person.isBack.wait(upTo: .zero))
        }
        #expect(server.asked.map(\.path) == ["/v1/sessions", "/v1/me/export"])
        #expect(server.asked.first?.body.contains("a password") == true)
    }

    @Test func whoDoesManyThingsAtATimeSignsInAgainOnce() async throws {
        let server = PretendServer(.answering(session))
        try await server.serve { url in
            let person = someone(at: url)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask { _ = try await person.ask { try await $0.exportMe() } }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.asked.count { $0.path == "/v1/sessions" } == 1)
        #expect(server.asked.count { $0.path == "/v1/me/export" } == 10)
    }

    @Test func whoWasSentHomeAsksSeldomWhetherTheyMayComeBack() {
        func refusal(_ code: String) -> ClientError {
            .problem(Problem(title: "No.", status: 403, code: code))
        }
        #expect(
            SimulatedPerson.pause(after: refusal("account.suspended"))
                > SimulatedPerson.pause(after: refusal("service.unavailable")))
    }

    @Test func aMessageThatCannotBeReadIsAFault() async throws {
        let (server, tally) = (PretendServer(.answering("event: order\ndata: {\n\n")), Tally())
        try await server.serve { url in
            let person = someone(at: url, tally)
            await person.client.session.replace(
                Tokens(accessToken: "a", refreshToken: "r", expiresInSeconds: 900))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await person.listen(Signal()) }
                let isTold = try await eventually { tally.counts.faultCount > 0 }
                #expect(isTold)
                group.cancelAll()
            }
        }
        let kinds = tally.counts.faults.keys.map(\.kind.description)
        #expect(kinds == ["malformed answer, live stream, order"])
    }
}

struct SmallThingTests {
    @Test func aPictureIsAPNGWithItsComment() {
        let data = TinyPicture.png(shade: 90, comment: "plate=AB1234")
        #expect(data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(data.range(of: Data("plate=AB1234".utf8)) != nil)
        // The end of every PNG.
        #expect(data.suffix(8) == Data([0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]))
        // The check value that CRC-32 is known by.
        #expect(TinyPicture.crc32(Data("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test func aCodeIsReadFromATextMessage() {
        #expect(
            SimulatedCustomer.code(in: "您的 OpenValet 驗證碼是 042137，10 分鐘內有效。") == "042137")
        #expect(SimulatedCustomer.code(in: "Your code is 42.") == nil)
    }
}
