import Client
import Threads
import Contracts
import Foundation
import Geo
import Hummingbird
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Simulator

private let start = Coordinate(latitude: 22.28, longitude: 114.15)

private func goal(_ bearing: Double, _ meters: Double) -> Coordinate {
    Geo.destination(from: start, bearingDegrees: bearing, distanceMeters: meters)
}

func area(_ name: String = "square", at place: Coordinate = start) throws
    -> ServiceAreaFeature
{
    let id = try #require(ServiceAreaID(name))
    let (south, west) = (place.latitude - 0.08, place.longitude - 0.05)
    let (north, east) = (south + 0.1, west + 0.1)
    let ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    let tariff = Tariff(
        currency: "HKD", baseFee: 1, freeMinutes: 1, incrementPrice: 1, incrementMinutes: 1,
        dailyCap: 1, extras: ["wash": 1], cancellationFee: 1, cancellationGraceSeconds: 1,
        noShowFee: 1, waitingSeconds: 1)
    return ServiceAreaFeature(
        id: id,
        properties: .init(
            id: id, name: "Square", servicePoint: Place(place), currency: "HKD", tariff: tariff),
        geometry: .polygon([ring]))
}

private func town() throws -> SimulatedTown { try SimulatedTown(area(), seed: 1) }

private func simulation(at url: URL, isDemo: Bool = false) throws -> Simulation {
    let town = try town()
    let settings = SimulationSettings(
        url: url, valets: 1, customers: 1, drivers: 0, commuters: 0, speed: 8, area: town.id,
        time: nil, seed: 1,
        operatorPhone: "+85290000000", operatorPassword: "a password")
    let tally = Tally()
    let boss = SimulatedPerson(
        client: OpenValetClient(url, observer: { tally.observe($0) }), tally: tally,
        phone: settings.operatorPhone, password: settings.operatorPassword, desk: Desk())
    return Simulation(
        settings, town: town, boss: boss, isDemo: isDemo, known: [:],
        console: Console(isTerminal: false) { _ in })
}

struct SimulatedCommuterTests {
    @Test func whoCommutesInMaltaReadsItsClocks() throws {
        let valletta = Coordinate(latitude: 35.8989, longitude: 14.5146)
        let malta = try SimulatedTown(area("malta", at: valletta), seed: 3)
        #expect(malta.timeZone.identifier == "Europe/Malta")
        var generator = SeededGenerator(3, "malta")
        for _ in 0..<50 { #expect(malta.contains(malta.place(&generator).coordinate)) }
        #expect(try town().timeZone.identifier == "Asia/Hong_Kong")
    }

    @Test func whoCommutesDoesSoOnWorkingDaysAndToday() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Malta"))
        // A quarter to twelve on Friday in UTC is Saturday in Malta.
        let friday = try #require(Wire.date("2026-11-27T10:00:00Z"))
        let saturday = try #require(Wire.date("2026-11-27T23:45:00Z"))
        let working: [TripWeekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
        #expect(SimulatedCommuter.weekdays(of: friday, in: zone) == working)
        #expect(SimulatedCommuter.weekdays(of: saturday, in: zone) == working + [.saturday])
    }
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
        for pace in [TravelSpeed.strolling, .riding, .driving] {
            #expect(pace.metersPerSecond(speed: speed) <= TravelSpeed.fastestMetersPerSecond)
        }
        #expect(TravelSpeed.riding.metersPerSecond(speed: 1) == TravelSpeed.riding.rawValue)
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
            for index in [0, 1, Persona.mostDrivers - 1] {
                phones.insert(Persona(.driver, index, seed: seed).phone)
            }
        }
        #expect(phones.count == seeds.count * 11)
        #expect(phones.allSatisfy { $0.contains(/^\+1[2-9]\d\d55501\d\d$/) })
    }

    @Test func someDriversHaveAMailAddressAndNoPhone() throws {
        let world = try simulation(at: try #require(URL(string: "http://127.0.0.1:1")))
        let people = (0..<8).map { world.person(Persona(.driver, $0, seed: 1)) }
        #expect(people.allSatisfy { ($0.phone == nil) != ($0.email == nil) })
        #expect(Set(people.compactMap(\.email)).count == 2)
        #expect(Persona(.customer, 0, seed: 1).email == nil)
    }

    @Test func whatADriverHasInMindRepeatsItself() throws {
        let town = try town()
        func trips(_ index: Int) -> [ParkingTrip] {
            (0..<50).map { number in
                var generator = SeededGenerator(1, "driver", index, "trip", number)
                return ParkingTrip(&generator, number, in: town, vehicles: 2)
            }
        }
        #expect(trips(1) == trips(1))
        #expect(trips(1) != trips(2))
        let all = (0..<20).map(trips)
        // Car parks hears of the vehicle by a booking, before it comes without one.
        #expect(all.allSatisfy { $0[0].kind == .ahead && $0[0].hoursInside == nil })
        #expect(all.contains { $0[1].hoursInside != nil })
        for trips in all {
            #expect(trips.dropFirst(2).allSatisfy { $0.hoursInside == nil })
            #expect(trips.allSatisfy { $0.hoursInside == nil || $0.kind == .driveUp })
            #expect(trips.allSatisfy { (0...1).contains($0.vehicle) && $0.daysAhead > 1 })
        }
        let life = all.joined()
        #expect(
            life.contains { $0.kind == .booked && $0.cancels } && life.contains(where: \.changes))
        #expect(life.contains(where: \.extends) && life.contains(where: \.overstays))
        #expect(life.contains { $0.kind == .driveUp && $0.hoursInside == nil })
    }

    @Test func whatADriverWantsOfSpotsRepeatsItself() throws {
        let town = try town()
        func deals(_ index: Int) -> [SpotDeal] {
            (0..<200).map { number in
                var generator = SeededGenerator(1, "driver", index, "trip", number)
                return SpotDeal(&generator, in: town)
            }
        }
        #expect(deals(1) == deals(1))
        #expect(deals(1) != deals(2))
        let all = deals(3)
        for role in [SpotDeal.Role.buys, .sells(auction: false), .sells(auction: true)] {
            #expect(all.contains { $0.role == role })
        }
        for conduct in [SpotDeal.Conduct.honest, .spoils, .givesUp] {
            #expect(all.contains { $0.conduct == conduct })
        }
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

    @Test func whoIsCalledToAStrangerComesAndLetsNobodyDown() throws {
        let (town, called) = (try town(), Place(goal(90, 300), address: "1 Square"))
        let visits = (0..<200).map { number in
            var generator = SeededGenerator(1, "customer", 1, "visit", number)
            return Visit(&generator, in: town, vehicles: 1, called: called)
        }
        #expect(visits.allSatisfy { $0.dropOff == called && $0.cancelling == .never })
        #expect(visits.allSatisfy { $0.aheadSeconds == nil && !$0.isLost })
        // Their next job is to bring it back.
        #expect(visits.allSatisfy { $0.parkedSeconds < 120 })
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

struct TownTests {
    private func map(around place: Coordinate) -> MapIndex.Map {
        MapIndex.Map(
            name: "map",
            bounds: .init(
                south: place.latitude - 1, west: place.longitude - 1, north: place.latitude + 1,
                east: place.longitude + 1), attribution: "", version: "1")
    }

    @Test func itPlaysWhereAMapIsUnlessAnAreaIsNamed() throws {
        let malta = Coordinate(latitude: 35.9, longitude: 14.5)
        let areas = [try area("first"), try area("second", at: malta)]
        func chosen(_ wanted: String?, _ maps: [MapIndex.Map]) throws -> String? {
            let id = wanted.flatMap(ServiceAreaID.init)
            return try SimulatedTown.area(id, of: areas, on: maps).id?.description
        }
        #expect(try chosen(nil, []) == "first")
        #expect(try chosen(nil, [map(around: malta)]) == "second")
        #expect(try chosen(nil, [map(around: malta), map(around: start)]) == "first")
        #expect(
            try chosen(nil, [map(around: Coordinate(latitude: 0, longitude: 0))]) == "first")
        #expect(try chosen("second", []) == "second")
        #expect(throws: SimulationFailure.self) { try chosen("third", []) }
        #expect(throws: SimulationFailure.self) {
            try SimulatedTown.area(nil, of: [], on: [])
        }
    }

    /// What a map answers whose streets are a hundred metres apart; nothing south of the service point.
    private func answer(_ point: Coordinate) -> PlacesAnswer {
        guard point.latitude >= start.latitude else {
            // The nearest street is across the water.
            let far = Geo.destination(from: point, bearingDegrees: 0, distanceMeters: 400)
            return answer(far, "Far Street")
        }
        let street = Coordinate(
            latitude: (point.latitude * 1e3).rounded() / 1e3, longitude: point.longitude)
        return answer(street, "1 Street")
    }

    private func answer(_ point: Coordinate, _ address: String) -> PlacesAnswer {
        PlacesAnswer(
            items: [
                FoundPlace(
                    latitude: point.latitude, longitude: point.longitude, name: nil,
                    address: address)
            ], source: .map, attribution: nil)
    }

    @Test func onAMapEverybodyMeetsAndParksOnStreets() async throws {
        let (bare, asked) = (try town(), Counter())
        let town = try await bare.onStreets { point in
            asked.add()
            return answer(point)
        }
        #expect(!bare.hasStreets && town.hasStreets)
        // A gateway lets one person ask sixty times a minute.
        #expect(asked.count < 60)
        func isOnStreet(_ point: Coordinate) -> Bool {
            point.latitude >= start.latitude - 1e-9
                && abs((point.latitude * 1e3).rounded() / 1e3 - point.latitude) < 1e-9
        }
        for number in 0..<200 {
            var generator = SeededGenerator(1, "visit", number)
            let visit = Visit(&generator, in: town, vehicles: 1)
            for place in [visit.dropOff, visit.returnTo] {
                #expect(place.address == "1 Street" && isOnStreet(place.coordinate))
            }
            #expect(isOnStreet(town.start(&generator)))
        }
        #expect(town.garages.allSatisfy { isOnStreet($0.point) })
        // The same seed, the same town.
        #expect(try await bare.onStreets(answer).garages == town.garages)
    }

    @Test func whereTheHouseHasNoMapNobodyHasAnAddress() async throws {
        let asked = Counter()
        let town = try await town().onStreets { point in
            asked.add()
            return PlacesAnswer(items: [], source: .coordinates, attribution: nil)
        }
        #expect(asked.count == 1)
        #expect(!town.hasStreets)
        var generator = SeededGenerator(1, "place")
        #expect(town.place(&generator).address == nil)
        let without = try await self.town().onStreets { _ in nil }
        #expect(!without.hasStreets)
    }

    private func town() throws -> SimulatedTown { try SimulatedTown(area(), seed: 1) }
}

private final class Counter: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    @discardableResult
    func add() -> Int {
        state.withLock { state in
            state += 1
            return state
        }
    }
}

struct RoadTests {
    private let east = goal(90, 500)
    private let corner = goal(90, 1_000)
    private var north: Coordinate {
        Geo.destination(from: corner, bearingDegrees: 0, distanceMeters: 800)
    }

    @Test func whoHasNoWayOfTheirOwnGoesAlongThoseThatAreKnown() throws {
        let roads = Roads()
        #expect(roads.isEmpty)
        #expect(roads.way(from: start, to: corner) == nil)
        roads.learn([start, east, corner])
        roads.learn([north, corner])
        // Back and around the corner, with a step to the door at the end.
        let door = Geo.destination(from: start, bearingDegrees: 180, distanceMeters: 30)
        let way = try #require(roads.way(from: north, to: door))
        #expect(way.count == 5 && way.last == door)
        for (point, expected) in zip(way, [north, corner, east, start]) {
            #expect(Geo.distanceMeters(point, expected) < 2)
        }
    }

    @Test func nobodyGoesWhereNoWayIsKnown() {
        let roads = Roads()
        roads.learn([start, east])
        roads.learn([corner, north])
        #expect(roads.way(from: start, to: north) == nil)
        #expect(roads.way(from: start, to: goal(0, 2_000)) == nil)
        var generator = SeededGenerator(1, "stroll")
        #expect(roads.stroll(from: goal(0, 2_000), meters: 500, &generator).isEmpty)
    }

    @Test func theShorterOfTwoWaysIsTaken() throws {
        let roads = Roads()
        roads.learn([start, goal(45, 2_000), corner])
        roads.learn([start, goal(80, 300), goal(85, 600), corner])
        let way = try #require(roads.way(from: start, to: corner))
        #expect(Path(from: start, through: way).lengthMeters < 1_100)
    }

    @Test func aStrollKeepsToTheRoads() {
        let roads = Roads()
        let line = (0...40).map { goal(90, Double($0) * 50) }
        roads.learn(line)
        for number in 0..<20 {
            var generator = SeededGenerator(1, "stroll", number)
            let way = roads.stroll(from: goal(90, 1_000), meters: 600, &generator)
            #expect(way.count > 5)
            #expect(
                way.allSatisfy { point in line.contains { Geo.distanceMeters($0, point) < 2 } })
        }
    }
}

struct StrangersTests {
    private let strangers = Strangers(cast: ["+12005550100"])
    private let now = ContinuousClock.now

    private func valet(
        _ status: ValetStatus = .available, id: ValetID = .new(), phone: String = "+85291234567",
        silentSeconds: Double? = 2
    ) -> ValetRecord {
        var valet = ValetRecord(
            id: id, firstName: "", lastName: "", phone: phone, suspended: false, createdAt: Date())
        (valet.status, valet.position) = (status, Place(start))
        valet.positionAgeSeconds = silentSeconds
        return valet
    }

    @Test func aStrangerWhoWaitsIsCalledAtOnceByOneCustomer() {
        let stranger = valet()
        #expect(strangers.see([stranger], at: now))
        #expect(strangers.call(at: now) == start)
        #expect(strangers.call(at: now) == nil)
        // Found nobody in all that time: once more.
        #expect(!strangers.see([stranger], at: now + Strangers.pause - .seconds(1)))
        #expect(strangers.see([stranger], at: now + Strangers.pause))
    }

    @Test func afterAJobTheCustomerWhomOneServedComesFirst() {
        let id = ValetID.new()
        #expect(!strangers.see([valet(.busy, id: id)], at: now))
        #expect(!strangers.see([valet(id: id)], at: now + .seconds(1)))
        #expect(strangers.call(at: now + .seconds(1)) == nil)
        #expect(strangers.see([valet(id: id)], at: now + Strangers.pause))
    }

    @Test func nobodyElseIsCalled() {
        let others = [
            valet(phone: "+12005550100"), valet(.onBreak), valet(.offline),
            valet(silentSeconds: 31), valet(silentSeconds: nil),
        ]
        #expect(!strangers.see(others, at: now))
        #expect(strangers.see(others + [valet()], at: now))
        #expect(!strangers.see(others, at: now))
        #expect(strangers.call(at: now) == nil)
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
    ) -> SimulationResult {
        SimulationResult(
            counts: counts, orders: orders,
            stuck: SimulationResult.stuck(counts.orders, in: orders),
            elapsed: .seconds(1), wasInterrupted: interrupted)
    }

    // MARK: Car parks

    private func booking(
        _ status: BookingStatus, startsIn seconds: TimeInterval = 0, _ id: BookingID = .new()
    ) -> Booking {
        let now = Date(timeIntervalSince1970: 0)
        let nothing = Money(amount: 0, currency: "EUR")
        let body = ParkingProductBody(name: "Hour", kind: .hourly, price: 100)
        let begin = now.addingTimeInterval(seconds)
        return Booking(
            id: id, reference: "B7K-42Q", status: status,
            carPark: Booking.Place(
                id: .new(), name: "City Gate", position: start, timeZone: "Europe/Malta"),
            product: Booking.Booked(ParkingProduct(id: .new(), body, version: 1)),
            start: begin, end: begin.addingTimeInterval(3_600), quantity: 1, spaces: 1,
            kind: .general, vehicles: [], lines: [], total: nothing, paid: nothing,
            holdExpiresAt: nil, cancellation: .standard, editableUntil: begin, createdAt: now,
            version: 1)
    }

    @Test(arguments: BookingStatus.allCases)
    func aBookingHasALegalEnd(_ status: BookingStatus) {
        let now = Date(timeIntervalSince1970: 0)
        func isStuck(startsIn seconds: TimeInterval) -> Bool {
            let booking = booking(status, startsIn: seconds)
            var counts = ParkingCounts()
            counts.bookings = [booking.id]
            return !SimulationResult.stuck(counts, in: [booking], at: now).isEmpty
        }
        let isOpen = [.held, .confirmed, .active].contains(status)
        #expect(isStuck(startsIn: -60) == isOpen)
        // What is booked for another day is as it should be.
        #expect(isStuck(startsIn: 86_400) == (isOpen && status != .confirmed))
    }

    @Test func whatIsInsideInTheEndIsNamedAndOne() {
        let (tally, stay, booked) = (Tally(), ParkingSessionID.new(), booking(.active))
        tally.park { $0.bookings.append(booked.id) }
        tally.entered(PassageAnswer(open: true, .booked, booking: booked.id, session: stay))
        tally.entered(PassageAnswer(open: true, .driveUp, session: .new()))
        let (counts, now) = (tally.counts, Date(timeIntervalSince1970: 0))
        let outcome = SimulationResult(
            counts: counts, orders: [], bookings: [booked],
            stuck: SimulationResult.stuck(counts.parking, in: [booked], at: now),
            elapsed: .seconds(1),
            wasInterrupted: false)
        #expect(outcome.exitCode == 1)
        let text = Summary(outcome, speed: 8, bold: { $0 }).text
        #expect(text.contains("booking B7K-42Q is active"))
        #expect(text.contains("stay \(stay) is inside"))
        #expect(text.contains("Not well: 3 without an end."))
        let unseen = SimulationResult.stuck(counts.parking, in: [], at: now)
        #expect(unseen.contains(Stuck(name: "booking \(booked.id)", status: nil)))
    }

    @Test func parkingIsCountedAndSummedUp() {
        let (tally, stay, other) = (Tally(), ParkingSessionID.new(), ParkingSessionID.new())
        let booked = booking(.completed)
        tally.park { counts in
            counts.bookings.append(booked.id)
            (counts.paid["EUR"], counts.givenBack["EUR"]) = (1_250, 200)
        }
        tally.entered(PassageAnswer(open: true, .booked, booking: booked.id, session: stay))
        tally.left(PassageAnswer(open: true, .billed, booking: booked.id, session: stay))
        tally.entered(PassageAnswer(open: true, .driveUp, session: other))
        tally.left(PassageAnswer(open: true, .paid, session: other))
        let counts = tally.counts
        #expect(counts.parking.inside.isEmpty)
        let outcome = SimulationResult(
            counts: counts, orders: [], bookings: [booked],
            stuck: SimulationResult.stuck(counts.parking, in: [booked], at: Date()),
            elapsed: .seconds(1),
            wasInterrupted: false)
        #expect(outcome.exitCode == 0)
        let text = Summary(outcome, speed: 8, bold: { $0 }).text
        for (name, value) in [
            ("bookings", "1"), ("used", "1"), ("stays", "2"), ("of them without a booking", "1"),
            ("overstayed", "1"), ("paid, EUR", "12.50, given back 2.00"),
        ] {
            let line = name.padding(toLength: 30, withPad: " ", startingAt: 0) + " \(value)\n"
            #expect(text.contains(line), "\(name)")
        }
        let idle = SimulationResult(
            counts: Counts(), orders: [], stuck: [], elapsed: .seconds(1), wasInterrupted: false)
        #expect(!Summary(idle, speed: 8, bold: { $0 }).text.contains("Car parks"))
    }

    @Test(arguments: PassageAnswer.Reason.allCases)
    func aGateThatStaysShutIsNoFaultWhereItIsFullOrClosed(_ reason: PassageAnswer.Reason) {
        let tally = Tally()
        tally.turnedAway(PassageAnswer(open: false, reason))
        let isLifelike = reason == .full || reason == .closed
        #expect(tally.counts.faultCount == (isLifelike ? 0 : 1))
        #expect(tally.counts.refusals.keys.contains("gate.\(reason)") == isLifelike)
    }

    @Test(arguments: [
        ("POST", "/v1/bookings", 409, "booking.full", true),
        ("POST", "/v1/bookings", 409, "car_park.closed", true),
        ("POST", "/v1/bookings", 422, "booking.date_invalid", false),
        ("PATCH", "/v1/bookings/ID", 402, "payment.declined", true),
        ("POST", "/v1/bookings/ID/cancel", 404, "booking.unknown", false),
        ("POST", "/v1/gates/ID/passages", 401, "gate.token_invalid", false),
    ])
    func refusalsOfCarParksBelongToLifeWhereSomebodyWasQuicker(
        _ method: String, _ path: String, _ status: Int, _ code: String, _ isLifelike: Bool
    ) {
        let tally = Tally()
        tally.observe(exchange(method, path.replacing("ID", with: id), status, code))
        #expect(tally.counts.faults.isEmpty == isLifelike)
        #expect(tally.counts.refusals == (isLifelike ? [code: 1] : [:]))
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
        #expect(outcome.stuck == [Stuck(name: "K7-42", status: "parking")])
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

struct StrangerTests {
    /// A gateway for one job: the order as it is, and a code that is read out after some looks.
    private final class Gateway: Sendable {
        let asked = Mutex<[String]>([])
        let order: OrderView
        let looks: Int
        /// Whether the code that is read out is not the order's.
        let isWrong: Bool
        init(_ order: OrderView, looks: Int = 0, isWrong: Bool = false) {
            (self.order, self.looks, self.isWrong) = (order, looks, isWrong)
        }

        func serve<Value: Sendable>(_ body: (URL) async throws -> Value) async throws -> Value {
            let responder = CallbackResponder<BasicRequestContext> { [self] request, _ in
                try answer(request)
            }
            return try await withServer(responder) { port in
                try await body(try #require(URL(string: "http://127.0.0.1:\(port)")))
            }
        }

        private func answer(_ request: Request) throws -> Response {
            let path = request.uri.path.replacing("\(order.id)", with: "{id}")
            let line = "\(request.method.rawValue) \(path)"
            let heard = asked.withLock { asked in
                asked.append(line)
                return asked.count { $0 == "GET /v1/demo/orders/{id}/code" }
            }
            switch line {
            case "GET /v1/demo/orders/{id}/code" where heard <= looks,
                "PUT /v1/me/location", "PUT /v1/demo/orders/{id}/code":
                return Response(status: .noContent)
            case "GET /v1/demo/orders/{id}/code":
                return try json(SpokenCode(leg: .dropOff, code: "4821"))
            case "POST /v1/orders/{id}/collect" where isWrong:
                return Problem(title: "No.", status: 422, code: "order.wrong_code").response()
            case "GET /v1/orders/{id}/route":
                return Problem(title: "No.", status: 409, code: "location.no_route").response()
            default: return try json(order)
            }
        }

        private func json(_ value: some Encodable) throws -> Response {
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(bytes: try Wire.encode(value))))
        }

        func count(_ line: String) -> Int { asked.withLock { $0.count { $0 == line } } }
    }

    private func order(
        _ status: OrderStatus, customer: String = "+35699999999", valet: String? = nil,
        code: String? = nil
    ) throws -> OrderView {
        let id = try #require(ServiceAreaID("square"))
        var order = OrderView(
            id: .new(), ticket: "K7-42", status: status, serviceArea: id,
            customer: Party(id: .new(), firstName: "", lastName: "", phone: customer),
            dropOff: Place(start), extras: [], createdAt: Date(), version: 1)
        order.dropOffValet = valet.map {
            Party(id: .new(), firstName: "", lastName: "", phone: $0)
        }
        order.handoverCode = code
        return order
    }

    private func signedIn(_ person: SimulatedPerson) async {
        await person.client.session.replace(
            Tokens(accessToken: "a", refreshToken: "r", expiresInSeconds: 900))
    }

    /// A demo's valet who has come to where the orders begin.
    private func valet(at url: URL) async throws -> SimulatedValet {
        let valet = SimulatedValet(try simulation(at: url, isDemo: true), 0)
        await signedIn(valet.person)
        valet.whereabouts.appear(at: start)
        return valet
    }

    @Test func aStrangersCodeIsHeardOnTheStreetAndNobodyReportsThemAbsent() async throws {
        // Longer than the tariff's waiting time of a second: one of the cast would be reported.
        let gateway = Gateway(try order(.droppingOff), looks: 4)
        try await gateway.serve { url in
            let valet = try await valet(at: url)
            _ = try await ValetJob(valet, gateway.order, number: 0).goOn(gateway.order)
        }
        #expect(gateway.count("POST /v1/orders/{id}/collect") == 1)
        #expect(gateway.count("POST /v1/orders/{id}/photos") == 1)
        #expect(gateway.count("POST /v1/orders/{id}/customer-absent") == 0)
        #expect(gateway.count("POST /v1/orders/{id}/withdraw") == 0)
    }

    @Test func aWrongCodeThatSomebodyReadsOutIsTriedOnce() async throws {
        let gateway = Gateway(try order(.droppingOff), isWrong: true)
        try await gateway.serve { url in
            let valet = try await valet(at: url)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let job = ValetJob(valet, gateway.order, number: 0)
                    while true { _ = try await job.goOn(gateway.order) }
                }
                let isListening = try await eventually {
                    gateway.count("GET /v1/demo/orders/{id}/code") > 2
                }
                #expect(isListening)
                group.cancelAll()
            }
        }
        #expect(gateway.count("POST /v1/orders/{id}/collect") == 1)
    }

    @Test func oneOfTheCastWhoDoesNotComeIsReportedAbsent() async throws {
        let cast = Persona(.customer, 0, seed: 1).phone
        let gateway = Gateway(try order(.droppingOff, customer: cast))
        try await gateway.serve { url in
            let valet = try await valet(at: url)
            // The number is one at which nobody withdraws.
            _ = try await ValetJob(valet, gateway.order, number: 0).goOn(gateway.order)
        }
        #expect(gateway.count("POST /v1/orders/{id}/customer-absent") == 1)
        #expect(gateway.count("GET /v1/demo/orders/{id}/code") == 0)
    }

    @Test func aCodeIsReadOutToAValetWhoIsAStranger() async throws {
        let order = try order(.droppingOff, valet: "+35688888888", code: "4821")
        let gateway = Gateway(order)
        try await gateway.serve { url in
            let world = try simulation(at: url, isDemo: true)
            let customer = SimulatedCustomer(world, 0)
            await signedIn(customer.person)
            // Whatever they had in mind, they let no stranger down.
            var (generator, number) = (SeededGenerator(1, "visit"), 0)
            var visit = Visit(&generator, in: world.town, vehicles: 0)
            while visit.cancelling != .afterGrace {
                number += 1
                generator = SeededGenerator(1, "visit", number)
                visit = Visit(&generator, in: world.town, vehicles: 0)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [visit] in
                    try await CustomerJourney(customer, visit).follow(order)
                }
                let isHeard = try await eventually {
                    gateway.count("PUT /v1/demo/orders/{id}/code") > 0
                }
                #expect(isHeard)
                group.cancelAll()
            }
            #expect(world.spokenCodes.code(order.id, .dropOff) == nil)
        }
        #expect(gateway.count("POST /v1/orders/{id}/cancel") == 0)
    }

    @Test func peopleArePatientWithStrangersButNotForEver() throws {
        let world = try simulation(at: try #require(URL(string: "http://127.0.0.1:1")))
        #expect(world.patienceWithStrangers >= .seconds(1_800))
        world.enter(.closing)
        // What is under way is brought to its end within ten minutes.
        #expect(world.patienceWithStrangers < .seconds(600))
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
            Newcomer.code(in: "您的 OpenValet 驗證碼是 042137，10 分鐘內有效。") == "042137")
        #expect(Newcomer.code(in: "Your code is 42.") == nil)
    }
}
