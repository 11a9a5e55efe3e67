import Contracts
import Foundation
import Geo
import Testing

@testable import Client

@Suite struct ClientTests {
    static let order = OrderView(
        id: .new(), ticket: "K7-42", status: .requested, serviceArea: ServiceAreaID("hk-island")!,
        customer: Party(id: .new(), firstName: "Ada", lastName: "Chan", phone: "+85291234567"),
        dropOff: Place(latitude: 22.28, longitude: 114.15), extras: [],
        createdAt: Date(timeIntervalSince1970: 1_800_000_000), version: 1)

    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try Wire.encode(value), as: UTF8.self)
    }

    private func answer(
        _ value: some Encodable, status: Int = 200
    ) throws -> PretendGateway.Answer {
        PretendGateway.Answer(status: status, body: try json(value))
    }

    // MARK: Requests

    @Test func aCallCarriesTheTokenAndItsBody() async throws {
        let gateway = PretendGateway(try answer(Self.order, status: 201))
        let place = PlaceOrderBody(dropOff: Self.order.dropOff, extras: [.wash])
        let placed = try await gateway.serve {
            try await $0(OrderEndpoints.placeOrder(body: place).waiting(5))
        }
        #expect(placed == Self.order)
        let asked = try #require(gateway.asked.first)
        #expect(asked.method == "POST")
        #expect(asked.target == "/v1/orders")
        #expect(asked.headers["authorization"] == "Bearer a1")
        #expect(asked.headers["content-type"] == "application/json")
        #expect(asked.headers["prefer"] == "wait=5")
        #expect(asked.headers["idempotency-key"]?.isEmpty == false)
        #expect(asked.body == (try json(place)))
    }

    @Test func aQueryIsEscaped() async throws {
        let gateway = PretendGateway(.init(body: #"{"items":[],"next":null}"#))
        _ = try await gateway.serve {
            try await $0(
                NotificationEndpoints.messages(asks: MessagesQuery().with(\.phone, "+852 9123")))
        }
        #expect(gateway.asked.first?.target == "/v1/admin/messages?phone=%2B852%209123")
    }

    @Test func aPageIsAskedWithCursorAndLimit() async throws {
        let gateway = PretendGateway(.init(body: #"{"items":[],"next":"c2"}"#))
        let page = try await gateway.serve { client in
            try await client(
                OrderEndpoints.orders(
                    asks: OrdersQuery().with(\.status, .parked).page(after: "c1", limit: 20)))
        }
        #expect(page.next == "c2")
        #expect(gateway.asked.first?.target == "/v1/orders?after=c1&limit=20&status=parked")
    }

    @Test func noCurrentOrderIsNil() async throws {
        let gateway = PretendGateway(.init(status: 204, body: ""))
        #expect(
            try await gateway.serve {
                try await $0(OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))
            } == nil)
    }

    @Test func nothingIsSentThatNeedsATokenWhenNobodyIsSignedIn() async throws {
        let gateway = PretendGateway(.init())
        await #expect(throws: ClientError.signedOut) {
            try await gateway.serve(tokens: nil) { _ = try await $0(AccountEndpoints.me()) }
        }
        #expect(gateway.asked.isEmpty)
    }

    @Test func theServiceAreasNeedNoToken() async throws {
        let gateway = PretendGateway(try answer(ServiceAreaCollection(features: [])))
        let areas = try await gateway.serve(tokens: nil) {
            try await $0(AreaEndpoints.serviceAreas())
        }
        #expect(areas.features.isEmpty)
        #expect(gateway.asked.first?.headers["authorization"] == nil)
    }

    // MARK: Sessions

    @Test func signingInKeepsTheTokens() async throws {
        let account = Account(
            id: .new(), roles: [.valet], firstName: "Bo", lastName: "Li", phone: "+85291234568",
            phoneVerified: true, language: .english, createdAt: Self.order.createdAt)
        let gateway = PretendGateway(
            try answer(SignedIn(account: account, tokens: .second), status: 201),
            try answer(account))
        try await gateway.serve(tokens: nil) { client in
            try await client.signIn(phone: "+85291234568", password: "a long password")
            #expect(await client.session.tokens == .second)
            #expect(try await client(AccountEndpoints.me()) == account)
        }
        #expect(gateway.asked.last?.headers["authorization"] == "Bearer a2")
    }

    @Test func aRefusedTokenIsRenewedOnceAndTheCallRepeatedWithTheSameKey() async throws {
        let gateway = PretendGateway(
            .problem(401, "auth.token_expired"), try answer(Tokens.second, status: 201),
            try answer(Self.order, status: 201))
        let place = PlaceOrderBody(dropOff: Self.order.dropOff)
        try await gateway.serve { client in
            _ = try await client(OrderEndpoints.placeOrder(body: place))
            #expect(await client.session.tokens == .second)
        }
        let asked = gateway.asked
        #expect(asked.map(\.target) == ["/v1/orders", "/v1/sessions/refresh", "/v1/orders"])
        #expect(asked[1].body == #"{"refreshToken":"r1"}"#)
        #expect(asked[1].headers["authorization"] == nil)
        #expect(asked[2].headers["authorization"] == "Bearer a2")
        #expect(asked[0].headers["idempotency-key"] == asked[2].headers["idempotency-key"])
    }

    @Test func aTokenIsRenewedBeforeItEnds() async throws {
        let gateway = PretendGateway(
            try answer(Tokens.second, status: 201), try answer(Self.order))
        try await gateway.serve(tokens: nil) { client in
            await client.session.replace(.ending)
            for _ in 0..<2 { _ = try await client(OrderEndpoints.order(Self.order.id)) }
            #expect(await client.session.tokens == .second)
        }
        let path = "/v1/orders/\(Self.order.id)"
        let asked = gateway.asked
        #expect(asked.map(\.target) == ["/v1/sessions/refresh", path, path])
        #expect(asked.dropFirst().allSatisfy { $0.headers["authorization"] == "Bearer a2" })
    }

    @Test(arguments: [401, 429, 500])
    func anEarlyRenewalThatFailsLeavesTheOldTokenInUse(_ status: Int) async throws {
        let gateway = PretendGateway(.problem(status, "no"), try answer(Self.order))
        try await gateway.serve(tokens: nil) { client in
            await client.session.replace(.ending)
            _ = try await client(OrderEndpoints.order(Self.order.id))
        }
        let asked = gateway.asked
        #expect(asked.map(\.target) == ["/v1/sessions/refresh", "/v1/orders/\(Self.order.id)"])
        #expect(asked.last?.headers["authorization"] == "Bearer a1")
    }

    @Test func aTokenThatIsRefusedAfterRenewalIsNotRenewedAgain() async throws {
        let refused = PretendGateway.Answer.problem(401, "auth.token_invalid")
        let gateway = PretendGateway(refused, try answer(Tokens.second), refused)
        await #expect {
            try await gateway.serve { _ = try await $0(AccountEndpoints.me()) }
        } throws: { ($0 as? ClientError)?.code == "auth.token_invalid" }
        #expect(gateway.asked.count == 3)
    }

    @Test func aRefusedRefreshTokenSignsOut() async throws {
        let gateway = PretendGateway(.problem(401, "auth.token_expired"))
        try await gateway.serve { client in
            await #expect { _ = try await client(AccountEndpoints.me()) } throws: {
                ($0 as? ClientError)?.status == 401
            }
            #expect(await client.session.tokens == nil)
        }
    }

    @Test func callsAtTheSameTimeShareOneRenewal() async throws {
        let session = Session(.first)
        let renewals = Counter()
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await session.accessToken(insteadOf: "a1") { _ in
                        await renewals.increment()
                        return .second
                    }
                }
            }
            for try await token in group { #expect(token == "a2") }
        }
        #expect(await renewals.count == 1)
    }

    @Test func whoWaitedForARenewalThatFailedDoesNotTryAgain() async throws {
        let session = Session(.first)
        let renewals = Counter()
        let failures = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await session.accessToken(insteadOf: "a1") { _ in
                            await renewals.increment()
                            // Until all the others wait, or have been told that nobody is signed in.
                            for _ in 0..<1_000 { await Task.yield() }
                            throw ClientError.problem(
                                Problem(title: "", status: 401, code: "auth.token_invalid"))
                        }
                        return false
                    } catch { return true }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 20)
        #expect(await renewals.count == 1)
        #expect(await session.tokens == nil)
    }

    @Test func aRenewalOutlivesTheCallerWhoIsCancelled() async throws {
        let gateway = PretendGateway(try answer(Tokens.second, status: 201))
        try await gateway.serve { client in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try? await client.refresh()
                }
            }
            #expect(await client.session.tokens == .second)
        }
    }

    @Test func whoSignsOutDuringARenewalStaysSignedOut() async throws {
        let session = Session(.first)
        let token = try await session.accessToken(insteadOf: "a1") { _ in
            await session.replace(nil)
            return .second
        }
        #expect(token == "a2")
        #expect(await session.tokens == nil)
    }

    @Test func signingOutForgetsTheTokens() async throws {
        let gateway = PretendGateway(.init(status: 204, body: ""))
        try await gateway.serve { client in
            try await client.signOut()
            #expect(await client.session.tokens == nil)
        }
        #expect(gateway.asked.first?.target == "/v1/sessions/current")
    }

    // MARK: Errors and retries

    @Test func aRefusalIsThrownAsItsProblem() async throws {
        var problem = Problem(title: "No.", status: 409, code: "order.unfinished_exists")
        problem.engagementId = .new()
        let gateway = PretendGateway(try answer(problem, status: 409))
        await #expect(throws: ClientError.problem(problem)) {
            try await gateway.serve { client in
                _ = try await client(
                    OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: Self.order.dropOff)))
            }
        }
        #expect(gateway.asked.count == 1)
    }

    @Test func anErrorWithoutAProblemKeepsItsStatus() async throws {
        let gateway = PretendGateway(.init(status: 404, body: "<html>"))
        await #expect(throws: ClientError.unexpectedStatus(404)) {
            try await gateway.serve { _ = try await $0(AccountEndpoints.me()) }
        }
    }

    @Test func anAnswerOfAnotherFormIsMalformed() async throws {
        let gateway = PretendGateway(.init(body: #"{"id":7}"#))
        await #expect {
            try await gateway.serve { _ = try await $0(AccountEndpoints.me()) }
        } throws: { error in
            guard case ClientError.malformedAnswer = error else { return false }
            return true
        }
    }

    @Test func anUnavailableServiceIsAskedAgainWithTheSameKey() async throws {
        let gateway = PretendGateway(
            .problem(503, "service.unavailable"), .problem(503, "service.unavailable"),
            try answer(Self.order, status: 201))
        _ = try await gateway.serve { client in
            try await client(
                OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: Self.order.dropOff)))
        }
        let keys = gateway.asked.map { $0.headers["idempotency-key"] }
        #expect(keys.count == 3)
        #expect(Set(keys).count == 1)
    }

    @Test func repetitionsAreBounded() async throws {
        let gateway = PretendGateway(.problem(503, "service.unavailable"))
        await #expect {
            try await gateway.serve { _ = try await $0(AccountEndpoints.me()) }
        } throws: { ($0 as? ClientError)?.status == 503 }
        #expect(gateway.asked.count == OpenValetClient.mostTries)
    }

    @Test func aLongRetryAfterIsHandedToTheCaller() async throws {
        let gateway = PretendGateway(.problem(503, "service.unavailable", retryAfter: 60))
        await #expect {
            try await gateway.serve { _ = try await $0(AccountEndpoints.me()) }
        } throws: { ($0 as? ClientError)?.problem?.retryAfterSeconds == 60 }
        #expect(gateway.asked.count == 1)
    }

    @Test func aServerThatIsAwayIsUnreachable() async throws {
        // Port 1 of this machine: nothing listens there.
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let client = OpenValetClient(url, tokens: .first)
        await #expect {
            _ = try await client(AccountEndpoints.me())
        } throws: { error in
            guard case ClientError.unreachable = error else { return false }
            return true
        }
    }

    @Test func onlyWhatMayBeRepeatedIs() {
        let pause = Duration.milliseconds(100)
        let unreachable = ClientError.unreachable("")
        var unavailable = Problem(title: "", status: 503, code: "")
        func delay(_ error: ClientError, _ retry: EndpointRequest.Retry) -> Duration? {
            OpenValetClient.delay(after: error, retry, otherwise: pause)
        }
        #expect(delay(unreachable, .always) == pause)
        #expect(delay(unreachable, .whenRefused) == nil)
        #expect(delay(.problem(unavailable), .whenRefused) == pause)
        unavailable.retryAfterSeconds = 2
        #expect(delay(.problem(unavailable), .always) == .seconds(2))
        #expect(delay(.unexpectedStatus(503), .whenRefused) == nil)
        #expect(delay(.unexpectedStatus(500), .always) == nil)
        #expect(delay(.signedOut, .always) == nil)
    }
}

actor Counter {
    private(set) var count = 0
    func increment() { count += 1 }
}
