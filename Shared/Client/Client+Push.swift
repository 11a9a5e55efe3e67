import Contracts

extension OpenValetClient {
    /// The server's key, with which a browser subscribes to its pushes.
    public func pushKey() async throws -> PushKey {
        try await value(NotificationEndpoints.pushKey())
    }

    /// Subscribes a browser, or renews its subscription.
    @discardableResult
    public func subscribeToPushes(
        _ body: PushSubscriptionBody, key: RequestKey = .new()
    ) async throws -> PushSubscription {
        try await value(NotificationEndpoints.subscribeToPushes(body: body, key: key))
    }

    public func pushSubscriptions(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<PushSubscription> {
        try await value(
            NotificationEndpoints.pushSubscriptions(asks: PageQuery(after: after, limit: limit)))
    }

    public func unsubscribeFromPushes(_ id: PushSubscriptionID) async throws {
        try await done(NotificationEndpoints.unsubscribeFromPushes(id))
    }
}
