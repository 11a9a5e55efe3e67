import AsyncHTTPClient
import Client
import Contracts
import Foundation
import NIOCore
import NIOHTTP1
import Support
import Testing

/// A request that is refused, and how.
struct BadCall: Sendable {
    enum Caller: Sendable { case ada, lee, boss, nobody }

    var method: HTTPMethod
    var path: String
    var caller: Caller
    var body: String?
    var headers: [(String, String)] = []
    var status: UInt
    var codes: Set<String>
    var field: String?

    init(
        _ method: HTTPMethod, _ path: String, _ body: String, by caller: Caller = .ada,
        _ status: UInt, _ codes: String..., field: String? = nil
    ) {
        (self.method, self.path, self.body, self.caller) = (method, path, body, caller)
        (self.status, self.codes, self.field) = (status, Set(codes), field)
    }

    init(
        _ method: HTTPMethod, _ path: String, by caller: Caller = .ada,
        _ status: UInt, _ codes: String..., field: String? = nil
    ) {
        (self.method, self.path, self.body, self.caller) = (method, path, nil, caller)
        (self.status, self.codes, self.field) = (status, Set(codes), field)
    }

    func with(_ name: String, _ value: String) -> BadCall {
        var call = self
        call.headers.append((name, value))
        return call
    }

    var name: String {
        "\(method) \(path.prefix(80)) \(body?.prefix(80) ?? "") \(headers.map(\.1))"
    }
}

/// Whatever comes in at the door: 4xx with a stable code, nothing changed, nothing in the logs.
@Suite(.serialized) struct BadInputTests {
    /// Names that nothing else has, so that they can be looked for in a log.
    private static let name = "Zaphodia"

    @Test func badInputIsRefusedWithACodeAndChangesNothing() async throws {
        let guests = try await Guests.invite(named: Self.name)
        let before = try await guests.state()
        for call in calls(guests) { try await guests.check(call) }
        for call in strangers(guests) { try await guests.check(call) }
        for call in try await tokens(guests) { try await guests.check(call) }
        #expect(try await guests.state() == before, "something was changed")
        try await unknownFieldsAreIgnored(guests)
        checkLog(guests)
    }

    // MARK: The tables

    private func calls(_ guests: Guests) -> [BadCall] {
        orders(guests) + people() + positions() + envelope(guests) + operators(guests)
    }

    private func orders(_ guests: Guests) -> [BadCall] {
        let order = guests.order.id
        let there = #""longitude": 0"#
        return [
            BadCall(.POST, "/v1/orders", "{", 400, "request.malformed"),
            BadCall(.POST, "/v1/orders", "", 400, "request.malformed"),
            BadCall(.POST, "/v1/orders", "[]", 400, "request.malformed"),
            BadCall(.POST, "/v1/orders", "{}", 400, "request.malformed", field: "dropOff"),
            BadCall(
                .POST, "/v1/orders", #"{"dropOff": {"latitude": "north", \#(there)}}"#, 400,
                "request.malformed", field: "dropOff.latitude"),
            BadCall(
                .POST, "/v1/orders", #"{"dropOff": {"latitude": null, \#(there)}}"#, 400,
                "request.malformed", field: "dropOff.latitude"),
            BadCall(
                .POST, "/v1/orders", #"{"dropOff": {"latitude": 1e999, \#(there)}}"#, 400,
                "request.malformed"),
            BadCall(
                .POST, "/v1/orders", #"{"dropOff": {"latitude": NaN, \#(there)}}"#, 400,
                "request.malformed"),
            BadCall(
                .POST, "/v1/orders", #"{"dropOff": {"latitude": 1e300, \#(there)}}"#, 422,
                "request.invalid", field: "dropOff.latitude"),
            BadCall(
                .POST, "/v1/orders",
                #"{"dropOff": {"latitude": 0, \#(there), "address": "\#(long(300))"}}"#, 422,
                "request.invalid", field: "dropOff.address"),
            BadCall(
                .POST, "/v1/orders",
                #"{"dropOff": {"latitude": 0, \#(there), "address": "a\u0007b"}}"#, 422,
                "request.invalid", field: "dropOff.address"),
            BadCall(
                .POST, "/v1/orders",
                #"{"dropOff": {"latitude": 0, \#(there)}, "extras": ["polish"]}"#, 400,
                "request.malformed", field: "extras[0]"),
            BadCall(
                .POST, "/v1/orders",
                #"{"dropOff": {"latitude": 0, \#(there)}, "extras": ["wash", "wash"]}"#, 422,
                "request.invalid", field: "extras"),
            BadCall(
                .POST, "/v1/orders",
                #"{"dropOff": {"latitude": 0, \#(there)}, "vehicleId": "mine"}"#, 400,
                "request.malformed", field: "vehicleId"),
            BadCall(
                .POST, "/v1/orders/\(order)/cancel", #"{"reason": 7}"#, 400,
                "request.malformed", field: "reason"),
            BadCall(
                .POST, "/v1/orders/\(order)/recall", "{}", 400,
                "request.malformed", field: "returnTo"),
            BadCall(
                .POST, "/v1/orders/\(order)/collect", "{}", by: .lee, 400,
                "request.malformed", field: "code"),
            BadCall(
                .POST, "/v1/orders/\(order)/pay", "{}", 422,
                "request.invalid", field: "paymentMethodId"),
            BadCall(
                .POST, "/v1/orders/\(order)/pay", #"{"token": "4242 4242 4242 4242"}"#, 422,
                "payment.card_number_refused", "request.invalid", field: "token"),
            BadCall(
                .POST, "/v1/orders/\(order)/pay", #"{"token": "pm_card_of_nobody"}"#, 422,
                "payment.token_unknown", field: "token"),
            BadCall(
                .PUT, "/v1/orders/\(order)/rating", #"{"stars": 6}"#, 422,
                "request.invalid", field: "stars"),
            BadCall(
                .PUT, "/v1/orders/\(order)/rating", #"{"stars": 2.5}"#, 422,
                "request.invalid", field: "stars"),
            BadCall(
                .PUT, "/v1/orders/\(order)/rating", #"{"stars": 1e40}"#, 422,
                "request.invalid", field: "stars"),
            BadCall(
                .PUT, "/v1/orders/\(order)/rating", #"{"stars": 5}"#, 409,
                "rating.not_finished"),
            BadCall(.GET, "/v1/orders?limit=0", 422, "request.invalid", field: "limit"),
            BadCall(.GET, "/v1/orders?limit=many", 422, "request.invalid", field: "limit"),
            BadCall(.GET, "/v1/orders?status=none", 422, "request.invalid", field: "status"),
            BadCall(.GET, "/v1/orders?after=%00%FF", 422, "request.invalid", field: "after"),
        ]
    }

    private func people() -> [BadCall] {
        let phone = Someone.phone()
        func signUp(_ first: String, _ phone: String, _ password: String) -> String {
            #"{"firstName": "\#(first)", "lastName": "W", "phone": "\#(phone)", "#
                + #""password": "\#(password)"}"#
        }
        return [
            BadCall(
                .PATCH, "/v1/me", #"{"firstName": "\#(long(10_000))"}"#, 422,
                "request.invalid", field: "firstName"),
            BadCall(
                .PATCH, "/v1/me", #"{"firstName": "a\u0000b"}"#, 422,
                "request.invalid", field: "firstName"),
            BadCall(
                .PATCH, "/v1/me", #"{"firstName": "  "}"#, 422,
                "request.invalid", field: "firstName"),
            BadCall(
                .PATCH, "/v1/me", #"{"language": "tlh"}"#, 400,
                "request.malformed", field: "language"),
            BadCall(.PATCH, "/v1/me", "{\"firstName\": \"\u{FFFD}", 400, "request.malformed"),
            BadCall(
                .POST, "/v1/customers", signUp("Zoe", "12345", "long enough 1"), by: .nobody,
                422, "request.invalid", field: "phone"),
            BadCall(
                .POST, "/v1/customers", signUp("Zoe", phone, "short"), by: .nobody,
                422, "request.invalid", field: "password"),
            BadCall(
                .POST, "/v1/customers", signUp("Zoe", phone, "password1234"), by: .nobody,
                422, "request.invalid", field: "password"),
            BadCall(
                .POST, "/v1/customers", signUp("Zoe", phone, long(100_000)), by: .nobody,
                413, "request.too_large"),
            BadCall(
                .POST, "/v1/sessions", #"{"phone": "\#(phone)"}"#, by: .nobody, 400,
                "request.malformed", field: "password"),
            BadCall(
                .POST, "/v1/sessions/refresh", #"{"refreshToken": "x"}"#, by: .nobody, 401,
                "account.session_ended"),
            BadCall(
                .POST, "/v1/verifications/confirm", #"{"phone": "\#(phone)", "code": "1"}"#,
                by: .nobody, 422, "account.wrong_code"),
            BadCall(
                .POST, "/v1/me/vehicles", #"{"plate": "A"}"#, 400,
                "request.malformed", field: "make"),
            BadCall(
                .POST, "/v1/me/vehicles",
                #"{"plate": "\#(long(60))", "make": "M", "model": "M", "colour": "c"}"#, 422,
                "request.invalid", field: "plate"),
            BadCall(
                .POST, "/v1/me/payment-methods", #"{"token": "\#(long(5_000))"}"#, 422,
                "request.invalid", field: "token"),
        ]
    }

    private func positions() -> [BadCall] {
        let latitude = #"{"latitude": 91, "longitude": 0}"#
        let crowd = Array(repeating: #"{"latitude": 0, "longitude": 0}"#, count: 201)
            .joined(separator: ",")
        return [
            BadCall(.PUT, "/v1/me/location", latitude, 422, "location.invalid", field: "latitude"),
            BadCall(
                .PUT, "/v1/me/location", #"{"latitude": 0, "longitude": 1e999}"#, 400,
                "request.malformed"),
            BadCall(
                .PUT, "/v1/me/location",
                #"{"latitude": 0, "longitude": 0, "accuracyMeters": -1}"#, 422,
                "location.invalid", field: "accuracyMeters"),
            BadCall(
                .PUT, "/v1/me/location",
                #"{"latitude": 0, "longitude": 0, "recordedAt": "yesterday"}"#, 400,
                "request.malformed", field: "recordedAt"),
            BadCall(.PUT, "/v1/me/location", "\"\(long(5_000))\"", 413, "request.too_large"),
            BadCall(
                .POST, "/v1/me/locations", #"{"points": [\#(latitude)]}"#, 422,
                "location.invalid", field: "points[0].latitude"),
            BadCall(
                .POST, "/v1/me/locations",
                #"{"points": [\#(crowd)]}"#, 422, "location.invalid", field: "points"),
            BadCall(
                .PUT, "/v1/me/availability", #"{"status": "busy"}"#, by: .lee, 422,
                "location.invalid", field: "status"),
            BadCall(.PUT, "/v1/me/availability", #"{"status": "available"}"#, 403, "auth.role"),
            BadCall(
                .GET, "/v1/valets/nearby?latitude=0", 422, "request.invalid",
                field: "longitude"),
            BadCall(
                .GET, "/v1/valets/nearby?latitude=nan&longitude=0", 422, "request.invalid",
                field: "latitude"),
            BadCall(
                .GET, "/v1/valets/nearby?latitude=0&longitude=0&radiusMeters=1e9", 422,
                "request.invalid", field: "radiusMeters"),
        ]
    }

    /// What is wrong before anybody looks at the content.
    private func envelope(_ guests: Guests) -> [BadCall] {
        let body = #"{"dropOff": {"latitude": 0, "longitude": 0}}"#
        return [
            BadCall(.POST, "/v1/orders", "{\"a\": \"\(long(70_000))\"}", 413, "request.too_large"),
            BadCall(.POST, "/v1/orders", body, 415, "request.not_json")
                .with("Content-Type", "text/plain"),
            BadCall(.DELETE, "/v1/orders", 405, "request.method_not_allowed"),
            BadCall(.POST, "/v1/stream", "{}", 405, "request.method_not_allowed"),
            BadCall(.GET, "/v1/nothing", 404, "request.not_found"),
            BadCall(.GET, "/v1/orders/not-an-id", 404, "request.not_found"),
            BadCall(.GET, "/v1/orders/..%2F..%2Fmetrics", 404, "request.not_found"),
            BadCall(
                .POST, "/internal/replay", #"{"since": "2026-01-01T00:00:00Z"}"#, 404,
                "request.not_found"),
            BadCall(.GET, "/metrics", by: .nobody, 401, "auth.token_missing"),
            BadCall(.GET, "/metrics", 401, "auth.token_invalid"),
            BadCall(.POST, "/v1/orders", body, 422, "request.invalid", field: "Idempotency-Key")
                .with("Idempotency-Key", long(300)),
            BadCall(.GET, "/v1/stream", 422, "request.invalid", field: "Last-Event-ID")
                .with("Last-Event-ID", "yesterday"),
            BadCall(.GET, "/v1/me?" + long(5_000), 414, "request.too_large"),
        ]
    }

    private func operators(_ guests: Guests) -> [BadCall] {
        let order = guests.order.id
        return [
            BadCall(.GET, "/v1/admin/orders", 403, "auth.role"),
            BadCall(.GET, "/v1/admin/valets", by: .lee, 403, "auth.role"),
            BadCall(.GET, "/v1/orders/\(order)/matching", 403, "auth.role"),
            BadCall(
                .POST, "/v1/admin/orders/\(order)/override",
                #"{"status": "gone", "reason": "r"}"#, by: .boss, 400, "request.malformed",
                field: "status"),
            BadCall(
                .POST, "/v1/admin/orders/\(order)/override", #"{"status": "finished"}"#,
                by: .boss, 400, "request.malformed", field: "reason"),
            BadCall(
                .PUT, "/v1/admin/service-areas/UPPER", "{}", by: .boss, 422,
                "request.invalid", field: "id"),
            BadCall(
                .PUT, "/v1/admin/service-areas/\(guests.town.id)",
                #"{"type": "Feature", "properties": {"name": "n", "currency": "HKD", "#
                    + #""servicePoint": {"latitude": 0, "longitude": 0}}, "geometry": "#
                    + #"{"type": "Polygon", "coordinates": [[[0,0],[1,1]]]}}"#,
                by: .boss, 422, "request.invalid", field: "geometry.coordinates"),
            BadCall(
                .PUT, "/v1/admin/service-areas/\(guests.town.id)/tariff",
                #"{"currency": "HKD"}"#, by: .boss, 400, "request.malformed", field: "baseFee"),
            BadCall(
                .POST, "/v1/admin/payments/\(order)/refunds", #"{"reason": "r"}"#, by: .boss,
                404, "payment.unknown"),
            BadCall(
                .PATCH, "/v1/admin/valets/\(order)", #"{"suspended": true}"#, by: .boss, 404,
                "account.unknown", "request.not_found"),
        ]
    }

    /// Other people's things: to a stranger they do not exist.
    private func strangers(_ guests: Guests) -> [BadCall] {
        let (order, stranger) = (guests.order.id, guests.strangersOrder)
        let (car, card) = (guests.strangersCar, guests.strangersCard)
        return [
            BadCall(.GET, "/v1/orders/\(stranger)", 404, "order.unknown"),
            BadCall(.GET, "/v1/orders/\(stranger)/quote", 404, "order.unknown"),
            BadCall(.GET, "/v1/orders/\(stranger)/track", 404, "order.unknown"),
            BadCall(.POST, "/v1/orders/\(stranger)/cancel", "{}", 404, "order.unknown"),
            BadCall(.POST, "/v1/orders/\(stranger)/cancel-recall", "{}", 404, "order.unknown"),
            BadCall(
                .POST, "/v1/orders/\(stranger)/recall",
                #"{"returnTo": {"latitude": 0, "longitude": 0}}"#, 404, "order.unknown"),
            BadCall(
                .POST, "/v1/orders/\(stranger)/pay", #"{"token": "pm_card_visa"}"#, 404,
                "payment.bill_unknown"),
            BadCall(
                .PUT, "/v1/orders/\(stranger)/rating", #"{"stars": 1}"#, 404,
                "rating.engagement_unknown"),
            BadCall(.GET, "/v1/orders/\(stranger)", by: .lee, 404, "order.unknown"),
            BadCall(
                .POST, "/v1/orders/\(stranger)/collect", #"{"code": "1234"}"#, by: .lee, 404,
                "order.unknown"),
            BadCall(
                .POST, "/v1/orders/\(stranger)/withdraw", "{}", by: .lee, 404,
                "order.unknown"),
            BadCall(
                .POST, "/v1/orders/\(stranger)/customer-absent", "{}", by: .lee, 404,
                "order.unknown"),
            BadCall(.POST, "/v1/orders/\(stranger)/retrieve", by: .lee, 404, "order.unknown"),
            BadCall(
                .PATCH, "/v1/me/vehicles/\(car)", #"{"plate": "X"}"#, 404,
                "account.vehicle_unknown"),
            BadCall(.DELETE, "/v1/me/vehicles/\(car)", 404, "account.vehicle_unknown"),
            BadCall(.DELETE, "/v1/me/payment-methods/\(card)", 404, "payment.method_unknown"),
            BadCall(
                .POST, "/v1/orders/\(order)/pay", #"{"paymentMethodId": "\#(card)"}"#, 404,
                "payment.method_unknown", field: "paymentMethodId"),
            BadCall(.POST, "/v1/orders/\(order)/collect", #"{"code": "1"}"#, 403, "auth.role"),
            BadCall(.POST, "/v1/orders/\(order)/cancel", "{}", by: .lee, 403, "auth.role"),
        ]
    }

    private func tokens(_ guests: Guests) async throws -> [BadCall] {
        let token = try #require(await guests.ada.client.session.tokens).accessToken
        let parts = token.split(separator: ".").map(String.init)
        let unsigned = "eyJhbGciOiJub25lIn0." + parts[1] + "."
        let swapped = parts[0] + "." + parts[1] + "." + String(parts[2].reversed())
        let foreign = try await TestTokens.token(
            for: guests.ada.account.id, roles: [.operator], at: Date())
        let expired = try await TestTokens.token(
            for: guests.ada.account.id, roles: [.customer], at: Date(timeIntervalSince1970: 0))
        var calls = [BadCall(.GET, "/v1/me", by: .nobody, 401, "auth.token_missing")]
        let bad = [
            "x", unsigned, swapped, foreign, expired, String(token.dropLast(8)), long(4_000),
        ]
        for text in bad {
            calls.append(
                BadCall(.GET, "/v1/me", by: .nobody, 401, "auth.token_invalid")
                    .with("Authorization", "Bearer \(text)"))
        }
        calls.append(
            BadCall(.GET, "/v1/me", by: .nobody, 401, "auth.token_invalid")
                .with("Authorization", "Basic YWRhOnBhc3N3b3Jk"))
        return calls
    }

    private func long(_ length: Int) -> String { String(repeating: "a", count: length) }

    // MARK: What is no refusal, and what is left behind

    private func unknownFieldsAreIgnored(_ guests: Guests) async throws {
        let answer = try await guests.send(
            BadCall(
                .PATCH, "/v1/me",
                #"{"lastName": "Quuxworth", "shoeSize": 43, "nested": {"a": [1e5, null]}}"#, 200))
        #expect(answer.status == .ok)
        #expect(try await guests.ada.client(AccountEndpoints.me()).lastName == "Quuxworth")
    }

    private func checkLog(_ guests: Guests) {
        let log = guests.town.world.system.log
        #expect(!log.contains("unexpected error"))
        let secrets = [
            guests.ada.account.phone, guests.lee.account.phone, Self.name, "Quuxworth",
            guests.ada.password, guests.lee.password, "pm_card_", "4242 4242",
        ]
        for secret in secrets { #expect(!log.contains(secret), "\(secret) is in the log") }
        let handover = "code=\(guests.code)"
        #expect(!log.contains(handover))
    }

    @Test func aKeyIsForOneRequestOnly() async throws {
        let town = try await Town.found()
        let ada = try await town.customer()
        let key = RequestKey.new()
        let body = PlaceOrderBody(dropOff: town.center)
        let order = try await ada.client(OrderEndpoints.placeOrder(body: body, key: key))
        #expect(
            try await ada.client(OrderEndpoints.placeOrder(body: body, key: key)).id == order.id)
        try await refused("idempotency.key_reused") {
            _ = try await ada.client(
                OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: town.east(10)), key: key))
        }
        // Another person's key of the same text is another key.
        let eve = try await town.customer("Eve")
        #expect(
            try await eve.client(OrderEndpoints.placeOrder(body: body, key: key)).id != order.id)
        #expect(try await ada.client(OrderEndpoints.orders(asks: OrdersQuery())).items.count == 1)
    }
}

/// The people of these tests: a customer with a bill, their valet, and a stranger.
private struct Guests: Sendable {
    /// All that one's requests could have changed.
    struct State: Equatable {
        var me: Account
        var order: OrderView
        var strangersOrder: OrderView
        var vehicles: [Vehicle]
        var strangersVehicles: [Vehicle]
        var methods: [PaymentMethod]
        var strangersMethods: [PaymentMethod]
        var payments: Int
        var valet: OrderID?
        var area: ServiceAreaFeature?
    }

    let town: Town
    let ada: Someone
    let lee: Someone
    let eve: Someone
    let order: OrderView
    let code: String
    let strangersOrder: OrderID
    let strangersCar: VehicleID
    let strangersCard: PaymentMethodID

    static func invite(named name: String) async throws -> Guests {
        // Processes, since what any library of theirs prints is searched for what nobody may read.
        let town = try await Town.found(in: try await City.ofProcesses.world())
        let pair = Pair(
            town: town, customer: try await town.customer(name), valet: try await town.valet(name))
        let recalled = try await pair.recall()
        let code = try #require(recalled.handoverCode)
        let order = try await pair.handBack(recalled)
        try await pair.valet.goHome()
        let eve = try await town.customer("Eve")
        let strangers = try await eve.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: town.center)))
        try await eve.client(OrderEndpoints.cancel(strangers.id, body: ReasonBody()))
        let car = try await eve.client(AccountEndpoints.addVehicle(body: Someone.car))
        let card = try await eve.client(
            PaymentEndpoints.savePaymentMethod(body: PaymentTokenBody(token: "pm_card_visa")))
        // Ratings and payments have heard of the bill once the customer was told of it.
        _ = try await pair.customer.feed(has: "orders.vehicle-returned")
        // What orders answers has names, which it may hear of a moment later.
        let areNamed = try await eventually {
            let own = try await pair.customer.client(OrderEndpoints.order(order.id))
            let other = try await eve.client(OrderEndpoints.order(strangers.id))
            return own.customer.firstName == name && own.dropOffValet?.firstName == name
                && own.returnValet?.firstName == name && other.customer.firstName == "Eve"
        }
        #expect(areNamed)
        return Guests(
            town: town, ada: pair.customer, lee: pair.valet, eve: eve, order: order, code: code,
            strangersOrder: strangers.id, strangersCar: car.id, strangersCard: card.id)
    }

    func state() async throws -> State {
        let areas = try await ada.client(AreaEndpoints.serviceAreas()).features
        return State(
            me: try await ada.client(AccountEndpoints.me()),
            order: try await ada.client(OrderEndpoints.order(order.id)),
            strangersOrder: try await eve.client(OrderEndpoints.order(strangersOrder)),
            vehicles: try await ada.client(AccountEndpoints.vehicles()).items,
            strangersVehicles: try await eve.client(AccountEndpoints.vehicles()).items,
            methods: try await ada.client(PaymentEndpoints.paymentMethods()).items,
            strangersMethods: try await eve.client(PaymentEndpoints.paymentMethods()).items,
            payments: try await ada.client(PaymentEndpoints.payments(asks: PaymentsQuery())).items
                .count,
            valet: try await lee.client(OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))?.id,
            area: areas.first { $0.id == town.id })
    }

    func send(_ call: BadCall) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: town.world.system.baseURL.absoluteString + call.path)
        request.method = call.method
        let names = Set(call.headers.map { $0.0.lowercased() })
        let client: OpenValetClient? =
            switch call.caller {
            case .ada: ada.client
            case .lee: lee.client
            case .boss: town.world.boss
            case .nobody: nil
            }
        if let token = await client?.session.tokens?.accessToken {
            request.headers.add(name: "Authorization", value: "Bearer \(token)")
        }
        if let body = call.body {
            request.body = .bytes(ByteBuffer(string: body))
            if !names.contains("content-type") {
                request.headers.add(name: "Content-Type", value: "application/json")
            }
        }
        for (name, value) in call.headers { request.headers.add(name: name, value: value) }
        return try await HTTPClient.shared.execute(request, timeout: .seconds(30))
    }

    func check(_ call: BadCall) async throws {
        var answer = try await send(call)
        // On a busy machine a service may be too slow to answer the gateway: that says nothing.
        for _ in 1..<5 where answer.status == .serviceUnavailable { answer = try await send(call) }
        let body = try await answer.body.collect(upTo: 1_024 * 1_024)
        let text = Comment(rawValue: "\(call.name): \(answer.status.code) \(String(buffer: body))")
        #expect(answer.status.code == call.status, text)
        #expect(answer.headers.first(name: "Content-Type") == "application/problem+json", text)
        let problem = try? Wire.decode(Problem.self, from: Data(buffer: body))
        #expect(call.codes.contains(problem?.code ?? "-"), text)
        if let field = call.field { #expect(problem?.field == field, text) }
    }
}
