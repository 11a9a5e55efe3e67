import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import NIOEmbedded
import NIOPosix
import Store
import Support
import Testing

@testable import ServiceKit

/// What every service's router does the same way.
struct HTTPTests {
    private struct Body: Codable, Sendable {
        struct Inner: Codable, Sendable { var number: Double }
        var name: String
        var inner: Inner?
        var list: [Int]?
    }

    private struct Counted: Codable, Sendable, Equatable { var count: Int }

    private struct Surprise: Error {}

    private let clock = TestClock()

    private static let migrations = [
        Migration("counts", "CREATE TABLE counts (n BIGINT NOT NULL)")
    ]

    private func app() throws -> some ApplicationProtocol {
        let environment = try ServiceEnvironment.test("test", clock: clock)
        let database = try environment.database(Self.migrations)
        let router = environment.router()
        router.post("/v1/echo") { request, context in
            try Reply(try await context.body(Body.self, of: request))
        }
        let forCustomers = Endpoint<Void, [String: String]>(
            .get, "/v1/customers-only", id: "forCustomers", "Who asks", by: [.customer],
            answer: "Their id.")
        router.on(forCustomers) { try ["id": $0.person.person.description] }
        router.post("/v1/counts") { request, context in
            let key = context.idempotency
            let counted = try await database.write(once: key) { transaction in
                try transaction.execute("INSERT INTO counts (n) VALUES (?)", 1)
                let row = try transaction.row("SELECT COUNT(*) AS n FROM counts")
                return Counted(count: try row?.get("n") ?? 0)
            }
            return try Reply(counted, status: .created)
        }
        router.get("/v1/surprise") { _, _ -> Response in throw Surprise() }
        router.get("/v1/crowded") { _, _ -> Response in
            throw StoreError(.busy, "the database has no connection left")
        }
        router.get("/v1/things/:id") { _, context in
            try Reply(["id": context.id("id", as: OrderID.self).description])
        }
        router.get("/v1/page") { request, _ in
            try Reply(["limit": request.query(PageQuery.self).page.limit])
        }
        _ = environment.server(router)
        return Application(router: router)
    }

    @Test(.withoutDatabase) func aConnectionThatNobodyServesIsClosed() async throws {
        let channel = NIOAsyncTestingChannel()
        let environment = HouseChannel(
            base: HTTP1Channel { _, _, _ in }, limits: nil, headLimit: HeadTimer.limit)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var accepted: Accepted<HTTP1Channel.Value>? = try await channel.testingEventLoop
            .executeInContext {
                environment.setup(channel: channel, logger: logger)
            }.get()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        #expect(accepted?.channel.isActive == true)
        accepted = nil
        await channel.testingEventLoop.run()
        try await channel.closeFuture.get()
        #expect(!channel.isActive)
    }

    @Test(.withoutDatabase) func whoConnectsWhileTheServerStopsDoesNoHarm() async throws {
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        let count = 8
        for round in 0..<100 {
            let connections = try await withServer(Router()) { port in
                let connections = (0..<count).map { _ in
                    bootstrap.connect(host: "127.0.0.1", port: port)
                }
                // Some of the others are in the middle of being accepted when the server stops.
                _ = try await connections[round % count].get()
                return connections
            }
            // Every one has been refused or is closed by the server. Linux drops some that it had not handed over, and
            // tells only who sends.
            for connection in connections {
                guard let channel = try? await connection.get() else { continue }
                try? await channel.writeAndFlush(ByteBuffer(string: "GET"))
                try? await channel.closeFuture.get()
            }
        }
    }

    private func problem(_ response: TestResponse) throws -> Problem {
        #expect(response.headers[.contentType] == "application/problem+json")
        return try Wire.decode(Problem.self, from: Data(response.body.readableBytesView))
    }

    private func expect(_ response: TestResponse, _ code: String) throws {
        let found = try problem(response).code
        #expect(found == code)
    }

    @Test(arguments: [
        (#"{"name":"#, nil, 400), (#"{"name":1}"#, "name", 400), (#"{}"#, "name", 400),
        (#"{"name":null}"#, "name", 400), (#"[]"#, nil, 400), ("", nil, 400),
        (#"{"name":"a","inner":{"number":"x"}}"#, "inner.number", 400),
        (#"{"name":"a","inner":{"number":1e999}}"#, "inner.number", 400),
        (#"{"name":"a","inner":{"number":NaN}}"#, "inner.number", 400),
        (#"{"name":"a","list":[1,2.5,3]}"#, "list[1]", 400),
        (#"{"list":[1,99999999999999999999],"name":"\",:{"}"#, "list[1]", 400),
        ("\u{0}\u{1}", nil, 400),
    ])
    func aBodyThatCantBeReadNamesTheField(_ body: String, _ field: String?, _ status: Int)
        async throws
    {
        try await app().test(.router) { client in
            try await client.execute(
                uri: "/v1/echo", method: .post, body: ByteBuffer(string: body)
            ) { response in
                #expect(response.status.code == status)
                let problem = try problem(response)
                #expect(problem.code == "request.malformed")
                if let field { #expect(problem.field == field) }
            }
        }
    }

    @Test func fieldsThatWeDoNotKnowAreIgnored() async throws {
        try await app().test(.router) { client in
            try await client.execute(
                uri: "/v1/echo", method: .post,
                body: ByteBuffer(string: #"{"name":"a","colour":"blue","deep":{"x":[1]}}"#)
            ) { #expect($0.status == .ok) }
        }
    }

    @Test func aHugeBodyIsRefusedWithItsLimit() async throws {
        let huge = ByteBuffer(repeating: 0x20, count: Context.largestBody + 1)
        try await app().test(.router) { client in
            try await client.execute(uri: "/v1/echo", method: .post, body: huge) { response in
                #expect(response.status == .contentTooLarge)
                try expect(response, "request.too_large")
            }
        }
    }

    @Test func anotherContentTypeIsRefused() async throws {
        try await app().test(.router) { client in
            try await client.execute(
                uri: "/v1/echo", method: .post, headers: [.contentType: "text/xml"],
                body: ByteBuffer(string: "<a/>")
            ) { response in
                #expect(response.status == .unsupportedMediaType)
                try expect(response, "request.not_json")
            }
        }
    }

    @Test func withoutATokenOneIsAskedToSignIn() async throws {
        try await app().test(.router) { client in
            try await client.execute(uri: "/v1/customers-only", method: .get) { response in
                #expect(response.status == .unauthorized)
                #expect(response.headers[.wwwAuthenticate] == "Bearer")
                try expect(response, "auth.token_missing")
            }
        }
    }

    @Test(arguments: ["Bearer nonsense", "Basic eDp5", "Bearer ", "nonsense"])
    func aBadTokenIsRefused(_ header: String) async throws {
        try await app().test(.router) { client in
            try await client.execute(
                uri: "/v1/customers-only", method: .get, headers: [.authorization: header]
            ) { response in
                #expect(response.status == .unauthorized)
                try expect(response, "auth.token_invalid")
            }
        }
    }

    @Test func aBadTokenDoesNotMatterWhereNoneIsNeeded() async throws {
        try await app().test(.router) { client in
            try await client.execute(
                uri: "/v1/echo", method: .post, headers: [.authorization: "Bearer expired"],
                body: ByteBuffer(string: #"{"name":"a"}"#)
            ) { #expect($0.status == .ok) }
        }
    }

    @Test func anotherRoleIsRefused() async throws {
        let bearer = try await TestPerson.victor.bearer(at: clock.now)
        try await app().test(.router) { client in
            try await client.execute(
                uri: "/v1/customers-only", method: .get, headers: [.authorization: bearer]
            ) { response in
                #expect(response.status == .forbidden)
                try expect(response, "auth.role")
            }
        }
    }

    @Test func anyOfSeveralRolesIsEnough() async throws {
        let bearer = try await TestPerson.boris.bearer(at: clock.now)
        try await app().test(.router) { client in
            try await client.execute(
                uri: "/v1/customers-only", method: .get, headers: [.authorization: bearer]
            ) { #expect($0.status == .ok) }
        }
    }

    @Test func withoutAFreeConnectionAClientIsToldToComeBack() async throws {
        try await app().test(.router) { client in
            try await client.execute(uri: "/v1/crowded", method: .get) { response in
                #expect(response.status == .serviceUnavailable)
                #expect(response.headers[.retryAfter] != nil)
                try expect(response, "service.unavailable")
            }
        }
    }

    @Test func aSurpriseIsA500ThatTellsNothing() async throws {
        try await app().test(.router) { client in
            try await client.execute(uri: "/v1/surprise", method: .get) { response in
                #expect(response.status == .internalServerError)
                let problem = try problem(response)
                #expect(problem.code == "internal.error")
                #expect(problem.detail == nil)
                #expect(problem.instance?.hasPrefix("urn:trace:") == true)
            }
        }
    }

    @Test func unknownPathsAndMalformedIdsAreNotFound() async throws {
        try await app().test(.router) { client in
            for path in ["/v1/nothing", "/v1/things/123", "/v1/things/' OR 1=1"] {
                let uri = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
                try await client.execute(uri: uri, method: .get) { response in
                    #expect(response.status == .notFound)
                    try expect(response, "request.not_found")
                }
            }
        }
    }

    @Test(arguments: [
        ("?limit=0", 422), ("?limit=201", 422), ("?limit=x", 422), ("?limit=200", 200), ("", 200),
    ])
    func aPageHasALimit(_ query: String, _ status: Int) async throws {
        try await app().test(.router) { client in
            try await client.execute(uri: "/v1/page\(query)", method: .get) { response in
                #expect(response.status.code == status)
            }
        }
    }

    @Test func aRepeatedKeyGetsTheFirstAnswerAndAnotherBodyIsRefused() async throws {
        let bearer = try await TestPerson.alice.bearer(at: clock.now)
        let headers: HTTPFields = [.authorization: bearer, .idempotencyKey: "once"]
        try await app().test(.router) { client in
            for _ in 0..<3 {
                try await client.execute(
                    uri: "/v1/counts", method: .post, headers: headers,
                    body: ByteBuffer(string: "{}")
                ) { response in
                    #expect(response.status == .created)
                    let data = Data(response.body.readableBytesView)
                    let counted = try Wire.decode(Counted.self, from: data)
                    #expect(counted == Counted(count: 1))
                }
            }
            try await client.execute(
                uri: "/v1/counts", method: .post, headers: headers,
                body: ByteBuffer(string: #"{"other":1}"#)
            ) { response in
                #expect(response.status == .unprocessableContent)
                try expect(response, "idempotency.key_reused")
            }
        }
    }

    /// The same request, sent twice, may be done by the first while the second still looks at this and that.
    @Test func noRefusalHidesThatTheSameRequestWasDoneMeanwhile() async throws {
        let database = try ServiceEnvironment.test("test", clock: clock)
            .database(Self.migrations)
        let refusal = Refusal(409, "parcel.sent", "It is on its way.")
        func key(_ name: String) -> IdempotencyKey {
            IdempotencyKey(
                caller: "alice", key: name, requestHash: "1",
                sealer: Sealer(secret: ServiceEnvironment.testSecret))
        }
        let answer: Counted = try await database.answer(once: key("done")) {
            _ = try await database.write(once: key("done")) { _ in Counted(count: 1) }
            throw refusal
        }
        #expect(answer == Counted(count: 1))
        for other in [key("refused"), nil] {
            await #expect(throws: refusal) {
                try await database.answer(once: other) { () -> Counted in throw refusal }
            }
        }
    }

    @Test func theSameKeyOfAnotherPersonIsAnotherKey() async throws {
        try await app().test(.router) { client in
            for (person, count) in [(TestPerson.alice, 1), (TestPerson.bob, 2)] {
                let bearer = try await person.bearer(at: clock.now)
                try await client.execute(
                    uri: "/v1/counts", method: .post,
                    headers: [.authorization: bearer, .idempotencyKey: "once"]
                ) { response in
                    let data = Data(response.body.readableBytesView)
                    let counted = try Wire.decode(Counted.self, from: data)
                    #expect(counted == Counted(count: count))
                }
            }
        }
    }

    @Test func metricsAndReplayAreForServicesOnly() async throws {
        let bearer = try await TestPerson.olivia.bearer(at: clock.now)
        let tokens = ServiceTokens(
            service: "openvalet", secret: ServiceEnvironment.testSecret, clock: clock.serviceClock)
        let service = "Bearer \(try await tokens.token(for: "test"))"
        try await app().test(.router) { client in
            try await client.execute(uri: "/metrics", method: .get) {
                #expect($0.status == .unauthorized)
            }
            try await client.execute(
                uri: "/internal/replay", method: .post, headers: [.authorization: bearer]
            ) { #expect($0.status == .unauthorized) }
            try await client.execute(
                uri: "/metrics", method: .get, headers: [.authorization: service]
            ) { #expect($0.status == .ok) }
        }
    }

    @Test func aServiceIsReadyWhenItsDependenciesAnswer() async throws {
        try await app().test(.router) { client in
            try await client.execute(uri: "/health/ready", method: .get) { response in
                #expect(response.status == .ok)
                let report = try Wire.decode(
                    HealthReport.self, from: Data(response.body.readableBytesView))
                #expect(report.checks["sql"] == .ready)
                #expect(report.missing == nil)
            }
        }
    }

    @Test func aServiceThatIsNotReadySaysWhatIsMissing() async throws {
        let environment = try ServiceEnvironment.test("waiting")
        environment.addCheck(
            HealthCheck("areas") { throw Refusal.unavailable("No area is known yet.") })
        environment.addCheck(HealthCheck("sql") { throw StoreError(.unavailable, "at 10.0.0.3") })
        environment.addCheck(HealthCheck("redis") {})
        let router = environment.router()
        _ = environment.server(router)
        try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/health/ready", method: .get) { response in
                #expect(response.status == .serviceUnavailable)
                let report = try Wire.decode(
                    HealthReport.self, from: Data(response.body.readableBytesView))
                #expect(
                    report.checks == ["areas": .unavailable, "sql": .unavailable, "redis": .ready])
                #expect(
                    report.missing == [
                        "areas": "No area is known yet.", "sql": "It does not answer.",
                    ], "and no address of a server")
            }
        }
    }
}
