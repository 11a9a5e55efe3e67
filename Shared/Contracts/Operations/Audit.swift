import Foundation

/// Item of `GET /v1/admin/audit`: what an operator did.
public struct AuditEntry: Codable, Sendable, Hashable {
    public var id: EventID
    public var by: OperatorID
    public var action: String
    public var subject: String
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
