import Foundation

extension Topic {
    public static let audit: Topic = "audit"
}

/// An operator changed something: said by whichever service did it, kept by notifications.
public struct OperatorActed: Event {
    public static let type = "audit.operator-acted.v1"
    public static let topic = Topic.audit
    public var by: OperatorID
    /// Service and verb: `orders.override`, `accounts.suspend-valet`.
    public var action: String
    /// Id of what was changed.
    public var subject: String
    /// What the operator wrote; never a name, phone or code.
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
