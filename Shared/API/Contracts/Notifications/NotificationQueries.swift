/// The event after which the stream continues.
public struct StreamQuery: Query {
    /// The largest integer that is exact in every client's JSON: 2⁵³.
    public static let largestEventID = 1 << 53

    public var lastEventId: Int?

    public init() {}

    public static let fields: [String: QueryField] = [
        "lastEventId": .within(
            0...largestEventID, "Same as `Last-Event-ID`, for clients that can't set headers.")
    ]
}

/// The person whose feed the gateway requests.
public struct FeedQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var recipient: Recipient

    public init(of recipient: Recipient) { self.recipient = recipient }
}

/// Filters the audit log.
public struct AuditQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var `operator`: OperatorID?
    public var action, subject: String?

    public init() {}

    public static let fields: [String: QueryField] = [
        "operator": "Return only actions of this operator.",
        "action": .within(1...100, "Return only this action, for example `orders.override`."),
        "subject": .within(1...100, "Return only actions on the subject with this id."),
    ]
}

/// Filters the messages that the `dev` provider keeps.
public struct MessagesQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var phone, email: String?

    public init() {}

    public static let fields: [String: QueryField] = [
        "phone": "Return only text messages to this number.",
        "email": "Return only e-mails to this address.",
    ]
}
