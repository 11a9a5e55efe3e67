extension Refusal {
    public static let textMessagesNotKept = Refusal(
        404, "notification.messages_not_kept", "Text messages are not kept here.",
        when: "Messages go to a real provider.")
    public static let pushSubscriptionUnknown = Refusal(
        404, "notification.subscription_unknown",
        "There is no such subscription, or it is not yours.")
    public static let deadLetterUnknown = Refusal(
        404, "notification.dead_letter_unknown", "There is no such dead letter.")
    public static let deadLetterUnusable = Refusal(
        409, "notification.dead_letter_unusable",
        "This record is no event, or of nobody who may say it: sending it again can't help.")
}
