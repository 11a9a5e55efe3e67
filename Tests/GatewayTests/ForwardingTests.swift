import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceKit
import Support
import Testing

@testable import Gateway

private let traceparent = HTTPField.Name("traceparent")!
private let order = "019ab000-0000-7000-8000-000000000101"

@Suite struct ForwardingTests {
    @Test func everyAddressReachesItsService() async throws {
        try await TestGateway.run { test in
            let composed = test.gateway.routes.composed.keys
            let routes = RoutingTable().routes.filter { !composed.contains($0.endpoint.id) }
            // Somebody else each time: there are more addresses than one person may call in a minute.
            for (number, route) in routes.enumerated() {
                try await reach(route.endpoint, route.target, number, test)
            }
        }
    }

    private func reach(
        _ endpoint: AnyEndpoint, _ target: Target, _ number: Int, _ test: TestGateway
    ) async throws {
        let path = try endpoint.path(with: endpoint.pathIDs.map { _ in order })
        let address = try #require(endpoint.address { _ in order })
        let role = endpoint.callers.roles.flatMap { roles in
            [Role.customer, .valet].first(where: roles.contains) ?? .operator
        }
        let person = role.map { TestPerson.another($0, number) }
        let response = try await test.send(endpoint.method.httpMethod, path, as: person)
        #expect(response.status == .ok, "\(path)")
        let call = try #require(test.stubs.calls.last)
        #expect(call.service == target.rawValue)
        #expect(call.address == "/\(target.rawValue)\(address)")
        #expect(call.method == endpoint.method.httpMethod)
    }

    @Test func aRequestArrivesWithWhatTheServiceNeedsAndNothingElse() async throws {
        try await TestGateway.run { test in
            let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            _ = try await test.send(
                .post, "/v1/orders?x=1&y=a%20b", as: .alice,
                headers: [
                    .idempotencyKey: "k1", .ifMatch: "\"3\"", .prefer: "wait=2",
                    .acceptLanguage: "zh-Hant", traceparent: trace, .cookie: "a=b",
                    .forwardedFor: "10.0.0.1", .connection: "x-secret", .userAgent: "app/1",
                    HTTPField.Name("X-Secret")!: "1", HTTPField.Name("Forwarded")!: "for=1",
                ], body: #"{"dropOff":{}}"#)
            let call = try #require(test.stubs.calls.first)
            #expect(call.address == "/orders/v1/orders?x=1&y=a%20b")
            #expect(call.body == Data(#"{"dropOff":{}}"#.utf8))
            #expect(call.headers[.authorization]?.hasPrefix("Bearer ") == true)
            #expect(call.headers[.idempotencyKey] == "k1")
            #expect(call.headers[.ifMatch] == "\"3\"")
            #expect(call.headers[.prefer] == "wait=2")
            #expect(call.headers[.acceptLanguage] == "zh-Hant")
            #expect(call.headers[.contentType] == "application/json")
            #expect(call.headers[.userAgent] == "app/1")
            let passed = call.headers[traceparent] ?? ""
            #expect(passed.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-"))
            #expect(passed != trace)
            #expect(call.headers[.cookie] == nil)
            #expect(call.headers[.forwardedFor] == nil)
            #expect(call.headers[HTTPField.Name("X-Secret")!] == nil)
            #expect(call.headers[HTTPField.Name("Forwarded")!] == nil)
        }
    }

    @Test func aSignedCallArrivesByteForByte() async throws {
        try await TestGateway.run { test in
            let body = "{ \"id\":\"evt_1\",\r\n\t\"text\": \"\\u00e9é\" }\n\n"
            let signature = "t=1,v1=ab, v1=cd,v0=ef"
            let name = HTTPField.Name("Stripe-Signature")!
            _ = try await test.send(
                .post, "/v1/webhooks/stripe", headers: [name: signature], body: body)
            let call = try #require(test.stubs.calls.first)
            #expect(call.service == "payments")
            #expect(call.body == Data(body.utf8))
            #expect(call.headers[name] == signature)
            #expect(call.headers[.authorization] == nil)
        }
    }

    @Test func anAnswerComesBackWithoutWhatConcernsOneConnection() async throws {
        let stubs = StubServices { _ in
            Response(
                status: .created,
                headers: [
                    .eTag: "\"4\"", .location: "/v1/orders/1", .contentType: "application/json",
                    .connection: "x-hop", HTTPField.Name("X-Hop")!: "1", .server: "stub",
                    HTTPField.Name("Keep-Alive")!: "timeout=5",
                ], body: .init(byteBuffer: ByteBuffer(string: #"{"a":1}"#)))
        }
        try await TestGateway.run(stubs) { test in
            let response = try await test.send(.post, "/v1/orders", as: .alice, body: "{}")
            #expect(response.status == .created)
            #expect(response.text == #"{"a":1}"#)
            #expect(response.headers[.eTag] == "\"4\"")
            #expect(response.headers[.location] == "/v1/orders/1")
            #expect(response.headers[HTTPField.Name("X-Hop")!] == nil)
            #expect(response.headers[HTTPField.Name("Keep-Alive")!] == nil)
            #expect(response.headers[.server] == nil)
        }
    }

    @Test func aServicesRefusalComesBackAsItIs() async throws {
        let stubs = StubServices { _ in
            var problem = Problem(title: "No.", status: 409, code: "order.not_possible")
            problem.detail = "cancel while parked"
            return problem.response()
        }
        try await TestGateway.run(stubs) { test in
            let response = try await test.send(
                .post, "/v1/orders/\(order)/cancel", as: .alice, body: "{}")
            #expect(response.status == .conflict)
            #expect(response.headers[.contentType] == "application/problem+json")
            #expect(response.problem?.code == "order.not_possible")
            #expect(response.problem?.detail == "cancel while parked")
        }
    }

    @Test func aServiceThatIsAwayIs503() async throws {
        let test = try TestGateway(
            StubServices(), base: "http://127.0.0.1:1", redis: nil, settings: [:])
        for _ in 1...10 {
            let response = try await test.send(.get, "/v1/me", as: .alice)
            #expect(response.status == .serviceUnavailable)
            #expect(response.problem?.code == "service.unavailable")
            #expect(response.headers[.retryAfter] == "2")
        }
    }

    @Test func aServiceThatIsSilentIs503() async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let stubs = StubServices { _ in
            for await _ in ends {}
            return Response(status: .ok)
        }
        try await TestGateway.run(stubs, settings: ["FORWARD_SECONDS": "0.1"]) { test in
            defer { end.finish() }
            let response = try await test.send(.get, "/v1/me", as: .alice)
            #expect(response.status == .serviceUnavailable)
        }
    }

    private static let slow = StubServices { _ in
        try await Task.sleep(for: .milliseconds(400))
        return Response(status: .ok)
    }

    /// A bank may take its time: while a service waits for it, nobody must hear that it is away.
    @Test func whatAsksThePaymentProviderMayTakeLonger() async throws {
        try await TestGateway.run(Self.slow, settings: ["FORWARD_SECONDS": "0.1"]) { test in
            for endpoint in [PaymentEndpoints.pay.untyped, PaymentEndpoints.payBill.untyped] {
                let path = try endpoint.path(with: [order])
                let response = try await test.send(.post, path, as: .alice, body: "{}")
                #expect(response.status == .ok, "\(path)")
            }
        }
    }

    @Test func whoIsReadyToWaitMayWaitLonger() async throws {
        try await TestGateway.run(Self.slow, settings: ["FORWARD_SECONDS": "0.1"]) { test in
            let response = try await test.send(
                .get, "/v1/orders/\(order)", as: .alice, headers: [.prefer: "wait=20"])
            #expect(response.status == .ok)
        }
    }

    @Test func aClientsAddressIsPassedOn() async throws {
        try await TestGateway.run { test in
            _ = try await test.sendOverTheNetwork(
                .get, "/v1/service-areas", headers: [.forwardedFor: "203.0.113.9"])
            #expect(test.stubs.calls.first?.headers[.forwardedFor] == "127.0.0.1")
        }
    }

    @Test func ourOwnProxysWordIsPassedOn() async throws {
        try await TestGateway.run(settings: ["TRUSTED_PROXIES": "127.0.0.0/8"]) { test in
            _ = try await test.sendOverTheNetwork(
                .get, "/v1/service-areas", headers: [.forwardedFor: "203.0.113.9"])
            #expect(test.stubs.calls.first?.headers[.forwardedFor] == "203.0.113.9")
        }
    }

    @Test func onlyRepeatableCallsAreRepeated() throws {
        func call(_ method: HTTPRequest.Method, _ headers: HTTPFields = [:]) -> ForwardedCall {
            ForwardedCall(
                method: method, address: "/", headers: headers, client: nil, body: ByteBuffer(),
                timeout: .seconds(1))
        }
        #expect(Forwarder.mayRepeat(call(.get)))
        #expect(Forwarder.mayRepeat(call(.put)))
        #expect(Forwarder.mayRepeat(call(.delete)))
        #expect(!Forwarder.mayRepeat(call(.post)))
        #expect(!Forwarder.mayRepeat(call(.patch)))
        #expect(Forwarder.mayRepeat(call(.post, [.idempotencyKey: "1"])))
    }
}

@Suite struct DoorTests {
    @Test func withoutATokenNobodyPasses() async throws {
        try await TestGateway.run { test in
            let response = try await test.send(.get, "/v1/me")
            #expect(response.status == .unauthorized)
            #expect(response.problem?.code == "auth.token_missing")
            #expect(response.headers[.wwwAuthenticate] == "Bearer")
            #expect(test.stubs.calls.isEmpty)
        }
    }

    @Test(arguments: ["Bearer x", "Bearer a.b.c", "Basic eA==", "Bearer "])
    func aBadTokenIsRefused(header: String) async throws {
        try await TestGateway.run { test in
            let response = try await test.send(
                .get, "/v1/me", headers: [.authorization: header])
            #expect(response.status == .unauthorized)
            #expect(response.problem?.code == "auth.token_invalid")
            #expect(test.stubs.calls.isEmpty)
        }
    }

    @Test func anExpiredTokenIsRefused() async throws {
        try await TestGateway.run { test in
            let old = try await TestPerson.alice.bearer(
                at: test.clock.now.addingTimeInterval(-901))
            let response = try await test.send(.get, "/v1/me", headers: [.authorization: old])
            #expect(response.problem?.code == "auth.token_invalid")
        }
    }

    @Test func everyAddressRefusesTheRolesItIsNotFor() async throws {
        try await TestGateway.run { test in
            for endpoint in RoutingTable().routes.map(\.endpoint) {
                guard let callers = endpoint.callers.roles else { continue }
                let path = try endpoint.path(with: endpoint.pathIDs.map { _ in order })
                let method = endpoint.method.httpMethod
                for person in [TestPerson.alice, .victor, .olivia]
                where !callers.contains(person.role) {
                    let response = try await test.send(method, path, as: person)
                    #expect(response.status == .forbidden, "\(path)")
                    #expect(response.problem?.code == "auth.role", "\(path)")
                }
                let anonymous = try await test.send(method, path)
                #expect(anonymous.status == .unauthorized, "\(path)")
            }
            #expect(test.stubs.calls.isEmpty)
        }
    }

    @Test(arguments: [
        "/v1/nothing", "/v1", "/v1/orders/\(order)/nothing", "/v2/me", "/internal/feed",
        "/internal/replay", "//internal/replay", "/internal", "/internal/people/1",
        "/v1/plates/candidates", "/.well-known/jwks.json", "/v1/orders/a.b/track",
        "/v1/orders/%2e%2e/track", "/v1/orders/..%2finternal/track", "/admin",
    ])
    func anUnknownAddressIs404(path: String) async throws {
        try await TestGateway.run { test in
            let response = try await test.send(.get, path, as: .olivia)
            #expect(response.status == .notFound)
            #expect(response.problem?.code == "request.not_found")
            #expect(test.stubs.calls.isEmpty)
        }
    }

    @Test func internalAddressesAreNotOpenEvenWithAServiceToken() async throws {
        try await TestGateway.run { test in
            let token = try await test.environment.serviceTokens.token(for: "gateway")
            for path in ["/internal/replay", "/internal/feed?recipient=operators&after=0"] {
                let response = try await test.send(
                    .post, path, headers: [.authorization: "Bearer \(token)"],
                    body: #"{"since":"2026-01-01T00:00:00Z"}"#)
                #expect(response.status == .notFound)
            }
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.put, "/v1/me", "GET, PATCH"), (.delete, "/v1/orders", "GET, POST"),
        (.get, "/v1/sessions", "POST"), (.post, "/", "GET, HEAD"),
        (.options, "/v1/me", "GET, PATCH"), (.init("QUERY")!, "/v1/tasks", "GET"),
        (.init("PROPFIND")!, "/apps/customer/app.js", "GET, HEAD"),
        (.head, "/v1/orders/\(OrderID.new())", "GET"), (.delete, "/v1/orders/current", "GET"),
    ])
    func anotherMethodIs405WithTheOnesThatAre(
        method: HTTPRequest.Method, path: String, allow: String
    ) async throws {
        try await TestGateway.run { test in
            let response = try await test.send(method, path, as: .alice)
            #expect(response.status == .methodNotAllowed)
            #expect(response.problem?.code == "request.method_not_allowed")
            #expect(response.headers[.allow] == allow)
        }
    }

    @Test func aBodyBeyondTheLimitIs413() async throws {
        try await TestGateway.run { test in
            let body = String(repeating: "x", count: BodyLimit.standard + 1)
            let response = try await test.send(.post, "/v1/orders", as: .alice, body: body)
            #expect(response.status == .contentTooLarge)
            #expect(response.problem?.code == "request.too_large")
            #expect(test.stubs.calls.isEmpty)
        }
    }

    @Test func aHeadBeyondTheLimitsIsRefused() async throws {
        try await TestGateway.run { test in
            let long = String(repeating: "x", count: HeadRules.longestAddress)
            let address = try await test.send(.get, "/v1/orders?after=\(long)")
            #expect(address.status == .uriTooLong)
            let large = String(repeating: "x", count: HeadRules.largestField + 1)
            let one = try await test.send(.get, "/", headers: [.cookie: large])
            #expect(one.status == .requestHeaderFieldsTooLarge)
            var many = HTTPFields()
            for number in 0...HeadRules.mostFields {
                many[HTTPField.Name("X-Field-\(number)")!] = "1"
            }
            let crowded = try await test.send(.get, "/", headers: many)
            #expect(crowded.status == .requestHeaderFieldsTooLarge)
        }
    }

    @Test func tooManySignInsOfOneAddressAreRefused() async throws {
        let redis = try await TestRedis.start()
        try await TestGateway.run(redis: redis, settings: ["STRICT_PER_MINUTE": "3"]) { test in
            for number in 1...4 {
                let response = try await test.sendOverTheNetwork(.post, "/v1/sessions", body: "{}")
                #expect(response.status == (number <= 3 ? .ok : .tooManyRequests))
                guard number == 4 else { continue }
                #expect(response.problem?.code == "rate.limited")
                #expect(Int(response.headers[.retryAfter] ?? "") ?? 0 >= 1)
            }
            #expect(test.stubs.calls.count == 3)
        }
    }

    @Test func onePersonsManyRequestsDoNotHinderAnother() async throws {
        let redis = try await TestRedis.start()
        try await TestGateway.run(redis: redis, settings: ["PERSON_PER_SECOND": "1"]) { test in
            var refused = false
            for _ in 1...20 where !refused {
                refused = try await test.send(.get, "/v1/me", as: .alice).status == .tooManyRequests
            }
            #expect(refused)
            let other = try await test.send(.get, "/v1/me", as: .bob)
            #expect(other.status == .ok)
        }
    }

    @Test func withoutRedisRequestsPass() async throws {
        let redis = try await TestRedis.start()
        await redis.stop()
        try await TestGateway.run(redis: redis) { test in
            let mine = try await test.send(.get, "/v1/me", as: .alice)
            let signIn = try await test.send(.post, "/v1/sessions", body: "{}")
            #expect(mine.status == .ok)
            #expect(signIn.status == .ok)
        }
    }
}

@Suite struct BrowserRuleTests {
    @Test func everyAnswerTellsBrowsersToBeCareful() async throws {
        try await TestGateway.run { test in
            for path in ["/v1/me", "/v1/nothing", "/health/live"] {
                let headers = try await test.send(.get, path).headers
                #expect(headers[.xContentTypeOptions] == "nosniff", "\(path)")
                #expect(headers[.contentSecurityPolicy] == BrowserRules.apiPolicy, "\(path)")
                #expect(headers[.cacheControl] == "no-store", "\(path)")
                #expect(headers[.accessControlAllowOrigin] == nil, "\(path)")
            }
        }
    }

    @Test func anotherOriginIsNotLetIn() async throws {
        try await TestGateway.run(settings: ["ORIGINS": "https://app.example.com"]) { test in
            let response = try await test.send(
                .get, "/health/live", headers: [.origin: "https://evil.example.com"])
            #expect(response.headers[.accessControlAllowOrigin] == nil)
            let preflight = try await test.send(
                .options, "/v1/me",
                headers: [
                    .origin: "https://evil.example.com", .accessControlRequestMethod: "GET",
                ])
            #expect(preflight.status == .methodNotAllowed)
        }
    }

    @Test func aConfiguredOriginIsLetIn() async throws {
        try await TestGateway.run(settings: ["ORIGINS": "https://app.example.com"]) { test in
            let origin: HTTPFields = [.origin: "https://app.example.com"]
            let response = try await test.send(.get, "/v1/me", as: .alice, headers: origin)
            #expect(response.headers[.accessControlAllowOrigin] == "https://app.example.com")
            #expect(response.headers[.vary] == "Origin")
            var asked = origin
            asked[.accessControlRequestMethod] = "PATCH"
            let preflight = try await test.send(.options, "/v1/me", headers: asked)
            #expect(preflight.status == .noContent)
            #expect(preflight.headers[.accessControlAllowMethods]?.contains("PATCH") == true)
            #expect(
                preflight.headers[.accessControlAllowHeaders]?.contains("Idempotency-Key") == true)
        }
    }
}

@Suite struct ValetListTests {
    private static let valet = TestPerson.victor

    private static func stubs(locationIsThere: Bool) -> StubServices {
        StubServices { call in
            if call.service == "accounts" {
                let records = [TestPerson.victor, .vera].map {
                    ValetRecord(
                        id: $0.valet, firstName: $0.firstName, lastName: "Lam", phone: $0.phone,
                        suspended: false, createdAt: Date(timeIntervalSince1970: 1_767_600_000))
                }
                return try StubServices.json(Page(items: records, next: "more"))
            }
            guard locationIsThere else { return Response(status: .serviceUnavailable) }
            let position = TrackedPosition(
                latitude: 22.28, longitude: 114.15, ageSeconds: 3, isStale: false)
            return try StubServices.json(
                WhereaboutsAnswer(items: [
                    ValetWhereabouts(valet: valet.valet, status: .busy, position: position)
                ]))
        }
    }

    @Test func theListSaysWhereValetsAre() async throws {
        try await TestGateway.run(Self.stubs(locationIsThere: true)) { test in
            let response = try await test.send(.get, "/v1/admin/valets?limit=2", as: .olivia)
            let page = try Wire.decode(
                Page<ValetRecord>.self, from: Data(response.body.readableBytesView))
            #expect(page.next == "more")
            #expect(page.items.first?.status == .busy)
            #expect(page.items.first?.position == Place(latitude: 22.28, longitude: 114.15))
            #expect(page.items.first?.positionAgeSeconds == 3)
            // Location knows a valet from the first shift on.
            #expect(page.items.last?.status == .offline)
            #expect(
                test.stubs.calls.map(\.address) == [
                    "/accounts/v1/admin/valets?limit=2", "/location/internal/whereabouts",
                ], "one call for the page")
        }
    }

    @Test func whileLocationIsAwayTheListHasNoPositions() async throws {
        try await TestGateway.run(Self.stubs(locationIsThere: false)) { test in
            let response = try await test.send(.get, "/v1/admin/valets", as: .olivia)
            let page = try Wire.decode(
                Page<ValetRecord>.self, from: Data(response.body.readableBytesView))
            #expect(page.items.count == 2)
            #expect(page.items.allSatisfy { $0.status == nil && $0.position == nil })
        }
    }

    @Test func anAccountsRefusalOfTheListComesBack() async throws {
        let stubs = StubServices { _ in
            Problem(title: "No.", status: 422, code: "request.invalid").response()
        }
        try await TestGateway.run(stubs) { test in
            let response = try await test.send(.get, "/v1/admin/valets?limit=0", as: .olivia)
            #expect(response.status == .unprocessableContent)
            #expect(response.problem?.code == "request.invalid")
        }
    }
}

@Suite struct BreakerTests {
    private func call(_ test: TestGateway) async throws -> ForwardedAnswer {
        let call = ForwardedCall(
            method: .get, address: "/v1/service-areas", headers: [:], client: nil,
            body: ByteBuffer(), timeout: patience)
        return try await test.gateway.routes.forwarder.forward(call, to: .orders)
    }

    @Test func aCallThatWasGivenUpSaysNothingOfTheService() async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let stubs = StubServices { _ in
            for await _ in ends {}
            return Response(status: .ok)
        }
        try await TestGateway.run(stubs) { test in
            defer { end.finish() }
            let breaker = try #require(test.gateway.routes.forwarder.upstreams[.orders]).breaker
            for _ in 1...4 { breaker.failed() }
            let asking = Task { try await call(test) }
            #expect(try await eventually { !stubs.calls.isEmpty })
            asking.cancel()
            await #expect(throws: CancellationError.self) { try await asking.value }
            #expect(!breaker.isOpen)
            breaker.failed()
            #expect(breaker.isOpen)
        }
    }
}
