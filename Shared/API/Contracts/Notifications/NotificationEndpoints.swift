extension ServiceManifest {
    public static let notifications = ServiceManifest(
        "notifications", tag: "feed", [.tokenKeys, .database, .personalData, .interactive],
        endpoints: NotificationEndpoints.all, events: [NotificationCreated.self],
        hears: [
            AccountChanged.self, AccountDeleted.self, SessionsEnded.self, CodeRequested.self,
            NoticeIssued.self, MailRequested.self, OperatorActed.self,
        ], copies: [.people],
        types: [LivePosition.self, PushMessage.self])
}

/// The feed, its live stream, pushes, the audit log and dead letters.
public enum NotificationEndpoints {
    public static let stream = Endpoint<StreamQuery, Bytes>(
        .get, "/v1/stream", id: "stream", "The live stream",
        """
        Each line of the feed arrives once and in order, also over a reconnect: `id` is its `sequence`. The first \
        block of a stream is only an `id`, so a client that is disconnected before the first line resumes at the \
        right place. A line with an order is sent as `order`, one with a text as `notification`, and one with both \
        as both in this order, with the id on the last. Positions have no id, and at most four a second are sent for \
        each person. A comment is sent every 15 s. A client that doesn't read is disconnected and resumes with \
        `Last-Event-ID`.
        """,
        with: [
            RequestHeader(
                "Last-Event-ID", as: .schema("integer", ["minimum": 0]),
                "Id of the last event that the client has; later events are sent first.")
        ],
        answer: Success(
            """
            The stream ends when the access token expires; reconnect with `Last-Event-ID`. `order` and \
            `notification` carry a `FeedItem`, `position` a `LivePosition`; a change of another kind is an event \
            with that kind's name.
            """,
            as: [.events]),
        refuses: [.tooManyStreams])
    public static let notifications = Endpoint<PageQuery, Page<FeedItem>>(
        .get, "/v1/notifications", id: "notifications", "The feed",
        answer: "Lines with a text, newest first.")
    public static let pushKey = Endpoint<Void, PushKey>(
        .get, "/v1/push-key", id: "pushKey", "The key that signs pushes",
        """
        For `applicationServerKey` of the Push API (RFC 8292). A browser that subscribed with another key \
        must subscribe again.
        """, by: .anybody, answer: "The public key.")
    public static let pushSubscriptions = Endpoint<PageQuery, Page<PushSubscription>>(
        .get, "/v1/me/push-subscriptions", id: "pushSubscriptions", "My push subscriptions",

        answer: "Subscriptions, without their secrets.")
    public static let subscribeToPushes = Endpoint<PushSubscriptionBody, PushSubscription>(
        .post, "/v1/me/push-subscriptions", id: "subscribeToPushes", "Get pushes in this browser",
        """
        Send the result of `PushSubscription.toJSON()`, for example at each start of an app. The same endpoint is \
        the same subscription and belongs to the person who sent it last. A person has at most ten; a new one \
        replaces the one renewed longest ago. A subscription ends with the session that renewed it last. Each push \
        is a `PushMessage`, encrypted for the browser (RFC 8291); a newer push replaces an undelivered one about the \
        same subject.
        """, with: [.idempotencyKey], answer: Success("The subscription.", status: 201))
    public static let unsubscribeFromPushes = Endpoint<Void, Void>(
        .delete, "/v1/me/push-subscriptions/{id}", id: "unsubscribeFromPushes",
        "End a push subscription", answer: "The subscription has ended.",
        refuses: [
            .pushSubscriptionUnknown
        ])
    public static let audit = Endpoint<AuditQuery, Page<AuditEntry>>(
        .get, "/v1/admin/audit", id: "audit", "The audit log",
        """
        One line for each change by an operator in any service; stored for seven years and never changed. A line \
        appears a moment after its change.
        """, by: [.operator],
        answer: "Newest first.")
    public static let messages = Endpoint<MessagesQuery, Page<TextMessage>>(
        .get, "/v1/admin/messages", id: "messages", "Sent text messages and mails",
        by: [.operator],
        answer: "Newest first; only with the `dev` message provider.",
        refuses: [
            .textMessagesNotKept
        ])
    public static let deadLetters = Endpoint<PageQuery, Page<DeadLetter>>(
        .get, "/v1/admin/dead-letters", id: "deadLetters", "Dead letters",
        by: [.operator], answer: "Newest first.")
    public static let retryDeadLetter = Endpoint<Void, DeadLetter>(
        .post, "/v1/admin/dead-letters/{id}/retry", id: "retryDeadLetter", "Retry a dead letter",
        by: [.operator], with: [.idempotencyKey], answer: "The record is published again.",
        refuses: [
            .deadLetterUnknown,
            .deadLetterUnusable,
        ])
    public static let all: [AnyEndpoint] = [
        stream.untyped, notifications.untyped, pushKey.untyped, pushSubscriptions.untyped,
        subscribeToPushes.untyped, unsubscribeFromPushes.untyped, audit.untyped, messages.untyped,
        deadLetters.untyped, retryDeadLetter.untyped,
    ]
}
