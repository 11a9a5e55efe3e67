/// Which reports an operator looks at.
public struct ReportsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: ReportStatus?

    public init() {}

    public static let fields: [String: QueryField] = ["status": "Only those with this status."]
}
