extension Refusal {
    public static let textMessagesNotKept = Refusal(
        404, "notification.messages_not_kept", "Text messages are not stored on this server.",
        when: "A provider sends the messages.")
    public static let pushSubscriptionUnknown = Refusal(
        404, "notification.subscription_unknown",
        "There is no such subscription, or it is someone else's.")
    public static let deadLetterUnknown = Refusal(
        404, "notification.dead_letter_unknown", "There is no such dead letter.")
    public static let deadLetterUnusable = Refusal(
        409, "notification.dead_letter_unusable",
        "This record is no valid event of its producer, so retrying can't help.")
}
