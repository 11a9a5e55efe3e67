import Answers
import Contracts
import EventBus
import Foundation
import Hummingbird
import HummingbirdTesting
import ServiceKit
import Store
import Support
import Testing

@testable import Ratings

/// Ratings as it runs, with a clock that stands still.
struct Bench: Sendable {
    let clock = TestClock()
    let environment: ServiceEnvironment
    let database: Database
    let ratings: RatingUseCases

    /// Impatient unless told otherwise: most tests have nothing to wait for.
    init(patience: Duration = .zero, owner: URL? = nil) throws {
        environment = try ServiceEnvironment.test("ratings", clock: clock)
        database = try environment.database(ratingMigrations)
        ratings = RatingUseCases(
            database: database, clock: environment.clock,
            owners: Owners(
                owner.map { [environment] in
                    // A busy machine is slow.
                    [environment.peer($0, audience: "owner", within: Support.patience)]
                } ?? []),
            patience: patience)
    }

    @discardableResult
    func run<T: Sendable>(_ body: @Sendable (Caller) async throws -> T) async throws -> T {
        let application = Application(router: ratingRouter(ratings, environment))
        return try await application.test(.router) { client in
            try await body(Caller(client: client, clock: clock))
        }
    }

    /// Hears an event as if it came from the bus; of an order's, what the platform hears of it.
    func hear(_ event: some Event, id: EventID = .new()) async throws {
        if let event = event as? any OrderEvent {
            return try await hear(EngagementChanged(event.order), id: id)
        }
        let delivery = Delivery.of(event, id: id, at: clock.now)
        try await ratingReactions(ratings).receive(event, delivery)
    }

    /// An order that Alice placed and Victor served, finished.
    @discardableResult
    func finished(returnedBy valet: TestPerson? = nil) async throws -> OrderSnapshot {
        clock.advance(by: 1)
        let order = OrderSnapshot.of(
            .alice, status: .finished, version: 8, .victor, valet ?? .victor)
        try await hear(OrderFinished(order: order))
        return order
    }

    func given() async throws -> [RatingGiven] {
        try await outboxEvents(of: RatingGiven.self, in: database)
    }
}

extension OrderSnapshot {
    static func of(
        _ customer: TestPerson, status: OrderStatus, version: Int,
        _ dropOffValet: TestPerson? = nil, _ returnValet: TestPerson? = nil
    ) -> OrderSnapshot {
        let now = Date(timeIntervalSince1970: 1_767_600_000)
        var order = OrderSnapshot(
            id: .new(), ticket: "K7-42", status: status, version: version,
            serviceArea: ServiceAreaID("hk-island")!, customer: customer.customer,
            dropOff: Place(latitude: 22.2819, longitude: 114.1556), extras: [], createdAt: now)
        order.dropOffValet = dropOffValet?.valet
        order.returnValet = returnValet?.valet
        return order
    }
}

/// A client that speaks to the router.
struct Caller: Calling {
    static let service = "ratings"

    let client: any TestClientProtocol
    let clock: TestClock

    func rate(
        _ order: OrderID, _ stars: Int, _ comment: String? = nil, as person: TestPerson
    ) async throws -> Answer {
        try await call(
            .put, "/v1/orders/\(order)/rating", RatingBody(stars: stars, comment: comment),
            as: person)
    }

    func summary(
        of person: TestPerson, as reader: TestPerson = .alice
    ) async throws -> RatingSummary {
        try await call(.get, "/v1/users/\(person.id)/rating", as: reader)
            .expect(200, RatingSummary.self)
    }

    func comments(
        of person: TestPerson, _ query: String = "", as reader: TestPerson = .alice
    ) async throws -> Page<RatingComment> {
        try await call(.get, "/v1/users/\(person.id)/comments\(query)", as: reader)
            .expect(200, Page<RatingComment>.self)
    }
}
