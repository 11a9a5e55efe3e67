import Answers
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceKit
import Store
import Support
import Testing

@testable import Getalift

/// Getalift as it runs, with a clock that stands still, and no gateway: its calls are made in JourneyTests.
struct Bench: Sendable {
    let clock: TestClock
    let parts: GetaliftParts
    let client: any TestClientProtocol

    static func run<Value: Sendable>(
        gateway: String = "http://127.0.0.1:1", _ body: @Sendable (Bench) async throws -> Value
    ) async throws -> Value {
        let clock = TestClock()
        let environment = try ServiceEnvironment.test("getalift", clock: clock)
        let values = try ConfigValues(
            ["OPENVALET_GATEWAY_URL": gateway], keys: GetaliftConfig.keys)
        let parts = try GetaliftParts(try GetaliftConfig(values), environment)
        let router = getaliftRouter(parts, environment)
        return try await Application(router: router).test(.router) { client in
            try await body(Bench(clock: clock, parts: parts, client: client))
        }
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "",
        _ headers: HTTPFields = [:]
    ) async throws -> Answer {
        Answer(
            try await client.execute(
                uri: path, method: method, headers: headers,
                body: ByteBuffer(string: body)))
    }

    /// A session whose access token is good for so long.
    func session(of person: PersonID = .new(), seconds: Int = 900) async throws -> String {
        try await parts.sessions.begin(
            Tokens(accessToken: "access", refreshToken: "refresh", expiresInSeconds: seconds),
            of: person)
    }
}

extension HTTPFields {
    static func token(_ token: String) -> HTTPFields {
        [.init("x-access-token")!: token]
    }
}
