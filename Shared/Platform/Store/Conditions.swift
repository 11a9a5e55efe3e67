/// The `WHERE` of a query with a variable number of conditions.
public struct Conditions: Sendable {
    private var texts: [String] = []
    /// One for each question mark, in order.
    public private(set) var arguments: [(any SQLConvertible)?] = []

    public init() {}

    public init(_ condition: String, _ arguments: (any SQLConvertible)?...) {
        require(condition, arguments: arguments)
    }

    /// A condition with an `OR` needs parentheses.
    public mutating func require(_ condition: String, _ arguments: (any SQLConvertible)?...) {
        require(condition, arguments: arguments)
    }

    /// Adds the condition only if there is a value.
    public mutating func require(_ condition: String, ifPresent value: (any SQLConvertible)?) {
        if let value { require(condition, value) }
    }

    /// Like `require`, for a variable number of arguments.
    public mutating func require(_ condition: String, arguments: [(any SQLConvertible)?]) {
        texts.append(condition)
        self.arguments += arguments
    }

    /// The `WHERE` clause; empty without conditions.
    public var `where`: String {
        texts.isEmpty ? "" : "WHERE " + texts.joined(separator: " AND ")
    }
}
