/// Blocks between people and reports to operators, in every product.
extension AccountEndpoints {
    public static let blocks = Endpoint<PageQuery, Page<BlockedPerson>>(
        .get, "/v1/me/blocks", id: "blocks", "People I have blocked",
        answer: "Newest first, without deleted accounts.")
    public static let block = Endpoint<Void, Void>(
        .put, "/v1/me/blocks/{id}", id: "block", "Block a person",
        """
        `id` is the person's. Products show neither to the other and no longer match them; whatever they have already \
        begun continues. Nobody is notified. A repeat gets the same answer.
        """,
        answer: "They are blocked.",
        refuses: [
            .invalid.when("You can't block yourself."),
            .accountUnknown,
            .tooManyBlocks,
        ])
    public static let unblock = Endpoint<Void, Void>(
        .delete, "/v1/me/blocks/{id}", id: "unblock", "Unblock a person",
        "Succeeds also if the person was not blocked.", answer: "They are not blocked.")
    public static let report = Endpoint<ReportBody, Report>(
        .post, "/v1/reports", id: "report", "Report a person",
        "Operators look at the report; the person doesn't learn who wrote it.",
        with: [.idempotencyKey], answer: Success("The report.", status: 201),
        refuses: [
            .accountUnknown,
            .reportExists,
            .tooManyReports,
        ])
    public static let reports = Endpoint<ReportsQuery, Page<ReportRecord>>(
        .get, "/v1/admin/reports", id: "reports", "Reports about people", by: [.operator],
        answer: "Newest first.")
    public static let closeReport = Endpoint<ReportDecision, ReportRecord>(
        .post, "/v1/admin/reports/{id}/close", id: "closeReport", "Close a report",
        """
        Records the decision. We tell the reporter that the report was looked at, and warn the person if that is the \
        decision. Suspending a person is a separate request. The same decision again gets the same answer.
        """, by: [.operator], with: [.idempotencyKey], answer: "The report as it is now.",
        refuses: [
            .sessionEnded,
            .reportUnknown,
            .reportClosed,
        ])
}
