import Answers
import Contracts
import EventBus
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kafka
import Logging
import NIOCore
import ServiceKit
import Store
import Support
import Synchronization
import Testing

@testable import Notifications

/// Notifications as it runs, with a clock that stands still.
struct Bench: Sendable {
    let clock: TestClock
    let environment: ServiceEnvironment
    let database: Database
    let notifications: NotificationUseCases
    let config: NotificationsConfig

    init(
        _ variables: [String: String] = [:], folder: String? = nil,
        clock: TestClock = TestClock()
    ) throws {
        self.clock = clock
        environment = try ServiceEnvironment.test("notifications", clock: clock, folder: folder)
        config = try NotificationsConfig(
            ConfigValues(variables, keys: NotificationsConfig.keys))
        notifications = try notificationUseCases(config, environment)
        database = notifications.database
    }

    func run<T: Sendable>(_ body: @Sendable (Caller) async throws -> T) async throws -> T {
        let pushes = PushRoutes(
            notifications: notifications, vapid: try await Vapid.load(config, notifications),
            services: config.pushServices)
        let router = notificationRouter(
            notifications, keptMessages: keptMessages(config, notifications), pushes: pushes,
            environment)
        return try await Application(router: router).test(.router) { client in
            try await body(Caller(client: client, clock: clock))
        }
    }

    /// Hears an event as if it came from the bus.
    func hear(_ event: some Event, id: EventID = .new()) async throws {
        let delivery = Delivery.of(event, id: id, at: clock.now)
        try await notificationReactions(notifications).receive(event, delivery)
    }

    func knows(_ person: TestPerson, _ language: Language, version: Int = 1) async throws {
        let account = person.account(language: language, createdAt: clock.now)
        try await hear(AccountChanged(account: account, suspended: false, version: version))
    }

    func washed(_ messages: [Notice.Message]) async throws {
        try await washed(UUID().uuidString, messages)
    }

    func feed(_ person: TestPerson) async throws -> [FeedItem] {
        try await feed(.person(person.id))
    }

    /// That somebody's basket is clean.
    func washed(
        _ basket: String = UUID().uuidString, version: Int = 3,
        _ messages: [Notice.Message] = NoticeIssued.toThree
    ) async throws {
        try await hear(NoticeIssued.washed(basket, version: version, messages))
    }

    func feed(_ recipient: Recipient) async throws -> [FeedItem] {
        try await database.read { try $0.items(of: recipient, PageRequest(limit: 10_000)).items }
    }

    func created() async throws -> [NotificationCreated] {
        try await outboxEvents(of: NotificationCreated.self, in: database)
    }

    /// A request for a code, sealed as accounts does it.
    func codeRequested(
        _ code: String = "048213", for person: TestPerson = .alice,
        purpose: CodeRequested.Purpose = .verification, _ language: Language = .english,
        expiresIn seconds: TimeInterval = 600
    ) throws -> CodeRequested {
        CodeRequested(
            account: person.id, purpose: purpose, language: language,
            sealed: try environment.sealer.seal(CodeSecret(phone: person.phone, code: code)),
            expiresAt: clock.now.addingTimeInterval(seconds))
    }

    func sender(
        _ provider: (any MessageProvider)? = nil, log: Logger? = nil
    ) -> WorkQueue {
        let kept = DevMessages(database: database, clock: environment.clock)
        return MessageSender(
            notifications: notifications,
            texts: provider ?? texts(config, notifications, environment),
            mails: provider ?? kept,
            logger: log ?? environment.logger
        ).queue
    }

    /// When the next message is due.
    func nextMessage() async throws -> Date? {
        try await database.read {
            try $0.row("SELECT MIN(due_at) AS due_at FROM work")?.getIfPresent("due_at")
        }
    }

    /// Text messages by their state.
    func states() async throws -> [CodeMessage] {
        try await database.read { transaction in
            try transaction.rows("SELECT body FROM code_messages ORDER BY id").map {
                try $0.json()
            }
        }
    }
}

/// Events of a product that nobody knows here.
enum Laundry {
    struct Washed: Event {
        static let type = "laundry.washed.v1"
        static let topic = Topic.notices
        let key: String
    }

    struct Lost: Event {
        static let type = "laundry.lost.v1"
        static let topic = Topic.notices
        let key: String
    }
}

/// What laundry shows of a basket.
struct BasketBrief: Codable, Hashable, Sendable {
    var version: Int
}

extension LocalizedText {
    static let clean = LocalizedText(["en": "It is clean", "zh-Hant": "已洗淨"])
    static let fetch = LocalizedText(["en": "B-7: fetch it.", "zh-Hant": "B-7：請取回。"])
}

extension SubjectKind {
    static let basket: SubjectKind = "basket"
}

extension SubjectState {
    static func basket(_ id: String, version: Int = 3, of owner: TestPerson = .alice) throws
        -> SubjectState
    {
        SubjectState(
            product: "laundry", kind: .basket, version: version, link: "/baskets/\(id)",
            data: try JSONValue(of: BasketBrief(version: version)), about: [owner.id])
    }
}

extension Notice.Message {
    /// That a basket is clean, in words.
    static func clean(_ person: TestPerson, push: Notice.Push? = .soon) -> Notice.Message {
        Notice.Message(to: .person(person.id), title: .clean, text: .fetch, push: push)
    }

    static func silent(_ person: TestPerson) -> Notice.Message {
        Notice.Message(to: .person(person.id))
    }
}

extension NoticeIssued {
    /// Alice is told that her basket is clean; Victor and operators see that it has changed.
    static let toThree: [Notice.Message] = [
        .clean(.alice), Notice.Message(to: .operators), .silent(.victor),
    ]

    static func washed(
        _ basket: String = UUID().uuidString, version: Int = 3,
        _ messages: [Notice.Message] = toThree
    ) throws -> NoticeIssued {
        NoticeIssued(
            Notice(
                subject: basket, state: try .basket(basket, version: version),
                cause: Laundry.Washed.self, messages))
    }

    /// What operators have to look after.
    static func lost() throws -> NoticeIssued {
        NoticeIssued(
            Notice(
                subject: "b", state: try .basket("b"), cause: Laundry.Lost.self,
                [
                    Notice.Message(
                        to: .operators,
                        title: LocalizedText(["en": "Basket lost", "zh-Hant": "遺失"]),
                        text: LocalizedText(["en": "B-7 is lost.", "zh-Hant": "B-7 遺失了。"]),
                        push: .soon)
                ]))
    }
}

extension RatingGiven {
    /// An event that names somebody, and that is none of ours.
    static func of(_ person: TestPerson) -> RatingGiven {
        RatingGiven(
            engagement: .new(), product: "laundry", from: TestPerson.victor.id, to: person.id,
            stars: 5,
            summary: RatingSummary(average: 5, count: 1), version: 1)
    }
}

extension FeedItem {
    var basket: BasketBrief? { data(of: .basket) }
}

/// A client that speaks to the router.
struct Caller: Sendable {
    let client: any TestClientProtocol
    let clock: TestClock

    func call(
        _ method: HTTPRequest.Method, _ path: String, as person: TestPerson?, key: String? = nil,
        body: String? = nil
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        if let person { headers[.authorization] = try await person.bearer(at: clock.now) }
        if let key { headers[.idempotencyKey] = key }
        return try await send(path, method, headers, body)
    }

    /// As another service, by its token for `audience`.
    func internally(_ path: String, for audience: String = "notifications") async throws -> Answer {
        let tokens = ServiceTokens(
            service: "gateway", secret: ServiceEnvironment.testSecret, clock: clock.serviceClock)
        let token = try await tokens.token(for: audience)
        return try await send(path, .get, [.authorization: "Bearer \(token)"])
    }

    func internally(_ path: String, body: String) async throws -> Answer {
        let tokens = ServiceTokens(
            service: "gateway", secret: ServiceEnvironment.testSecret, clock: clock.serviceClock)
        let token = try await tokens.token(for: "notifications")
        return try await send(path, .post, [.authorization: "Bearer \(token)"], body)
    }

    private func send(
        _ path: String, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ body: String? = nil
    ) async throws -> Answer {
        let response = try await client.execute(
            uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        return Answer(response)
    }

    func texts(_ query: String = "", as person: TestPerson) async throws -> Page<FeedItem> {
        try await call(.get, "/v1/notifications\(query)", as: person)
            .expect(200, Page<FeedItem>.self)
    }
}

/// A provider that answers as it is told, and remembers what it was given.
final class ToldProvider: MessageProvider {
    private struct State {
        var answers: [any Error]
        var sent: [OutgoingMessage] = []
    }

    private let state: Mutex<State>

    /// Fails with these, one after the other, then succeeds.
    init(_ errors: [any Error] = []) { state = Mutex(State(answers: errors)) }

    var sent: [OutgoingMessage] { state.withLock { $0.sent } }

    func send(_ message: OutgoingMessage) async throws {
        let error: (any Error)? = state.withLock { state in
            state.sent.append(message)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        if let error { throw error }
    }
}
