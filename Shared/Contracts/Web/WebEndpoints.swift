/// What the web apps tell their own service.
public enum WebEndpoints {
    public static let reportError = Endpoint<WebAppError, Void>(
        .post, "/v1/client-errors", id: "reportClientError", "Tell what went wrong in an app",
        """
        For whoever keeps the apps: the report is counted and logged without numbers, e-mail addresses, tokens \
        and query strings. Where too many come in a minute they are only counted.
        """, by: .anybody, bodyLimit: BodyLimit.report,
        answer: Success("Taken.", status: 202))
    public static let all: [AnyEndpoint] = [reportError.untyped]
}

/// Body of `POST /v1/client-errors`.
public struct WebAppError: Codable, Sendable {
    /// `customer`, `valet` or `operator`.
    public var app: String
    /// Version of the app's files, as `/apps/index.json` has it: 16 hexadecimal digits.
    public var build: String
    /// What the browser says, at most 500 characters.
    public var message: String
    /// Address of the file in which it happened, at most 200 characters.
    public var source: String?
    /// In that file, from 1.
    public var line: Int?

    public init(
        app: String, build: String, message: String, source: String? = nil, line: Int? = nil
    ) {
        (self.app, self.build, self.message) = (app, build, message)
        (self.source, self.line) = (source, line)
    }
}
