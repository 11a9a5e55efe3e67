/// How people deal with each other, in whatever product: blocks between them, and reports to operators.
extension AccountEndpoints {
    public static let blocks = Endpoint<Void, Page<BlockedPerson>>(
        .get, "/v1/me/blocks", id: "blocks", "Whom I have blocked", with: .page,
        answer: "Newest first; without those who have deleted their account.")
    public static let block = Endpoint<Void, Void>(
        .put, "/v1/me/blocks/{id}", id: "block", "Block somebody",
        """
        `id` is the person's. Products show neither to the other, and bring them together no more; what they have \
        begun already goes on. Nobody is told. Again: the same answer.
        """,
        answer: "They are blocked.",
        refusals: [
            Refusal(404, "account.unknown", "there is no such account."),
            Refusal(409, "account.too_many_blocks", "there are as many as an account can have."),
        ])
    public static let unblock = Endpoint<Void, Void>(
        .delete, "/v1/me/blocks/{id}", id: "unblock", "Block somebody no more",
        "Also for who was not blocked.", answer: "They are not blocked.")
    public static let report = Endpoint<ReportBody, Report>(
        .post, "/v1/reports", id: "report", "Report somebody",
        "Operators look at it, and the person is not told who wrote it.",
        with: [.idempotencyKey], answer: Success("The report.", status: 201),
        refusals: [
            Refusal(404, "account.unknown", "there is no such account."),
            Refusal(
                409, "report.open_exists",
                """
                one of yours about the same person and the same subject is open already; `reportId` says which.
                """),
            Refusal(429, "report.too_many", "as many were written as a day has."),
        ])
    public static let reports = Endpoint<Void, Page<ReportRecord>>(
        .get, "/v1/admin/reports", id: "reports", "Reports of people", by: [.operator],
        with: [Parameter].page + [
            Parameter("status", .reference(to: ReportStatus.self), "Only those with this status.")
        ], answer: "Newest first.")
    public static let closeReport = Endpoint<ReportDecision, ReportRecord>(
        .post, "/v1/admin/reports/{id}/close", id: "closeReport", "Close a report",
        """
        Says what was decided. The reporter is told that it was looked at, and who is warned that they are; suspending \
        somebody is done beside, where the person is suspended. The same decision again: the same answer.
        """, by: [.operator], with: [.idempotencyKey], answer: "The report as it is now.",
        refusals: [
            .accountSessionEnded,
            Refusal(404, "report.unknown", "there is no such report."),
            Refusal(409, "report.closed", "it was closed with another outcome."),
        ])
}

extension Refusal {
    fileprivate static let accountSessionEnded = Refusal(
        401, "account.session_ended", "the session has ended.")
}
