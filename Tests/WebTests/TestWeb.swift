import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceKit
import Support

@testable import Web

/// Web as the gateway asks it.
struct TestWeb: Sendable {
    struct Answer: Sendable {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: ByteBuffer

        var text: String { String(buffer: body) }
        var problem: Problem? {
            try? Wire.decode(Problem.self, from: Data(body.readableBytesView))
        }
    }

    private let responder: RouterResponder<Context>

    static func config(_ settings: [String: String] = [:]) throws -> WebConfig {
        let environment = settings.map { ("OPENVALET_WEB_\($0.key)", $0.value) }
        return try WebConfig(
            ConfigValues(Dictionary(uniqueKeysWithValues: environment), keys: WebConfig.keys))
    }

    /// `settings` are keys without their prefix.
    static func run(
        settings: [String: String] = [:], _ body: (TestWeb) async throws -> Void
    ) async throws {
        let routes = try WebRoutes(config(settings))
        let router = webRouter(routes, try ServiceEnvironment.test("web"))
        try await body(TestWeb(responder: router.buildResponder()))
    }

    func send(
        _ method: HTTPRequest.Method, _ address: String, headers: HTTPFields = [:],
        body: String? = nil
    ) async throws -> Answer {
        try await Application(responder: responder).test(.router) { client in
            let answer = try await client.execute(
                uri: address, method: method, headers: headers,
                body: body.map { ByteBuffer(string: $0) })
            return Answer(status: answer.status, headers: answer.headers, body: answer.body)
        }
    }

    /// Runs it on a free port too, for what a router alone can't show.
    func serve(_ body: (_ port: Int) async throws -> Void) async throws {
        try await withServer(responder, body)
    }
}
