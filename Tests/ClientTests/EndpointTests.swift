import Contracts
import Foundation
import Geo
import Testing

@testable import Client

/// Where calls go, of each kind. That an endpoint has its address, the API document shows.
@Suite struct EndpointTests {
    private static let order = OrderID.new()
    private static let person = PersonID.new()
    private static let place = Place(latitude: 22.28, longitude: 114.15)

    private typealias Use = @Sendable (OpenValetClient) async throws -> Void

    private static let calls: [(String, Use)] = [
        ("GET /v1/me", { _ = try await $0(AccountEndpoints.me()) }),
        ("DELETE /v1/me/blocks/\(person)", { try await $0(AccountEndpoints.unblock(person)) }),
        ("PUT /v1/me/photo", { try await $0(AccountEndpoints.setPhoto(bytes: Data())) }),
        ("GET /v1/notifications", { _ = try await $0(NotificationEndpoints.notifications()) }),
        (
            "GET /v1/users/\(person)/comments?after=c1&limit=20",
            { try await $0(RatingEndpoints.comments(person, after: "c1", limit: 20)) }
        ),
        (
            "PUT /v1/orders/\(order)/rating",
            { try await $0(RatingEndpoints.rate(order, body: RatingBody(stars: 5))) }
        ),
        (
            "GET /v1/places?latitude=22.28&limit=5&longitude=114.15&query=Star%20Ferry",
            {
                let query = FindPlacesQuery("Star Ferry", near: place.coordinate)
                try await $0(PlaceEndpoints.places(asks: query.with(\.limit, 5)))
            }
        ),
        (
            "GET /v1/places?query=Pier",
            { try await $0(PlaceEndpoints.places(asks: FindPlacesQuery("Pier"))) }
        ),
        (
            "GET /v1/admin/messages?phone=%2B85291234567",
            {
                let query = MessagesQuery().with(\.phone, "+85291234567")
                try await $0(NotificationEndpoints.messages(asks: query))
            }
        ),
        (
            "GET /v1/tasks?limit=20&status=open",
            {
                let query = TasksQuery().with(\.status, .open).page(limit: 20)
                try await $0(OrderEndpoints.tasks(asks: query))
            }
        ),
        (
            "POST /v1/orders/\(order)/photos?latitude=22.28&longitude=114.15&moment=handOver",
            {
                let query = VehiclePhotoQuery(.handOver, at: place.coordinate)
                try await $0(PlateEndpoints.takePhoto(order, asks: query, bytes: Data()))
            }
        ),
    ]

    private static let methods: [(String, Use)] = [
        (
            "POST /v1/customers",
            {
                let body = SignUpBody(firstName: "", lastName: "", phone: "", password: "")
                try await $0.signUp(body)
            }
        ),
        ("POST /v1/sessions", { try await $0.signIn(phone: "", password: "") }),
        ("POST /v1/sessions/refresh", { try await $0.refresh() }),
        ("DELETE /v1/sessions/current", { try await $0.signOut() }),
        ("DELETE /v1/me/sessions", { try await $0.signOutEverywhere() }),
        (
            "POST /v1/password-resets/confirm",
            {
                try await $0.confirmPasswordReset(
                    ResetConfirmBody(phone: "", code: "", newPassword: ""))
            }
        ),
        ("POST /v1/me/deletion", { try await $0.deleteMe(password: "") }),
        ("GET /v1/me/export", { _ = try await $0.exportMe() }),
        (
            "GET /v1/pictures/people/\(person)?expires=1",
            { _ = try await $0.picture("/v1/pictures/people/\(person)?expires=1") }
        ),
        ("GET /tiles", { _ = try await $0.maps() }),
        (
            "GET /v1/orders/\(order)/receipt?language=zh-Hant",
            { _ = try await $0.receiptPage(order, in: .traditionalChinese) }
        ),
    ]

    @Test func everyCallAsksItsEndpoint() async throws {
        let gateway = PretendGateway(.problem(418, "teapot"))
        let uses = Self.calls + Self.methods
        try await gateway.serve { client in
            for (address, use) in uses {
                await #expect("\(address)") {
                    try await use(client)
                } throws: {
                    ($0 as? ClientError)?.code == "teapot"
                }
            }
        }
        #expect(gateway.asked.map { "\($0.method) \($0.target)" } == uses.map(\.0))
    }

    @Test func aPathHasAsManyIDsAsItsEndpointNamesEachEscaped() throws {
        let photo = Endpoint<Void, Void>(
            .get, "/v1/orders/{id}/photos/{photo}", id: "photo", "A photo", answer: "It.")
        #expect(
            try photo.untyped.path(with: ["{photo}", "a/b c"])
                == "/v1/orders/%7Bphoto%7D/photos/a%2Fb%20c")
        #expect(throws: WrongNumberOfIDs.self) { try photo.untyped.path(with: ["1"]) }
        #expect(throws: WrongNumberOfIDs.self) { try AccountEndpoints.me(OrderID.new()) }
    }

    @Test func whatAnotherServiceAnswersIsCalledByTheProductsAddress() throws {
        let rate = RatingEndpoints.rateEngagement.at(
            "/v1/lockers/{id}/rating", id: "rateLocker", "Rate whose locker it was")
        let call = try rate(Self.order, body: RatingBody(stars: 5))
        #expect(call.request.path == "/v1/lockers/\(Self.order)/rating")
        #expect(call.request.method == .put)
    }

    @Test func onlyAPostWithoutAKeyIsNotSentTwice() throws {
        let phone = ContactBody(phone: "+85251234567")
        #expect(try AccountEndpoints.requestCode(body: phone).request.retry == .whenRefused)
        #expect(try AccountEndpoints.me().request.retry == .always)
        let place = PlaceOrderBody(dropOff: Place(latitude: 22, longitude: 114))
        #expect(try OrderEndpoints.placeOrder(body: place).request.retry == .always)
    }

    @Test func aBodyInACurrencyIsReadAsItIsWritten() throws {
        let json = try Wire.encode(InCurrency(PayBody(tip: 100), currency: "HKD"))
        #expect(String(decoding: json, as: UTF8.self) == #"{"currency":"HKD","tip":100}"#)
        #expect(try Wire.decode(InCurrency<PayBody>.self, from: json).currency == "HKD")
    }

    @Test func whatCreatesOrPaysCarriesAKeyOfItsOwn() async throws {
        let gateway = PretendGateway(.problem(418, "teapot"))
        let reason = ReasonBody(reason: "Changed my mind.")
        try await gateway.serve { client in
            _ = try? await client(OrderEndpoints.cancel(Self.order, body: reason))
            _ = try? await client(OrderEndpoints.cancel(Self.order, body: reason))
            _ = try? await client(OrderEndpoints.retrieve(Self.order))
            _ = try? await client(
                PlateEndpoints.recognisePlate(asks: RecognitionQuery(), bytes: Data()))
            _ = try? await client(
                PaymentEndpoints.pay(
                    Self.order, body: InCurrency(PayBody()), key: RequestKey("mine")))
            _ = try? await client(AccountEndpoints.changeMe(body: ProfileChange()))
        }
        let keys = gateway.asked.map { $0.headers["idempotency-key"] }
        #expect(Set(keys.prefix(5).compactMap { $0 }).count == 5)
        #expect(keys[4] == "mine")
        #expect(keys[5] == nil)
    }

    /// Beside what is the same when it is done twice, and what the payment provider tells by ids of its own.
    @Test func whatCreatesOrPaysTakesAKey() {
        let posts =
            (OrderEndpoints.all + PaymentEndpoints.all + PlateEndpoints.all
            + NotificationEndpoints.all).filter { $0.method == .post }
        let others = posts.filter { !$0.headers.contains(.idempotencyKey) }
        #expect(others.map(\.id) == ["acknowledgeAlert", "stripeWebhook"])
    }
}
