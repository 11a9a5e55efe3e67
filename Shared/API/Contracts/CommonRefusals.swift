/// The request as a whole can't be read or served.
extension Refusal {
    public static let malformed = Refusal(400, "request.malformed", "The body can't be read.")
    public static let tokenMissing = Refusal(
        401, "auth.token_missing", "Sign in first.", when: "No access token.")
    public static let tokenInvalid = Refusal(
        401, "auth.token_invalid", "The access token is invalid or has expired.")
    public static let roleNotAllowed = Refusal(
        403, "auth.role", "This account may not do that.",
        when: "The account lacks the role for this.")
    public static let suspended = Refusal(
        403, "account.suspended", "This account is suspended.")
    public static let notFound = Refusal(
        404, "request.not_found", "There is nothing at this address.",
        when: "There is nothing at this address, or it belongs to someone else.")
    public static let methodNotAllowed = Refusal(
        405, "request.method_not_allowed", "This address does not support that method.")
    public static let preconditionFailed = Refusal(
        412, "request.precondition_failed", "Someone has changed it since. Load it again.")
    public static let bodyTooLarge = Refusal(413, "request.too_large", "The body is too large.")
    public static let notJSON = Refusal(
        415, "request.not_json", "The body must be application/json.")
    public static let invalid = Refusal(
        422, "request.invalid", "The request has an invalid value.",
        when: "A field has an invalid value; `field` names it.")
    public static let keyReused = Refusal(
        422, "idempotency.key_reused", "This idempotency key belongs to another request.")

    public static let internalError = Refusal(
        500, "internal.error", "Something went wrong on our side.")
    public static let unavailable = Refusal(
        503, "service.unavailable", "A part of the service is unavailable. Try again in a moment.",
        when: "A part of the service is unavailable. Try again later.")

    /// A field of the body, the query or a header has an invalid value.
    public static func invalid(_ field: String?, _ detail: String) -> Refusal {
        invalid.because(detail).about(field)
    }

    /// Several invalid fields, each checked alone; `first` is one of them.
    public static func invalid(_ first: WrongField, among errors: [WrongField]) -> Refusal {
        invalid(first.field, first.detail).because { $0.errors = errors }
    }

    /// `?after=` is not the `next` of a page of this list.
    public static let cursorUnknown = invalid("after", "Not a cursor of this list.")

    /// A part that the request needs is unavailable for now.
    public static func unavailable(_ detail: String, retryAfterSeconds: Int = 2) -> Refusal {
        unavailable.because(detail).retrying(after: retryAfterSeconds)
    }

    /// - Parameter limit: In bytes.
    public static func bodyTooLarge(limit: Int) -> Refusal {
        bodyTooLarge.because("At most \(limit) bytes.")
    }

    /// - Parameters:
    ///   - field: Path of the unreadable field, if known.
    ///   - detail: The reason, for people.
    public static func malformed(_ field: String?, _ detail: String) -> Refusal {
        malformed.because(detail).about(field)
    }
}

/// The refusals that follow from an endpoint's kind.
public enum CommonRefusals {
    public typealias Named = (name: String, refusal: Refusal)

    private static let malformed = Named("Malformed", .malformed)
    private static let tokenMissing = Named("", .tokenMissing)
    private static let tokenInvalid = Named("Unauthorized", .tokenInvalid)
    private static let role = Named("Forbidden", .roleNotAllowed)
    private static let suspended = Named("Suspended", .suspended)
    private static let notFound = Named("NotFound", .notFound)
    private static let tooSlow = Named("TooSlow", .bodyTooSlow)
    private static let tooLarge = Named("TooLarge", .bodyTooLarge)
    private static let addressTooLong = Named("AddressTooLong", .addressTooLong)
    private static let notJSON = Named("NotJSON", .notJSON)
    private static let invalid = Named("Invalid", .invalid)
    private static let keyReused = Named("KeyReused", .keyReused)
    private static let tooMany = Named("TooMany", .rateLimited)
    private static let headTooLarge = Named("HeadTooLarge", .headTooLarge)
    private static let internalError = Named("Internal", .internalError)
    private static let unavailable = Named("Unavailable", .unavailable)

    public static func of(_ endpoint: AnyEndpoint) -> [Named] {
        let hasKey = endpoint.headers.contains(.idempotencyKey)
        // The service alone checks a body of any shape.
        let isShaped = endpoint.body != nil && endpoint.body != JSONValue.self
        let hasJSON = isShaped && endpoint.media == [.json]
        let hasQuery = endpoint.query != nil
        let isForSome = endpoint.callers != .everybody && endpoint.callers != .anybody
        let changes = endpoint.callers != .anybody && endpoint.method != .get
        let rules: [(Bool, [Named])] = [
            (isShaped, [malformed]),
            (true, [tokenMissing, tokenInvalid]),
            (isForSome, [role]),
            (changes, [suspended]),
            (!endpoint.pathIDs.isEmpty, [notFound]),
            // The gateway reads every body, wanted or not.
            (endpoint.body != nil || endpoint.method != .get, [tooSlow, tooLarge]),
            (true, [addressTooLong]),
            (hasJSON, [notJSON]),
            // An Idempotency-Key is checked wherever it is allowed.
            (hasJSON || hasQuery || hasKey || endpoint.method == .post, [invalid]),
            (hasKey, [keyReused]),
            (true, [tooMany, headTooLarge, internalError, unavailable]),
        ]
        return rules.flatMap { $0 ? $1 : [] }
    }

    /// The name of the document's component for refusals of one status.
    public static func name(_ refusals: [Named]) -> String {
        refusals.map(\.name).filter { !$0.isEmpty }.joined(separator: "Or")
    }

    /// The document's components, by name.
    public static var all: [(name: String, refusals: [Refusal])] {
        [
            [malformed], [tokenMissing, tokenInvalid], [role], [role, suspended], [suspended],
            [notFound], [tooSlow], [tooLarge],
            [addressTooLong], [notJSON], [invalid], [invalid, keyReused], [tooMany],
            [headTooLarge], [internalError], [unavailable],
        ].map { (name($0), $0.map(\.refusal)) }
    }
}
