import Foundation

extension Topic {
    public static let audit: Topic = "audit"
}

/// An operator changed something. The service that made the change publishes it.
public struct OperatorActed: Event {
    public static let type = "audit.operator-acted.v1"
    public static let topic = Topic.audit
    public var by: OperatorID
    /// Service and verb, for example `orders.override`.
    public var action: String
    /// Id of what was changed.
    public var subject: String
    /// The reason that the operator gave, or a detail of the action such as the outcome of a
    /// report; absent if there is none.
    ///
    /// It never contains a name, a phone number or a code.
    public var reason: String?
    public var actedAt: Date
    public var key: String { by.description }

    public init(
        by: OperatorID, action: String, subject: String, reason: String? = nil, actedAt: Date
    ) {
        self.by = by
        self.action = action
        self.subject = subject
        self.reason = reason
        self.actedAt = actedAt
    }
}
