import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// MARK: Blocks

enum Blocks {
    static let most = 500
}

extension AccountUseCases {
    func block(_ person: PersonID, by blocker: PersonID) async throws {
        guard person != blocker else { throw Refusal.invalid("id", "You can't block yourself.") }
        let now = clock.now
        try await database.write { transaction in
            guard try transaction.people.find(blocker) != nil,
                try transaction.people.find(person) != nil
            else { throw Refusal.accountUnknown }
            try transaction.blocks.add(person, by: blocker, at: now)
        }
    }

    func unblock(_ person: PersonID, by blocker: PersonID) async throws {
        let now = clock.now
        try await database.write { try $0.blocks.remove(person, by: blocker, at: now) }
    }

    func blocks(of blocker: PersonID, _ page: PageRequest) async throws -> Page<BlockedPerson> {
        try await database.read { try $0.blocks.list(of: blocker, page) }
    }
}

// MARK: Reports

extension AccountUseCases {
    static let reportsOfDay = Quota(name: "reports", most: 10, seconds: 86_400)

    func report(
        _ body: ReportBody, by reporter: PersonID, once key: IdempotencyKey?
    ) async throws -> Report {
        guard body.person != reporter else {
            throw Refusal.invalid("person", "You can't report yourself.")
        }
        var checked = body
        checked.text = try body.text.flatMap {
            try Check.lines($0, "text", most: FiledReport.longestText)
        }
        let now = clock.now
        let filed = FiledReport(checked, by: reporter, at: now)
        return try await database.write(once: key) { transaction in
            guard try transaction.people.find(reporter) != nil,
                try transaction.people.find(filed.report.person) != nil
            else { throw Refusal.accountUnknown }
            if let open = try transaction.reports.open(like: filed.report, by: reporter) {
                throw Refusal.reportExists.because { $0.reportId = open }
            }
            let wait = try quotas.take(
                [Self.reportsOfDay], of: reporter.description, in: transaction, at: now)
            if let wait { throw Refusal.tooManyReports.retrying(after: wait) }
            try transaction.reports.insert(filed)
            return filed.report
        }
    }

    func reports(_ status: ReportStatus?, _ page: PageRequest) async throws -> Page<ReportRecord> {
        try await database.read { try $0.reports.list(status, page) }
    }

    /// Closes a report. The reporter learns that it was reviewed, but not the decision; a person who is warned is
    /// notified.
    func close(
        _ id: ReportID, _ body: ReportDecision, by identity: Identity, once key: IdempotencyKey?
    ) async throws -> ReportRecord {
        var decision = body
        decision.note = try body.note.flatMap {
            try Check.lines($0, "note", most: FiledReport.longestText)
        }
        let (checked, now) = (decision, clock.now)
        return try await database.write(once: key) { transaction in
            try transaction.sessions.requireAlive(identity, at: now)
            guard var filed = try transaction.reports.find(id) else { throw Refusal.reportUnknown }
            if try filed.close(checked, by: identity.operatorID, at: now) {
                try transaction.reports.close(filed)
                try AccountNotices.announceDecision(on: filed, at: now, in: transaction)
                try transaction.publish(
                    OperatorActed(
                        by: identity.operatorID, action: "accounts.close-report",
                        subject: id.description, reason: checked.outcome.rawValue, actedAt: now),
                    at: now)
            }
            return try transaction.reports.record(of: filed)
        }
    }
}
