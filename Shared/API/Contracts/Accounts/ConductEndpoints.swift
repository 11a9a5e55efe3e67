/// How people deal with each other, in whatever product: blocks between them, and reports to operators.
extension AccountEndpoints {
    public static let blocks = Endpoint<PageQuery, Page<BlockedPerson>>(
        .get, "/v1/me/blocks", id: "blocks", "Whom I have blocked",
        answer: "Newest first; without those who have deleted their account.")
    public static let block = Endpoint<Void, Void>(
        .put, "/v1/me/blocks/{id}", id: "block", "Block somebody",
        """
        `id` is the person's. Products show neither to the other, and bring them together no more; what they have \
        begun already goes on. Nobody is told. Again: the same answer.
        """,
        answer: "They are blocked.",
        refuses: [
            .invalid.when("Nobody can block themselves."),
            .accountUnknown,
            .tooManyBlocks,
        ])
    public static let unblock = Endpoint<Void, Void>(
        .delete, "/v1/me/blocks/{id}", id: "unblock", "Block somebody no more",
        "Also for who was not blocked.", answer: "They are not blocked.")
    public static let report = Endpoint<ReportBody, Report>(
        .post, "/v1/reports", id: "report", "Report somebody",
        "Operators look at it, and the person is not told who wrote it.",
        with: [.idempotencyKey], answer: Success("The report.", status: 201),
        refuses: [
            .accountUnknown,
            .reportExists,
            .tooManyReports,
        ])
    public static let reports = Endpoint<ReportsQuery, Page<ReportRecord>>(
        .get, "/v1/admin/reports", id: "reports", "Reports of people", by: [.operator],
        answer: "Newest first.")
    public static let closeReport = Endpoint<ReportDecision, ReportRecord>(
        .post, "/v1/admin/reports/{id}/close", id: "closeReport", "Close a report",
        """
        Says what was decided. The reporter is told that it was looked at, and who is warned that they are; suspending \
        somebody is done beside, where the person is suspended. The same decision again: the same answer.
        """, by: [.operator], with: [.idempotencyKey], answer: "The report as it is now.",
        refuses: [
            .sessionEnded,
            .reportUnknown,
            .reportClosed,
        ])
}
