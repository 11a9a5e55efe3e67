import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// What ratings can do; each function is one transaction.
struct RatingUseCases: Sendable {
    /// How long a rating waits for news that may still be on its way.
    static let patience: Duration = .seconds(1)

    let database: Database
    let clock: ServiceClock
    let patience: Duration

    init(database: Database, clock: ServiceClock, patience: Duration = Self.patience) {
        self.database = database
        self.clock = clock
        self.patience = patience
    }

    func follow(_ engagement: Engagement, _ delivery: Delivery) async throws {
        let now = clock.now
        try await database.apply(delivery) { transaction in
            try engagements.keep(
                engagement, of: engagement.id, version: engagement.version, at: now,
                in: transaction)
        }
    }

    /// Rates the other side of what has ended, or changes what was said before.
    func rate(
        _ id: EngagementID, by person: Identity, _ body: RatingBody
    ) async throws -> Rating {
        let opinion = try Opinion(checking: body)
        let engagement = try await engagement(id, for: person.person)
        let others = try engagement.rated(by: person.person)
        // In one order always, so that two of these can't wait for each other's rows.
        let sorted = others.sorted()
        let now = clock.now
        let first = others[0]
        return try await database.write { transaction in
            for other in sorted {
                let rating = StoredRating(
                    engagement: id, rater: person.person, rated: other, opinion: opinion,
                    updatedAt: now)
                guard let summary = try transaction.save(rating) else { continue }
                try transaction.announce(
                    RatingGiven(
                        engagement: id, product: engagement.product, from: person.person,
                        to: other, stars: opinion.stars, summary: summary.body,
                        version: summary.version),
                    at: now)
            }
            guard let saved = try transaction.rating(id, by: person.person, of: first) else {
                throw RatingError.unknown
            }
            return saved.body
        }
    }

    /// As far as it is known; what can't be rated yet gets a moment to become so.
    private func engagement(
        _ id: EngagementID, for person: PersonID
    ) async throws -> Engagement {
        let known = try await engagements.value(of: id, in: database, within: patience) {
            $0.state == .ended || $0.participant(person) == nil
        }
        guard let known else { throw RatingError.unknown }
        return known
    }

    func summary(of person: PersonID) async throws -> RatingSummary {
        try await database.read { try $0.summary(of: person).body }
    }

    /// Newest first, and without a word about who wrote them.
    func comments(of person: PersonID, _ page: PageRequest) async throws -> Page<RatingComment> {
        let found = try await database.read { try $0.comments(of: person, page) }
        return page.page(of: found, cursor: \.edition, \.comment)
    }
}
