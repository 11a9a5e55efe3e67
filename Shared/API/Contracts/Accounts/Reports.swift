import Foundation

public enum ReportKind {}
public typealias ReportID = Identifier<ReportKind>

/// Why a person is reported.
public enum ReportReason: String, Codable, Sendable, CaseIterable {
    case behaviour, fraud, safety, spam, other
}

/// Whether an operator has decided.
public enum ReportStatus: String, Codable, Sendable, CaseIterable {
    case open, closed
}

/// An operator's decision about a report. `suspended` is only recorded here; the suspension itself
/// is a separate request.
public enum ReportOutcome: String, Codable, Sendable, CaseIterable {
    case dismissed, warned, suspended
}

/// The item of a product that a report is about, for example a spot or a ride.
public struct ReportSubject: Codable, Sendable, Hashable {
    /// Name of the product.
    public var product: Product
    /// The product's id of it.
    public var id: EngagementID

    public init(product: Product, id: EngagementID) {
        self.product = product
        self.id = id
    }
}

/// The person to report, and why.
public struct ReportBody: Codable, Sendable {
    /// The person to report. Nobody can report themselves.
    public var person: PersonID
    /// The item that the report is about, if it is about one.
    public var subject: ReportSubject?
    public var reason: ReportReason
    /// A description of what happened.
    public var text: String?

    public init(
        person: PersonID, subject: ReportSubject? = nil, reason: ReportReason, text: String? = nil
    ) {
        self.person = person
        self.subject = subject
        self.reason = reason
        self.text = text
    }
}

/// A report, as its author sees it.
public struct Report: Codable, Sendable, Hashable {
    public var id: ReportID
    public var person: PersonID
    @Nullable public var subject: ReportSubject?
    public var reason: ReportReason
    /// The description of what happened; null if there is none, or if the reported person has
    /// deleted their account.
    @Nullable public var text: String?
    public var status: ReportStatus
    public var createdAt: Date

    public init(
        id: ReportID, person: PersonID, subject: ReportSubject?, reason: ReportReason,
        text: String?, status: ReportStatus, createdAt: Date
    ) {
        self.id = id
        self.person = person
        self.reason = reason
        self.status = status
        self.createdAt = createdAt
        self.subject = subject
        self.text = text
    }
}

/// A report, as operators see it.
public struct ReportRecord: Codable, Sendable, Hashable {
    /// A person in a report, without names if they have deleted their account.
    public struct Person: Codable, Sendable, Hashable {
        public var id: PersonID
        @Nullable public var firstName: String?
        @Nullable public var lastName: String?

        public init(id: PersonID, firstName: String?, lastName: String?) {
            self.id = id
            self.firstName = firstName
            self.lastName = lastName
        }
    }

    public var id: ReportID
    public var reporter: Person
    public var person: Person
    /// Number of open reports about the person, including this one while it is open.
    public var openReports: Int
    @Nullable public var subject: ReportSubject?
    public var reason: ReportReason
    /// The description of what happened; null if there is none, or if the reporter or the reported
    /// person has deleted their account.
    @Nullable public var text: String?
    public var status: ReportStatus
    public var createdAt: Date
    /// Null while the report is open.
    @Nullable public var outcome: ReportOutcome?
    /// The operator's note; null if there is none, or if the reporter or the reported person has
    /// deleted their account.
    @Nullable public var note: String?
    /// The operator who closed the report; null while it is open.
    @Nullable public var closedBy: OperatorID?
    @Nullable public var closedAt: Date?

    public init(_ report: Report, reporter: Person, person: Person, openReports: Int) {
        id = report.id
        self.reporter = reporter
        self.person = person
        self.openReports = openReports
        reason = report.reason
        status = report.status
        createdAt = report.createdAt
        subject = report.subject
        text = report.text
        outcome = nil
        note = nil
        closedBy = nil
        closedAt = nil
    }
}

/// An operator's decision about a report.
public struct ReportDecision: Codable, Sendable {
    public var outcome: ReportOutcome
    /// A note for operators. The audit log has only the outcome.
    public var note: String?

    public init(outcome: ReportOutcome, note: String? = nil) {
        self.outcome = outcome
        self.note = note
    }
}
