import Contracts
import Hummingbird
import ServiceKit

/// Maps HTTP requests to use cases of push subscriptions.
struct PushRoutes: Sendable {
    let notifications: NotificationUseCases
    let vapid: Vapid
    let services: PushServices

    func add(to router: Router<Context>) {
        router.on(NotificationEndpoints.pushKey) { _ in PushKey(publicKey: vapid.publicKey) }
        router.on(NotificationEndpoints.pushSubscriptions) {
            try await notifications.pushSubscriptions(of: $0.person.person, $0.page)
        }
        router.on(NotificationEndpoints.subscribeToPushes) {
            try await notifications.subscribe(
                $0.person, $0.body, to: services, key: $0.idempotency)
        }
        router.on(NotificationEndpoints.unsubscribeFromPushes) {
            try await notifications.unsubscribe($0.id(), of: $0.person.person)
        }
    }
}
