import Contracts
import Foundation

/// A report and its decision.
struct FiledReport: Hashable, Sendable {
    /// The longest text, in characters.
    static let longestText = 1_000
    /// How long closed reports are kept, in seconds.
    static let kept: TimeInterval = 365 * 86_400

    private(set) var report: Report
    let reporter: PersonID
    private(set) var outcome: ReportOutcome?
    private(set) var note: String?
    private(set) var closedBy: OperatorID?
    private(set) var closedAt: Date?

    /// Returns false if the same was decided before.
    mutating func close(
        _ decision: ReportDecision, by closer: OperatorID, at now: Date
    ) throws(Refusal) -> Bool {
        guard report.status == .open else {
            guard outcome == decision.outcome else { throw .reportClosed }
            return false
        }
        report.status = .closed
        outcome = decision.outcome
        note = decision.note
        closedBy = closer
        closedAt = now
        return true
    }

    func record(
        reporter: ReportRecord.Person, person: ReportRecord.Person, openReports: Int
    ) -> ReportRecord {
        var record = ReportRecord(
            report, reporter: reporter, person: person, openReports: openReports)
        record.outcome = outcome
        record.note = note
        record.closedBy = closedBy
        record.closedAt = closedAt
        return record
    }
}

extension FiledReport {
    init(_ body: ReportBody, by reporter: PersonID, at now: Date) {
        self.init(
            report: Report(
                id: .new(at: now), person: body.person, subject: body.subject,
                reason: body.reason, text: body.text, status: .open, createdAt: now),
            reporter: reporter)
    }
}
