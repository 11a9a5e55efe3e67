/// What the web apps tell their own service, and what a demo has beside.
public enum WebEndpoints {
    public static let reportError = Endpoint<WebAppError, Void>(
        .post, "/v1/client-errors", id: "reportClientError", "Tell what went wrong in an app",
        """
        For whoever keeps the apps: the report is counted and logged without numbers, e-mail addresses, tokens \
        and query strings. Where too many come in a minute they are only counted.
        """, by: .anybody, bodyLimit: BodyLimit.report,
        answer: Success("Taken.", status: 202))
    public static let demo = Endpoint<Void, DemoView>(
        .get, "/v1/demo", id: "demo", "Whom one can be in a demo",
        "Sign-ins that are open to whoever reaches the demo.", by: .anybody,
        answer: "The people whom one can be.", refuses: [.noDemo])
    public static let readOut = Endpoint<SpokenCode, Void>(
        .put, "/v1/demo/orders/{id}/code", id: "readOutCode", "Read out a code on a demo's street",
        """
        People of a demo do not stand beside each other: who has the hand-over code reads it out here, and \
        whoever is at the hand-over hears it.
        """, by: .anybody, bodyLimit: BodyLimit.report,
        answer: "It can be heard; what was read out before for the same leg can't any more.",
        refuses: [.noDemo])
    public static let hear = Endpoint<HearQuery, SpokenCode?>(
        .get, "/v1/demo/orders/{id}/code", id: "hearCode",
        "Hear what is read out on a demo's street",
        by: .anybody,
        answer: Success(
            "What was read out last.", or: [204: "Nobody has read out anything yet."]),
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
    /// App that failed: `customer`, `valet` or `operator`.
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
