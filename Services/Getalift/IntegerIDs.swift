import Contracts
import EventBus
import Foundation
import Store

/// The original's integers for our ids. They are assigned at first use, in sequence, and never reused.
struct IntegerIDs: Sendable {
    /// The original's tables, each with its own sequence.
    enum Kind: String {
        case user
        /// A trip.
        case route
        /// `<trip>/once`, or `<trip>/<weekday>`.
        case date
        /// A trip with passengers: the original has one ride per route.
        case ride
        /// A seat request.
        case passenger
        /// `<person>/<trip>`.
        case favourite
    }

    static let migration = Migration(
        "getalift-numbers-1",
        """
        CREATE TABLE getalift_numbers (
            kind TEXT NOT NULL,
            number BIGINT NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (kind, number),
            UNIQUE (kind, id))
        """,
        """
        CREATE TABLE getalift_points (
            trip TEXT NOT NULL PRIMARY KEY,
            way TEXT NOT NULL,
            first_number BIGINT NOT NULL,
            size BIGINT NOT NULL)
        """,
        """
        CREATE TABLE getalift_point_count (
            name TEXT NOT NULL PRIMARY KEY,
            used BIGINT NOT NULL)
        """)

    let database: Database

    func number(of id: some CustomStringConvertible, as kind: Kind) async throws -> Int {
        try await numbers(of: [id.description], as: kind)[id.description] ?? 0
    }

    /// The integers of several ids.
    func numbers(
        of ids: some Sequence<String>, as kind: Kind
    ) async throws -> [String: Int] {
        // In order of first appearance.
        var seen: Set<String> = []
        let wanted = ids.filter { seen.insert($0).inserted }
        guard !wanted.isEmpty else { return [:] }
        let known = try await database.read { try $0.integerIDs.numbers(of: wanted, as: kind) }
        guard known.count < wanted.count else { return known }
        return try await database.write { try $0.integerIDs.give(to: wanted, as: kind) }
    }

    /// Nil if it was never assigned.
    func id(of number: Int, as kind: Kind) async throws -> String? {
        try await database.read { transaction in
            try transaction.row(
                "SELECT id FROM getalift_numbers WHERE kind = ? AND number = ?",
                kind.rawValue, number
            )?.get("id")
        }
    }

    /// Nil if it has none yet.
    func known(_ id: some CustomStringConvertible, as kind: Kind) async throws -> Int? {
        let text = id.description
        return try await database.read { try $0.integerIDs.numbers(of: [text], as: kind)[text] }
    }

    func person(_ number: Int) async throws -> PersonID? {
        try await id(of: number, as: .user).flatMap(PersonID.init)
    }

    func trip(_ number: Int, as kind: Kind = .route) async throws -> TripID? {
        try await id(of: number, as: kind).flatMap(TripID.init)
    }

    /// The first integer of a route's points. Points of another route get new integers.
    func firstPoint(of trip: TripID, way: String, size: Int) async throws -> Int {
        if let first = try await database.read({ try $0.integerIDs.firstPoint(of: trip, way: way) })
        {
            return first
        }
        return try await database.write { transaction in
            try transaction.lock("getalift point numbers")
            if let first = try transaction.integerIDs.firstPoint(of: trip, way: way) {
                return first
            }
            let used: Int =
                try transaction.row("SELECT used FROM getalift_point_count WHERE name = 'points'")?
                .get("used") ?? 0
            try transaction.execute(
                """
                INSERT INTO getalift_point_count (name, used) VALUES ('points', ?)
                ON CONFLICT (name) DO UPDATE SET used = excluded.used
                """, used + size)
            try transaction.execute(
                """
                INSERT INTO getalift_points (trip, way, first_number, size) VALUES (?, ?, ?, ?)
                ON CONFLICT (trip) DO UPDATE SET
                    way = excluded.way, first_number = excluded.first_number, size = excluded.size
                """, trip, way, used + 1, size)
            return used + 1
        }
    }
}

extension Transaction {
    var integerIDs: IntegerIDStore { IntegerIDStore(transaction: self) }
}

struct IntegerIDStore {
    let transaction: Transaction

    func firstPoint(of trip: TripID, way: String) throws -> Int? {
        let row = try transaction.row(
            "SELECT way, first_number FROM getalift_points WHERE trip = ?", trip)
        guard let row, try row.get("way", as: String.self) == way else { return nil }
        return try row.get("first_number")
    }

    func numbers(
        of ids: [String], as kind: IntegerIDs.Kind
    ) throws -> [String: Int] {
        let rows = try transaction.rows(
            "SELECT id, number FROM getalift_numbers WHERE kind = ? AND id IN (\(transaction.marks(ids.count)))",
            arguments: [kind.rawValue] + ids)
        return try rows.reduce(into: [:]) { $0[try $1.get("id")] = try $1.get("number") }
    }

    func give(
        to ids: [String], as kind: IntegerIDs.Kind
    ) throws -> [String: Int] {
        try transaction.lock("getalift numbers \(kind.rawValue)")
        var numbers = try numbers(of: ids, as: kind)
        let last: Int? = try transaction.row(
            "SELECT MAX(number) AS last FROM getalift_numbers WHERE kind = ?", kind.rawValue
        )?.getIfPresent("last")
        var next = (last ?? 0) + 1
        for id in ids where numbers[id] == nil {
            try transaction.execute(
                "INSERT INTO getalift_numbers (kind, number, id) VALUES (?, ?, ?)",
                kind.rawValue, next, id)
            numbers[id] = next
            next += 1
        }
        return numbers
    }

    /// Cuts the link between a deleted account and its integers, which are never assigned again.
    func forget(_ person: PersonID) throws {
        try transaction.execute(
            """
            UPDATE getalift_numbers SET id = 'gone ' || number
            WHERE kind = 'user' AND id = ?
            """, person)
        try transaction.execute(
            """
            UPDATE getalift_numbers SET id = 'gone ' || number
            WHERE kind = 'favourite' AND id LIKE ?
            """, "\(person)/%")
    }
}
