import Contracts
import Foundation

/// What one type of event means here.
public struct Reaction: Sendable {
    typealias Work = @Sendable (Delivery) async throws -> Void

    let type: String
    let topic: Topic
    /// Throws when the body is not an event of this type, which no retry would mend.
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

/// The same for the events of one product; those of others are none of this service's business.
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

/// What other services' events mean here; a type that is not named is skipped.
public struct Reactions: Sendable {
    private let all: [Reaction]

    public init(@ReactionBuilder _ reactions: () -> [Reaction]) { all = reactions() }

    /// Topics that must be read to hear of all of them.
    public var topics: Set<Topic> { Set(all.map(\.topic)) }

    /// Event types that are heard.
    public var types: [String] { all.map(\.type) }

    /// Hands an event to its reaction as the bus would, but at once and once: for tests.
    public func receive(_ event: some Event, _ delivery: Delivery) async throws {
        guard let reaction = self[Swift.type(of: event).type] else { return }
        try await reaction.decode(Wire.encode(event))(delivery)
    }

    /// Reads a body as the bus would, without reacting; throws when it is not an event of the type.
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
