import Foundation

/// All that is held on a person.
public struct Export: Codable, Sendable, Hashable {
    public var generatedAt: Date
    public var person: PersonID
    /// By service: what it holds, in its own words.
    public var data: [String: JSONValue]
}
