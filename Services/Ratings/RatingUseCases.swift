import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The use cases of ratings; each is one transaction.
struct RatingUseCases: Sendable {
    /// How long a rating waits for an event that may be late.
    static let patience: Duration = .seconds(1)

    let database: Database
    let clock: ServiceClock
    var owners = Owners([])
    var patience = Self.patience

    func apply(_ engagement: Engagement, _ delivery: Delivery) async throws {
        let now = clock.now
        try await database.apply(delivery) { transaction in
            try engagements.keep(
                engagement, of: engagement.id, version: engagement.version, at: now,
                in: transaction)
        }
    }

    /// Rates the other participants of an ended engagement, or changes an earlier rating.
    func rate(
        _ id: EngagementID, by person: Identity, _ body: RatingBody
    ) async throws -> Rating {
        let opinion = try Opinion(checking: body)
        let engagement = try await engagement(id, for: person.person)
        let others = try engagement.rated(by: person.person, only: body.to)
        // Always in the same order, so that two requests can't wait for each other's rows.
        let sorted = others.sorted()
        let now = clock.now
        let first = others[0]
        return try await database.write { transaction in
            for other in sorted {
                let rating = StoredRating(
                    engagement: id, rater: person.person, rated: other, opinion: opinion,
                    updatedAt: now)
                guard let summary = try transaction.ratings.save(rating) else { continue }
                try RatingNotices.announce(
                    RatingGiven(
                        engagement: id, product: engagement.product, from: person.person,
                        to: other, stars: opinion.stars, summary: summary.body,
                        version: summary.version),
                    at: now, in: transaction)
            }
            guard let saved = try transaction.ratings.find(id, by: person.person, of: first) else {
                throw Refusal.nothingToRate
            }
            return saved.body
        }
    }

    /// The engagement, once it can be rated: waits a moment for a late event, then asks the engagement's product.
    private func engagement(
        _ id: EngagementID, for person: PersonID
    ) async throws -> Engagement {
        let known = try await engagements.value(of: id, in: database, within: patience) {
            $0.state == .ended || $0.participant(person) == nil
        }
        if let known, known.state == .ended, known.participant(person) != nil { return known }
        guard let newest = try await owners.newest(id) else {
            guard let known else { throw Refusal.nothingToRate }
            return known
        }
        let now = clock.now
        try await database.write {
            try engagements.keep(newest, of: id, version: newest.version, at: now, in: $0)
        }
        return newest
    }

    /// A person's ratings of the others; empty if there are none.
    func given(for id: EngagementID, by person: PersonID) async throws -> [Rating] {
        try await database.read { try $0.ratings.given(for: id, by: person).map(\.body) }
    }

    func summary(of person: PersonID) async throws -> RatingSummary {
        try await database.read { try $0.ratings.summary(of: person).body }
    }

    /// Newest first, without their authors.
    func comments(of person: PersonID, _ page: PageRequest) async throws -> Page<RatingComment> {
        let found = try await database.read { try $0.ratings.comments(of: person, page) }
        return page.page(of: found, cursor: \.edition, \.comment)
    }
}
