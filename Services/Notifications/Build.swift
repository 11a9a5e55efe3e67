import Contracts
import EventBus
import Hummingbird
import Metrics
import ServiceKit
import ServiceLifecycle
import Store

/// What lies among the dead letters and comes from no service.
private let forgedLetters = Counter(label: "notifications_forged_letters_total")

/// Everything this service is made of. Later services depend on earlier ones; they stop in reverse.
func build(_ config: NotificationsConfig, _ house: House) async throws -> [any Service] {
    let notifications = try notificationUseCases(config, house)
    let database = notifications.database
    let vapid = try await Vapid.load(config, notifications)
    let router = notificationRouter(
        notifications, keptMessages: keptMessages(config, notifications),
        pushes: PushRoutes(
            notifications: notifications, vapid: vapid, services: config.pushServices), house)
    let bus = try house.bus(database, reactions: notificationReactions(notifications))
    let letters = RawConsumer(
        house.kafka, group: "notifications-dead", topics: Topic.allCases.map(\.dead),
        logger: house.logger
    ) { record in
        guard house.signatures.isSignedByConsumer(record) else {
            return forgedLetters.increment()
        }
        try await notifications.keep(record)
    }
    let sender = TextMessageSender(
        notifications: notifications, provider: provider(config, notifications, house),
        logger: house.logger)
    let pushes = PushSender(
        notifications: notifications,
        client: PushClient(vapid: vapid, services: config.pushServices), logger: house.logger)
    let retention = Periodic("retention", every: .seconds(600), of: database, logger: house.logger)
    {
        try await notifications.sweep()
    }
    return bus + [letters, sender, pushes, retention, house.server(router)]
}

func notificationRouter(
    _ notifications: NotificationUseCases, keptMessages: DevTextMessages?, pushes: PushRoutes,
    _ house: House
) -> Router<Context> {
    let router = house.router()
    NotificationRoutes(notifications: notifications, keptMessages: keptMessages).add(to: router)
    pushes.add(to: router)
    return router
}

func notificationUseCases(
    _ config: NotificationsConfig, _ house: House
) throws -> NotificationUseCases {
    NotificationUseCases(
        database: try house.database(NotificationStore.migrations), sealer: house.sealer,
        clock: house.clock, operatorsLanguage: config.operatorsLanguage)
}

func keptMessages(
    _ config: NotificationsConfig, _ notifications: NotificationUseCases
) -> DevTextMessages? {
    switch config.textMessages {
    case .dev: DevTextMessages(database: notifications.database, clock: notifications.clock)
    case .twilio: nil
    }
}

func provider(
    _ config: NotificationsConfig, _ notifications: NotificationUseCases, _ house: House
) -> any TextMessageProvider {
    switch config.textMessages {
    case .dev:
        DevTextMessages(database: notifications.database, clock: notifications.clock)
    case .twilio(let base, let accountSID, let authToken, let from):
        TwilioTextMessages(
            client: house.httpClient, base: base, accountSID: accountSID, authToken: authToken,
            from: from)
    }
}
