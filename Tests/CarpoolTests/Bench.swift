import Answers
import Contracts
import EventBus
import Foundation
import Geo
import Hummingbird
import HummingbirdTesting
import Maps
import ProductKit
import Routing
import ServiceKit
import Store
import Support
import Testing

@testable import Carpool
@testable import Payments

/// Carpool as it runs, with real payments at the other end of real HTTP, and a clock that stands still: Saturday, 21
/// November 2026, 8 o'clock in UTC.
struct Bench: ServiceBench, Calling {
    static let service = "carpool"

    let clock: TestClock
    let parts: CarpoolParts
    let payments: PaymentUseCases
    let client: any TestClientProtocol

    var database: Database { parts.database }
    var reactions: Reactions { carpoolReactions(parts.rides) }

    /// Alice and Bob are known; what else carpool has not heard of, nobody knows, unless accounts is there to be asked.
    static func run<Value: Sendable>(
        router: (any RoadRouter)? = nil, maps: MapFolder? = nil, accounts: URL? = nil,
        _ body: @Sendable (Bench) async throws -> Value
    ) async throws -> Value {
        let clock = TestClock(Date(timeIntervalSince1970: 1_795_248_000))
        let late = LateRouter()
        return try await withServer(late.responder) { ours in
            let house = try ServiceEnvironment.test("payments", clock: clock)
            let usual = try paymentUseCases(
                house,
                PaymentsConfig(
                    stripe: nil, billers: [.init(service: "carpool", url: try url(ours))]))
            let payments = PaymentUseCases(
                database: usual.database, provider: usual.provider, clock: house.clock,
                logger: house.logger, patience: .init(bill: .zero, settled: .zero),
                billers: usual.billers)
            let pay = try paymentRouter(payments, house).buildResponder()
            return try await withServer(pay) { theirs in
                let environment = try ServiceEnvironment.test("carpool", clock: clock)
                let parts = try CarpoolParts(
                    environment,
                    payments: environment.peer(
                        try url(theirs), audience: "payments", within: Cashier.patience),
                    // A busy machine is slow.
                    accounts: Owners(
                        accounts.map {
                            [environment.peer($0, audience: "accounts", within: patience)]
                        } ?? []),
                    roads: Roads(router, attribution: nil),
                    maps: maps, appURL: try #require(URL(string: "https://lift.example")))
                late.set(parts.router().buildResponder())
                return try await Application(router: parts.router()).test(.router) { client in
                    let bench = Bench(
                        clock: clock, parts: parts, payments: payments, client: client)
                    try await bench.hear(ServiceAreaChanged.aroundValletta)
                    for person in [TestPerson.alice, .bob] {
                        try await bench.hear(
                            AccountChanged(
                                account: person.account(createdAt: clock.now), suspended: false,
                                version: 1))
                    }
                    try await bench.follow()
                    return try await body(bench)
                }
            }
        }
    }

    private static func url(_ port: Int) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(port)"))
    }

    // MARK: The bus, the index and the clock

    /// The index reads what has changed.
    func follow() async throws { try await parts.finder.follow() }

    func work() async { await parts.work.round() }

    /// Goes on to a moment, and does what is due then.
    func go(to time: Date) async {
        clock.advance(by: time.timeIntervalSince(clock.now))
        await work()
    }

    /// Carries what both have published to each other.
    func carryEvents() async throws {
        for event in try await published(BillChanged.self) {
            try await paymentReactions(payments).receive(event, .of(event, at: clock.now))
        }
        await PaymentWork.queue(payments).round()
        for event in try await outboxEvents(of: PaymentSucceeded.self, in: payments.database) {
            try await hear(event)
        }
    }

    /// The bills whose payers payments has asked to confirm them.
    func asked() async throws -> [BillID] {
        try await outboxEvents(of: PaymentActionRequired.self, in: payments.database)
            .map(\.payment.bill)
    }

    func engagement(of ride: RideID) async throws -> Engagement? {
        try await outboxEvents(of: EngagementChanged.self, in: database).map(\.engagement)
            .filter { $0.id == ride.as(EngagementID.self) }.max { $0.version < $1.version }
    }

    /// A card of somebody, kept by payments.
    func card(
        of person: TestPerson, _ token: String = "pm_card_visa"
    ) async throws -> PaymentMethodID {
        try await payments.saveMethod(PaymentToken(token), of: person.id, key: nil).id
    }

    /// A person's balance, in minor units.
    func owed(_ person: TestPerson) async throws -> Int {
        try await payments.balance(of: person.id, in: "EUR").available.amount
    }

    // MARK: Trips

    /// From Valletta to the north, Monday at half past seven in Malta, and every Wednesday.
    static let body = TripBody(
        origin: Place(.valletta, address: "Valletta"), destination: Place(.north(10_000)),
        departsAt: "2026-11-23T07:30:00", timeZone: "Europe/Malta",
        repeats: TripRepeats(weekdays: [.monday, .wednesday]), seats: 3)

    func publish(
        as person: TestPerson = .alice, _ change: (inout TripBody) -> Void = { _ in }
    ) async throws -> Answer {
        var body = Self.body
        change(&body)
        return try await call(.post, "/v1/trips", body, as: person)
    }

    func published(
        as person: TestPerson = .alice, _ change: (inout TripBody) -> Void = { _ in }
    ) async throws -> Trip {
        let trip = try await publish(as: person, change).expect(201, Trip.self)
        try await follow()
        return trip
    }

    /// From two kilometres along that way to eight, a hundred metres beside it.
    func search(
        as person: TestPerson = .bob, at time: String = "2026-11-23T06:00:00Z",
        _ change: (inout TripSearchBody) -> Void = { _ in }
    ) async throws -> Answer {
        var body = TripSearchBody(
            from: .north(2_000).east(100), to: .north(8_000).east(100),
            departAfter: try #require(Wire.date(time)))
        change(&body)
        return try await call(.post, "/v1/trips/search", body, as: person)
    }

    func found(
        as person: TestPerson = .bob, at time: String = "2026-11-23T06:00:00Z",
        _ change: (inout TripSearchBody) -> Void = { _ in }
    ) async throws -> [TripMatch] {
        try await search(as: person, at: time, change).expect(200, TripSearchAnswer.self).items
    }

    // MARK: Seats

    func request(
        _ trip: TripID, as person: TestPerson = .bob, on date: String? = "2026-11-23",
        _ change: (inout SeatRequestBody) -> Void = { _ in }
    ) async throws -> Answer {
        var body = SeatRequestBody(
            date: date, every: date == nil ? true : nil, pickUp: .north(2_000),
            dropOff: .north(8_000))
        change(&body)
        return try await call(.post, "/v1/trips/\(trip)/requests", body, as: person)
    }

    func requested(
        _ trip: TripID, as person: TestPerson = .bob, on date: String? = "2026-11-23",
        _ change: (inout SeatRequestBody) -> Void = { _ in }
    ) async throws -> SeatRequest {
        try await request(trip, as: person, on: date, change).expect(201, SeatRequest.self)
    }

    @discardableResult
    func seat(_ step: String, _ id: SeatRequestID, as person: TestPerson) async throws -> Answer {
        try await call(.post, "/v1/seat-requests/\(id)/\(step)", as: person)
    }

    func confirm(
        _ id: SeatRequestID, _ inTheCar: Bool, as person: TestPerson
    ) async throws -> Answer {
        try await call(
            .post, "/v1/seat-requests/\(id)/confirm", SeatConfirmBody(inTheCar: inTheCar),
            as: person)
    }

    @discardableResult
    func ride(_ step: String, _ id: RideID, as person: TestPerson = .alice) async throws -> Answer {
        try await call(.post, "/v1/rides/\(id)/\(step)", as: person)
    }

    /// Published by Alice, and Bob rides along on Monday.
    func accepted(
        _ change: (inout TripBody) -> Void = { _ in },
        _ ask: (inout SeatRequestBody) -> Void = { _ in }
    ) async throws -> (trip: Trip, seat: SeatRequest) {
        let trip = try await published(change)
        let seat = try await requested(trip.id, ask)
        return (
            trip, try await self.seat("accept", seat.id, as: .alice).expect(200, SeatRequest.self)
        )
    }

    /// The same, and the ride is over.
    func ended(
        _ change: (inout TripBody) -> Void = { _ in },
        _ ask: (inout SeatRequestBody) -> Void = { _ in }
    ) async throws -> (trip: Trip, seat: SeatRequest, ride: RideID) {
        let (trip, seat) = try await accepted(change, ask)
        let id = try #require(seat.rideId)
        await go(to: seat.pickUp.at)
        try await ride("start", id).expect(200, Ride.self)
        await go(to: seat.dropOff.at.addingTimeInterval(600))
        try await ride("end", id).expect(200, Ride.self)
        return (trip, seat, id)
    }

    func seen(_ id: SeatRequestID, as person: TestPerson = .bob) async throws -> SeatRequest {
        let page = try await call(.get, "/v1/me/seat-requests", as: person)
            .expect(200, Page<SeatRequest>.self)
        return try #require(page.items.first { $0.id == id })
    }

    func seen(_ id: RideID, as person: TestPerson = .bob) async throws -> Ride {
        try await call(.get, "/v1/rides/\(id)", as: person).expect(200, Ride.self)
    }
}

extension Coordinate {
    /// Of Valletta, in metres.
    static func north(_ meters: Double) -> Coordinate { valletta.north(meters) }

    func east(_ meters: Double) -> Coordinate {
        Geo.destination(from: self, bearingDegrees: 90, distanceMeters: meters)
    }
}
