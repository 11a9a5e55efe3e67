/// What feeds, pushes and the live stream show of an order: who needs more fetches it.
public struct OrderBrief: Codable, Sendable, Hashable {
    public var id: OrderID
    public var ticket: String
    public var status: Open<OrderStatus>
    public var version: Int

    public init(id: OrderID, ticket: String, status: Open<OrderStatus>, version: Int) {
        self.id = id
        self.ticket = ticket
        self.status = status
        self.version = version
    }
}

extension SubjectKind {
    public static let order: SubjectKind = "order"
}

extension FeedItem {
    /// Of a line about an order: how it was then.
    public var order: OrderBrief? { data(of: .order) }
}
