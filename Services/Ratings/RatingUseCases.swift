import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// What ratings can do; each function is one transaction.
struct RatingUseCases: Sendable {
    /// How long a rating waits for news of its order that may still be on its way.
    static let patience: Duration = .seconds(1)

    let database: Database
    let clock: HouseClock
    let patience: Duration

    init(database: Database, clock: HouseClock, patience: Duration = Self.patience) {
        self.database = database
        self.clock = clock
        self.patience = patience
    }

    /// Keeps a copy of the order, the newest that there is.
    func learn(_ order: OrderSnapshot, _ delivery: Delivery) async throws {
        try await database.apply(delivery) { transaction in
            try transaction.learn(RatedOrder(order))
        }
    }

    /// Rates the other side of a finished order, or changes what was said before.
    func rate(_ id: OrderID, by person: Identity, _ body: RatingBody) async throws -> Rating {
        let opinion = try Opinion(checking: body)
        let order = try await order(id, for: person)
        let others = try order.rated(by: person)
        // In one order always, so that two of these can't wait for each other's rows.
        let sorted = others.sorted()
        let now = clock.now
        let first = others[0]
        return try await database.write { transaction in
            for other in sorted {
                let rating = StoredRating(
                    order: id, rater: person.person, rated: other, opinion: opinion,
                    updatedAt: now)
                guard let summary = try transaction.save(rating) else { continue }
                try transaction.publish(
                    RatingGiven(
                        order: id, from: person.person, to: other, stars: opinion.stars,
                        summary: summary.body, version: summary.version),
                    at: now)
            }
            guard let saved = try transaction.rating(id, by: person.person, of: first) else {
                throw RatingError.orderUnknown
            }
            return saved.body
        }
    }

    func summary(of person: PersonID) async throws -> RatingSummary {
        try await database.read { try $0.summary(of: person).body }
    }

    /// Newest first, and without a word about who wrote them.
    func comments(of person: PersonID, _ page: PageRequest) async throws -> Page<RatingComment> {
        let cursor = try page.after.map { text in
            guard let edition = EditionID(text) else {
                throw InvalidRequest.cursor
            }
            return edition
        }
        let found = try await database.read { transaction in
            try transaction.comments(of: person, below: cursor, most: page.limit + 1)
        }
        let shown = found.prefix(page.limit)
        let next = found.count > page.limit ? shown.last?.edition.description : nil
        return Page(items: shown.map(\.comment), next: next)
    }
}

// MARK: News of orders that is on its way

extension RatingUseCases {
    /// The order as far as it is known; one that can't be rated yet gets a moment to become so.
    private func order(_ id: OrderID, for person: Identity) async throws -> RatedOrder {
        let arrived = try await database.awaiting(
            Transaction.orderChanged, within: patience
        ) { transaction -> RatedOrder? in
            // Waiting may change the answer while the order is unknown, or theirs and unfinished.
            guard let order = try transaction.order(id),
                order.isFinished || !order.includes(person)
            else { return nil }
            return order
        }
        if let arrived { return arrived }
        guard let order = try await database.read({ try $0.order(id) }) else {
            throw RatingError.orderUnknown
        }
        return order
    }
}
