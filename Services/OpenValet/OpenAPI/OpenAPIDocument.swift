import ArgumentParser
import Contracts
import Foundation
import ServiceKit

/// The OpenAPI 3.1 document of the HTTP API: a head that is written by hand; operations from the endpoints; schemas
/// from their types and doc comments.
struct OpenAPIDocument {
    /// Folder in the repository with the head, limits and examples.
    static let folder = "Shared/API/Documents"
    static let path = "Services/Gateway/Documents/openapi.yaml"

    /// Replaces the mark that stands for the version in a head: the sources name the version once.
    static func head(_ text: String) -> String {
        text.replacing("version: VERSION", with: "version: \(ServiceProgram.version)")
    }

    /// Heading of the operations that only operators can call.
    private static let operatorsTag = "operators"

    private(set) var schemas: Schemas
    private(set) var text = ""

    /// - Parameters:
    ///   - repository: The folder of the project.
    ///   - words: Limits, examples and descriptions of further schemas.
    init(
        _ repository: URL, comments: DocComments, services: [ServiceManifest] = allServices,
        words: [(file: String, text: String)] = []
    ) throws {
        let folder = repository.appending(path: Self.folder)
        let head = try String(contentsOf: folder.appending(path: "head.yaml"), encoding: .utf8)
        schemas = try Schemas(
            words: Schemas.words(in: repository.appending(path: Schemas.folder)) + words,
            comments: comments)
        var lines = [
            "# Written by `make documents` from endpoints, types, doc comments and Shared/API/Documents: change those."
        ]
        lines.append(Self.head(head).trimmingCharacters(in: .newlines))
        lines += try paths(services)
        lines += ["components:", "  securitySchemes:"]
        lines.append(
            "    accessToken: {type: http, scheme: bearer, bearerFormat: JWT, description: 'The access token of a"
                + " session: ES256, 15 minutes.'}")
        lines.append("  responses:")
        lines += try CommonRefusals.all.map { name, refusals in
            "    \(name): \(try problem(refusals).inOneLine)"
        }
        lines.append("  schemas:")
        for type in services.flatMap(\.types) { _ = try schema(type) }
        lines += try schemas.text().split(separator: "\n").map { "    \($0)" }
        text = lines.joined(separator: "\n") + "\n"
    }

    private mutating func paths(_ services: [ServiceManifest]) throws -> [String] {
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

    private mutating func operation(_ endpoint: AnyEndpoint, tag: String) throws -> [String] {
        let roles = Role.allCases.filter { endpoint.callers.roles?.contains($0) == true }
        let heading = roles == [.operator] ? Self.operatorsTag : tag
        var lines = [
            "\(endpoint.method.rawValue.lowercased()):",
            "  operationId: \(endpoint.id)",
            "  tags: [\(heading)]",
            "  summary: \(try JSONValue.text(endpoint.summary).inOneLine)",
        ]
        if let details = endpoint.details {
            lines.append("  description: \(try JSONValue.text(details).inOneLine)")
        }
        lines.append("  x-roles: [\(roles.map(\.rawValue).joined(separator: ", "))]")
        if endpoint.callers.roles == nil { lines.append("  security: []") }
        let parameters = try parameters(endpoint)
        if !parameters.isEmpty { lines.append("  parameters:") }
        lines += try parameters.map { "    - \(try $0.inOneLine)" }
        if let body = endpoint.body {
            lines.append("  requestBody: \(try requestBody(endpoint, body).inOneLine)")
        }
        lines.append("  responses:")
        lines += try responses(endpoint).map { "    '\($0)': \(try $1.inOneLine)" }
        return lines.map { "    \($0)" }
    }

    private mutating func parameters(_ endpoint: AnyEndpoint) throws -> [JSONValue] {
        let ids = endpoint.pathIDs.map {
            parameter($0, in: "path", isRequired: true, "Which one.", endpoint.ids)
        }
        let headers = endpoint.headers.map {
            parameter($0.name, in: "header", isRequired: $0.isRequired, $0.text, $0.schema)
        }
        return try ids + fields(of: endpoint.query) + headers
    }

    private mutating func fields(of query: (any Query.Type)?) throws -> [JSONValue] {
        guard let query, case .fields(let fields) = try WireShape(of: query) else { return [] }
        return try fields.map { field in
            guard let words = query.field(field.name) else {
                throw ToolError("\(query): the field \(field.name) has no description.")
            }
            return parameter(
                field.name, in: "query", isRequired: field.isRequired, words.text,
                try schemas.schema(of: field.type).with(words))
        }
    }

    private func parameter(
        _ name: String, in place: String, isRequired: Bool, _ text: String, _ schema: JSONValue
    ) -> JSONValue {
        .object([
            "name": .text(name), "in": .text(place), "required": .bool(isRequired),
            "description": .text(text), "schema": schema,
        ])
    }

    private mutating func requestBody(
        _ endpoint: AnyEndpoint, _ body: Any.Type
    ) throws -> JSONValue {
        let content = try endpoint.media.map { media in
            let schema =
                media == .json
                ? try self.schema(body)
                : .schema(
                    "string",
                    [
                        "contentMediaType": .text(media.rawValue),
                        "maxLength": .integer(endpoint.bodyLimit),
                    ])
            return (media.rawValue, JSONValue.object(["schema": schema]))
        }
        return .object([
            "required": .bool(!(body is any Wrapper.Type)),
            "content": .object(Dictionary(uniqueKeysWithValues: content)),
        ])
    }

    /// The responses, sorted by status.
    private mutating func responses(_ endpoint: AnyEndpoint) throws -> [(Int, JSONValue)] {
        let success = endpoint.success
        var responses: [(Int, JSONValue)] = [
            (
                success.status ?? 200,
                try answer(endpoint, success.text, hasBody: endpoint.answer != nil)
            )
        ]
        for (status, text) in success.others {
            responses.append((status, try answer(endpoint, text, hasBody: status == 201)))
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
                responses.append((status, try problem(shared.map(\.refusal) + own)))
            }
        }
        return responses.sorted { $0.0 < $1.0 }
    }

    private mutating func answer(
        _ endpoint: AnyEndpoint, _ text: String, hasBody: Bool
    ) throws -> JSONValue {
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
            let content = try endpoint.success.media.map { media in
                let schema: JSONValue =
                    switch media {
                    case .json, .geoJSON: try self.schema(type)
                    // A reader of YAML sees an object.
                    case .yaml: .schema("object")
                    case .html, .events, .calendar, .csv: .schema("string")
                    case .jpeg, .png, .webp, .zip:
                        .schema("string", ["contentMediaType": .text(media.rawValue)])
                    }
                return (media.rawValue, JSONValue.object(["schema": schema]))
            }
            answer["content"] = .object(Dictionary(uniqueKeysWithValues: content))
        }
        return .object(answer)
    }

    private mutating func schema(_ type: Any.Type) throws -> JSONValue {
        guard let type = type as? any Decodable.Type else {
            throw ToolError("\(type) is not Decodable, so the document can't describe it.")
        }
        return try schemas.schema(of: type)
    }

    private mutating func problem(_ refusals: [Refusal]) throws -> JSONValue {
        var codes: [String] = []
        for refusal in refusals where !codes.contains(refusal.code) { codes.append(refusal.code) }
        let texts = refusals.map { "`\($0.code)`: \($0.text)" }
        let schema = JSONValue.object([
            "allOf": [
                try schemas.schema(of: Problem.self),
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
}

extension JSONValue {
    /// JSON in one line, which is valid YAML, too.
    var inOneLine: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// The schema with the field's limits and default.
    fileprivate func with(_ field: QueryField) -> JSONValue {
        guard case .object(var schema) = self else { return self }
        let isText = schema["type"] == .text("string")
        let least = isText ? "minLength" : "minimum"
        let most = isText ? "maxLength" : "maximum"
        if let limit = field.least { schema[least] = .integer(limit) }
        if let limit = field.most { schema[most] = .integer(limit) }
        if let usual = field.usual { schema["default"] = usual }
        if let pattern = field.pattern { schema["pattern"] = .text(pattern) }
        return .object(schema)
    }
}

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

/// `openvalet openapi`: prints the document for `make documents`.
struct OpenAPI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Prints the OpenAPI document of the sources (make documents).",
        shouldDisplay: false)

    @Argument(help: "Folder of the project.") var repository = "."

    func run() async throws {
        let document = try OpenAPIDocument(
            URL(fileURLWithPath: repository), comments: DocComments()
        )
        FileHandle.standardOutput.write(Data(document.text.utf8))
    }
}
