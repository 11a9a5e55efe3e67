/// Which of one's orders.
public struct OrdersQuery: PagedQuery {
    /// What one is in an order.
    public enum Side: String, QueryChoice { case customer, valet }

    public var after: String?
    public var limit: Int?
    public var status: OrderStatus?
    public var `as`: Side?

    public init() {}

    public static let fields: [String: QueryField] = [
        "status": "Only orders in this state.",
        "as": "Only those in which one is this: for who is both.",
    ]
}

/// As what one looks for the order that is going on.
public struct CurrentOrderQuery: Query {
    public var `as`: OrdersQuery.Side?

    public init() {}

    public static let fields: [String: QueryField] = ["as": OrdersQuery.fields["as"]!]
}

/// Which tasks.
public struct TasksQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: OrderTask.Status?

    public init() {}

    public static let fields: [String: QueryField] = ["status": "Only these."]
}

/// Whose working times an operator looks at.
public struct ShiftsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var valet: ValetID?

    public init() {}

    public static let fields: [String: QueryField] = ["valet": "Of this valet only."]
}

/// Which orders an operator looks at.
public struct AllOrdersQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: OrderStatus?

    public init() {}

    public static let fields: [String: QueryField] = ["status": "Only orders in this state."]
}

/// Which alerts.
public struct AlertsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: AlertStatus?

    public init() {}

    public static let fields: [String: QueryField] = ["status": "Only these."]
}
