import CSV
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// The statement of a month as a page to print, and as a file.
struct StatementPage: Sendable {
    private let page: PrintedPage

    init() throws { page = try PrintedPage(PackageResources.statement_mustache) }

    func response(_ statement: Statement, _ company: String?, in language: Language) -> Response {
        page.response(values(statement, company, language), in: language)
    }

    func html(_ statement: Statement, _ company: String?, in language: Language) -> String {
        page.html(values(statement, company, language))
    }

    static func file(_ statement: Statement, in language: Language) -> Response {
        let rows = statement.books.rows(in: language).map(csvLine).joined()
        let text = csvByteOrderMark + csvLine(BookPeriod.header.map(CSVCell.text)) + rows
        return Response(
            status: .ok, headers: RowFile.headers("statement-\(statement.month)"),
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    private func values(
        _ statement: Statement, _ company: String?, _ language: Language
    ) -> [String: any Sendable] {
        func words(_ key: String) -> String { BookPeriod.words(key, language) }
        let books = statement.books
        let parts = Dictionary(grouping: books.bookRows(in: language).enumerated()) {
            $0.element.part
        }
        let sections = parts.sorted { ($0.value[0].offset) < ($1.value[0].offset) }
            .map { part, rows -> [String: any Sendable] in
                [
                    "heading": words("part-\(part)"),
                    "rows": rows.map { row in
                        [
                            "name": row.element.name.isEmpty ? words("sum") : row.element.name,
                            "count": row.element.count.map(String.init) ?? "",
                            "value": row.element.amount.text(in: language),
                        ]
                    },
                ]
            }
        return [
            "language": language.rawValue, "title": words("title"), "month": statement.month,
            "company": company ?? "",
            "state": words(statement.isFinal ? "final" : "preliminary"),
            "zone": books.timeZone, "sections": sections,
            "documentsHeading": books.documents.isEmpty ? "" : words("part-documents"),
            "documents": books.documents.map {
                ["name": "\($0.first) – \($0.last)", "value": String($0.count)]
            },
        ]
    }
}
