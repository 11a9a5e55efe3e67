/// What a query asks of its rows, for a number of conditions that only the running program knows.
public struct Conditions: Sendable {
    private var texts: [String] = []
    /// One for each question mark, in their order.
    public private(set) var arguments: [(any SQLConvertible)?] = []

    public init() {}

    public init(_ condition: String, _ arguments: (any SQLConvertible)?...) {
        require(condition, arguments: arguments)
    }

    /// A condition with an `OR` needs parentheses.
    public mutating func require(_ condition: String, _ arguments: (any SQLConvertible)?...) {
        require(condition, arguments: arguments)
    }

    /// Requires nothing if there is no value.
    public mutating func require(_ condition: String, ifPresent value: (any SQLConvertible)?) {
        if let value { require(condition, value) }
    }

    /// As `require`, for a number of arguments that only the running program knows.
    public mutating func require(_ condition: String, arguments: [(any SQLConvertible)?]) {
        texts.append(condition)
        self.arguments += arguments
    }

    /// The `WHERE` of all of them; empty when there are none.
    public var `where`: String {
        texts.isEmpty ? "" : "WHERE " + texts.joined(separator: " AND ")
    }
}
