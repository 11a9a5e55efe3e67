import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceKit
import Support
import Synchronization

@testable import Gateway

/// A server that stands for all services: each has its name as first part of the path.
final class StubServices: Sendable {
    struct Call: Sendable {
        let method: HTTPRequest.Method
        /// Path and query, beginning with the service's name.
        let address: String
        let headers: HTTPFields
        let body: Data

        var service: String { String(address.split(separator: "/").first ?? "") }
    }

    typealias Answer = @Sendable (Call) async throws -> Response

    private let answer: Answer
    private let recorded = Mutex<[Call]>([])

    init(answer: @escaping Answer) { self.answer = answer }

    /// Says 200 to everything.
    convenience init() { self.init { _ in Response(status: .ok) } }

    var calls: [Call] { recorded.withLock { $0 } }

    /// Runs it on a free port while `body` runs.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (_ port: Int) async throws -> Result
    ) async throws -> Result {
        let responder =
            CallbackResponder { request, _ in
                let bytes = try await request.body.collect(upTo: 16 * 1_024 * 1_024)
                let call = Call(
                    method: request.method, address: request.uri.string, headers: request.headers,
                    body: Data(bytes.readableBytesView))
                self.recorded.withLock { $0.append(call) }
                return try await self.answer(call)
            } as CallbackResponder<BasicRequestContext>
        return try await withServer(responder, body)
    }

    static func json(_ value: some Encodable) throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try Wire.encode(value))))
    }
}

/// A gateway in front of stubs.
struct TestGateway: Sendable {
    let clock: TestClock
    let environment: ServiceEnvironment
    let config: GatewayConfig
    let gateway: Gateway
    /// Made once: a router of a hundred addresses takes its time.
    let responder: RouterResponder<Context>
    let stubs: StubServices

    /// Runs a gateway while `body` runs; `settings` are keys without their prefix.
    static func run(
        _ stubs: StubServices = StubServices(), redis: TestRedis? = nil,
        settings: [String: String] = [:],
        _ body: @escaping @Sendable (TestGateway) async throws -> Void
    ) async throws {
        try await stubs.run { port in
            let base = "http://127.0.0.1:\(port)"
            let test = try TestGateway(stubs, base: base, redis: redis, settings: settings)
            try await test.withParts { try await body(test) }
        }
    }

    init(
        _ stubs: StubServices, base: String, redis: TestRedis?, settings: [String: String]
    ) throws {
        self.stubs = stubs
        clock = TestClock()
        let address = redis.map { "127.0.0.1:\($0.port)" }
        environment = try ServiceEnvironment.test("gateway", clock: clock, redis: address)
        config = try Self.config(base: base, settings)
        gateway = try Gateway(config, environment)
        responder = gateway.router(config, environment).buildResponder()
    }

    static func config(base: String, _ settings: [String: String] = [:]) throws -> GatewayConfig {
        var environment = [
            "OPENVALET_KAFKA": "127.0.0.1:1",
            "OPENVALET_SERVICE_SECRET": ServiceEnvironment.testSecret,
            "OPENVALET_JWKS_URL": "http://127.0.0.1:1/", "OPENVALET_REDIS": "127.0.0.1:1",
        ]
        for target in Target.services { environment[target.key] = "\(base)/\(target.rawValue)" }
        for (name, value) in settings { environment["OPENVALET_GATEWAY_\(name)"] = value }
        return try GatewayConfig(ConfigValues(environment, keys: GatewayConfig.allKeys))
    }

    private func withParts(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await gateway.gatherer.run() }
            group.addTask { await gateway.pacer.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    var application: Application<RouterResponder<Context>> {
        Application(responder: responder, logger: environment.logger)
    }

    /// Runs the gateway on a free port too, for what a router alone can't show.
    func serve(_ body: @escaping @Sendable (_ port: Int) async throws -> Void) async throws {
        try await withServer(responder, body)
    }

    /// One request over a connection: it has an address that it comes from.
    func sendOverTheNetwork(
        _ method: HTTPRequest.Method, _ uri: String, headers: HTTPFields = [:], body: String? = nil
    ) async throws -> TestClient.Response {
        try await withServer(responder) { port in
            let limits = TestClient.Configuration(timeout: patience)
            return try await TestClient.withClient(
                host: "127.0.0.1", port: port, configuration: limits
            ) { client in
                try await client.execute(
                    .init(
                        uri, method: method, authority: "127.0.0.1", headers: headers,
                        body: body.map(ByteBuffer.init)))
            }
        }
    }

    /// One request through the router.
    func send(
        _ method: HTTPRequest.Method, _ uri: String, as person: TestPerson? = nil,
        headers: HTTPFields = [:], body: String? = nil
    ) async throws -> TestResponse {
        var headers = headers
        if let person { headers[.authorization] = try await person.bearer(at: clock.now) }
        if body != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return try await application.test(.router) { [headers] client in
            try await client.execute(
                uri: uri, method: method, headers: headers, body: body.map(ByteBuffer.init))
        }
    }
}

extension TestClient.Response {
    var problem: Problem? {
        body.flatMap { try? Wire.decode(Problem.self, from: Data($0.readableBytesView)) }
    }
}

extension TestResponse {
    var problem: Problem? { try? Wire.decode(Problem.self, from: Data(body.readableBytesView)) }
    var text: String { String(buffer: body) }
}

extension Target {
    static let orders = Target(rawValue: ServiceManifest.orders.name)
}
