extension Refusal {
    public static let noMatchingDecision = Refusal(
        404, "matching.no_decision", "There is no matching decision about this order.")
}
