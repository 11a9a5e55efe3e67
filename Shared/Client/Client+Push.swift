import Contracts

extension OpenValetClient {
    /// The server's key, with which a browser subscribes to its pushes.
    public func pushKey() async throws -> PushKey {
        var call = Call.get("/v1/push-key")
        call.needsToken = false
        return try await value(call)
    }

    /// Subscribes a browser, or renews its subscription.
    @discardableResult
    public func subscribeToPushes(
        _ body: PushSubscriptionBody, key: RequestKey = .new()
    ) async throws -> PushSubscription {
        try await value(try .post("/v1/me/push-subscriptions", body, key: key))
    }

    public func pushSubscriptions(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<PushSubscription> {
        try await value(.get("/v1/me/push-subscriptions").page(after, limit))
    }

    public func unsubscribeFromPushes(_ id: PushSubscriptionID) async throws {
        try await done(.delete("/v1/me/push-subscriptions/\(id)"))
    }
}
