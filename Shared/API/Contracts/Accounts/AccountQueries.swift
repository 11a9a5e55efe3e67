/// Filters the reports that operators see.
public struct ReportsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: ReportStatus?

    public init() {}

    public static let fields: [String: QueryField] = [
        "status": "Return only reports with this status."
    ]
}
