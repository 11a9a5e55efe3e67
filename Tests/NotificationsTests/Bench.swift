import Answers
import Contracts
import EventBus
import Foundation
import Hummingbird
import HummingbirdTesting
import Kafka
import Logging
import ServiceKit
import Store
import Support
import Testing

@testable import Notifications

/// Notifications as it runs, with a clock that stands still.
struct Bench: ServiceBench {
    let clock: TestClock
    let environment: ServiceEnvironment
    let database: Database
    let notifications: NotificationUseCases
    let config: NotificationsConfig

    var reactions: Reactions { notificationReactions(notifications) }

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
        try await database.read {
            try $0.feed.items(of: recipient, PageRequest(limit: 10_000)).items
        }
    }

    func created() async throws -> [NotificationCreated] {
        try await published(NotificationCreated.self)
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

/// A client that speaks to the router.
struct Caller: Calling {
    static let service = "notifications"

    let client: any TestClientProtocol
    let clock: TestClock

    func texts(_ query: String = "", as person: TestPerson) async throws -> Page<FeedItem> {
        try await call(.get, "/v1/notifications\(query)", as: person)
            .expect(200, Page<FeedItem>.self)
    }
}
