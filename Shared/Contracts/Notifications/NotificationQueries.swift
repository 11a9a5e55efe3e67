/// From where on the stream is wanted.
public struct StreamQuery: Query {
    /// Integers up to here are exact in every client's JSON: 2⁵³.
    public static let largestEventID = 1 << 53

    public var lastEventId: Int?

    public init() {}

    public static let fields: [String: QueryField] = [
        "lastEventId": .within(
            0...largestEventID, "As `Last-Event-ID`, for clients that can not set headers.")
    ]
}

/// Whose feed the gateway asks for.
public struct FeedQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var recipient: Recipient

    public init(of recipient: Recipient) { self.recipient = recipient }
}

/// Which lines of the audit log are asked for; nil is every.
public struct AuditQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var `operator`: OperatorID?
    public var action, subject: String?

    public init() {}

    public static let fields: [String: QueryField] = [
        "operator": "Only by this operator.",
        "action": .within(1...100, "Only this action, as `orders.override`."),
        "subject": .within(1...100, "Only what was done to this, by its id."),
    ]
}

/// Which messages that the `dev` provider has kept.
public struct MessagesQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var phone, email: String?

    public init() {}

    public static let fields: [String: QueryField] = [
        "phone": "Only text messages to this number.",
        "email": "Only mails to this address.",
    ]
}
