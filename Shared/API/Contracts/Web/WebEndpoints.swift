/// Error reports of the web apps, and endpoints of a demo.
public enum WebEndpoints {
    public static let reportError = Endpoint<WebAppError, Void>(
        .post, "/v1/client-errors", id: "reportClientError", "Report an error in an app",
        """
        The report is counted and logged without numbers, e-mail addresses, tokens and query strings. Above a limit \
        per minute, reports are only counted.
        """, by: .anybody, bodyLimit: BodyLimit.report,
        answer: Success("The report is accepted.", status: 202))
    public static let demo = Endpoint<Void, DemoView>(
        .get, "/v1/demo", id: "demo", "Accounts of the demo",
        "Sign-ins that are open to everybody who can reach the demo.", by: .anybody,
        answer: "The accounts to sign in as.", refuses: [.noDemo])
    public static let readOut = Endpoint<SpokenCode, Void>(
        .put, "/v1/demo/orders/{id}/code", id: "readOutCode",
        "Send the hand-over code in a demo",
        """
        The people of a demo do not meet in person: the person with the hand-over code sends it here, and the other \
        reads it here.
        """, by: .anybody, bodyLimit: BodyLimit.report,
        answer: "The code is available and replaces the previous one of the same leg.",
        refuses: [.noDemo])
    public static let hear = Endpoint<HearQuery, SpokenCode?>(
        .get, "/v1/demo/orders/{id}/code", id: "hearCode",
        "Read the hand-over code in a demo",
        by: .anybody,
        answer: Success(
            "The last code.", or: [204: "No code was sent yet."]),
        refuses: [.noDemo])
    public static let all: [AnyEndpoint] = [
        reportError.untyped, demo.untyped, readOut.untyped, hear.untyped,
    ]
}

extension Refusal {
    fileprivate static let noDemo = notFound.when("This is no demo.")
}

/// An error in a web app.
public struct WebAppError: Codable, Sendable {
    /// App that failed: `customer`, `valet`, `operator` or `pay`.
    public var app: String
    /// Version of the app's files, as in `/apps/index.json`.
    public var build: String
    /// Error message of the browser.
    public var message: String
    /// Address of the file in which the error happened.
    public var source: String?
    /// Line in that file, from 1.
    public var line: Int?

    public init(
        app: String, build: String, message: String, source: String? = nil, line: Int? = nil
    ) {
        (self.app, self.build, self.message) = (app, build, message)
        (self.source, self.line) = (source, line)
    }
}
