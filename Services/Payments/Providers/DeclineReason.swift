/// Why a card was declined, as far as its holder may be told.
enum DeclineReason {
    /// Reasons that help a thief (Stripe, "Decline codes": present them as a generic decline).
    private static let kept: Set<String> = [
        "fraudulent", "lost_card", "merchant_blacklist", "pickup_card", "restricted_card",
        "security_violation", "stolen_card",
    ]
    static let generic = "card_declined"

    /// The provider's reason, or the generic one in place of a reason that is not told.
    static func forPayer(_ reason: String?) -> String {
        guard let reason, !kept.contains(reason) else { return generic }
        return reason
    }
}
