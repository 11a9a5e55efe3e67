import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Copies of engagements.
let engagements = Replica<Engagement>("engagements")

let ratingMigrations = [
    engagements.migration, Standings.migration,
    Migration(
        "ratings-1",
        """
        CREATE TABLE ratings (
            engagement TEXT NOT NULL,
            rater TEXT NOT NULL,
            rated TEXT NOT NULL,
            stars BIGINT NOT NULL,
            comment TEXT,
            edition TEXT NOT NULL,
            updated_at BIGINT NOT NULL,
            PRIMARY KEY (engagement, rater, rated)
        )
        """,
        "CREATE INDEX ratings_by_rated ON ratings (rated, edition)",
        """
        CREATE TABLE summaries (
            person TEXT NOT NULL PRIMARY KEY,
            ratings BIGINT NOT NULL,
            stars BIGINT NOT NULL,
            version BIGINT NOT NULL
        )
        """,
        "CREATE INDEX ratings_by_rater ON ratings (rater, edition)"),
]

enum EditionKind {}

/// Identifies one state of a rating. It sorts by time, so it orders comments and serves as their cursor.
typealias EditionID = Identifier<EditionKind>

/// One person's stored rating of another for an engagement.
struct StoredRating: Sendable {
    var engagement: EngagementID
    var rater: PersonID
    var rated: PersonID
    var opinion: Opinion
    var updatedAt: Date

    var body: Rating {
        Rating(
            engagement: engagement, from: rater, to: rated, stars: opinion.stars,
            comment: opinion.comment,
            updatedAt: updatedAt)
    }
}

/// The summary of a person's ratings.
struct Summary: Sendable, Equatable {
    /// Averages are rounded to 1/100.
    private static let precision = 100.0

    var ratings = 0
    var stars = 0
    /// Increases by one with each change.
    var version = 0

    var body: RatingSummary {
        let average = ratings == 0 ? nil : Double(stars) / Double(ratings)
        return RatingSummary(
            average: average.map { ($0 * Self.precision).rounded() / Self.precision },
            count: ratings)
    }
}

extension Transaction {
    var ratings: RatingStore { RatingStore(transaction: self) }
}

/// Ratings and their summaries.
struct RatingStore {
    let transaction: Transaction

    /// Stores the rating and updates the summary; returns nil if the same rating is stored already.
    ///
    /// Throws if the rater may not act any more. A comment about a deleted account is not stored.
    func save(_ rating: StoredRating) throws -> Summary? {
        try transaction.requireStanding(of: rating.rater)
        var rating = rating
        if try transaction.isGone(rating.rated) {
            rating.opinion = Opinion(stars: rating.opinion.stars, comment: nil)
        }
        // Locks the summary's row, so that the second of two concurrent changes sees the first.
        try transaction.execute(
            """
            INSERT INTO summaries (person, ratings, stars, version) VALUES (?, 0, 0, 0)
            ON CONFLICT (person) DO UPDATE SET version = summaries.version
            """, rating.rated)
        let before = try find(rating.engagement, by: rating.rater, of: rating.rated)
        guard before?.opinion != rating.opinion else { return nil }
        try transaction.execute(
            """
            INSERT INTO ratings (engagement, rater, rated, stars, comment, edition, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (engagement, rater, rated) DO UPDATE SET
                stars = excluded.stars, comment = excluded.comment, edition = excluded.edition,
                updated_at = excluded.updated_at
            """,
            rating.engagement, rating.rater, rating.rated, rating.opinion.stars,
            rating.opinion.comment, EditionID.new(at: rating.updatedAt), rating.updatedAt)
        try transaction.execute(
            """
            UPDATE summaries SET ratings = ratings + ?, stars = stars + ?, version = version + 1
            WHERE person = ?
            """,
            before == nil ? 1 : 0, rating.opinion.stars - (before?.opinion.stars ?? 0),
            rating.rated)
        return try summary(of: rating.rated)
    }

    func find(
        _ engagement: EngagementID, by rater: PersonID, of rated: PersonID
    ) throws -> StoredRating? {
        let row = try transaction.row(
            """
            SELECT stars, comment, updated_at FROM ratings
            WHERE engagement = ? AND rater = ? AND rated = ?
            """, engagement, rater, rated)
        return try row.map { row in
            StoredRating(
                engagement: engagement, rater: rater, rated: rated,
                opinion: Opinion(
                    stars: try row.get("stars"), comment: try row.getIfPresent("comment")),
                updatedAt: try row.get("updated_at"))
        }
    }

    func given(for engagement: EngagementID, by rater: PersonID) throws -> [StoredRating] {
        try transaction.rows(
            "SELECT rated FROM ratings WHERE engagement = ? AND rater = ? ORDER BY rated",
            engagement, rater
        ).compactMap { try find(engagement, by: rater, of: $0.get("rated")) }
    }

    func summary(of person: PersonID) throws -> Summary {
        let row = try transaction.row(
            "SELECT ratings, stars, version FROM summaries WHERE person = ?", person)
        guard let row else { return Summary() }
        return Summary(
            ratings: try row.get("ratings"), stars: try row.get("stars"),
            version: try row.get("version"))
    }

    /// Newest first, with one more than the page shows; ratings without a comment are left out.
    func comments(
        of person: PersonID, _ page: PageRequest
    ) throws -> [(edition: EditionID, comment: RatingComment)] {
        try transaction.rows(
            """
            SELECT edition, stars, comment, updated_at FROM ratings
            WHERE rated = ? AND comment IS NOT NULL AND edition < ?
            ORDER BY edition DESC LIMIT ?
            """, person, page.below(EditionID.self), page.rows
        ).map { row in
            let comment = RatingComment(
                stars: try row.get("stars"), comment: try row.get("comment"),
                updatedAt: try row.get("updated_at"))
            return (try row.get("edition"), comment)
        }
    }

    enum Side: String { case rater, rated }

    /// Newest first.
    func all(_ side: Side, _ person: PersonID, most: Int) throws -> [StoredRating] {
        try transaction.rows(
            """
            SELECT engagement, rater, rated, stars, comment, updated_at FROM ratings
            WHERE \(side.rawValue) = ? ORDER BY edition DESC LIMIT ?
            """, person, most
        ).map { row in
            StoredRating(
                engagement: try row.get("engagement"), rater: try row.get("rater"),
                rated: try row.get("rated"),
                opinion: Opinion(
                    stars: try row.get("stars"), comment: try row.getIfPresent("comment")),
                updatedAt: try row.get("updated_at"))
        }
    }

    /// Comments by and about the person.
    func dropComments(of person: PersonID) throws {
        try transaction.execute(
            "UPDATE ratings SET comment = NULL WHERE rater = ? OR rated = ?", person, person)
    }
}
