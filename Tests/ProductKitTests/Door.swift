import Answers
import Contracts
import Foundation
import Hummingbird
import HummingbirdTesting
import ServiceKit
import Support

@testable import Gateway

/// The gateway in front of the product and of the services that it needs, each on a port of its own.
struct Door: Sendable {
    static let services = allServices + [.lockers]

    let clock: TestClock

    func open(
        to routers: [(name: String, router: Router<Context>)],
        _ body: @Sendable (Caller) async throws -> Void
    ) async throws {
        try await serve(routers[...], at: [:]) { try await askGateway($0, body) }
    }

    private func serve(
        _ routers: ArraySlice<(name: String, router: Router<Context>)>, at ports: [String: Int],
        _ body: ([String: Int]) async throws -> Void
    ) async throws {
        guard let (name, router) = routers.first else { return try await body(ports) }
        try await withServer(router) { port in
            try await serve(
                routers.dropFirst(), at: ports.merging([name: port]) { $1 }, body)
        }
    }

    private func askGateway(
        _ ports: [String: Int], _ body: @Sendable (Caller) async throws -> Void
    ) async throws {
        var variables = [
            "OPENVALET_KAFKA": "127.0.0.1:1",
            "OPENVALET_SERVICE_SECRET": ServiceEnvironment.testSecret,
            "OPENVALET_JWKS_URL": "http://127.0.0.1:1/", "OPENVALET_REDIS": "127.0.0.1:1",
        ]
        for target in Target.services { variables[target.key] = "http://127.0.0.1:1" }
        var config = try GatewayConfig(ConfigValues(variables, keys: GatewayConfig.allKeys))
        for (name, port) in ports {
            config.peers[Target(rawValue: name)] = URL(string: "http://127.0.0.1:\(port)")
        }
        let environment = try ServiceEnvironment.test("gateway", clock: clock)
        let gateway = try Gateway(config, environment, table: RoutingTable(Self.services))
        let application = Application(
            responder: gateway.router(config, environment).buildResponder())
        try await application.test(.router) { client in
            try await body(Caller(client: client, clock: clock))
        }
    }

    struct Caller: Calling {
        static let service = "gateway"

        let client: any TestClientProtocol
        let clock: TestClock
    }
}
