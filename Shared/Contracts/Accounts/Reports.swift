import Foundation

public enum ReportKind {}
public typealias ReportID = Identifier<ReportKind>

/// Why somebody is reported.
public enum ReportReason: String, Codable, Sendable, CaseIterable {
    case behaviour, fraud, safety, spam, other
}

public enum ReportStatus: String, Codable, Sendable, CaseIterable {
    case open, closed
}

/// What an operator decided.
public enum ReportOutcome: String, Codable, Sendable, CaseIterable {
    case dismissed, warned, suspended
}

/// What a report is about: a thing of a product, as a spot or a ride.
public struct ReportSubject: Codable, Sendable, Hashable {
    public var product: Product
    public var id: EngagementID

    public init(product: Product, id: EngagementID) {
        self.product = product
        self.id = id
    }
}

/// Body of `POST /v1/reports`.
public struct ReportBody: Codable, Sendable {
    public var person: PersonID
    public var subject: ReportSubject?
    public var reason: ReportReason
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

/// A report as who wrote it sees it.
public struct Report: Codable, Sendable, Hashable {
    public var id: ReportID
    public var person: PersonID
    @Nullable public var subject: ReportSubject?
    public var reason: ReportReason
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

/// A report as operators see it: item of `GET /v1/admin/reports`.
public struct ReportRecord: Codable, Sendable, Hashable {
    /// Without names for who has deleted their account.
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
    /// Of the person, this one included.
    public var openReports: Int
    @Nullable public var subject: ReportSubject?
    public var reason: ReportReason
    @Nullable public var text: String?
    public var status: ReportStatus
    public var createdAt: Date
    @Nullable public var outcome: ReportOutcome?
    /// What the operator wrote.
    @Nullable public var note: String?
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

/// Body of `POST /v1/admin/reports/{id}/close`.
public struct ReportDecision: Codable, Sendable {
    public var outcome: ReportOutcome
    public var note: String?

    public init(outcome: ReportOutcome, note: String? = nil) {
        self.outcome = outcome
        self.note = note
    }
}
