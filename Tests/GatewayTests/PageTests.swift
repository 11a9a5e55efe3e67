import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Support
import Testing

@testable import Gateway

/// Pages and files of the web apps, which web has.
@Suite struct PageTests {
    private let stubs = StubServices { call in
        Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .eTag: "\"1\"",
                .contentSecurityPolicy: "script-src 'self'", .cacheControl: "no-cache",
                .referrerPolicy: "strict-origin-when-cross-origin",
            ], body: .init(byteBuffer: ByteBuffer(string: call.address)))
    }

    @Test(arguments: [
        "/", "/valet", "/operator", "/service-worker.js", "/apps/customer/app.js",
        "/apps/shared/icons/a-1_b.svg", "/leaflet/images/layers.png", "/tiles",
        "/tiles/14/8852/6453",
    ])
    func anyoneGetsThemAsWebAnswers(address: String) async throws {
        try await TestGateway.run(stubs) { test in
            let headers: HTTPFields = [
                .acceptEncoding: "gzip", .ifNoneMatch: "\"0\"", .acceptLanguage: "zh",
                .cookie: "a=b",
            ]
            let answer = try await test.send(.get, "\(address)?x=1", headers: headers)
            #expect(answer.status == .ok)
            #expect(answer.text == "/web\(address)")
            #expect(answer.headers[.eTag] == "\"1\"")
            #expect(answer.headers[.contentSecurityPolicy] == "script-src 'self'")
            #expect(answer.headers[.cacheControl] == "no-cache")
            #expect(answer.headers[.referrerPolicy] == "strict-origin-when-cross-origin")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            let call = try #require(test.stubs.calls.last)
            #expect(call.headers[.acceptEncoding] == "gzip")
            #expect(call.headers[.ifNoneMatch] == "\"0\"")
            #expect(call.headers[.acceptLanguage] == "zh")
            #expect(call.headers[.cookie] == nil)

            let head = try await test.send(.head, address)
            #expect(head.status == .ok)
            #expect(head.headers[.contentLength] == String("/web\(address)".utf8.count))
            #expect(head.body.readableBytes == 0)
            for method in [HTTPRequest.Method.post, .put, .delete, .options] {
                let answer = try await test.send(method, address)
                #expect(answer.status == .methodNotAllowed)
                #expect(answer.headers[.allow] == "GET, HEAD")
                #expect(answer.problem?.code == "request.method_not_allowed")
            }
        }
    }

    @Test(arguments: [
        "/apps", "/apps/../secret", "/apps/%2e%2e/secret", "/apps/..%2fsecret",
        "/apps/customer/../shared/tokens.css", "/apps/customer/a%20b.js", "/leaflet/../internal/x",
        "/apps/%5c..%5csecret", "/apps/shared/tokens.css%00", "/apps/customer/app.js;x",
        "/service-worker.js.map", "/web", "/index.html",
    ])
    func whatIsNoPlainAddressReachesNobody(address: String) async throws {
        try await TestGateway.run(stubs) { test in
            let answer = try await test.send(.get, address)
            #expect(answer.status == .notFound)
            #expect(answer.problem?.code == "request.not_found")
            #expect(test.stubs.calls.isEmpty)
        }
    }

    @Test func whileWebIsAwayThatIsSaid() async throws {
        let away = StubServices { _ in Response(status: .serviceUnavailable) }
        try await TestGateway.run(away) { test in
            let answer = try await test.send(.get, "/")
            #expect(answer.status == .serviceUnavailable)
        }
    }

    @Test func anAnswerOfTheAPIIsNoPage() async throws {
        try await TestGateway.run { test in
            let headers = try await test.send(.get, "/v1/service-areas").headers
            #expect(headers[.contentSecurityPolicy] == BrowserRules.apiPolicy)
            #expect(headers[.referrerPolicy] == "no-referrer")
        }
    }

    @Test func aFamilyOfBrowsersMayFetchManyFilesAtOnce() async throws {
        try await TestGateway.run(stubs, settings: ["OPEN_PER_SECOND": "1"]) { test in
            try await test.serve { port in
                let limits = TestClient.Configuration(timeout: patience)
                try await TestClient.withClient(
                    host: "127.0.0.1", port: port, configuration: limits
                ) { client in
                    for _ in 0..<20 {
                        let answer = try await client.execute(
                            .init("/apps/index.json", method: .get, authority: "127.0.0.1"))
                        #expect(answer.status == .ok)
                    }
                }
            }
        }
    }
}
