import Contracts
import EventBus
import Hummingbird
import Metrics
import ServiceKit
import ServiceLifecycle
import Store

/// Number of dead letters without a valid signature of a service.
private let forgedLetters = Counter(label: "notifications_forged_letters_total")

/// Builds the service. Later parts depend on earlier ones; they stop in reverse.
func build(_ config: NotificationsConfig, _ environment: ServiceEnvironment) async throws
    -> [any Service]
{
    let notifications = try notificationUseCases(config, environment)
    let database = notifications.database
    let vapid = try await Vapid.load(config, notifications)
    let router = notificationRouter(
        notifications, keptMessages: keptMessages(config, notifications),
        pushes: PushRoutes(
            notifications: notifications, vapid: vapid, services: config.pushServices), environment)
    environment.compare(
        [
            people.copies(of: .people),
            mailAddresses.copies(of: .people, for: "mail addresses"),
            people.deleted(of: .deletedPeople),
        ], in: database)
    let bus = try environment.bus(database, reactions: notificationReactions(notifications))
    var kafka = environment.kafka
    // Nobody waits for a dead letter.
    kafka.fetchWait = .milliseconds(500)
    let letters = RawConsumer(
        kafka, group: "notifications-dead", topics: Topic.all.map(\.dead),
        logger: environment.logger
    ) { record in
        guard environment.signatures.isSignedByConsumer(record) else {
            return forgedLetters.increment()
        }
        try await notifications.keep(record)
    }
    environment.measure("notifications_dead_letters_waiting") {
        let waiting = try await database.read { try $0.letters.waiting() }
        Gauge(label: "notifications_dead_letters_waiting").record(waiting)
    }
    let sender = MessageSender(
        notifications: notifications, texts: texts(config, notifications, environment),
        mails: try mails(config, notifications), logger: environment.logger)
    let pushes = PushSender(
        notifications: notifications,
        client: PushClient(vapid: vapid, services: config.pushServices), logger: environment.logger)
    let retention = environment.periodic("retention", of: database) {
        try await notifications.sweep()
    }
    return bus + [letters, sender.queue, pushes, retention, environment.server(router)]
}

func notificationRouter(
    _ notifications: NotificationUseCases, keptMessages: DevMessages?, pushes: PushRoutes,
    _ environment: ServiceEnvironment
) -> Router<Context> {
    let router = environment.router()
    NotificationRoutes(notifications: notifications, keptMessages: keptMessages).add(to: router)
    pushes.add(to: router)
    return router
}

func notificationUseCases(
    _ config: NotificationsConfig, _ environment: ServiceEnvironment
) throws -> NotificationUseCases {
    NotificationUseCases(
        database: try environment.database(NotificationStore.migrations),
        sealer: environment.sealer,
        clock: environment.clock, operatorsLanguage: config.operatorsLanguage)
}

func keptMessages(
    _ config: NotificationsConfig, _ notifications: NotificationUseCases
) -> DevMessages? {
    config.textMessages == .dev || config.mail == .dev
        ? DevMessages(database: notifications.database, clock: notifications.clock) : nil
}

func texts(
    _ config: NotificationsConfig, _ notifications: NotificationUseCases,
    _ environment: ServiceEnvironment
) -> any MessageProvider {
    switch config.textMessages {
    case .dev:
        DevMessages(database: notifications.database, clock: notifications.clock)
    case .twilio(let base, let accountSID, let authToken, let from):
        TwilioTextMessages(
            client: environment.httpClient, base: base, accountSID: accountSID,
            authToken: authToken,
            from: from)
    }
}

func mails(
    _ config: NotificationsConfig, _ notifications: NotificationUseCases
) throws -> any MessageProvider {
    switch config.mail {
    case .dev: DevMessages(database: notifications.database, clock: notifications.clock)
    case .smtp(let server): try SMTPMails(server, clock: notifications.clock)
    }
}
