/// Filters the caller's orders.
public struct OrdersQuery: PagedQuery {
    /// The caller's side of an order.
    public enum Side: String, QueryChoice { case customer, valet }

    public var after: String?
    public var limit: Int?
    public var status: OrderStatus?
    public var `as`: Side?

    public init() {}

    public static let fields: [String: QueryField] = [
        "status": "Return only orders in this state.",
        "as": "Return only orders in which you are the customer, or the valet.",
    ]
}

/// Selects the current order of a person who is both customer and valet.
public struct CurrentOrderQuery: Query {
    public var `as`: OrdersQuery.Side?

    public init() {}

    public static let fields: [String: QueryField] = [
        "as": "Return the order in which you are the customer, or the valet."
    ]
}

/// Filters tasks.
public struct TasksQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: OrderTask.Status?

    public init() {}

    public static let fields: [String: QueryField] = [
        "status": "Return only tasks with this status."
    ]
}

/// Filters the shifts that operators see.
public struct ShiftsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var valet: ValetID?

    public init() {}

    public static let fields: [String: QueryField] = ["valet": "Return only shifts of this valet."]
}

/// Filters the orders that operators see.
public struct AllOrdersQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: OrderStatus?

    public init() {}

    public static let fields: [String: QueryField] = ["status": "Return only orders in this state."]
}

/// Filters alerts.
public struct AlertsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: AlertStatus?

    public init() {}

    public static let fields: [String: QueryField] = [
        "status": "Return only alerts with this status."
    ]
}
