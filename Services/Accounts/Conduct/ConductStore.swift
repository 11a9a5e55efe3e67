import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Tables of blocks and reports. `block_versions` counts every change that a person has made to their blocks,
/// so that nothing has to be stored about a block that was removed.
let conductMigration = Migration(
    "conduct-1",
    """
    CREATE TABLE block_versions (
        person TEXT NOT NULL PRIMARY KEY REFERENCES people (id),
        version BIGINT NOT NULL
    )
    """,
    """
    CREATE TABLE blocks (
        id TEXT NOT NULL PRIMARY KEY,
        blocker TEXT NOT NULL REFERENCES people (id),
        blocked TEXT NOT NULL REFERENCES people (id),
        created_at BIGINT NOT NULL,
        UNIQUE (blocker, blocked)
    )
    """,
    "CREATE INDEX blocks_of_blocker ON blocks (blocker, id)",
    "CREATE INDEX blocks_of_blocked ON blocks (blocked)",
    """
    CREATE TABLE reports (
        id TEXT NOT NULL PRIMARY KEY,
        reporter TEXT NOT NULL REFERENCES people (id),
        person TEXT NOT NULL REFERENCES people (id),
        subject TEXT NOT NULL,
        reason TEXT NOT NULL,
        text TEXT,
        status TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        outcome TEXT,
        note TEXT,
        closed_by TEXT,
        closed_at BIGINT
    )
    """,
    "CREATE UNIQUE INDEX reports_open ON reports (reporter, person, subject) WHERE status = 'open'",
    "CREATE INDEX reports_of_reporter ON reports (reporter, id)",
    "CREATE INDEX reports_of_person ON reports (person, status)",
    "CREATE INDEX reports_by_status ON reports (status, id)",
    "CREATE INDEX reports_by_end ON reports (closed_at)")

extension Transaction {
    var blocks: BlockStore { BlockStore(transaction: self) }
    var reports: ReportStore { ReportStore(transaction: self) }
}

// MARK: Blocks

private enum BlockKind {}
private typealias BlockID = Identifier<BlockKind>

/// Blocks between people, in SQL.
struct BlockStore {
    let transaction: Transaction

    /// Adds and publishes a block that does not exist yet. Throws `account.too_many_blocks` if the limit is reached.
    func add(_ person: PersonID, by blocker: PersonID, at now: Date) throws {
        // Locks the blocker's row, so that two concurrent blocks can't both use the last free place.
        let version = try nextVersion(of: blocker)
        let known = try transaction.row(
            "SELECT 1 AS one FROM blocks WHERE blocker = ? AND blocked = ?", blocker, person)
        guard known == nil else { return }
        let blocks = try transaction.row(
            "SELECT COUNT(*) AS n FROM blocks WHERE blocker = ?", blocker)
        guard try blocks?.get("n", as: Int.self) ?? 0 < Blocks.most else {
            throw Refusal.tooManyBlocks
        }
        try transaction.execute(
            "INSERT INTO blocks (id, blocker, blocked, created_at) VALUES (?, ?, ?, ?)",
            BlockID.new(at: now), blocker, person, now)
        try transaction.publish(
            PersonBlocked(
                by: blocker, person: person, isBlocked: true, version: version, changedAt: now),
            at: now)
    }

    func remove(_ person: PersonID, by blocker: PersonID, at now: Date) throws {
        let removed = try transaction.execute(
            "DELETE FROM blocks WHERE blocker = ? AND blocked = ?", blocker, person)
        guard removed == 1 else { return }
        try transaction.publish(
            PersonBlocked(
                by: blocker, person: person, isBlocked: false,
                version: try nextVersion(of: blocker), changedAt: now), at: now)
    }

    private func nextVersion(of blocker: PersonID) throws -> Int {
        try transaction.execute(
            """
            INSERT INTO block_versions (person, version) VALUES (?, 1)
            ON CONFLICT (person) DO UPDATE SET version = block_versions.version + 1
            """, blocker)
        let row = try transaction.row(
            "SELECT version FROM block_versions WHERE person = ?", blocker)
        guard let row else { throw LostRace() }
        return try row.get("version")
    }

    /// By id, each with the blocker's version, as other services may hear of them at any age.
    func told(after id: String, limit: Int) throws -> [StateSource.Entry] {
        try transaction.rows(
            """
            SELECT blocks.id AS id, blocker, blocked, created_at, version
            FROM blocks JOIN block_versions ON block_versions.person = blocks.blocker
            WHERE blocks.id > ? ORDER BY blocks.id LIMIT ?
            """, id, limit
        ).map { row in
            .init(
                try row.get("id", as: BlockID.self),
                PersonBlocked(
                    by: try row.get("blocker"), person: try row.get("blocked"), isBlocked: true,
                    version: try row.get("version"), changedAt: try row.get("created_at")))
        }
    }

    /// Newest first.
    func list(of blocker: PersonID, _ page: PageRequest) throws -> Page<BlockedPerson> {
        let found = try transaction.rows(
            """
            SELECT blocks.id AS id, blocks.created_at AS created_at, people.body AS body
            FROM blocks JOIN people ON people.id = blocks.blocked
            WHERE blocks.blocker = ? AND blocks.id < ? ORDER BY blocks.id DESC LIMIT ?
            """, blocker, page.below(BlockID.self), page.rows)
        return try page.page(of: found) { row in
            let account = try row.json(as: Person.self).account
            return BlockedPerson(
                person: account.id, firstName: account.firstName,
                createdAt: try row.get("created_at"))
        }
    }

    /// Deletes a person's blocks, in both directions. Services with copies delete theirs on `AccountDeleted`.
    func erase(of person: PersonID) throws {
        try transaction.execute(
            "DELETE FROM blocks WHERE blocker = ? OR blocked = ?", person, person)
        try transaction.execute("DELETE FROM block_versions WHERE person = ?", person)
    }
}

// MARK: Reports

extension ReportReason: SQLConvertible {}
extension ReportStatus: SQLConvertible {}
extension ReportOutcome: SQLConvertible {}

/// Open and closed reports, in SQL.
struct ReportStore {
    let transaction: Transaction

    func insert(_ filed: FiledReport) throws {
        let report = filed.report
        try transaction.execute(
            """
            INSERT INTO reports (id, reporter, person, subject, reason, text, status, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, report.id, filed.reporter, report.person, report.subject.column, report.reason,
            report.text, report.status, report.createdAt)
    }

    func find(_ id: ReportID) throws -> FiledReport? {
        try transaction.row("SELECT * FROM reports WHERE id = ?", id).map(FiledReport.init)
    }

    /// The reporter's open report about the same person and subject.
    func open(like report: Report, by reporter: PersonID) throws -> ReportID? {
        try transaction.row(
            """
            SELECT id FROM reports
            WHERE reporter = ? AND person = ? AND subject = ? AND status = 'open'
            """, reporter, report.person, report.subject.column)?.get("id")
    }

    /// Throws `LostRace` if the report was closed in the meantime.
    func close(_ filed: FiledReport) throws {
        let closed = try transaction.execute(
            """
            UPDATE reports SET status = ?, outcome = ?, note = ?, closed_by = ?, closed_at = ?
            WHERE id = ? AND status = 'open'
            """, filed.report.status, filed.outcome, filed.note, filed.closedBy, filed.closedAt,
            filed.report.id)
        guard closed == 1 else { throw LostRace() }
    }

    /// Newest first.
    func list(_ status: ReportStatus?, _ page: PageRequest) throws -> Page<ReportRecord> {
        var conditions = Conditions()
        conditions.require("status = ?", ifPresent: status)
        return try transaction.page(page, of: "reports", columns: "*", where: conditions) {
            try record(of: FiledReport($0))
        }
    }

    /// The report with people's current names.
    func record(of filed: FiledReport) throws -> ReportRecord {
        let person = filed.report.person
        let row = try transaction.row(
            "SELECT COUNT(*) AS n FROM reports WHERE person = ? AND status = 'open'", person)
        return filed.record(
            reporter: try named(filed.reporter), person: try named(person),
            openReports: try row?.get("n") ?? 0)
    }

    private func named(_ id: PersonID) throws -> ReportRecord.Person {
        let account = try transaction.people.find(id)?.account
        return ReportRecord.Person(
            id: id, firstName: account?.firstName, lastName: account?.lastName)
    }

    /// The person's own reports, newest first.
    func all(by reporter: PersonID, most: Int) throws -> [Report] {
        try transaction.rows(
            "SELECT * FROM reports WHERE reporter = ? ORDER BY id DESC LIMIT ?", reporter, most
        ).map { try FiledReport($0).report }
    }

    /// Deletes the texts of reports by and about the person. Ids, reasons and decisions remain.
    func erase(of person: PersonID) throws {
        try transaction.execute(
            "UPDATE reports SET text = NULL, note = NULL WHERE reporter = ? OR person = ?", person,
            person)
    }
}

extension FiledReport {
    fileprivate init(_ row: Row) throws {
        self.init(
            report: Report(
                id: try row.get("id"), person: try row.get("person"),
                subject: ReportSubject(column: try row.get("subject")),
                reason: try row.get("reason"), text: try row.getIfPresent("text"),
                status: try row.get("status"), createdAt: try row.get("created_at")),
            reporter: try row.get("reporter"), outcome: try row.getIfPresent("outcome"),
            note: try row.getIfPresent("note"), closedBy: try row.getIfPresent("closed_by"),
            closedAt: try row.getIfPresent("closed_at"))
    }
}

extension ReportSubject? {
    /// Empty for nil: the column is not null, so that two reports without a subject are equal.
    fileprivate var column: String { map { "\($0.product)/\($0.id)" } ?? "" }
}

extension ReportSubject {
    fileprivate init?(column: String) {
        let parts = column.split(separator: "/").map(String.init)
        guard parts.count == 2, let product = Product(parts[0]), let id = EngagementID(parts[1])
        else { return nil }
        self.init(product: product, id: id)
    }
}
