import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store

/// Values that watch an area, for example alerts and saved searches. Each is stored with the cells that it touches,
/// so that an event is compared only with the values of its own cells.
///
/// `cells` has the value's id in the column `key`. The product creates `cells` and `table` with a migration of the
/// statements in `schema`.
public struct Watchers<Value: Codable & Sendable & Identifiable>: Sendable
where Value.ID: ReplicaID {
    /// Maximum number of values that `around` returns, so that other transactions can write between two batches.
    static var batch: Int { 500 }

    private let table: String
    private let key: String
    private let cells: String
    private let others: [String]
    private let most: Int
    private let tooMany: Refusal
    private let pause: TimeInterval?

    /// `others` are further tables with the column `key`, whose rows are deleted with the value. `most` limits the
    /// values of a person. `pause` is in seconds; nil if values never pause.
    public init(
        _ table: String, key: String, cells: String, others: [String] = [], most: Int,
        tooMany: Refusal, pause: TimeInterval? = nil
    ) {
        (self.table, self.key, self.cells, self.others) = (table, key, cells, others)
        (self.most, self.tooMany, self.pause) = (most, tooMany, pause)
    }

    /// Creates the two tables. Migrations that are applied already have this text.
    public var schema: [String] {
        [
            """
            CREATE TABLE \(table) (
                id TEXT NOT NULL PRIMARY KEY,
                person TEXT NOT NULL,\(pause == nil ? "" : "\n    told_at BIGINT NOT NULL,")
                body TEXT NOT NULL)
            """,
            "CREATE INDEX \(table)_of_person ON \(table) (person, id)",
            """
            CREATE TABLE \(cells) (
                cell TEXT NOT NULL,
                \(key) TEXT NOT NULL,
                PRIMARY KEY (cell, \(key)))
            """,
            "CREATE INDEX \(cells)_of_\(key) ON \(cells) (\(key))",
        ]
    }

    /// Newest first.
    public func page(
        _ page: PageRequest, of person: PersonID, in transaction: Transaction
    ) throws -> Page<Value> {
        try transaction.page(page, of: table, where: Conditions("person = ?", person))
    }

    /// Returns the value. Throws `tooMany` beyond the person's limit, and the errors of `requireStanding`.
    public func add(
        _ value: Value, of person: PersonID, in cells: [Cell], in transaction: Transaction
    ) throws -> Value {
        try transaction.requireStanding(of: person)
        let count = try transaction.row(
            "SELECT COUNT(*) AS count FROM \(table) WHERE person = ?", person)
        guard try count?.get("count") ?? 0 < most else {
            throw tooMany.because("The limit is \(most).")
        }
        let (toldAt, never) = pause == nil ? ("", "") : (", told_at", ", 0")
        try transaction.execute(
            "INSERT INTO \(table) (id, person, body\(toldAt)) VALUES (?, ?, ?\(never))", value.id,
            person, Wire.json(value))
        for cell in cells {
            try transaction.execute(
                "INSERT INTO \(self.cells) (cell, \(key)) VALUES (?, ?)", cell.description,
                value.id)
        }
        return value
    }

    /// Does nothing if the person has no such value.
    public func remove(_ id: Value.ID, of person: PersonID, in transaction: Transaction) throws {
        try remove("id = ? AND person = ?", [id, person], in: transaction)
    }

    /// Removes all values of the person.
    public func forget(_ person: PersonID, in transaction: Transaction) throws {
        try remove("person = ?", [person], in: transaction)
    }

    private func remove(
        _ condition: String, _ arguments: [(any SQLConvertible)?], in transaction: Transaction
    ) throws {
        for other in [cells] + others {
            try transaction.execute(
                """
                DELETE FROM \(other) WHERE \(key) IN (
                    SELECT id FROM \(table) WHERE \(condition))
                """, arguments: arguments)
        }
        try transaction.execute("DELETE FROM \(table) WHERE \(condition)", arguments: arguments)
    }

    public func isWatched(_ cell: Cell, in transaction: Transaction) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM \(cells) WHERE cell = ? LIMIT 1", cell.description) != nil
    }

    /// The next values of the cells by id, after `id` and without those that pause. `last` is the id after which to
    /// continue; nil if there are no more.
    public func around(
        _ cells: Set<Cell>, after id: String, at now: Date, in transaction: Transaction
    ) throws -> (found: [(person: PersonID, value: Value)], last: String?) {
        let latest = pause.map { [now.addingTimeInterval(-$0)] } ?? []
        let found = try transaction.rows(
            """
            SELECT person, body FROM \(table)
            WHERE id IN (
                SELECT \(key) FROM \(self.cells)
                WHERE cell IN (\(transaction.marks(cells.count))) AND \(key) > ?)
                AND id > ?\(latest.isEmpty ? "" : " AND told_at <= ?")
            ORDER BY id LIMIT ?
            """, arguments: cells.map(\.description) + [id, id] + latest + [Self.batch]
        ).map { row in
            (person: try row.get("person", as: PersonID.self), value: try row.json(as: Value.self))
        }
        return (found, found.count < Self.batch ? nil : found.last?.value.id.description)
    }

    /// `around` leaves the value out until the pause is over.
    public func startPause(
        of id: Value.ID, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.execute("UPDATE \(table) SET told_at = ? WHERE id = ?", now, id)
    }
}
