import Contracts

/// What every endpoint of its kind refuses, by rule.
enum CommonRefusals {
    typealias Named = (name: String, refusal: Refusal)

    private static let malformed = Named(
        "Malformed", Refusal(400, "request.malformed", "the body can't be read."))
    private static let tokenMissing = Named(
        "", Refusal(401, "auth.token_missing", "no access token."))
    private static let tokenInvalid = Named(
        "Unauthorized",
        Refusal(401, "auth.token_invalid", "an access token that is none, or no longer."))
    private static let role = Named(
        "Forbidden", Refusal(403, "auth.role", "the account is of another kind."))
    private static let suspended = Named(
        "Suspended", Refusal(403, "account.suspended", "the account is suspended."))
    private static let notFound = Named(
        "NotFound",
        Refusal(404, "request.not_found", "there is nothing at this address, or it is not yours."))
    private static let tooSlow = Named(
        "TooSlow", Refusal(408, "request.too_slow", "the body did not arrive in time."))
    private static let tooLarge = Named(
        "TooLarge", Refusal(413, "request.too_large", "the body is too large."))
    private static let addressTooLong = Named(
        "AddressTooLong", Refusal(414, "request.too_large", "the address is too long."))
    private static let notJSON = Named(
        "NotJSON", Refusal(415, "request.not_json", "the body has to be application/json."))
    private static let invalid = Named(
        "Invalid",
        Refusal(
            422, "request.invalid", "a field has a value that it can't have; `field` says which."))
    private static let keyReused = Named(
        "KeyReused",
        Refusal(422, "idempotency.key_reused", "the key was used for another request."))
    private static let tooMany = Named(
        "TooMany", Refusal(429, "rate.limited", "too many requests: try again later."))
    private static let headTooLarge = Named(
        "HeadTooLarge", Refusal(431, "request.too_large", "the request's headers are too large."))
    private static let internalError = Named(
        "Internal", Refusal(500, "internal.error", "something went wrong on our side."))
    private static let unavailable = Named(
        "Unavailable",
        Refusal(503, "service.unavailable", "a part of the service is away: try again later."))

    static func of(_ endpoint: AnyEndpoint) -> [Named] {
        let hasKey = endpoint.parameters.contains(.idempotencyKey)
        // A body of any shape is judged by its service alone.
        let isShaped = endpoint.body != nil && endpoint.body != JSONValue.self
        let hasJSON = isShaped && endpoint.media == [.json]
        let hasQuery = endpoint.parameters.contains { $0.place == .query }
        let isForSome = endpoint.callers != .everybody && endpoint.callers != .anybody
        let changes = endpoint.callers != .anybody && endpoint.method != .get
        let rules: [(Bool, [Named])] = [
            (hasJSON, [malformed]),
            (true, [tokenMissing, tokenInvalid]),
            (isForSome, [role]),
            (changes, [suspended]),
            (!endpoint.pathIDs.isEmpty, [notFound]),
            (endpoint.body != nil, [tooSlow, tooLarge]),
            (true, [addressTooLong]),
            (hasJSON, [notJSON]),
            (hasJSON || hasQuery || hasKey, [invalid]),
            (hasKey, [keyReused]),
            (true, [tooMany, headTooLarge, internalError, unavailable]),
        ]
        return rules.flatMap { $0 ? $1 : [] }
    }

    /// Refusals of one status, as the document's components have them.
    static func name(_ refusals: [Named]) -> String {
        refusals.map(\.name).filter { !$0.isEmpty }.joined(separator: "Or")
    }

    /// The document's components, by name.
    static var all: [(name: String, refusals: [Refusal])] {
        [
            [malformed], [tokenMissing, tokenInvalid], [role], [role, suspended], [suspended],
            [notFound], [tooSlow], [tooLarge],
            [addressTooLong], [notJSON], [invalid], [invalid, keyReused], [tooMany],
            [headTooLarge], [internalError], [unavailable],
        ].map { (name($0), $0.map(\.refusal)) }
    }
}
