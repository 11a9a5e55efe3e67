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
    let house: House
    let database: Database
    let notifications: NotificationUseCases
    let config: NotificationsConfig

    init(
        _ environment: [String: String] = [:], folder: String? = nil,
        clock: TestClock = TestClock()
    ) throws {
        self.clock = clock
        house = try House.test("notifications", clock: clock, folder: folder)
        config = try NotificationsConfig(
            ConfigValues(environment, keys: NotificationsConfig.keys))
        notifications = try notificationUseCases(config, house)
        database = notifications.database
    }

    func run<T: Sendable>(_ body: @Sendable (Caller) async throws -> T) async throws -> T {
        let pushes = PushRoutes(
            notifications: notifications, vapid: try await Vapid.load(config, notifications),
            services: config.pushServices)
        let router = notificationRouter(
            notifications, keptMessages: keptMessages(config, notifications), pushes: pushes, house)
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

    func feed(_ person: TestPerson) async throws -> [FeedItem] {
        try await feed(.person(person.id))
    }

    func feed(_ recipient: Recipient) async throws -> [FeedItem] {
        try await database.read { try $0.items(of: recipient, after: 0, limit: 10_000).items }
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
            sealed: try house.sealer.seal(CodeSecret(phone: person.phone, code: code)),
            expiresAt: clock.now.addingTimeInterval(seconds))
    }

    func sender(
        _ provider: (any TextMessageProvider)? = nil, log: Logger? = nil
    ) -> TextMessageSender {
        TextMessageSender(
            notifications: notifications,
            provider: provider ?? Notifications.provider(config, notifications, house),
            logger: log ?? house.logger)
    }

    /// Text messages by their state.
    func states() async throws -> [CodeMessage] {
        try await database.read { transaction in
            try transaction.rows("SELECT body FROM code_messages ORDER BY id").map {
                try $0.body()
            }
        }
    }
}

let hkIsland = ServiceAreaID("hk-island")!

extension OrderSnapshot {
    /// Alice's order: Victor takes the vehicle, Vera brings it back.
    static func of(
        _ status: OrderStatus, version: Int = 3, id: OrderID = .new(),
        _ dropOff: TestPerson? = .victor, _ back: TestPerson? = nil
    ) -> OrderSnapshot {
        var order = OrderSnapshot(
            id: id, ticket: "K7-42", status: status, version: version, serviceArea: hkIsland,
            customer: TestPerson.alice.customer,
            dropOff: Place(latitude: 22.2819, longitude: 114.1556), extras: [],
            createdAt: TestClock().now)
        order.dropOffValet = dropOff?.valet
        order.returnValet = back?.valet
        order.etaSeconds = 240
        return order
    }
}

extension Money {
    static func hkd(_ amount: Int) -> Money { Money(amount: amount, currency: "HKD") }
}

extension MatchRequest {
    static let dropOff = MatchRequest(
        leg: .dropOff, attempt: 1, meetingPoint: Place(latitude: 22.2819, longitude: 114.1556),
        excluded: [])
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
            service: "gateway", secret: House.testSecret, clock: clock.houseClock)
        let token = try await tokens.token(for: audience)
        return try await send(path, .get, [.authorization: "Bearer \(token)"])
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
final class ToldProvider: TextMessageProvider {
    private struct State {
        var answers: [any Error]
        var sent: [OutgoingText] = []
    }

    private let state: Mutex<State>

    /// Fails with these, one after the other, then succeeds.
    init(_ errors: [any Error] = []) { state = Mutex(State(answers: errors)) }

    var sent: [OutgoingText] { state.withLock { $0.sent } }

    func send(_ message: OutgoingText) async throws {
        let error: (any Error)? = state.withLock { state in
            state.sent.append(message)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        if let error { throw error }
    }
}

/// Keeps what is logged, at every level.
final class LogRecorder: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    var logger: Logger {
        var logger = Logger(label: "recorder") { _ in Handler(recorder: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            recorder.lines.withLock { $0.append("\(event.message) \(all)") }
        }
    }
}
