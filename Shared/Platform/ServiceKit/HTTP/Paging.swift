import Contracts
import EventBus
import Foundation
import HTTPTypes
import Hummingbird
import Store

/// The part of a list that is requested.
public struct PageRequest: Sendable, Equatable {
    /// The cursor from the previous page; opaque to clients.
    public var after: String?
    public var limit: Int

    public init(after: String? = nil, limit: Int = PageLimit.standard) {
        self.after = after
        self.limit = limit
    }

    /// Rows to read: one more than are shown tells whether there is another page.
    public var rows: Int { limit + 1 }

    /// Where the page begins; nil for the first page.
    public func cursor<Place: LosslessStringConvertible>(
        as type: Place.Type = Place.self
    ) throws(Refusal) -> Place? {
        guard let after else { return nil }
        guard let place = Place(after) else { throw .cursorUnknown }
        return place
    }

    /// For a list sorted by id, newest first: the id below which the page starts.
    public func below<Kind>(_ type: Identifier<Kind>.Type) throws(Refusal) -> String {
        try cursor(as: type)?.description ?? Self.end
    }

    /// Sorts after every id.
    private static let end = "g"

    /// The page, from rows that were read with one extra.
    public func page<Found, Item>(
        of found: [Found], cursor: (Found) throws -> some CustomStringConvertible,
        _ item: (Found) throws -> Item
    ) rethrows -> Page<Item> {
        Page(
            items: try found.prefix(limit).map(item),
            next: found.count > limit ? try cursor(found[limit - 1]).description : nil)
    }

    public func page<Item>(
        of found: [Item], cursor: (Item) throws -> some CustomStringConvertible
    ) rethrows -> Page<Item> {
        try page(of: found, cursor: cursor) { $0 }
    }

    /// The page of a list that is sorted by the column `id`.
    public func page<Item>(
        of rows: [Row], _ item: (Row) throws -> Item
    ) throws -> Page<Item> {
        try page(of: rows, cursor: { try $0.get("id", as: String.self) }, item)
    }
}

extension Transaction {
    /// A page of a table's rows by `id`, newest first.
    public func page<Item: Codable & Sendable>(
        _ page: PageRequest, of table: String, columns: String = "id, body",
        where conditions: Conditions = Conditions(),
        _ item: (Row) throws -> Item = { try $0.json() }
    ) throws -> Page<Item> {
        var conditions = conditions
        conditions.require("id < ?", try page.below(Identifier<Never>.self))
        let found = try rows(
            "SELECT \(columns) FROM \(table) \(conditions.where) ORDER BY id DESC LIMIT ?",
            arguments: conditions.arguments + [page.rows])
        return try page.page(of: found, item)
    }
}

extension PagedQuery {
    public var page: PageRequest {
        PageRequest(
            after: after.flatMap { $0.isEmpty ? nil : $0 }, limit: limit ?? PageLimit.standard)
    }
}

extension Request {
    /// `Prefer: wait=N` (RFC 7240), within 0…`most` seconds; nil when not asked for.
    public func preferredWait(most: Int = 30) -> Duration? {
        for preference in headers[values: .prefer].flatMap({ $0.split(separator: ",") }) {
            let parts = preference.split(separator: "=").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if parts.count == 2, parts[0].lowercased() == "wait", let seconds = Int(parts[1]),
                seconds >= 0
            {
                return .seconds(min(seconds, most))
            }
        }
        return nil
    }
}

extension HTTPField.Name {
    public static let idempotencyKey = Self("Idempotency-Key")!
    public static let prefer = Self("Prefer")!
    public static let preferenceApplied = Self("Preference-Applied")!
    public static let traceparent = Self("traceparent")!
}
