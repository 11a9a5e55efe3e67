import Contracts
import Foundation

/// How a service reacts to one type of event.
public struct Reaction: Sendable {
    typealias Work = @Sendable (Delivery) async throws -> Void

    let type: String
    let topic: Topic
    /// Throws if the body is not an event of this type; no retry would help.
    let decode: @Sendable (Data) throws -> Work
}

/// Calls `handle` for each event of that type, in order per key.
public func when<E: Event>(
    _ type: E.Type, _ handle: @escaping @Sendable (E, Delivery) async throws -> Void
) -> Reaction {
    Reaction(type: E.type, topic: E.topic) { body in
        let event = try Wire.decode(E.self, from: body)
        return { delivery in try await handle(event, delivery) }
    }
}

/// Like `when`, but only for events of one product.
public func when<E: ProductEvent>(
    _ type: E.Type, of product: Product,
    _ handle: @escaping @Sendable (E, Delivery) async throws -> Void
) -> Reaction {
    when(type) { event, delivery in
        if event.product == product { try await handle(event, delivery) }
    }
}

@resultBuilder
public enum ReactionBuilder {
    public static func buildExpression(_ reaction: Reaction) -> [Reaction] { [reaction] }
    public static func buildExpression(_ reactions: [Reaction]) -> [Reaction] { reactions }
    public static func buildBlock(_ parts: [Reaction]...) -> [Reaction] { parts.flatMap { $0 } }
    public static func buildEither(first part: [Reaction]) -> [Reaction] { part }
    public static func buildEither(second part: [Reaction]) -> [Reaction] { part }
}

/// A service's reactions to events; other types are skipped.
public struct Reactions: Sendable {
    private let all: [Reaction]

    public init(@ReactionBuilder _ reactions: () -> [Reaction]) { all = reactions() }

    /// These reactions, and more.
    public func adding(@ReactionBuilder _ more: () -> [Reaction]) -> Reactions {
        let all = all + more()
        return Reactions { all }
    }

    /// The topics of all these events.
    public var topics: Set<Topic> { Set(all.map(\.topic)) }

    /// The event types with a reaction.
    public var types: [String] { all.map(\.type) }

    /// Passes an event to its reaction directly, without retries; for tests.
    public func receive(_ event: some Event, _ delivery: Delivery) async throws {
        guard let reaction = self[Swift.type(of: event).type] else { return }
        try await reaction.decode(Wire.encode(event))(delivery)
    }

    /// Passes the body of an event that its owner has told on request to its reaction, without retries. An event
    /// without a reaction, or with a value of a later release, is skipped.
    public func receive(_ body: Data, _ delivery: Delivery) async throws {
        guard let reaction = self[delivery.envelope.type] else { return }
        do {
            try await reaction.decode(body)(delivery)
        } catch is UnknownValue {
            return
        }
    }

    /// Decodes a body like the bus, without reacting. Throws if it is not an event of the type.
    public func read(_ body: Data, as type: String) throws {
        guard let reaction = self[type] else { return }
        _ = try reaction.decode(body)
    }

    subscript(type: String) -> Reaction? { all.first { $0.type == type } }

    func requireOneEach() throws {
        var seen: Set<String> = []
        for type in types where !seen.insert(type).inserted {
            throw BusError.severalReactions(type: type)
        }
    }
}
