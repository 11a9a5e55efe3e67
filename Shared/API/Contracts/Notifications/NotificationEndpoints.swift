extension ServiceManifest {
    public static let notifications = ServiceManifest(
        "notifications", tag: "feed", [.tokenKeys, .database, .personalData],
        endpoints: NotificationEndpoints.all, events: [NotificationCreated.self],
        hears: [
            AccountChanged.self, AccountDeleted.self, SessionsEnded.self, CodeRequested.self,
            NoticeIssued.self, OperatorActed.self,
        ],
        types: [LivePosition.self, PushMessage.self])
}

/// What happened, live and later; pushes; what operators look after.
public enum NotificationEndpoints {
    public static let stream = Endpoint<StreamQuery, Bytes>(
        .get, "/v1/stream", id: "stream", "What happens, live",
        """
        Each line of the feed comes once and in order, also over a reconnect: `id` is its `sequence`, and \
        the first block of a stream is an `id` alone, so that also who was cut off before the first line \
        comes back to the right place. A line with an order comes as `order`, one with a text as \
        `notification`; one with both as both, in this order, the id on the last. Positions have no id and \
        at most four a second come of each person. A comment comes each 15 s. A client that does not read is \
        cut off and catches up by `Last-Event-ID`.
        """,
        with: [
            RequestHeader(
                "Last-Event-ID", as: .schema("integer", ["minimum": 0]),
                "Id of the last event that the client has: what came after is sent first.")
        ],
        answer: Success(
            """
            A stream that ends with the access token; come back with `Last-Event-ID`. `order` and `notification` \
            carry a `FeedItem`, `position` a `LivePosition`; what changes of another kind has an event of that kind's \
            name.
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
        has to subscribe anew.
        """, by: .anybody, answer: "The public key.")
    public static let pushSubscriptions = Endpoint<PageQuery, Page<PushSubscription>>(
        .get, "/v1/me/push-subscriptions", id: "pushSubscriptions", "Where I get pushes",

        answer: "Subscriptions, without what is secret of them.")
    public static let subscribeToPushes = Endpoint<PushSubscriptionBody, PushSubscription>(
        .post, "/v1/me/push-subscriptions", id: "subscribeToPushes", "Get pushes in this browser",
        """
        What `PushSubscription.toJSON()` gives; once more at each start of an app does no harm. The same \
        endpoint again is the same subscription, which belongs to whoever asked last. Of more than ten the \
        one that was renewed longest ago goes. A subscription ends with the session in which it was renewed \
        last. Pushed is a `PushMessage`, encrypted for the browser (RFC 8291). A newer one about the same \
        takes the place of an older one that was not delivered yet.
        """, with: [.idempotencyKey], answer: Success("The subscription.", status: 201))
    public static let unsubscribeFromPushes = Endpoint<Void, Void>(
        .delete, "/v1/me/push-subscriptions/{id}", id: "unsubscribeFromPushes",
        "No more pushes there", answer: "It is gone.",
        refuses: [
            .pushSubscriptionUnknown
        ])
    public static let audit = Endpoint<AuditQuery, Page<AuditEntry>>(
        .get, "/v1/admin/audit", id: "audit", "What operators did",
        """
        One line for each change that an operator made anywhere; kept for seven years, changed by nothing. A \
        line is there a moment after what it tells of.
        """, by: [.operator],
        answer: "Newest first.")
    public static let messages = Endpoint<MessagesQuery, Page<TextMessage>>(
        .get, "/v1/admin/messages", id: "messages", "Text messages and mails that were sent",
        by: [.operator],
        answer: "Newest first; only with the `dev` message provider.",
        refuses: [
            .textMessagesNotKept
        ])
    public static let deadLetters = Endpoint<PageQuery, Page<DeadLetter>>(
        .get, "/v1/admin/dead-letters", id: "deadLetters", "Records that nobody could handle",
        by: [.operator], answer: "Newest first.")
    public static let retryDeadLetter = Endpoint<Void, DeadLetter>(
        .post, "/v1/admin/dead-letters/{id}/retry", id: "retryDeadLetter", "Try a record again",
        by: [.operator], with: [.idempotencyKey], answer: "The record was published again.",
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
