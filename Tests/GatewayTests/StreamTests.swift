import AsyncHTTPClient
import Contracts
import Foundation
import Hummingbird
import HummingbirdTesting
import Kafka
import NIOCore
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Gateway

private let time = Date(timeIntervalSince1970: 1_767_600_000)

private func item(
    _ sequence: Int, text: String? = "Parked.", about kind: SubjectKind? = nil,
    at date: Date = time
) -> FeedItem {
    FeedItem(
        id: .new(), sequence: sequence, event: "orders.vehicle-parked.v1",
        title: text == nil ? nil : "Title", text: text,
        subject: kind.map { FeedSubject(product: "valet", kind: $0, id: "1") },
        data: kind.map { _ in .object(["ticket": .text("K7-42")]) }, createdAt: date)
}

private func position(_ person: TestPerson, _ latitude: Double) -> LivePosition {
    LivePosition(
        engagement: nil, person: person.id, role: person.role, latitude: latitude,
        longitude: 114.15,
        headingDegrees: nil, recordedAt: time)
}

private func record(_ event: some Event) throws -> KafkaRecord {
    let type = Swift.type(of: event)
    let envelope = Envelope(
        id: .new(), type: type.type, source: "/test", time: time, subject: event.key)
    return KafkaRecord(
        topic: type.topic.rawValue, key: event.key, value: try Wire.encode(event),
        headers: envelope.headers)
}

@Suite struct ServerSentEventTests {
    private func text(_ item: FeedItem) throws -> String {
        var buffer = ByteBuffer()
        try ServerSentEvents.append(item, to: &buffer)
        return String(buffer: buffer)
    }

    @Test func aLineWithATextIsANotification() throws {
        let line = item(7)
        let json = String(decoding: try Wire.encode(line), as: UTF8.self)
        #expect(try text(line) == "event: notification\nid: 7\ndata: \(json)\n\n")
    }

    @Test func aLineWithAnOrderIsAnOrder() throws {
        let line = item(7, text: nil, about: .order)
        let json = String(decoding: try Wire.encode(line), as: UTF8.self)
        #expect(try text(line) == "event: order\nid: 7\ndata: \(json)\n\n")
    }

    @Test func aLineWithBothIsBothAndTheIDIsOnTheLast() throws {
        let line = item(7, about: .order)
        let json = String(decoding: try Wire.encode(line), as: UTF8.self)
        #expect(
            try text(line)
                == "event: order\ndata: \(json)\n\nevent: notification\nid: 7\ndata: \(json)\n\n")
    }

    @Test func whatALineIsAboutNamesItsEventAndItsField() throws {
        let line = item(7, text: nil, about: "basket")
        let json = String(decoding: try Wire.encode(line), as: UTF8.self)
        #expect(try text(line) == "event: basket\nid: 7\ndata: \(json)\n\n")
        #expect(json.contains(#""basket":{"ticket":"K7-42"}"#))
        #expect(json.contains(#""order":null"#), "clients of orders look for it in every line")
        #expect(try Wire.decode(FeedItem.self, from: Data(json.utf8)) == line)
    }

    @Test func aLineWithNeitherOnlyMovesTheID() throws {
        #expect(try text(item(7, text: nil)) == "id: 7\n\n")
    }

    @Test func aTextOfSeveralLinesStaysOnOne() throws {
        let lines = try text(item(7, text: "one\ntwo\r\nthree")).split(separator: "\n")
        #expect(lines.count == 3)
    }

    @Test func aPositionHasNoID() throws {
        let frame = String(buffer: try ServerSentEvents.frame(position(.victor, 22)))
        #expect(frame.hasPrefix("event: position\ndata: {"))
        #expect(!frame.contains("\nid:"))
    }
}

@Suite struct StreamConnectionTests {
    private func connection(cutOff: @escaping @Sendable () -> Void = {}) -> StreamConnection {
        StreamConnection(
            recipient: .person(TestPerson.alice.id), person: TestPerson.alice.id, cutOff: cutOff)
    }

    private func frame(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

    @Test func theFirstPositionGoesAtOnceAndOfTheRestTheLatest() {
        let connection = connection()
        let start = ContinuousClock.now
        let victor = TestPerson.victor.id
        connection.offer(frame("1"), of: victor)
        #expect(connection.take(at: start).positions == [frame("1")])
        connection.offer(frame("2"), of: victor)
        connection.offer(frame("3"), of: victor)
        let early = connection.take(at: start + .milliseconds(100))
        #expect(early.positions.isEmpty)
        #expect(early.isHolding)
        let due = connection.take(at: start + StreamConnection.positionInterval)
        #expect(due.positions == [frame("3")])
        #expect(!due.isHolding)
    }

    @Test func onePersonsPositionsDoNotHoldBackAnothers() {
        let connection = connection()
        let start = ContinuousClock.now
        connection.offer(frame("1"), of: TestPerson.victor.id)
        _ = connection.take(at: start)
        connection.offer(frame("2"), of: TestPerson.victor.id)
        connection.offer(frame("3"), of: TestPerson.vera.id)
        #expect(connection.take(at: start).positions == [frame("3")])
    }

    @Test func positionsThatWaitAreBounded() {
        let connection = connection()
        for _ in 0..<StreamConnection.mostPositions {
            #expect(connection.offer(frame("p"), of: .new()))
        }
        #expect(!connection.offer(frame("p"), of: .new()))
    }

    @Test func whoDoesNotReadIsCutOff() {
        let cuts = Mutex(0)
        let connection = connection { cuts.withLock { $0 += 1 } }
        for sequence in 1...StreamConnection.mostItems { connection.offer(item(sequence)) }
        #expect(cuts.withLock { $0 } == 0)
        connection.offer(item(StreamConnection.mostItems + 1))
        connection.offer(item(StreamConnection.mostItems + 2))
        #expect(cuts.withLock { $0 } == 1)
        let batch = connection.take()
        #expect(batch.end == .overflow)
        #expect(batch.items.isEmpty)
    }
}

/// An event as a client reads it.
private struct StreamEvent: Equatable {
    var event: String?
    var id: String?
    var data: String?

    var sequence: Int? {
        data.flatMap { try? Wire.decode(FeedItem.self, from: Data($0.utf8)) }?.sequence
    }
}

/// Reads a stream's events as they come.
private struct StreamReader {
    private var parts: HTTPClientResponse.Body.AsyncIterator
    private var text = ""

    init(_ response: HTTPClientResponse) { parts = response.body.makeAsyncIterator() }

    /// Nil when the stream has ended. Blocks without fields, which are comments, are passed over.
    mutating func next() async throws -> StreamEvent? {
        while true {
            while let end = text.range(of: "\n\n") {
                let block = text[..<end.lowerBound]
                text = String(text[end.upperBound...])
                if let event = Self.event(String(block)) { return event }
            }
            guard let part = try await parts.next() else { return nil }
            text += String(buffer: part)
        }
    }

    /// Waits for the block with which every stream begins; returns the id that it gives.
    @discardableResult
    mutating func opened() async throws -> String? {
        let first = try await next()
        #expect(first?.event == nil)
        #expect(first?.data == nil)
        return first?.id
    }

    private static func event(_ block: String) -> StreamEvent? {
        var event = StreamEvent()
        for line in block.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            switch parts[0] {
            case "event": event.event = value
            case "id": event.id = value
            case "data": event.data = value
            default: break
            }
        }
        return event == StreamEvent() ? nil : event
    }
}

private func open(
    _ port: Int, _ test: TestGateway, as person: TestPerson, last: Int? = nil, query: String = ""
) async throws -> HTTPClientResponse {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/v1/stream\(query)")
    request.headers.add(
        name: "authorization", value: try await person.bearer(at: test.clock.now))
    if let last { request.headers.add(name: "last-event-id", value: String(last)) }
    return try await HTTPClient.shared.execute(request, timeout: .seconds(60))
}

/// A gateway that listens, for what a router alone can't show.
private func withLiveGateway(
    _ stubs: StubServices = feedStub(), settings: [String: String] = [:],
    _ body: @escaping @Sendable (TestGateway, Int) async throws -> Void
) async throws {
    try await TestGateway.run(stubs, settings: settings) { test in
        try await test.serve { port in try await body(test, port) }
    }
}

/// Notifications' feed of whoever asks, from `feed`.
private func feedStub(
    head: Int = 0, _ feed: @escaping @Sendable (_ after: Int) throws -> [FeedItem] = { _ in [] }
) -> StubServices {
    StubServices { call in
        guard let url = URLComponents(string: call.address) else {
            return Response(status: .badRequest)
        }
        switch url.path {
        case "/notifications/internal/feed/head":
            return try StubServices.json(FeedHead(sequence: head))
        case "/notifications/internal/feed/heads":
            return try StubServices.json(FeedHeads(sequences: [head]))
        case "/notifications/internal/feed":
            let after = url.queryItems?.first { $0.name == "after" }?.value.flatMap(Int.init)
            return try StubServices.json(Page(items: try feed(after ?? 0)))
        default:
            return Response(status: .notFound)
        }
    }
}

@Suite struct StreamTests {
    @Test func whatHappensIsHeardByWhomItConcerns() async throws {
        try await withLiveGateway { test, port in
            let response = try await open(port, test, as: .alice)
            #expect(response.status == .ok)
            #expect(response.headers.first(name: "content-type") == "text/event-stream")
            var reader = StreamReader(response)
            try await reader.opened()
            let streams = test.gateway.streams
            streams.deliver(.init(recipient: .person(TestPerson.bob.id), item: item(1)))
            streams.deliver(.init(recipient: .operators, item: item(2)))
            streams.deliver(.init(recipient: .person(TestPerson.alice.id), item: item(3)))
            let event = try #require(try await reader.next())
            #expect(event.event == "notification")
            #expect(event.id == "3")
            #expect(event.sequence == 3)
        }
    }

    @Test func whatTheBusPassedOverIsReadFromTheFeedOnceTheGatewayIsBack() async throws {
        let lines = Mutex<[FeedItem]>([])
        let stub = feedStub(head: 2) { after in
            lines.withLock { $0.filter { $0.sequence > after } }
        }
        try await withLiveGateway(stub) { test, port in
            var reader = StreamReader(try await open(port, test, as: .alice, last: 0))
            try await reader.opened()
            // Nobody tells of these: the gateway had lost its partitions.
            lines.withLock { $0 = [item(1), item(2)] }
            let (assignments, assigned) = AsyncStream.makeStream(of: Void.self)
            let refill = FeedRefill(
                streams: test.gateway.streams, feed: test.gateway.routes.streams.feed,
                assignments: assignments, logger: test.environment.logger)
            let task = Task { await refill.run() }
            assigned.yield()
            #expect(try await reader.next()?.sequence == 1)
            #expect(try await reader.next()?.sequence == 2)
            // What the stream has already is not written again.
            try await refill.look()
            test.gateway.streams.deliver(
                .init(recipient: .person(TestPerson.alice.id), item: item(3)))
            #expect(try await reader.next()?.sequence == 3)
            task.cancel()
            await task.value
        }
    }

    @Test func linesOfWhoIsNotConnectedHereAreNotEvenRead() async throws {
        try await TestGateway.run { test in
            let streams = test.gateway.streams
            let identity = Identity(
                person: TestPerson.alice.id, roles: [.customer], session: .new())
            let connection = try streams.open(identity, from: nil) {}
            let alice = Recipient.person(TestPerson.alice.id)
            let event = NotificationCreated(recipient: alice, item: item(1))
            func record(key: String?) throws -> ReceivedRecord {
                let envelope = Envelope(
                    id: .new(), type: NotificationCreated.type, source: "/test", time: time,
                    subject: event.key)
                let headers = Dictionary(envelope.headers.map { ($0.name, $0.value) }) { $1 }
                return ReceivedRecord(
                    topic: "notifications", partition: 0, offset: 1, key: key,
                    value: try Wire.encode(event), headers: headers)
            }
            let reactions = GatewayReactions(
                streams: streams, deleted: test.gateway.routes.admission.deleted)
            // The key alone says whose it is.
            for key in [TestPerson.bob.id.description, "operators", "nobody", nil] {
                try reactions.apply(record(key: key))
            }
            #expect(connection.take().items.isEmpty)
            try reactions.apply(record(key: event.key))
            #expect(connection.take().items.map(\.sequence) == [1])
        }
    }

    @Test func aDeletedAccountsTokenIsRefusedAndItsStreamEnds() async throws {
        try await TestGateway.run(feedStub()) { test in
            let (streams, now) = (test.gateway.streams, test.clock.now)
            func connect(_ person: TestPerson) throws -> StreamConnection {
                try streams.open(
                    Identity(person: person.id, roles: person.roles, session: .new()), from: nil
                ) {}
            }
            func delete(_ person: TestPerson, at deletion: Date) throws {
                let event = AccountDeleted(
                    account: person.id, role: person.role, version: 9, deletedAt: deletion)
                let envelope = Envelope(
                    id: .new(), type: AccountDeleted.type, source: "/test", time: now,
                    subject: event.key)
                let headers = Dictionary(envelope.headers.map { ($0.name, $0.value) }) { $1 }
                try GatewayReactions(
                    streams: streams, deleted: test.gateway.routes.admission.deleted
                ).apply(
                    ReceivedRecord(
                        topic: "accounts", partition: 0, offset: 1, key: event.key,
                        value: try Wire.encode(event), headers: headers))
            }
            func answers(_ person: TestPerson) async throws -> [Int] {
                let position = #"{"latitude":22.28,"longitude":114.15}"#
                return [
                    try await test.send(.put, "/v1/me/location", as: person, body: position),
                    try await test.send(.get, "/v1/stream", as: person),
                    try await test.send(.get, "/v1/me", as: person),
                ].map(\.status.code)
            }
            let (alice, bob, olivia) = (
                try connect(.alice), try connect(.bob), try connect(.olivia)
            )
            try delete(.alice, at: now)
            try delete(.olivia, at: now)
            // Deleted long ago: a replay.
            try delete(.bob, at: now - 1_000)
            #expect(alice.take().end == .finished)
            #expect(olivia.take().end == .finished)
            #expect(try await answers(.alice) == [401, 401, 401])
            #expect(try await answers(.olivia)[2] == 401)
            #expect(try await test.send(.get, "/v1/me", as: .bob).status != .unauthorized)
            streams.close(bob)
            test.clock.advance(by: DeletedAccounts.kept)
            #expect(!test.gateway.routes.admission.deleted.contains(TestPerson.alice.id))
        }
    }

    @Test func operatorsHearTheirCommonFeedAndEveryPosition() async throws {
        try await withLiveGateway { test, port in
            var reader = StreamReader(try await open(port, test, as: .olivia))
            try await reader.opened()
            test.gateway.streams.deliver(.init(recipient: .operators, item: item(1)))
            #expect(try await reader.next()?.sequence == 1)
            try test.gateway.streams.deliver(
                .init(position: position(.victor, 22.5), viewers: []))
            let event = try #require(try await reader.next())
            #expect(event.event == "position")
            #expect(event.id == nil)
        }
    }

    @Test func positionsReachTheirViewersOnly() async throws {
        try await withLiveGateway { test, port in
            var alice = StreamReader(try await open(port, test, as: .alice))
            var bob = StreamReader(try await open(port, test, as: .bob))
            try await alice.opened()
            try await bob.opened()
            let streams = test.gateway.streams
            try streams.deliver(
                .init(position: position(.victor, 22.5), viewers: [TestPerson.alice.id]))
            streams.deliver(.init(recipient: .person(TestPerson.bob.id), item: item(1)))
            #expect(try await alice.next()?.event == "position")
            #expect(try await bob.next()?.event == "notification")
        }
    }

    @Test func customersWhoSeeEachOtherHearOfEachOther() async throws {
        try await withLiveGateway { test, port in
            var alice = StreamReader(try await open(port, test, as: .alice))
            var bob = StreamReader(try await open(port, test, as: .bob))
            try await alice.opened()
            try await bob.opened()
            for (moved, viewer) in [(TestPerson.alice, TestPerson.bob), (.bob, .alice)] {
                try test.gateway.streams.deliver(
                    .init(position: position(moved, 22.5), viewers: [viewer.id]))
            }
            for (event, seen) in [
                (try await alice.next(), TestPerson.bob), (try await bob.next(), .alice),
            ] {
                let data = Data((event?.data ?? "").utf8)
                let position = try Wire.decode(LivePosition.self, from: data)
                #expect(position.person == seen.id)
                #expect(position.role == .customer)
            }
        }
    }

    @Test func ofManyPositionsTheLastArrives() async throws {
        try await withLiveGateway { test, port in
            var reader = StreamReader(try await open(port, test, as: .alice))
            try await reader.opened()
            for step in 0...100 {
                try test.gateway.streams.deliver(
                    .init(
                        position: position(.victor, 22 + Double(step) / 1_000),
                        viewers: [TestPerson.alice.id]))
            }
            var count = 0
            var latitude = 0.0
            while latitude < 22.1, let event = try await reader.next() {
                let data = Data((event.data ?? "").utf8)
                latitude = try Wire.decode(LivePosition.self, from: data).latitude
                count += 1
            }
            #expect(count < 50)
        }
    }

    @Test func whoComesBackGetsWhatTheyMissedAndThenWhatHappens() async throws {
        let stubs = feedStub { after in (1...5).filter { $0 > after }.map { item($0) } }
        try await withLiveGateway(stubs) { test, port in
            var reader = StreamReader(try await open(port, test, as: .alice, last: 2))
            #expect(try await reader.opened() == "2")
            var seen: [Int] = []
            for _ in 3...5 { seen.append(try await reader.next()?.sequence ?? 0) }
            test.gateway.streams.deliver(
                .init(recipient: .person(TestPerson.alice.id), item: item(6)))
            seen.append(try await reader.next()?.sequence ?? 0)
            #expect(seen == [3, 4, 5, 6])
        }
    }

    @Test func theIDMayAlsoBeInTheQuery() async throws {
        let stubs = feedStub { after in (1...5).filter { $0 > after }.map { item($0) } }
        try await withLiveGateway(stubs) { test, port in
            var reader = StreamReader(
                try await open(port, test, as: .alice, query: "?lastEventId=4"))
            #expect(try await reader.opened() == "4")
            #expect(try await reader.next()?.sequence == 5)
        }
    }

    @Test func whatHappensDuringTheCatchUpComesOnceAndInOrder() async throws {
        let streams = Mutex<LiveStreams?>(nil)
        let stubs = feedStub { after in
            let alice = Recipient.person(TestPerson.alice.id)
            for sequence in 3...5 {
                streams.withLock { $0?.deliver(.init(recipient: alice, item: item(sequence))) }
            }
            return (1...4).filter { $0 > after }.map { item($0) }
        }
        try await withLiveGateway(stubs) { test, port in
            streams.withLock { $0 = test.gateway.streams }
            var reader = StreamReader(try await open(port, test, as: .alice, last: 0))
            try await reader.opened()
            var seen: [Int] = []
            for _ in 1...5 { seen.append(try await reader.next()?.sequence ?? 0) }
            #expect(seen == [1, 2, 3, 4, 5])
            streams.withLock { $0 = nil }
        }
    }

    @Test func aLongAbsenceIsReadPageByPage() async throws {
        let stubs = feedStub { after in
            (after + 1..<after + 1 + FeedSource.pageSize).filter { $0 <= 450 }.map { item($0) }
        }
        try await withLiveGateway(stubs) { test, port in
            var reader = StreamReader(try await open(port, test, as: .alice, last: 0))
            try await reader.opened()
            var seen: [Int] = []
            for _ in 1...450 { seen.append(try await reader.next()?.sequence ?? 0) }
            #expect(seen == Array(1...450))
        }
    }

    @Test func aGapIsFilledFromTheFeedAndARepeatIsNotShown() async throws {
        let stubs = feedStub { after in (1...9).filter { $0 > after }.map { item($0) } }
        try await withLiveGateway(stubs) { test, port in
            var reader = StreamReader(try await open(port, test, as: .alice, last: 9))
            try await reader.opened()
            let alice = Recipient.person(TestPerson.alice.id)
            for sequence in [8, 9, 10, 10, 3, 11] {
                test.gateway.streams.deliver(.init(recipient: alice, item: item(sequence)))
            }
            #expect(try await reader.next()?.sequence == 10)
            #expect(try await reader.next()?.sequence == 11)
        }
        let gap = feedStub(head: 9) { after in (1...13).filter { $0 > after }.map { item($0) } }
        try await withLiveGateway(gap) { test, port in
            var reader = StreamReader(try await open(port, test, as: .alice))
            try await reader.opened()
            let alice = Recipient.person(TestPerson.alice.id)
            test.gateway.streams.deliver(.init(recipient: alice, item: item(10)))
            #expect(try await reader.next()?.sequence == 10)
            test.gateway.streams.deliver(.init(recipient: alice, item: item(14)))
            var seen: [Int] = []
            for _ in 1...4 { seen.append(try await reader.next()?.sequence ?? 0) }
            #expect(seen == [11, 12, 13, 14])
        }
    }

    @Test func aNewStreamShowsNothingThatIsReplayed() async throws {
        try await withLiveGateway(feedStub(head: 3)) { test, port in
            var reader = StreamReader(try await open(port, test, as: .alice))
            try await reader.opened()
            let alice = Recipient.person(TestPerson.alice.id)
            for sequence in 1...4 {
                test.gateway.streams.deliver(.init(recipient: alice, item: item(sequence)))
            }
            #expect(try await reader.next()?.sequence == 4)
        }
    }

    @Test func aNewStreamSaysAtOnceWhereToComeBackTo() async throws {
        let stubs = feedStub(head: 7) { after in (1...8).filter { $0 > after }.map { item($0) } }
        try await withLiveGateway(stubs) { test, port in
            var cut = StreamReader(try await open(port, test, as: .alice))
            let id = try #require(try await cut.opened().flatMap(Int.init))
            #expect(id == 7)
            var reader = StreamReader(try await open(port, test, as: .alice, last: id))
            #expect(try await reader.opened() == "7")
            #expect(try await reader.next()?.sequence == 8)
        }
    }

    /// A stream that can't say where to come back to would miss what happens.
    @Test(arguments: [3, nil])
    func whileTheFeedIsAwayThereIsNoStream(last: Int?) async throws {
        let stubs = StubServices { _ in Response(status: .internalServerError) }
        try await withLiveGateway(stubs) { test, port in
            let response = try await open(port, test, as: .alice, last: last)
            #expect(response.status == .serviceUnavailable)
            #expect(response.headers.first(name: "retry-after") != nil)
            #expect(test.gateway.streams.count == 0)
        }
    }

    @Test(arguments: ["x", "-1", "1.5", "99999999999999999999"])
    func anIDThatIsNoneIsRefused(id: String) async throws {
        try await TestGateway.run { test in
            let response = try await test.send(
                .get, "/v1/stream", as: .alice, headers: [.lastEventID: id])
            #expect(response.status == .unprocessableContent)
            #expect(response.problem?.field == "Last-Event-ID")
            #expect(test.gateway.streams.count == 0)
        }
    }

    @Test func withoutATokenThereIsNoStream() async throws {
        try await TestGateway.run { test in
            let response = try await test.send(.get, "/v1/stream")
            #expect(response.problem?.code == "auth.token_missing")
        }
    }

    @Test func aPersonHasAFewStreamsAndAnotherStillGetsOne() async throws {
        try await withLiveGateway(settings: ["STREAMS_PER_PERSON": "2"]) { test, port in
            let first = try await open(port, test, as: .alice)
            let second = try await open(port, test, as: .alice)
            let third = try await open(port, test, as: .alice)
            #expect(first.status == .ok)
            #expect(second.status == .ok)
            #expect(third.status == .tooManyRequests)
            let other = try await open(port, test, as: .bob)
            #expect(other.status == .ok)
        }
    }

    @Test func anAddressHasAFewStreamsWhoeverIsBehindIt() async throws {
        try await withLiveGateway(settings: ["STREAMS_PER_ADDRESS": "2"]) { test, port in
            let first = try await open(port, test, as: .alice)
            let second = try await open(port, test, as: .bob)
            let third = try await open(port, test, as: .victor)
            #expect([first.status, second.status, third.status] == [.ok, .ok, .tooManyRequests])
        }
    }

    @Test func aGatewayHasOnlySoManyStreams() async throws {
        try await withLiveGateway(settings: ["STREAMS": "1"]) { test, port in
            let first = try await open(port, test, as: .alice)
            #expect(first.status == .ok)
            let second = try await open(port, test, as: .bob)
            #expect(second.status == .serviceUnavailable)
        }
    }

    @Test func whoLeavesMakesRoom() async throws {
        try await withLiveGateway { test, port in
            do {
                var reader = StreamReader(try await open(port, test, as: .alice))
                try await reader.opened()
                #expect(test.gateway.streams.count == 1)
            }
            #expect(try await eventually { test.gateway.streams.count == 0 })
        }
    }

    @Test func aStreamEndsWithItsToken() async throws {
        try await withLiveGateway { test, port in
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/v1/stream")
            let issued = test.clock.now.addingTimeInterval(-Double(AccessClaims.life) + 0.2)
            request.headers.add(
                name: "authorization", value: try await TestPerson.alice.bearer(at: issued))
            test.clock.advance(by: -0.4)
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
            #expect(response.status == .ok)
            var reader = StreamReader(response)
            try await reader.opened()
            test.clock.advance(by: 10)
            #expect(try await reader.next() == nil)
            #expect(try await eventually { test.gateway.streams.count == 0 })
        }
    }

    @Test func aStopEndsTheStreams() async throws {
        try await TestGateway.run(feedStub()) { test in
            var left: HTTPClientResponse?
            // Returns when the server has stopped, which waits for every answer to end.
            try await withServer(test.gateway.router(test.config, test.environment)) { port in
                let response = try await open(port, test, as: .alice)
                var reader = StreamReader(response)
                try await reader.opened()
                left = response
            }
            #expect(left != nil)
            #expect(test.gateway.streams.count == 0)
        }
    }

    @Test func theBusReachesTheStream() async throws {
        let broker = try TestBroker.start()
        try await TestGateway.run { test in
            let environment = try ServiceEnvironment.test(
                "gateway", clock: test.clock, kafka: broker.bootstrapServers)
            let consumer = test.gateway.consumer(environment)
            let producer = try KafkaProducer.ofEveryService(broker.configuration)
            let alice = Recipient.person(TestPerson.alice.id)
            let identity = Identity(
                person: TestPerson.alice.id, roles: [.customer], session: .new())
            let connection = try test.gateway.streams.open(identity, from: nil) {}
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await consumer.run() }
                group.addTask { await producer.run() }
                defer { group.cancelAll() }
                #expect(try await eventually { consumer.status.isAssigned })
                try await producer.send(
                    record(NotificationCreated(recipient: alice, item: item(1))))
                try await producer.send(
                    record(
                        PositionRecorded(
                            position: position(.victor, 22), viewers: [TestPerson.alice.id])))
                var (items, positions) = (0, 0)
                #expect(
                    try await eventually {
                        let batch = connection.take()
                        items += batch.items.count
                        positions += batch.positions.count
                        return items == 1 && positions == 1
                    })
            }
        }
        broker.stop()
    }

    @Test func aClientThatDoesNotReadIsCutOff() async throws {
        try await withLiveGateway { test, port in
            let response = try await open(port, test, as: .alice)
            #expect(response.status == .ok)
            let alice = Recipient.person(TestPerson.alice.id)
            let text = String(repeating: "x", count: 20_000)
            var sequence = 0
            let isCutOff = try await eventually {
                for _ in 1...50 {
                    sequence += 1
                    test.gateway.streams.deliver(
                        .init(recipient: alice, item: item(sequence, text: text)))
                }
                return test.gateway.streams.count == 0
            }
            #expect(isCutOff)
            withExtendedLifetime(response) {}
        }
    }
}
