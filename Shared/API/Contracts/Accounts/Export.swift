import Foundation

/// Everything that the platform stores about a person.
public struct Export: Codable, Sendable, Hashable {
    public var generatedAt: Date
    public var person: PersonID
    /// By service: what it stores, in its own format.
    public var data: [String: JSONValue]
}
