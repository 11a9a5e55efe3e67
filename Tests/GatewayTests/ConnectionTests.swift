import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import NIOCore
import NIOPosix
import ServiceKit
import Support
import Testing

@testable import Gateway

/// What a host sees that does not speak HTTP as it should, or too much of it.
@Suite struct ConnectionTests {
    /// A raw connection; what it was told is known once it is closed.
    private func connect(to port: Int) async throws -> any Channel {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port).get()
    }

    private func server(
        limits: ConnectionLimits? = nil, headLimit: TimeAmount = HeadTimer.limit,
        idleLimit: TimeAmount? = nil,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let router = Router(context: Context.self)
        router.get("/") { _, _ in "here" }
        let server = HTTPServerBuilder.guarded(
            idleLimit: idleLimit, limits: limits, headLimit: headLimit)
        try await withServer(router.buildResponder(), server: server, body)
    }

    @Test func aConnectionTooManyIsClosedAndTheOthersGoOn() async throws {
        let limits = ConnectionLimits(all: 100, perAddress: 3)
        try await server(limits: limits) { port in
            var open: [any Channel] = []
            for _ in 0..<3 { open.append(try await connect(to: port)) }
            #expect(try await eventually { limits.count == 3 })
            let refused = try await connect(to: port)
            try await refused.closeFuture.get()
            for channel in open { #expect(channel.isActive) }
            try await open[0].close()
            #expect(try await eventually { limits.count == 2 })
            let next = try await connect(to: port)
            #expect(try await eventually { limits.count == 3 })
            #expect(next.isActive)
        }
    }

    @Test func allTogetherHaveALimitAndProxiesNoneOfTheirOwn() async throws {
        let limits = ConnectionLimits(all: 4, perAddress: 1, network: { _ in nil })
        try await server(limits: limits) { port in
            for _ in 0..<4 { _ = try await connect(to: port) }
            #expect(try await eventually { limits.count == 4 })
            let refused = try await connect(to: port)
            try await refused.closeFuture.get()
        }
    }

    @Test(arguments: ["GET / HT", "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "])
    func whoDoesNotEndAHeadIsClosed(_ bytes: String) async throws {
        try await server(headLimit: .milliseconds(50)) { port in
            let slow = try await connect(to: port)
            try await slow.writeAndFlush(ByteBuffer(string: bytes))
            try await slow.closeFuture.get()
        }
    }

    /// Also before the first: clients open connections to spare, and ask on them later.
    @Test(arguments: [0, 1]) func whoRestsBetweenRequestsIsNotClosed(_ asked: Int) async throws {
        try await server(headLimit: .milliseconds(50)) { port in
            let calm = try await connect(to: port)
            let request = ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            for _ in 0..<asked { try await calm.writeAndFlush(request) }
            // Longer than a head may take.
            try await Task.sleep(for: .milliseconds(150))
            #expect(calm.isActive)
            try await calm.writeAndFlush(ByteBuffer(string: "GET / HT"))
            try await calm.closeFuture.get()
        }
    }

    @Test func whoNeverAsksIsClosedInTheEnd() async throws {
        try await server(idleLimit: .milliseconds(50)) { port in
            let silent = try await connect(to: port)
            try await silent.closeFuture.get()
        }
    }

    @Test(arguments: [
        "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
        "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{\"phone\":",
    ])
    func aBodyThatBreaksOffIsNoMistakeOfOurs(_ bytes: String) async throws {
        let heard = Recorder<HTTPResponse.Status>()
        try await TestGateway.run { test in
            let responder = test.gateway.router(test.config, test.environment).buildResponder()
            let router = Router(context: Context.self)
            router.add(middleware: StatusRecorder(heard: heard))
            router.post("/v1/sessions") { request, context in
                try await responder.respond(to: request, context: context)
            }
            try await withServer(router.buildResponder()) { port in
                let client = try await connect(to: port)
                try await client.writeAndFlush(ByteBuffer(string: bytes))
                // The server, which reads nonsense, may close the connection first.
                try? await client.close(mode: .output)
                #expect(try await eventually { !heard.all.isEmpty })
            }
        }
        #expect(heard.all == [.badRequest])
    }
}

private struct StatusRecorder: RouterMiddleware {
    let heard: Recorder<HTTPResponse.Status>

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        heard.add(response.status)
        return response
    }
}

/// What an address is refused counts before anything else is looked at.
@Suite struct RefusalTests {
    private static let tooMany = 429

    /// Of one call after the other, until one is one too many: on a busy machine, some are forgotten meanwhile.
    private func statuses(
        settings: [String: String], _ path: String, headers: HTTPFields = [:]
    ) async throws -> [Int] {
        let found = Recorder<Int>()
        try await TestGateway.run(settings: settings) { test in
            try await test.serve { port in
                for _ in 0..<1_000 where found.all.last != Self.tooMany {
                    found.add(try await status(port, path, headers))
                }
            }
        }
        return found.all
    }

    private func status(_ port: Int, _ path: String, _ headers: HTTPFields) async throws -> Int {
        try await TestClient.withClient(
            host: "127.0.0.1", port: port, configuration: .init(timeout: patience)
        ) { client in
            try await client.execute(
                .init(path, method: .get, authority: "127.0.0.1", headers: headers)
            ).status.code
        }
    }

    @Test(arguments: [("/v1/me", 401), ("/v1/nowhere", 404), ("/nothing", 404)])
    func refusedCallsAreLimited(_ path: String, _ refusal: Int) async throws {
        let found = try await statuses(settings: ["REFUSALS_PER_SECOND": "1"], path)
        #expect(found.count > 30)
        #expect(found.dropLast().allSatisfy { $0 == refusal })
        #expect(found.last == Self.tooMany)
    }

    @Test func forgedTokensAreNotEvenLookedAtAfterAWhile() async throws {
        let found = try await statuses(
            settings: ["REFUSALS_PER_SECOND": "1"], "/v1/me",
            headers: [.authorization: "Bearer e30.e30.e30"])
        #expect(found.first == 401)
        #expect(found.last == Self.tooMany)
    }

    @Test(arguments: ["/openapi.yaml", "/asyncapi.yaml"])
    func everythingCountsForTheAddress(_ path: String) async throws {
        let found = try await statuses(settings: ["ADDRESS_PER_SECOND": "1"], path)
        #expect(found.first == 200)
        #expect(found.last == Self.tooMany)
    }
}

@Suite struct HeadTests {
    private func answer(
        _ head: String, settings: [String: String] = [:]
    ) async throws -> String {
        let found = Recorder<String>()
        try await TestGateway.run(settings: settings) { test in
            try await test.serve { port in
                let text = AsyncStream<String>.makeStream()
                let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(
                                Listener { text.continuation.yield($0) })
                        }
                    }
                    .connect(host: "127.0.0.1", port: port).get()
                try await client.writeAndFlush(ByteBuffer(string: head + "\r\n\r\n"))
                for await part in text.stream {
                    found.add(part)
                    break
                }
                try await client.close()
            }
        }
        return found.all.first ?? ""
    }

    @Test(arguments: [
        "GET /openapi.yaml HTTP/1.1", "GET /openapi.yaml HTTP/1.1\r\nHost: a\r\nHost: b",
        "GET /openapi.yaml HTTP/1.1\r\nHost: ",
    ])
    func aRequestNamesOneHost(_ head: String) async throws {
        #expect(try await answer(head).hasPrefix("HTTP/1.1 400 "))
        #expect(
            try await answer("GET /openapi.yaml HTTP/1.1\r\nHost: a").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func browsersAreHeldToTLSOnceAProxyOfOursHasSaidThatItIsThere() async throws {
        let head = "GET /openapi.yaml HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: https"
        let trusted = try await answer(head, settings: ["TRUSTED_PROXIES": "127.0.0.0/8"])
        #expect(trusted.lowercased().contains("strict-transport-security: max-age=31536000"))
        let stranger = try await answer(head)
        #expect(!stranger.lowercased().contains("strict-transport-security"))
    }
}

private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    let hear: @Sendable (String) -> Void

    init(_ hear: @escaping @Sendable (String) -> Void) { self.hear = hear }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hear(String(buffer: unwrapInboundIn(data)))
    }
}
