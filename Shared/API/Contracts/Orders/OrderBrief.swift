/// A short form of an order for feeds, push notifications and the live stream.
/// `GET /v1/orders/{id}` has the rest.
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
    /// The order as it was then, if the item is about an order.
    public var order: OrderBrief? { data(of: .order) }
}
