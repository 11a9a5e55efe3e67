import Foundation

/// A Kafka topic, declared beside its events.
public struct Topic: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// The topics of all events, by name.
    public static let all = Set(allEvents.map { $0.topic }).sorted { $0.rawValue < $1.rawValue }

    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral name: String) { rawValue = name }

    /// Whether its newest record of each key replaces all others, because it is the whole value of the thing with that
    /// id: the broker may delete the others (`cleanup.policy=compact,delete`).
    public var isCompacted: Bool { [.areas, .bills, .engagements].contains(self) }

    /// Topic for records that a consumer of this topic could not handle.
    public var dead: String { rawValue + ".dead" }

    /// Every topic that a broker needs, including those for dead letters.
    public static var names: [String] { all.flatMap { [$0.rawValue, $0.dead] } }
}

/// Something that has happened, published for the other services.
///
/// A type only ever gains fields; anything else is a `v2` beside the `v1`.
public protocol Event: Codable, Sendable, Hashable {
    /// CloudEvents `type`: owner, what happened in the past tense, version.
    static var type: String { get }
    static var topic: Topic { get }
    /// Id of the aggregate: CloudEvents `subject`, and the record's key.
    var key: String { get }
}

/// An event about one product, published by a service that knows no product.
public protocol ProductEvent: Event {
    var product: Product { get }
}

/// An event's CloudEvents 1.0 attributes, carried as Kafka headers in binary mode.
public struct Envelope: Sendable, Hashable {
    public static let specVersion = "1.0"

    public var id: EventID
    public var type: String
    /// The publishing service: `/orders`.
    public var source: String
    public var time: Date
    public var subject: String
    /// W3C trace context of the request that caused it.
    public var traceparent: String?

    public init(
        id: EventID, type: String, source: String, time: Date, subject: String,
        traceparent: String? = nil
    ) {
        self.id = id
        self.type = type
        self.source = source
        self.time = time
        self.subject = subject
        self.traceparent = traceparent
    }

    /// Header names and values of the Kafka protocol binding, binary mode.
    public var headers: [(name: String, value: String)] {
        var headers = [
            ("ce_specversion", Self.specVersion), ("ce_id", id.description), ("ce_type", type),
            ("ce_source", source), ("ce_time", Wire.text(time)), ("ce_subject", subject),
            ("content-type", "application/json"),
        ]
        if let traceparent { headers.append(("traceparent", traceparent)) }
        return headers.map { (name: $0.0, value: $0.1) }
    }

    /// Nil if a required attribute of CloudEvents is missing or malformed.
    public init?(headers: [String: String]) {
        guard headers["ce_specversion"] == Self.specVersion,
            let id = headers["ce_id"].flatMap(EventID.init),
            let type = headers["ce_type"], let source = headers["ce_source"],
            let time = headers["ce_time"].flatMap(Wire.date), let subject = headers["ce_subject"]
        else { return nil }
        self.init(
            id: id, type: type, source: source, time: time, subject: subject,
            traceparent: headers["traceparent"])
    }
}
