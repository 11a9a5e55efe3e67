import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store

/// Data that the original's calls leave out, in SQL. Only the search says when and where a person wants to ride;
/// ratings are asked for by route; and a driver's yes to a passenger has no place in our API.
struct GetaliftStore: Sendable {
    /// How long found trips are kept, in seconds.
    static let remembered: TimeInterval = 30 * 86_400
    /// How long a driver's answers are kept, in seconds. The ride is over by then, as a trip's first day is at most a
    /// year ahead.
    static let answersRemembered: TimeInterval = 400 * 86_400
    /// The most found trips per person, newest first.
    static let most = 20

    static let migration = Migration(
        "getalift-memory-1",
        """
        CREATE TABLE getalift_found (
            person TEXT NOT NULL,
            trip TEXT NOT NULL,
            driver TEXT NOT NULL,
            body TEXT NOT NULL,
            found_at BIGINT NOT NULL,
            PRIMARY KEY (person, trip))
        """,
        "CREATE INDEX getalift_found_age ON getalift_found (found_at)",
        """
        CREATE TABLE getalift_ratings (
            number \(Migration.identity),
            author TEXT NOT NULL,
            target TEXT NOT NULL,
            trip TEXT NOT NULL,
            body TEXT NOT NULL,
            UNIQUE (author, target, trip))
        """,
        """
        CREATE TABLE getalift_answers (
            seat TEXT NOT NULL PRIMARY KEY,
            driver TEXT NOT NULL,
            answered_at BIGINT NOT NULL)
        """,
        "CREATE INDEX getalift_answers_driver ON getalift_answers (driver)",
        "CREATE INDEX getalift_answers_age ON getalift_answers (answered_at)")

    /// How a trip fits a person's search.
    struct Found: Codable, Sendable, Hashable {
        var trip: TripID
        var driver: PersonID
        var date: String
        var pickUpAt: Date
        var pickUp, dropOff: Coordinate
    }

    /// A rating given by one person to another.
    struct Given: Codable, Sendable, Hashable {
        var ride: RideID
        var stars: Int
        var comment: String
        var at: Date
    }

    struct GivenRow: Sendable {
        var number: Int
        var target: PersonID
        var trip: TripID
        var given: Given
    }

    let database: Database
    let clock: ServiceClock

    // MARK: Found trips

    func keep(_ found: [Found], of person: PersonID) async throws {
        guard !found.isEmpty else { return }
        let now = clock.now
        try await database.write { transaction in
            for found in found {
                try transaction.execute(
                    """
                    INSERT INTO getalift_found (person, trip, driver, body, found_at)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (person, trip) DO UPDATE SET
                        driver = excluded.driver, body = excluded.body, found_at = excluded.found_at
                    """, person, found.trip, found.driver, Wire.json(found), now)
            }
        }
    }

    func found(_ trip: TripID, by person: PersonID) async throws -> Found? {
        try await database.read {
            try $0.row(
                "SELECT body FROM getalift_found WHERE person = ? AND trip = ?", person, trip
            )?.json()
        }
    }

    func found(by person: PersonID) async throws -> [Found] {
        try await database.read {
            try $0.rows(
                """
                SELECT body FROM getalift_found WHERE person = ?
                ORDER BY found_at DESC, trip LIMIT ?
                """, person, Self.most
            ).map { try $0.json() }
        }
    }

    func hasMet(_ driver: PersonID, _ person: PersonID) async throws -> Bool {
        try await database.read {
            try $0.row(
                "SELECT 1 AS one FROM getalift_found WHERE person = ? AND driver = ?",
                person, driver) != nil
        }
    }

    // MARK: Ratings

    func given(by author: PersonID) async throws -> [GivenRow] {
        try await database.read {
            try $0.rows(
                """
                SELECT number, target, trip, body FROM getalift_ratings WHERE author = ?
                ORDER BY number
                """, author
            ).map {
                GivenRow(
                    number: try $0.get("number"), target: try $0.get("target"),
                    trip: try $0.get("trip"), given: try $0.json())
            }
        }
    }

    func keep(
        _ given: Given, of trip: TripID, by author: PersonID, to target: PersonID
    ) async throws {
        try await database.write {
            try $0.execute(
                """
                INSERT INTO getalift_ratings (author, target, trip, body) VALUES (?, ?, ?, ?)
                ON CONFLICT (author, target, trip) DO UPDATE SET body = excluded.body
                """, author, target, trip, Wire.json(given))
        }
    }

    // MARK: A driver's yes

    func answer(_ seat: SeatRequestID, by driver: PersonID) async throws {
        let now = clock.now
        try await database.write {
            try $0.execute(
                """
                INSERT INTO getalift_answers (seat, driver, answered_at) VALUES (?, ?, ?)
                ON CONFLICT (seat) DO NOTHING
                """, seat, driver, now)
        }
    }

    func answered(by driver: PersonID) async throws -> Set<SeatRequestID> {
        try await database.read {
            Set(
                try $0.rows("SELECT seat FROM getalift_answers WHERE driver = ?", driver)
                    .map { try $0.get("seat") })
        }
    }

    func sweep() async throws {
        let before = clock.now - Self.remembered
        try await database.sweep {
            try $0.execute(
                """
                DELETE FROM getalift_found WHERE (person, trip) IN (
                    SELECT person, trip FROM getalift_found WHERE found_at < ? LIMIT ?)
                """, before, $1)
        }
        let long = clock.now - Self.answersRemembered
        try await database.sweep {
            try $0.execute(
                """
                DELETE FROM getalift_answers WHERE seat IN (
                    SELECT seat FROM getalift_answers WHERE answered_at < ? LIMIT ?)
                """, long, $1)
        }
    }
}
