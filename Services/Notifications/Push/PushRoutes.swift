import Contracts
import Hummingbird
import ServiceKit

/// Subscriptions to pushes: HTTP to use case.
struct PushRoutes: Sendable {
    let notifications: NotificationUseCases
    let vapid: Vapid
    let services: PushServices

    func add(to router: Router<Context>) {
        router.on(NotificationEndpoints.pushKey, use: key)
        router.on(NotificationEndpoints.pushSubscriptions, use: list)
        router.on(NotificationEndpoints.subscribeToPushes, use: subscribe)
        router.on(NotificationEndpoints.unsubscribeFromPushes, use: unsubscribe)
    }

    @Sendable func key(_ request: Request, _ context: Context) async throws -> Reply {
        try Reply(.ok, PushKey(publicKey: vapid.publicKey))
    }

    @Sendable func list(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person().person
        return try Reply(
            .ok, try await notifications.pushSubscriptions(of: person, request.page()))
    }

    @Sendable func subscribe(_ request: Request, _ context: Context) async throws -> Reply {
        let identity = try context.person()
        let body = try await context.body(PushSubscriptionBody.self, of: request)
        return try Reply(
            .created,
            try await notifications.subscribe(
                identity, body, to: services, key: context.idempotency))
    }

    @Sendable func unsubscribe(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person().person
        try await notifications.unsubscribe(context.id("id"), of: person)
        return .noContent
    }
}
