import ArgumentParser
import Contracts
import Foundation
import Yams

/// The AsyncAPI 3.0 document of the events: a head that is written by hand; channels, operations and messages from the
/// manifests; schemas from the events' types and doc comments.
struct EventsDocument {
    /// Folder in the repository with the head, the topics' descriptions, limits and examples.
    static let folder = "\(OpenAPIDocument.folder)/events"
    static let path = "Services/Gateway/Documents/asyncapi.yaml"

    private let services: [ServiceManifest]
    private var schemas: Schemas
    /// Descriptions of the topics, and why some events have no reader, by their names.
    private let topics, unheard: Node.Mapping
    private(set) var text = ""

    /// - Parameter repository: The folder of the project.
    init(
        _ repository: URL, comments: DocComments, services: [ServiceManifest] = allServices
    ) throws {
        let folder = repository.appending(path: Self.folder)
        func text(of file: String) throws -> String {
            try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        }
        let said = try Yams.compose(yaml: text(of: "topics.yaml"))
        topics = said?["topics"]?.mapping ?? [:]
        unheard = said?["unheard"]?.mapping ?? [:]
        self.services = services
        schemas = try Schemas(
            words: Schemas.words(in: folder.appending(path: "schemas")),
            beside: OpenAPIDocument(repository, comments: comments, services: services).schemas)
        for event in allEvents { _ = try schemas.schema(of: event) }
        var lines = [
            "# Written by `make documents` from manifests, events, doc comments and Shared/API/Documents: change those."
        ]
        let head = OpenAPIDocument.head(try text(of: "head.yaml"))
        lines += head.split(separator: "\n").map(String.init)
        lines += try ["channels:"] + Topic.all.flatMap(channel)
        lines += ["operations:"] + services.flatMap(operations) + Topic.all.flatMap(deadOperations)
        lines += try ["components:", "  messages:"] + allEvents.flatMap(message) + Self.deadLetter
        lines +=
            try ["  schemas:"]
            + (text(of: "envelope.yaml") + schemas.text()).split(separator: "\n").map {
                "    \($0)"
            }
        self.text = lines.joined(separator: "\n") + "\n"
    }

    private func channel(_ topic: Topic) throws -> [String] {
        let name = topic.rawValue
        guard let description = topics[Node(name)]?.string else {
            throw ToolError("\(Self.folder): the topic \(name) has no description.")
        }
        let events = allEvents.filter { $0.topic == topic }.map { "\($0)" }
        return try channel(name, description, messages: events)
            + channel(
                topic.dead, "Records of `\(name)` that a consumer could not handle.",
                messages: ["DeadLetter"])
    }

    private func channel(
        _ name: String, _ description: String, messages: [String]
    ) throws -> [String] {
        try ["  \(name):", "    address: \(name)"]
            + ["    description: \(JSONValue.text(description).inOneLine)", "    messages:"]
            + messages.map { "      \($0): {$ref: '#/components/messages/\($0)'}" }
            + [
                "    bindings:",
                "      kafka: {topic: \(name), partitions: \(TopicPlan.standardPartitions)}",
            ]
    }

    private func operations(of service: ServiceManifest) -> [String] {
        let name = service.name
        return byTopic(service.says).flatMap { topic, events in
            operation(
                "\(name)Says\(topic.rawValue.capitalized)", sends: true, topic.rawValue,
                "Events that the \(name) service publishes.", events)
        }
            + byTopic(service.hears).flatMap { topic, events in
                operation(
                    "\(name)Hears\(topic.rawValue.capitalized)", sends: false, topic.rawValue,
                    "Events that the \(name) service handles.", events)
            }
    }

    private func deadOperations(of topic: Topic) -> [String] {
        let name = topic.rawValue.capitalized
        return operation(
            "anyServiceGivesUp\(name)", sends: true, topic.dead,
            "Any service moves records here that it could not handle.")
            + operation(
                "notificationsKeepsDead\(name)", sends: false, topic.dead,
                "The notifications service stores them for operators, who can retry them.")
    }

    private func operation(
        _ name: String, sends: Bool, _ channel: String, _ summary: String,
        _ events: [any Event.Type] = []
    ) -> [String] {
        let messages = events.map { "{$ref: '#/channels/\(channel)/messages/\($0)'}" }
        return [
            "  \(name):", "    action: \(sends ? "send" : "receive")",
            "    channel: {$ref: '#/channels/\(channel)'}", "    summary: \(summary)",
        ] + (messages.isEmpty ? [] : ["    messages: [\(messages.joined(separator: ", "))]"])
    }

    private func byTopic(
        _ events: [any Event.Type]
    ) -> [(topic: Topic, events: [any Event.Type])] {
        Topic.all.map { topic in (topic, events.filter { $0.topic == topic }) }
            .filter { !$0.events.isEmpty }
    }

    private func message(_ event: any Event.Type) throws -> [String] {
        let name = "\(event)"
        guard let summary = schemas.components[name]?["description"]?.string else {
            throw ToolError("\(Self.folder): \(name) has no description.")
        }
        let isHeard = services.contains { $0.hears.contains { $0 == event } }
        let reason = unheard[Node(name)]?.string
        guard isHeard == (reason == nil) else {
            throw ToolError(
                "topics.yaml: "
                    + (isHeard
                        ? "a service reads \(name), which is under unheard."
                        : "no service reads \(name): say why under unheard."))
        }
        let owner = event.type.prefix { $0 != "." }
        return try [
            "    \(name):", "      name: \(event.type)", "      title: \(name)",
            "      summary: \(JSONValue.text(summary).inOneLine)",
            "      contentType: application/json",
            "      headers:", "        allOf:",
            "          - {$ref: '#/components/schemas/CloudEvent'}",
            "          - {properties: {ce_type: {const: \(event.type)},"
                + " ce_source: {const: /\(owner)}}}",
            "      payload: {$ref: '#/components/schemas/\(name)'}",
        ] + (reason.map { try ["      x-unheard: \(JSONValue.text($0).inOneLine)"] } ?? [])
    }

    private static let deadLetter = [
        "    DeadLetter:", "      name: dead letter", "      title: DeadLetter",
        "      summary: The original record, with the reason in its headers.",
        "      contentType: application/json",
        "      headers: {$ref: '#/components/schemas/DeadLetterHeaders'}",
        "      payload: {description: 'The original''s body, whatever it is.'}",
    ]
}

/// `openvalet asyncapi`: prints the document for `make documents`.
struct AsyncAPI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "asyncapi",
        abstract: "Prints the AsyncAPI document of the sources (make documents).",
        shouldDisplay: false)

    @Argument(help: "Folder of the project.") var repository = "."

    func run() async throws {
        let document = try EventsDocument(
            URL(fileURLWithPath: repository), comments: DocComments()
        )
        FileHandle.standardOutput.write(Data(document.text.utf8))
    }
}
