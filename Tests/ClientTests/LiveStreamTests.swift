import Contracts
import Foundation
import Testing

@testable import Client

@Suite struct LiveStreamTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    private static func item(_ sequence: Int, text: String? = "A valet is coming.") -> FeedItem {
        FeedItem(
            id: .new(), sequence: sequence, event: "orders.valet-assigned.v1",
            title: text.map { _ in "Valet" }, text: text, createdAt: time)
    }

    private static let position = LivePosition(
        engagement: .new(), person: .new(), role: .valet, latitude: 22.28, longitude: 114.15,
        headingDegrees: 90, recordedAt: time)

    private func frame(_ name: String, _ value: some Encodable, id: Int? = nil) throws -> String {
        let json = String(decoding: try Wire.encode(value), as: UTF8.self)
        let line = id.map { "id: \($0)\n" } ?? ""
        return "event: \(name)\n\(line)data: \(json)\n\n"
    }

    /// The first `count` messages of a stream.
    private func read(
        _ count: Int, from gateway: PretendGateway, after lastEventID: Int? = nil
    ) async throws -> [StreamEvent] {
        try await gateway.serve { client in
            var events: [StreamEvent] = []
            for try await event in client.stream(lastEventID: lastEventID) {
                events.append(event)
                if events.count == count { break }
            }
            return events
        }
    }

    @Test func messagesAreTypedAndCommentsAndUnknownEventsAreSkipped() async throws {
        let item = Self.item(4)
        let gateway = PretendGateway(
            .init(pieces: [
                ": hello\n\n", try frame("order", item), "event: weather\ndata: rain\n\n",
                try frame("notification", item, id: 4), try frame("position", Self.position),
            ]))
        let events = try await read(3, from: gateway)
        #expect(events == [.order(item), .notification(item), .position(Self.position)])
        let asked = try #require(gateway.asked.first)
        #expect(asked.target == "/v1/stream")
        #expect(asked.headers["accept"] == "text/event-stream")
        #expect(asked.headers["authorization"] == "Bearer a1")
        #expect(asked.headers["last-event-id"] == nil)
    }

    @Test func aStreamThatEndsIsResumedAfterWhatWasSeen() async throws {
        let (first, second) = (Self.item(4), Self.item(5))
        let cut = try frame("notification", second, id: 5).dropLast(10)
        let gateway = PretendGateway(
            .init(pieces: [try frame("notification", first, id: 4), String(cut)]),
            .init(pieces: [try frame("notification", second, id: 5)]))
        let events = try await read(2, from: gateway, after: 3)
        #expect(events == [.notification(first), .notification(second)])
        #expect(gateway.asked.map { $0.headers["last-event-id"] } == ["3", "4"])
    }

    @Test func aStreamThatIsCutBeforeItsFirstMessageMissesNothing() async throws {
        let item = Self.item(8)
        let gateway = PretendGateway(
            .init(pieces: ["retry: 0\nid: 7\n: connected\n\n"]),
            .init(pieces: [try frame("notification", item, id: 8)]))
        #expect(try await read(1, from: gateway) == [.notification(item)])
        #expect(gateway.asked.map { $0.headers["last-event-id"] } == [nil, "7"])
    }

    @Test func anUnavailableStreamIsTriedAgain() async throws {
        let item = Self.item(1)
        let gateway = PretendGateway(
            .problem(503, "service.unavailable"), .init(status: 502, body: ""),
            .init(pieces: [try frame("notification", item, id: 1)]))
        #expect(try await read(1, from: gateway) == [.notification(item)])
    }

    @Test func aRefusedTokenIsRenewed() async throws {
        let item = Self.item(1)
        let tokens = String(decoding: try Wire.encode(Tokens.second), as: UTF8.self)
        let gateway = PretendGateway(
            .problem(401, "auth.token_expired"), .init(status: 201, body: tokens),
            .init(pieces: [try frame("notification", item, id: 1)]))
        #expect(try await read(1, from: gateway) == [.notification(item)])
        #expect(gateway.asked.last?.headers["authorization"] == "Bearer a2")
    }

    @Test func aTokenThatIsAboutToEndIsRenewedFirst() async throws {
        let item = Self.item(1)
        let tokens = String(decoding: try Wire.encode(Tokens.second), as: UTF8.self)
        let gateway = PretendGateway(
            .init(status: 201, body: tokens),
            .init(pieces: [try frame("notification", item, id: 1)]))
        let event = try await gateway.serve(tokens: nil) { client -> StreamEvent? in
            await client.session.replace(.ending)
            var events = client.stream().makeAsyncIterator()
            return try await events.next()
        }
        #expect(event == .notification(item))
        #expect(gateway.asked.map(\.target) == ["/v1/sessions/refresh", "/v1/stream"])
        #expect(gateway.asked.last?.headers["authorization"] == "Bearer a2")
    }

    @Test func aRefusalEndsTheStream() async throws {
        let gateway = PretendGateway(.problem(403, "auth.role"))
        await #expect { _ = try await read(1, from: gateway) } throws: {
            ($0 as? ClientError)?.code == "auth.role"
        }
        #expect(gateway.asked.count == 1)
    }

    @Test func aMalformedMessageEndsTheStream() async throws {
        let gateway = PretendGateway(.init(pieces: ["event: order\ndata: {\n\n"]))
        await #expect { _ = try await read(1, from: gateway) } throws: { error in
            guard case ClientError.malformedAnswer = error else { return false }
            return true
        }
    }

    @Test func cancellingTheReaderEndsTheStream() async throws {
        let gateway = PretendGateway(.problem(503, "service.unavailable"))
        let events = try await gateway.serve { client in
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    var count = 0
                    for try await _ in client.stream() { count += 1 }
                    return count
                }
                group.cancelAll()
                return try await group.next()
            }
        }
        #expect(events == 0)
    }

    @Test func goingOnAfterAnOrderDoesNotSkipItsText() {
        #expect(StreamEvent.order(Self.item(7)).resumeID == 6)
        #expect(StreamEvent.order(Self.item(7, text: nil)).resumeID == 7)
        #expect(StreamEvent.notification(Self.item(7)).resumeID == 7)
        #expect(StreamEvent.position(Self.position).resumeID == nil)
    }
}
