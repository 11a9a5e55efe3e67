import Foundation

/// Something that an operator did.
public struct AuditEntry: Codable, Sendable, Hashable {
    public var id: EventID
    public var by: OperatorID
    /// Service and verb, for example `orders.override`.
    public var action: String
    /// Id of what was changed.
    public var subject: String
    /// The reason that the operator gave, or a detail of the action such as the outcome of a
    /// report; null if there is none.
    @Nullable public var reason: String?
    public var actedAt: Date

    public init(id: EventID, _ event: OperatorActed) {
        self.id = id
        by = event.by
        action = event.action
        subject = event.subject
        reason = event.reason
        actedAt = event.actedAt
    }
}
