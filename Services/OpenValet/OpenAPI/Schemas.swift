import Contracts
import Foundation
import Yams

/// The document's schemas: the structure of each type from the type itself, descriptions from its doc comments, and
/// limits and examples from `Shared/API/Documents/schemas`.
///
/// There, the entry of a type has keywords of JSON Schema and, under `fields`, those of its fields. An entry that is a
/// text is a description, for a type without a doc comment in Contracts. Errors: an entry without its type or field, a
/// type without a description or with two.
struct Schemas {
    /// Folder in the repository with limits and examples of types.
    static let folder = "\(OpenAPIDocument.folder)/schemas"

    private let comments: DocComments
    private var words: [String: Node] = [:]
    /// Types of another document, to which this one refers.
    private let others: [String: any Decodable.Type]
    private(set) var components: [String: Node] = [:]
    private(set) var types: [String: any Decodable.Type] = [:]

    /// - Parameters:
    ///   - texts: YAML, by the name of the file.
    ///   - other: Schemas of another document, to which this one refers for types that they share.
    init(
        words texts: [(file: String, text: String)], comments: DocComments = .none,
        beside other: Schemas? = nil
    ) throws {
        self.comments = other?.comments ?? comments
        others = other?.types ?? [:]
        for (file, text) in texts {
            guard let entries = try Yams.compose(yaml: text)?.mapping else {
                throw ToolError("\(file) has no schemas.")
            }
            for (name, entry) in entries {
                let name = name.string ?? ""
                guard words.updateValue(entry, forKey: name) == nil else {
                    throw ToolError("\(file): \(name) is described twice.")
                }
            }
        }
    }

    /// The texts of a folder's files, with the files' names.
    static func words(in folder: URL) throws -> [(file: String, text: String)] {
        try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    }

    /// The JSON Schema of a type where it is used; adds components for it and its parts.
    mutating func schema(of type: any Decodable.Type) throws -> JSONValue {
        if let plain = type as? any PlainValue.Type { return .schema(plain.schemaType) }
        if let container = type as? any Container.Type {
            return try container.schema { try schema(of: $0) }
        }
        if let wrapper = type as? any Wrapper.Type { return try schema(of: wrapper.wrapped) }
        if let described = type as? any Described.Type, !(type is any SchemaNamed.Type) {
            for part in described.parts { _ = try schema(of: part) }
            return described.schema
        }
        try addComponent(type)
        return .reference(to: type)
    }

    /// The components as YAML, sorted by name.
    func text() throws -> String {
        let used = Set(types.flatMap { [$0, Self.genericName($1) ?? $0] })
        if let unused = words.keys.sorted().first(where: { !used.contains($0) }) {
            throw ToolError("\(Self.folder): no type is called \(unused).")
        }
        return try components.sorted { $0.key < $1.key }.map { name, schema in
            try Yams.serialize(
                node: Node([(Node(name), schema.laidOut)]), indent: 2, width: -1,
                allowUnicode: true)
        }.joined().replacing(/#\/components\/schemas\/(\w+)/) { reference in
            components[String(reference.1)] == nil
                ? "./openapi.yaml\(reference.0)" : "\(reference.0)"
        }
    }

    private mutating func addComponent(_ type: any Decodable.Type) throws {
        let name = schemaName(of: type)
        if let known = types[name] {
            guard known == type || type is any Described.Type else {
                throw ToolError("\(known) and \(type) are both called \(name).")
            }
            return
        }
        types[name] = type
        if let other = others[name], other == type || type is any Described.Type { return }
        do {
            let structure = try structure(of: type).described { comments[type, $0] }
            let words = words[name] ?? Self.genericName(type).flatMap { self.words[$0] }
            // The page of a list may have a description of its own.
            let isSaid =
                Self.genericName(type) != nil && words?.asKeywords["description"] != nil
            components[name] = try structure.with(
                words: words, comment: isSaid ? nil : comments[type])
        } catch let error as ToolError {
            throw ToolError("\(name): \(error)")
        }
    }

    private mutating func structure(of type: any Decodable.Type) throws -> Node {
        if let described = type as? any Described.Type { return Node(described.schema) }
        if let values = (type as? any CaseIterable.Type).flatMap(Self.texts) {
            return Node(.schema("string", ["enum": .list(values.map(JSONValue.text))]))
        }
        let shape: WireShape
        do {
            shape = try WireShape(of: type)
        } catch {
            throw ToolError("its decoder refuses sample values: make it Described. \(error)")
        }
        switch shape {
        case .value(let other): return Node(try schema(of: other))
        case .fields(let fields): return try structure(of: fields)
        }
    }

    private mutating func structure(of fields: [WireShape.Field]) throws -> Node {
        var properties: [(Node, Node)] = []
        for field in fields {
            let schema = try schema(of: field.type)
            properties.append((Node(field.name), Node(field.isNullable ? schema.orNull : schema)))
        }
        let required = fields.filter(\.isRequired).map { Node($0.name) }
        return Node(
            [(Node("type"), Node("object"))]
                + (required.isEmpty ? [] : [(Node("required"), Node(required))])
                + [(Node("properties"), Node(properties))])
    }

    /// The raw values of an enumeration of texts; nil for other types.
    private static func texts(_ type: any CaseIterable.Type) -> [String]? {
        func texts<Cases: CaseIterable>(_ type: Cases.Type) -> [String]? {
            let texts = type.allCases.compactMap {
                ($0 as? any RawRepresentable)?.rawValue as? String
            }
            return texts.count == type.allCases.count ? texts : nil
        }
        return texts(type)
    }

    /// `Page` for `Page<Offer>`; nil for types that are not generic.
    private static func genericName(_ type: any Decodable.Type) -> String? {
        let name = String(describing: type)
        return name.firstIndex(of: "<").map { String(name[..<$0]) }
    }
}

/// A type with the JSON of what it wraps: a body that may be absent, an enumeration that may grow.
protocol Wrapper {
    static var wrapped: any Decodable.Type { get }
}

extension Optional: Wrapper where Wrapped: Decodable {
    static var wrapped: any Decodable.Type { Wrapped.self }
}

extension Open: Wrapper where Known: Decodable {
    static var wrapped: any Decodable.Type { Known.self }
}

extension JSONValue {
    fileprivate var orNull: JSONValue {
        guard case .object(var schema) = self, let type = schema["type"] else {
            return .object(["anyOf": [self, .schema("null")]])
        }
        schema["type"] = [type, "null"]
        return .object(schema)
    }
}

extension Node {
    /// In an object, `type` comes first.
    fileprivate init(_ value: JSONValue) {
        switch value {
        case .null: self = Node("null")
        case .bool(let value): self = Node(String(value))
        case .integer(let value): self = Node(String(value))
        case .number(let value): self = Node(String(value))
        case .text(let text): self = .scalar(text.represented())
        case .list(let values): self = Node(values.map(Node.init))
        case .object(let fields):
            let sorted = fields.sorted { one, other in
                (one.key == "type" ? 0 : 1, one.key) < (other.key == "type" ? 0 : 1, other.key)
            }
            self = Node(sorted.map { (Node($0), Node($1)) })
        }
    }

    /// The structure with the fields' doc comments as descriptions.
    fileprivate func described(by comment: (_ field: String) -> String?) -> Node {
        guard var structure = mapping, let fields = self["properties"]?.mapping else { return self }
        structure["properties"] = Node(
            fields.map { name, field in
                guard var schema = field.mapping, let text = name.string.flatMap(comment) else {
                    return (name, field)
                }
                schema["description"] = Node(text)
                return (name, .mapping(schema))
            })
        return .mapping(structure)
    }

    /// The schema of a type with its description, limits and examples.
    fileprivate func with(words: Node?, comment: String?) throws -> Node {
        var words = words?.asKeywords.mapping ?? [:]
        guard let description = comment.map({ Node($0) }) ?? words["description"] else {
            throw ToolError("it has no description: give it a doc comment in Contracts.")
        }
        guard comment == nil || words["description"] == nil else {
            throw ToolError("it is described twice: in its doc comment and in \(Schemas.folder).")
        }
        words["description"] = nil
        if let fields = words["fields"]?.mapping {
            for name in fields.keys where self["properties"]?[name] == nil {
                throw ToolError("the type has no field \(name.string ?? "").")
            }
            words["fields"] = nil
            words["properties"] = Node(
                fields.map { ($0, $1.asKeywords) })
        }
        return try Node([(Node("description"), description)]).merging(self)
            .merging(.mapping(words))
    }

    fileprivate var asKeywords: Node {
        scalar == nil ? self : Node([(Node("description"), self)])
    }

    private func merging(_ other: Node) throws -> Node {
        guard var merged = mapping, let other = other.mapping else {
            throw ToolError("the type itself says \(string ?? "that").")
        }
        for (key, value) in other { merged[key] = try merged[key]?.merging(value) ?? value }
        return .mapping(merged)
    }

    /// A component's layout: properties and examples one per line, everything else in one line.
    fileprivate var laidOut: Node {
        Node(
            (mapping ?? [:]).map { key, value in
                switch (key.string, value) {
                case ("properties", .mapping(let fields)):
                    (key, Node(fields.map { ($0, $1.inOneLine) }, .implicit, .block))
                case ("examples", .sequence(let examples)):
                    (key, Node(examples.map(\.inOneLine), .implicit, .block))
                default: (key, value.inOneLine)
                }
            }, .implicit, .block)
    }

    private var inOneLine: Node {
        switch self {
        case .mapping(let fields):
            Node(fields.map { ($0, $1.inOneLine) }, .implicit, .flow)
        case .sequence(let values): Node(values.map(\.inOneLine), .implicit, .flow)
        case .scalar, .alias: self
        }
    }
}
