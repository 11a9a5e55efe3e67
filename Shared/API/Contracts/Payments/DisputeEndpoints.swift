/// Payments that payers contest with their banks.
public enum DisputeEndpoints {
    public static let disputes = Endpoint<DisputesQuery, Page<Dispute>>(
        .get, "/v1/admin/disputes", id: "disputes", "Disputes of payments",
        """
        Payments that payers contest with their banks. Evidence is sent at the payment provider. Until a dispute is \
        decided, the payees' shares of the payment are not paid out; of a lost dispute, payees bear their shares.
        """, by: [.operator], answer: "Newest first.")
    static let all: [AnyEndpoint] = [disputes.untyped]
}
