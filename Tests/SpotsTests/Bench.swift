import Answers
import Blobs
import Contracts
import EventBus
import Foundation
import Geo
import Hummingbird
import HummingbirdTesting
import ProductKit
import ServiceKit
import Store
import Support
import Testing

@testable import Payments
@testable import Spots

/// Spots as they run, with real payments at the other end of real HTTP, a location that knows what the test says, and a
/// clock that stands still.
struct Bench: ServiceBench, Calling {
    static let service = "spots"

    let clock: TestClock
    let parts: SpotParts
    let payments: PaymentUseCases
    let seen: SeenPeople
    /// Of payments.
    let faults: Faults
    /// Of location.
    let whereabouts: Faults
    let client: any TestClientProtocol

    var database: Database { parts.spots.database }
    var reactions: Reactions { spotReactions(parts.spots) }

    /// Both services ask each other: each is served before the other is known. What spots has not heard of, nobody
    /// knows, unless accounts is there to be asked.
    static func run<Value: Sendable>(
        accounts: URL? = nil, _ body: @Sendable (Bench) async throws -> Value
    ) async throws -> Value {
        let (clock, seen) = (TestClock(), SeenPeople())
        let (faults, whereabouts) = (Faults(), Faults())
        let pictures = try TestFolder("spots")
        let router = LateRouter()
        return try await withServer(router.responder) { ours in
            let house = try ServiceEnvironment.test("payments", clock: clock)
            let usual = try paymentUseCases(
                house,
                PaymentsConfig(stripe: nil, billers: [.init(service: "spots", url: try url(ours))]))
            let payments = PaymentUseCases(
                database: usual.database, provider: usual.provider, clock: house.clock,
                logger: house.logger, patience: .init(bill: .zero, settled: .zero),
                billers: usual.billers)
            let pay = faults.around(try paymentRouter(payments, house).buildResponder())
            return try await withServer(pay) { theirs in
                let place = try ServiceEnvironment.test("location", clock: clock)
                let positions = whereabouts.around(seen.router(place).buildResponder())
                return try await withServer(positions) { location in
                    let environment = try ServiceEnvironment.test("spots", clock: clock)
                    let parts = try SpotParts(
                        environment,
                        payments: environment.peer(
                            try url(theirs), audience: "payments", within: Cashier.patience),
                        // A busy machine is slow.
                        location: environment.peer(
                            try url(location), audience: "location", within: patience),
                        accounts: Owners(
                            accounts.map {
                                [environment.peer($0, audience: "accounts", within: patience)]
                            } ?? []),
                        blobs: try FolderBlobs(pictures.path))
                    router.set(parts.router().buildResponder())
                    let application = Application(router: parts.router())
                    return try await application.test(.router) { client in
                        let bench = Bench(
                            clock: clock, parts: parts, payments: payments, seen: seen,
                            faults: faults, whereabouts: whereabouts, client: client)
                        try await bench.hear(ServiceAreaChanged.aroundValletta)
                        return try await body(bench)
                    }
                }
            }
        }
    }

    private static func url(_ port: Int) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(port)"))
    }

    // MARK: The bus

    /// Carries what both have published to each other.
    func carryEvents() async throws {
        for event in try await published(BillChanged.self) {
            try await paymentReactions(payments).receive(event, .of(event, at: clock.now))
        }
        await PaymentWork.queue(payments).round()
        for event in try await outboxEvents(of: PaymentHeld.self, in: payments.database) {
            try await hear(event)
        }
        for event in try await outboxEvents(of: PaymentSucceeded.self, in: payments.database) {
            try await hear(event)
        }
        for event in try await outboxEvents(of: PaymentDeclined.self, in: payments.database) {
            try await hear(event)
        }
        for event in try await outboxEvents(of: PaymentReleased.self, in: payments.database) {
            try await hear(event)
        }
    }

    func work() async { await parts.work.round() }

    /// A person's available balance, in minor units.
    func owed(_ person: TestPerson) async throws -> Int {
        try await payments.balance(of: person.id, in: "EUR").available.amount
    }

    /// Status of the one payment of a request; who is declined may have tried another card.
    func money(of request: SpotRequestID) async throws -> PaymentStatus? {
        let entries = try await payments.entries(
            of: nil, bill: request.as(BillID.self), PageRequest(limit: 50)
        ).items
        let statuses = entries.compactMap { $0.payment?.status.known }
        let counting = statuses.filter { $0 != .declined }
        #expect(counting.count <= 1)
        return counting.first ?? statuses.first
    }

    // MARK: The market

    func offer(
        as person: TestPerson = .alice, price: Int = 500, minutes: Double = 30,
        at point: Coordinate = .valletta, auctionMinutes: Double? = nil,
        _ change: (inout SpotBody) -> Void = { _ in }
    ) async throws -> Answer {
        seen.put(person, at: point, clock.now)
        var body = SpotBody(
            position: point, accuracyMeters: 5, price: price,
            leavesAt: clock.now.addingTimeInterval(minutes * 60))
        if let auctionMinutes {
            body.sale = .auction
            body.closesAt = clock.now.addingTimeInterval(auctionMinutes * 60)
        }
        change(&body)
        return try await call(.post, "/v1/spots", body, as: person)
    }

    func offered(
        as person: TestPerson = .alice, price: Int = 500, auctionMinutes: Double? = nil
    ) async throws -> Spot {
        try await offer(as: person, price: price, auctionMinutes: auctionMinutes)
            .expect(201, Spot.self)
    }

    func request(
        _ spot: SpotID, as person: TestPerson = .bob, _ token: String = "pm_card_visa"
    ) async throws -> Answer {
        try await call(
            .post, "/v1/spots/\(spot)/requests", SpotRequestBody(token: token), as: person)
    }

    func requested(_ spot: SpotID, as person: TestPerson = .bob) async throws -> SpotRequest {
        try await request(spot, as: person).expect(201, SpotRequest.self)
    }

    func bid(
        _ spot: SpotID, _ maximum: Int, as person: TestPerson, _ token: String = "pm_card_visa"
    ) async throws -> Answer {
        try await call(
            .post, "/v1/spots/\(spot)/bids", SpotBidBody(maximum: maximum, token: token),
            as: person)
    }

    /// What somebody does to a spot, or to a request.
    @discardableResult
    func spot(_ step: String, _ id: SpotID, as person: TestPerson) async throws -> Answer {
        try await call(.post, "/v1/spots/\(id)/\(step)", as: person)
    }

    @discardableResult
    func request(
        _ step: String, _ id: SpotRequestID, as person: TestPerson
    ) async throws -> Answer {
        try await call(.post, "/v1/spot-requests/\(id)/\(step)", as: person)
    }

    /// Offered by Alice, and Bob is on the way.
    func reserved(price: Int = 500) async throws -> (spot: Spot, request: SpotRequest) {
        let spot = try await offered(price: price)
        let request = try await requested(spot.id)
        let reserved = try await self.request("approve", request.id, as: .alice)
            .expect(200, Spot.self)
        return (reserved, request)
    }

    func seen(_ id: SpotID, as person: TestPerson) async throws -> Spot {
        try await call(.get, "/v1/spots/\(id)", as: person).expect(200, Spot.self)
    }

    /// A search around Valletta.
    func found(as person: TestPerson) async throws -> [Spot] {
        try await call(
            .get, "/v1/spots?latitude=35.8965&longitude=14.5101&limit=100", as: person
        ).expect(200, Page<Spot>.self).items
    }

    func mine(_ id: SpotRequestID, as person: TestPerson = .bob) async throws -> SpotRequest {
        let page = try await call(.get, "/v1/me/spot-requests", as: person)
            .expect(200, Page<SpotRequest>.self)
        return try #require(page.items.first { $0.id == id })
    }

    /// Location says that the buyer is there, or the seller gone.
    func arrive(_ spot: SpotID) async throws {
        try await hear(
            PartyArrived(
                engagement: spot.as(EngagementID.self), product: .spots,
                meeting: SpotRecord.arrival, mover: TestPerson.bob.id, peers: [],
                arrivedAt: clock.now))
    }

    func leave(_ spot: SpotID) async throws {
        try await hear(
            PartyLeft(
                engagement: spot.as(EngagementID.self), product: .spots,
                leaving: SpotRecord.leaving, mover: TestPerson.alice.id, peers: [],
                leftAt: clock.now))
    }

    func photo(of person: TestPerson) async throws -> SpotPhoto {
        try await postPhoto(of: person).expect(201, SpotPhoto.self)
    }

    func postPhoto(of person: TestPerson) async throws -> Answer {
        try await call(
            .post, "/v1/me/spot-photos", raw: TestPicture.jpegWithMetadata, as: person,
            headers: [.contentType: "image/jpeg"])
    }

    func put(_ policy: SpotPolicy) async throws -> Answer {
        try await call(.put, "/v1/admin/spot-policies/valletta", policy, as: .olivia)
    }
}
