import Contracts
import Foundation
import Synchronization
import Testing

@testable import Client

/// What who measures hears of.
struct ExchangeTests {
    private final class Log: Sendable {
        private let exchanges = Mutex<[Exchange]>([])
        func add(_ exchange: Exchange) { exchanges.withLock { $0.append(exchange) } }
        /// `GET /v1/me 503 service.unavailable`, a line a try.
        var lines: [String] {
            exchanges.withLock { exchanges in
                exchanges.map {
                    "\($0.method) \($0.path) \($0.status ?? 0) \($0.code ?? "-")"
                }
            }
        }
    }

    @Test func everyTryIsTold() async throws {
        let log = Log()
        let account = Account(
            id: .new(), roles: [.customer], firstName: "Ada", lastName: "Wong",
            phone: "+85291234567",
            phoneVerified: true, language: .english, createdAt: Date(timeIntervalSince1970: 0))
        let gateway = PretendGateway(
            .problem(503, "service.unavailable"), .problem(401, "auth.token_invalid"),
            .init(
                status: 201, body: String(decoding: try Wire.encode(Tokens.second), as: UTF8.self)),
            .init(body: String(decoding: try Wire.encode(account), as: UTF8.self)))
        _ = try await gateway.serve(observer: { log.add($0) }) {
            try await $0(AccountEndpoints.me())
        }
        #expect(
            log.lines == [
                "GET /v1/me 503 service.unavailable", "GET /v1/me 401 auth.token_invalid",
                "POST /v1/sessions/refresh 201 -", "GET /v1/me 200 -",
            ])
    }

    @Test func theQueryIsNotTold() async throws {
        let log = Log()
        let gateway = PretendGateway(.problem(404, "order.unknown"))
        await #expect(throws: ClientError.self) {
            try await gateway.serve(observer: { log.add($0) }) {
                _ = try await $0(OrderEndpoints.orders(asks: OrdersQuery().with(\.status, .parked)))
            }
        }
        #expect(log.lines == ["GET /v1/orders 404 order.unknown"])
    }

    @Test func aServerThatIsAwayIsToldWithoutAStatus() async throws {
        let log = Log()
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let client = OpenValetClient(url, tokens: .first, observer: { log.add($0) })
        await #expect(throws: ClientError.self) { try await client(AccountEndpoints.me()) }
        #expect(
            log.lines
                == Array(repeating: "GET /v1/me 0 -", count: OpenValetClient.mostTries))
    }

    @Test func aLiveStreamIsToldWhenItBegins() async throws {
        let log = Log()
        let gateway = PretendGateway(.init(pieces: ["id: 1\n\n"]), .problem(403, "auth.role"))
        await #expect(throws: ClientError.self) {
            try await gateway.serve(observer: { log.add($0) }) { client in
                for try await _ in client.stream() {}
            }
        }
        #expect(log.lines == ["GET /v1/stream 200 -", "GET /v1/stream 403 auth.role"])
    }
}
