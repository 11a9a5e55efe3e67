import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit
import Support
import Testing

@testable import Gateway

@Suite struct ExportTests {
    private let path = "/v1/me/export"

    /// Each service holds its own name; `odd` answers something else.
    private func stubs(_ odd: Target? = nil, _ answer: Response? = nil) -> StubServices {
        StubServices { call in
            if let odd, let answer, call.service == odd.rawValue { return answer }
            return try StubServices.json(["name": call.service])
        }
    }

    @Test func whatEachServiceHoldsIsJoined() async throws {
        try await TestGateway.run(stubs()) { test in
            let response = try await test.send(.get, path, as: .alice)
            #expect(response.status == .ok)
            let disposition = response.headers[.contentDisposition] ?? ""
            #expect(disposition.hasPrefix("attachment; filename="))
            #expect(response.headers[.cacheControl] == "no-store")
            let whole = try #require(
                JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
                    as? [String: Any])
            #expect(whole["person"] as? String == TestPerson.alice.id.description)
            #expect(whole["generatedAt"] as? String == Wire.text(test.clock.now))
            let data = try #require(whole["data"] as? [String: [String: String]])
            let names = Target.withPersonalData.map(\.rawValue)
            #expect(data == Dictionary(uniqueKeysWithValues: names.map { ($0, ["name": $0]) }))
            for call in test.stubs.calls {
                let address = "/\(call.service)/internal/people/\(TestPerson.alice.id)"
                #expect(call.address == address)
                // The service's own token, not the person's.
                let token = try await test.environment.serviceTokens.token(for: call.service)
                #expect(call.headers[.authorization] == "Bearer \(token)")
            }
        }
    }

    @Test(arguments: [
        Response(status: .notFound), Response(status: .internalServerError),
        Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "{}"))),
    ])
    func aGapIsNoExport(answer: Response) async throws {
        try await TestGateway.run(stubs(.orders, answer)) { test in
            let response = try await test.send(.get, path, as: .victor)
            #expect(response.status == .serviceUnavailable)
            #expect(response.problem?.code == "service.unavailable")
            #expect(response.headers[.retryAfter] == "2")
        }
    }

    @Test func anExportIsOfAnySize() async throws {
        let long = String(repeating: "x", count: Forwarder.largestAnswer + 1)
        let large = try StubServices.json(["name": long])
        try await TestGateway.run(stubs(.orders, large)) { test in
            let response = try await test.send(.get, path, as: .alice)
            #expect(response.status == .ok)
            let whole = try #require(
                JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
                    as? [String: Any])
            let data = try #require(whole["data"] as? [String: [String: String]])
            #expect(data["orders"]?["name"] == long)
            #expect(data["payments"]?["name"] == "payments")
        }
    }

    @Test func aServiceThatBreaksOffBreaksOffTheWhole() async throws {
        struct Broken: Error {}
        let broken = Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: #"{"name":"#))
                throw Broken()
            })
        try await TestGateway.run(stubs(.orders, broken)) { test in
            await #expect(throws: (any Error).self) {
                try await test.send(.get, path, as: .alice)
            }
        }
    }

    @Test func aServiceThatIsAwayIs503() async throws {
        let test = try TestGateway(
            StubServices(), base: "http://127.0.0.1:1", redis: nil, settings: [:])
        let response = try await test.send(.get, path, as: .olivia)
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "2")
    }

    @Test func whoIsGoneHasNoExport() async throws {
        try await TestGateway.run(stubs(.accounts, Response(status: .notFound))) { test in
            let response = try await test.send(.get, path, as: .alice)
            #expect(response.status == .notFound)
            #expect(response.problem?.code == "account.unknown")
        }
    }

    @Test func exportsAreCountedStrictly() async throws {
        let redis = try await TestRedis.start()
        try await TestGateway.run(
            stubs(), redis: redis, settings: ["STRICT_PER_MINUTE": "2"]
        ) { test in
            var statuses: [HTTPResponse.Status] = []
            for _ in 1...3 {
                statuses.append(try await test.send(.get, path, as: .alice).status)
            }
            #expect(statuses == [.ok, .ok, .tooManyRequests])
        }
    }
}

@Suite struct PictureForwardingTests {
    @Test func aPictureComesThroughWithItsOwnRules() async throws {
        let bytes = ByteBuffer(repeating: 7, count: 5 * 1_024 * 1_024)
        let stubs = StubServices { _ in
            Response(
                status: .ok,
                headers: [
                    .contentType: "image/png", .cacheControl: "private, max-age=600",
                    .contentSecurityPolicy: "default-src 'none'; sandbox",
                ], body: .init(byteBuffer: bytes))
        }
        try await TestGateway.run(stubs) { test in
            let id = PictureID.new()
            let response = try await test.send(
                .get, "/v1/pictures/people/\(id)?expires=1&signature=ab")
            #expect(response.status == .ok)
            #expect(response.body == bytes)
            #expect(response.headers[.contentType] == "image/png")
            #expect(response.headers[.cacheControl] == "private, max-age=600")
            #expect(
                response.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
            #expect(
                test.stubs.calls.map(\.address)
                    == ["/accounts/v1/pictures/people/\(id)?expires=1&signature=ab"])
        }
    }

    @Test func aPictureBeyondTheLimitIs413() async throws {
        try await TestGateway.run { test in
            let fits = String(repeating: "x", count: BodyLimit.portrait)
            let passed = try await test.send(.put, "/v1/me/photo", as: .alice, body: fits)
            #expect(passed.status == .ok)
            #expect(test.stubs.calls.first?.body.count == BodyLimit.portrait)
            let refused = try await test.send(.put, "/v1/me/photo", as: .alice, body: fits + "x")
            #expect(refused.status == .contentTooLarge)
            #expect(test.stubs.calls.count == 1)
        }
    }
}
