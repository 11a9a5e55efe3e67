import AsyncHTTPClient
import Contracts
import Foundation
import Hummingbird
import NIOCore
import Support
import Synchronization
import Testing

@testable import ServiceKit

/// Against a real HTTP server on a free port.
@Suite(.withoutDatabase) struct HTTPPeerTests {
    private final class Calls: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
    }

    /// Patient unless told otherwise: a busy machine is slow.
    private func withPeer(
        _ policy: HTTPPeer.Policy = .init(
            time: patience, tries: 3, firstPause: .milliseconds(1)),
        breaker: CircuitBreaker? = nil,
        _ respond: @escaping @Sendable (Int) async throws -> Response,
        _ body: (HTTPPeer, Calls) async throws -> Void
    ) async throws {
        let calls = Calls()
        let router = Router(context: BasicRequestContext.self)
        router.get("/asked") { _, _ in try await respond(calls.next()) }
        try await withServer(router) { port in
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
            try await body(
                HTTPPeer(url, client: .shared, policy, breaker: breaker), calls)
        }
    }

    private static func ask(_ peer: HTTPPeer, tries: Int? = nil) async throws -> HTTPPeer.Answer {
        try await peer.call(peer.request(.GET, "/asked"), tries: tries)
    }

    @Test(arguments: [408, 429, 500, 503])
    func whatMayPassIsAskedAgainAndTheLastAnswerIsGiven(status: Int) async throws {
        try await withPeer { _ in
            Response(status: .init(code: status))
        } _: { peer, calls in
            let first = try await Self.ask(peer)
            #expect(first.status == status)
            #expect(calls.count == 3)
            let single = try await Self.ask(peer, tries: 1)
            #expect(single.status == status)
            #expect(calls.count == 4)
        }
    }

    @Test(arguments: [200, 204, 301, 400, 404])
    func whatIsSaidForGoodIsAskedOnce(status: Int) async throws {
        try await withPeer { _ in
            Response(status: .init(code: status))
        } _: { peer, calls in
            let first = try await Self.ask(peer)
            #expect(first.status == status)
            #expect(calls.count == 1)
        }
    }

    @Test func whoAsksForMoreTimeThanThereIsIsNotAskedAgain() async throws {
        let policy = HTTPPeer.Policy(
            time: patience, tries: 3, firstPause: .milliseconds(1), longestWait: .seconds(3_600))
        try await withPeer(policy) { _ in
            Response(status: .serviceUnavailable, headers: [.retryAfter: "300"])
        } _: { peer, calls in
            let first = try await Self.ask(peer)
            #expect(first.retryAfterSeconds == 300)
            #expect(calls.count == 1)
        }
    }

    /// As a payment has, for which a bank takes its time.
    @Test func allTriesTogetherHaveTheTimeOfOne() {
        #expect(HTTPPeer.Policy(time: .seconds(30)).patience == .seconds(30))
        #expect(HTTPPeer.Policy(time: .seconds(3), patience: .seconds(9)).patience == .seconds(9))
    }

    @Test func anAnswerThatIsTooLargeIsNone() async throws {
        try await withPeer(HTTPPeer.Policy(time: patience, largestAnswer: 100)) { _ in
            Response(
                status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 1, count: 101)))
        } _: { peer, calls in
            await #expect(throws: HTTPPeer.Silence.self) { try await Self.ask(peer) }
            #expect(calls.count == 1)
        }
    }

    @Test func anAnswerThatIsTooSlowIsNone() async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        try await withPeer(HTTPPeer.Policy(time: .seconds(3))) { _ in
            // A head at once, and a body that ends when nobody waits for it any more.
            Response(
                status: .ok,
                body: .init { writer in
                    try await writer.write(ByteBuffer(string: "x"))
                    for await _ in ends {}
                    try await writer.finish(nil)
                })
        } _: { peer, calls in
            defer { end.finish() }
            // On a busy machine the time may be over before the server hears anything.
            repeat {
                await #expect(throws: HTTPPeer.Silence.self) { try await Self.ask(peer) }
            } while calls.count == 0
            #expect(calls.count == 1)
        }
    }

    @Test func whoFailsAgainAndAgainIsNotAskedForAWhile() async throws {
        let breaker = CircuitBreaker(threshold: 2, pause: .seconds(3_600))
        try await withPeer(breaker: breaker) { _ in
            Response(status: .badGateway)
        } _: { peer, calls in
            let first = try await Self.ask(peer)
            #expect(first.status == 502)
            #expect(calls.count == 2, "the third try would have been one too many")
            #expect(peer.isAway)
            await #expect(throws: HTTPPeer.Silence.self) { try await Self.ask(peer) }
            #expect(calls.count == 2)
        }
    }

    @Test func aCancelledCallSaysNothingAboutThePeer() async throws {
        let breaker = CircuitBreaker(threshold: 1, pause: .seconds(3_600))
        let (ends, end) = AsyncStream<Void>.makeStream()
        try await withPeer(breaker: breaker) { _ in
            // It answers when the call is over.
            for await _ in ends {}
            return Response(status: .ok)
        } _: { peer, calls in
            defer { end.finish() }
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await Self.ask(peer) }
                while calls.count == 0 { await Task.yield() }
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.next() }
            }
            #expect(!peer.isAway)
        }
    }

    @Test func formsAreEncodedByteByByte() {
        #expect(
            formEncoded([("To", "+852"), ("a b", "a b+c&d=ü*-._~")])
                == "To=%2B852&a%20b=a%20b%2Bc%26d%3D%C3%BC%2A-._~")
        #expect(formEncoded([("x[y]", "碼\n")]) == "x%5By%5D=%E7%A2%BC%0A")
    }
}
