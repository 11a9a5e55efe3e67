import ArgumentParser
import Contracts
import Foundation

/// The HTTP API as a document (OpenAPI 3.1): operations from the endpoints of all services, between a head and the
/// schemas, which are written by hand.
struct OpenAPIDocument {
    /// Folder of the head and the schemas, within the repository.
    static let folder = "Shared/Documents"
    static let path = "Services/Gateway/Documents/openapi.yaml"

    /// Operations of operators alone are under a heading of their own.
    private static let operatorsTag = "operators"

    let text: String

    /// - Parameter repository: The folder of the project.
    init(_ repository: URL, services: [ServiceManifest] = allServices) throws {
        let folder = repository.appending(path: Self.folder)
        let head = try String(contentsOf: folder.appending(path: "head.yaml"), encoding: .utf8)
        let schemas = try FileManager.default
            .contentsOfDirectory(
                at: folder.appending(path: "schemas"), includingPropertiesForKeys: nil
            )
            .sorted { $0.path < $1.path }
            .map { try String(contentsOf: $0, encoding: .utf8) }
        var lines = [
            "# Written by `make documents`: change the endpoints, the head or the schemas."
        ]
        lines.append(head.trimmingCharacters(in: .newlines))
        lines += try Self.paths(services)
        lines += ["components:", "  securitySchemes:"]
        lines.append(
            "    accessToken: {type: http, scheme: bearer, bearerFormat: JWT, description: 'The access token of a"
                + " session: ES256, 15 minutes.'}")
        lines.append("  responses:")
        lines += try CommonRefusals.all.map { name, refusals in
            "    \(name): \(try Self.json(Self.problem(refusals)))"
        }
        lines.append("  schemas:")
        lines += schemas.flatMap { $0.split(separator: "\n") }.map { "    \($0)" }
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func paths(_ services: [ServiceManifest]) throws -> [String] {
        let operations = services.flatMap { service in
            service.endpoints.map { (tag: service.tag, endpoint: $0) }
        }
        var paths: [String] = []
        for (_, endpoint) in operations where !paths.contains(endpoint.path) {
            paths.append(endpoint.path)
        }
        return try ["paths:"]
            + paths.flatMap { path in
                try ["  \(path):"]
                    + operations.filter { $0.endpoint.path == path }.flatMap {
                        try operation($0.endpoint, tag: $0.tag)
                    }
            }
    }

    private static func operation(_ endpoint: AnyEndpoint, tag: String) throws -> [String] {
        let roles = Role.allCases.filter { endpoint.callers.roles?.contains($0) == true }
        let heading = roles == [.operator] ? operatorsTag : tag
        var lines = [
            "\(endpoint.method.rawValue.lowercased()):",
            "  operationId: \(endpoint.id)",
            "  tags: [\(heading)]",
            "  summary: \(try json(.text(endpoint.summary)))",
        ]
        if let details = endpoint.details {
            lines.append("  description: \(try json(.text(details)))")
        }
        lines.append("  x-roles: [\(roles.map(\.rawValue).joined(separator: ", "))]")
        if endpoint.callers.roles == nil { lines.append("  security: []") }
        let parameters = self.parameters(endpoint)
        if !parameters.isEmpty { lines.append("  parameters:") }
        lines += try parameters.map { "    - \(try json($0))" }
        if let body = endpoint.body {
            lines.append("  requestBody: \(try json(requestBody(endpoint, body)))")
        }
        lines.append("  responses:")
        lines += try responses(endpoint).map { "    '\($0)': \(try json($1))" }
        return lines.map { "    \($0)" }
    }

    private static func parameters(_ endpoint: AnyEndpoint) -> [JSONValue] {
        let ids = endpoint.pathIDs.map { name in
            JSONValue.object([
                "name": .text(name), "in": "path", "required": .bool(true),
                "description": "Which one.", "schema": endpoint.ids,
            ])
        }
        return ids
            + endpoint.parameters.map { parameter in
                .object([
                    "name": .text(parameter.name), "in": .text(parameter.place.rawValue),
                    "required": .bool(parameter.isRequired), "description": .text(parameter.text),
                    "schema": parameter.schema,
                ])
            }
    }

    private static func requestBody(_ endpoint: AnyEndpoint, _ body: Any.Type) -> JSONValue {
        let content = endpoint.media.map { media in
            let schema =
                media == .json
                ? JSONValue(schemaOf: body)
                : .schema(
                    "string",
                    [
                        "contentMediaType": .text(media.rawValue),
                        "maxLength": .integer(endpoint.bodyLimit),
                    ])
            return (media.rawValue, JSONValue.object(["schema": schema]))
        }
        return .object([
            "required": .bool(!(body is any OptionalBody.Type)),
            "content": .object(Dictionary(uniqueKeysWithValues: content)),
        ])
    }

    /// By status, in order.
    private static func responses(_ endpoint: AnyEndpoint) throws -> [(Int, JSONValue)] {
        let success = endpoint.success
        var responses: [(Int, JSONValue)] = [
            (success.status ?? 200, answer(endpoint, success.text, hasBody: endpoint.answer != nil))
        ]
        for (status, text) in success.others {
            responses.append((status, answer(endpoint, text, hasBody: status == 201)))
        }
        let common = CommonRefusals.of(endpoint)
        for status in Set((common.map(\.refusal) + endpoint.refusals).map(\.status)) {
            let own = endpoint.refusals.filter { $0.status == status }
            let shared = common.filter { $0.refusal.status == status }
            if own.isEmpty {
                let name = CommonRefusals.name(shared)
                responses.append(
                    (status, .object(["$ref": .text("#/components/responses/\(name)")])))
            } else {
                responses.append((status, problem(shared.map(\.refusal) + own)))
            }
        }
        return responses.sorted { $0.0 < $1.0 }
    }

    private static func answer(
        _ endpoint: AnyEndpoint, _ text: String, hasBody: Bool
    ) -> JSONValue {
        var answer: [String: JSONValue] = ["description": .text(text)]
        let headers = endpoint.success.headers.map { header in
            (
                header.rawValue,
                JSONValue.object([
                    "description": .text(header.meaning), "schema": .schema("string"),
                ])
            )
        }
        if hasBody, !headers.isEmpty {
            answer["headers"] = .object(Dictionary(uniqueKeysWithValues: headers))
        }
        if hasBody, let type = endpoint.answer {
            let content = endpoint.success.media.map { media in
                let schema: JSONValue =
                    switch media {
                    case .json: JSONValue(schemaOf: type)
                    case .html, .yaml, .events: .schema("string")
                    case .jpeg, .png, .webp:
                        .schema("string", ["contentMediaType": .text(media.rawValue)])
                    }
                return (media.rawValue, JSONValue.object(["schema": schema]))
            }
            answer["content"] = .object(Dictionary(uniqueKeysWithValues: content))
        }
        return .object(answer)
    }

    private static func problem(_ refusals: [Refusal]) -> JSONValue {
        var codes: [String] = []
        for refusal in refusals where !codes.contains(refusal.code) { codes.append(refusal.code) }
        let texts = refusals.map { "`\($0.code)`: \($0.text)" }
        let schema = JSONValue.object([
            "allOf": [
                JSONValue(schemaOf: Problem.self),
                .object([
                    "properties": .object([
                        "code": .object(["enum": .list(codes.map(JSONValue.text))])
                    ])
                ]),
            ]
        ])
        var problem: [String: JSONValue] = [
            "description": .text(texts.joined(separator: " ")),
            "content": .object(["application/problem+json": .object(["schema": schema])]),
        ]
        let header: (name: String, meaning: String, type: String)? =
            switch refusals.first?.status {
            case 401: ("WWW-Authenticate", "How to prove who one is: `Bearer`.", "string")
            case 429, 503:
                ("Retry-After", "Seconds until it makes sense to try again.", "integer")
            default: nil
            }
        if let header {
            problem["headers"] = .object([
                header.name: .object([
                    "description": .text(header.meaning), "schema": .schema(header.type),
                ])
            ])
        }
        return .object(problem)
    }

    private static func json(_ value: JSONValue) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// A body that may be left out.
private protocol OptionalBody {}
extension Optional: OptionalBody {}

extension Success.Header {
    fileprivate var meaning: String {
        switch self {
        case .eTag: "The version, for `If-Match` and `If-None-Match`."
        case .location: "Where it is to be found."
        case .preferenceApplied: "Set when `Prefer` was honoured (RFC 7240)."
        case .contentDisposition: "The name of the file."
        }
    }
}

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

/// `openvalet openapi`: for those who change the API.
struct OpenAPI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Prints the OpenAPI document that the sources make (make documents).",
        shouldDisplay: false)

    @Argument(help: "Folder of the project.") var repository = "."

    func run() async throws {
        let document = try OpenAPIDocument(URL(fileURLWithPath: repository))
        FileHandle.standardOutput.write(Data(document.text.utf8))
    }
}
