import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

extension Transaction {
    var company: CompanyStore { CompanyStore(transaction: self) }
}

/// A version of the company, as it is stored. Its pages have columns of their own, since they are
/// long and seldom needed.
struct CompanyRecord: Codable, Sendable, Hashable {
    let version: Int
    /// Without its pages.
    let body: CompanyBody
    let logo: PictureID?
    let by: PersonID
    let changedAt: Date

    /// As a document has it: without the texts of the pages.
    var seller: Company { Company(body, version: version, logoURL: logoURL) }

    var logoURL: String? { logo.map { _ in "/v1/company/logo?version=\(version)" } }
}

/// The pages of a version of the company.
struct CompanyPages: Codable, Sendable, Hashable {
    var terms: CompanyPage?
    var privacy: CompanyPage?
}

/// The logo of the company.
struct CompanyLogo: Sendable, Hashable {
    let id: PictureID
    let contentType: String
    let data: Data
}

/// The versions of the company. None is ever changed.
struct CompanyStore {
    let transaction: Transaction

    static let migrations = [
        Migration.addition(
            "company-1",
            """
            CREATE TABLE company_versions (
                version BIGINT NOT NULL PRIMARY KEY,
                country TEXT NOT NULL,
                time_zone TEXT NOT NULL,
                logo TEXT,
                changed_at BIGINT NOT NULL,
                body TEXT NOT NULL,
                pages TEXT NOT NULL
            )
            """,
            "CREATE INDEX company_versions_by_time ON company_versions (changed_at, version)",
            """
            CREATE TABLE company_logos (
                id TEXT NOT NULL PRIMARY KEY,
                content_type TEXT NOT NULL,
                body TEXT NOT NULL
            )
            """)
    ]

    func newest() throws -> CompanyRecord? {
        try transaction.row(
            "SELECT body FROM company_versions ORDER BY version DESC LIMIT 1")?.json()
    }

    /// Where the company was at a time; nil before it was entered.
    func place(at time: Date) throws -> (country: String, timeZone: TimeZone)? {
        try transaction.row(
            """
            SELECT country, time_zone FROM company_versions WHERE changed_at <= ?
            ORDER BY changed_at DESC, version DESC LIMIT 1
            """, time
        ).map { row in
            (
                try row.get("country"),
                TimeZone(identifier: try row.get("time_zone", as: String.self)) ?? .gmt
            )
        }
    }

    /// The zone of the books' days; UTC as long as there is no company.
    func timeZone() throws -> TimeZone {
        try newest().flatMap { TimeZone(identifier: $0.body.timeZone) } ?? .gmt
    }

    func pages(of version: Int) throws -> CompanyPages {
        try transaction.row(
            "SELECT pages AS body FROM company_versions WHERE version = ?", version)?
            .json() ?? CompanyPages()
    }

    func insert(_ record: CompanyRecord, _ pages: CompanyPages) throws {
        try transaction.execute(
            """
            INSERT INTO company_versions
                (version, country, time_zone, logo, changed_at, body, pages)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, record.version, record.body.country, record.body.timeZone, record.logo,
            record.changedAt, Wire.json(record), Wire.json(pages))
    }

    func page(_ page: PageRequest) throws -> Page<CompanyVersion> {
        let before: Int = try page.cursor() ?? Int.max
        let rows = try transaction.rows(
            """
            SELECT version, body FROM company_versions WHERE version < ?
            ORDER BY version DESC LIMIT ?
            """, before, page.rows)
        return try page.page(of: rows, cursor: { try $0.get("version", as: Int.self) }) { row in
            let record: CompanyRecord = try row.json()
            return record.shown(with: try pages(of: record.version))
        }
    }

    // MARK: Logos

    func insert(_ logo: CompanyLogo) throws {
        try transaction.execute(
            "INSERT INTO company_logos (id, content_type, body) VALUES (?, ?, ?)", logo.id,
            logo.contentType, logo.data.base64EncodedString())
    }

    /// The logo of a version, or of the newest one; nil without one.
    func logo(of version: Int?) throws -> CompanyLogo? {
        try transaction.row(
            """
            SELECT company_logos.id, content_type, company_logos.body
            FROM company_versions JOIN company_logos ON company_logos.id = company_versions.logo
            WHERE version = COALESCE(?, (SELECT MAX(version) FROM company_versions))
            """, version
        ).map { row in
            CompanyLogo(
                id: try row.get("id"), contentType: try row.get("content_type"),
                data: Data(base64Encoded: try row.get("body", as: String.self)) ?? Data())
        }
    }
}
