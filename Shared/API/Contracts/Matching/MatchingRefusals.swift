extension Refusal {
    public static let noMatchingDecision = Refusal(
        404, "matching.no_decision", "No decision about this order is known here.")
}
