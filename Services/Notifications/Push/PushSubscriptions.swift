import Contracts
import Crypto
import EventBus
import Foundation
import ServiceKit
import Store

/// A browser's push address and keys, stored sealed.
struct PushAddress: Codable, Sendable {
    let endpoint: String
    let p256dh: String
    let auth: String
}

enum PushLimits {
    /// Largest number of subscriptions of one person; a further one ends the one renewed longest ago.
    static let mostPerPerson = 10
    /// Largest number of waiting pushes of one subscription; a further one replaces the oldest.
    static let mostWaiting = 50
    /// Largest number of operators' subscriptions that get one alert.
    static let mostOperators = 500
}

extension PushSubscription {
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.get("id"), service: try row.get("service"),
            createdAt: try row.get("created_at"))
    }
}

/// A subscription, with the data that pushing needs.
struct PushTarget: Sendable {
    let id: PushSubscriptionID
    let person: PersonID
    /// The person's most privileged role when they subscribed.
    let role: Role
    /// Host of the push service.
    let service: String

    fileprivate init(_ row: Row) throws {
        id = try row.get("id")
        service = try row.get("service")
        person = try row.get("person")
        role = try row.get("role")
    }
}

extension Transaction {
    var subscriptions: SubscriptionStore { SubscriptionStore(transaction: self) }
}

/// Stores push subscriptions.
struct SubscriptionStore {
    let transaction: Transaction

    /// Newest first.
    func page(of person: PersonID, _ page: PageRequest) throws -> Page<PushSubscription> {
        try transaction.page(
            page, of: "push_subscriptions", columns: "id, service, created_at",
            where: Conditions("person = ?", person), PushSubscription.init)
    }

    /// The subscriptions of a feed's recipient.
    func targets(of recipient: Recipient) throws -> [PushTarget] {
        switch recipient {
        case .person(let person):
            try transaction.rows(
                "SELECT id, person, role, service FROM push_subscriptions WHERE person = ? LIMIT ?",
                person,
                PushLimits.mostPerPerson
            ).map { try PushTarget($0) }
        case .operators:
            try transaction.rows(
                """
                SELECT id, person, role, service FROM push_subscriptions WHERE role = ?
                ORDER BY renewed_at DESC LIMIT ?
                """, Role.operator, PushLimits.mostOperators
            ).map { try PushTarget($0) }
        }
    }

    /// Also deletes its waiting pushes.
    func remove(_ id: PushSubscriptionID) throws -> Bool {
        try transaction.execute("DELETE FROM push_subscriptions WHERE id = ?", id) == 1
    }

    /// The address, still sealed.
    func address(of id: PushSubscriptionID) throws -> String? {
        try transaction.row("SELECT sealed FROM push_subscriptions WHERE id = ?", id)?
            .get("sealed")
    }

    func hasEnded(_ session: SessionID) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM ended_sessions WHERE id = ?", session) != nil
    }
}

extension NotificationUseCases {
    /// Subscribes a browser, or renews its subscription. A browser belongs to one person at a time: the
    /// person who subscribes last gets its pushes, but none that still wait for another person.
    func subscribe(
        _ identity: Identity, _ body: PushSubscriptionBody, to services: PushServices,
        key: IdempotencyKey?
    ) async throws -> PushSubscription {
        let endpoint = try services.endpoint(body.endpoint)
        _ = try PushSecrets(p256dh: body.keys.p256dh, auth: body.keys.auth)
        let sealed = try sealer.seal(
            PushAddress(
                endpoint: endpoint.address, p256dh: body.keys.p256dh, auth: body.keys.auth))
        // Its random part can't be guessed, so a plain hash does not reveal the address.
        let hash = SHA256.hash(data: Data(endpoint.address.utf8)).hex
        let now = clock.now
        return try await database.write(once: key) { transaction in
            // The access token outlives session and account by minutes; a subscription must not.
            guard try !people.isForgotten(identity.person, in: transaction),
                try !transaction.subscriptions.hasEnded(identity.session)
            else { throw Refusal.tokenInvalid }
            try transaction.execute(
                """
                DELETE FROM push_jobs WHERE subscription IN (
                    SELECT id FROM push_subscriptions WHERE endpoint_hash = ? AND person <> ?)
                """, hash, identity.person)
            let row = try transaction.row(
                """
                INSERT INTO push_subscriptions (id, person, role, session, endpoint_hash, service,
                    sealed, created_at, renewed_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (endpoint_hash) DO UPDATE SET person = excluded.person,
                    role = excluded.role, session = excluded.session, sealed = excluded.sealed,
                    renewed_at = excluded.renewed_at
                RETURNING id, service, created_at
                """, PushSubscriptionID.new(at: now), identity.person,
                identity.roles.highest.known ?? .customer,
                identity.session, hash, endpoint.host, sealed, now, now)
            guard let row else { throw StoreError(.decoding, "push_subscriptions.id") }
            try transaction.execute(
                """
                DELETE FROM push_subscriptions WHERE person = ? AND id NOT IN (
                    SELECT id FROM push_subscriptions WHERE person = ?
                    ORDER BY renewed_at DESC, id DESC LIMIT ?)
                """, identity.person, identity.person, PushLimits.mostPerPerson)
            return try PushSubscription(row)
        }
    }

    func pushSubscriptions(
        of person: PersonID, _ page: PageRequest
    ) async throws -> Page<PushSubscription> {
        try await database.read { try $0.subscriptions.page(of: person, page) }
    }

    func unsubscribe(_ id: PushSubscriptionID, of person: PersonID) async throws {
        let isGone = try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM push_subscriptions WHERE id = ? AND person = ?", id, person) == 1
        }
        guard isGone else { throw Refusal.pushSubscriptionUnknown }
    }

    /// Deletes the subscriptions of sessions that have ended: their devices get no more notifications.
    func apply(_ event: SessionsEnded, _ delivery: Delivery) async throws {
        try await database.apply(delivery) { transaction in
            for session in event.sessions {
                try transaction.execute("DELETE FROM push_subscriptions WHERE session = ?", session)
                try transaction.execute(
                    """
                    INSERT INTO ended_sessions (id, ended_at) VALUES (?, ?)
                    ON CONFLICT (id) DO NOTHING
                    """, session, event.endedAt)
            }
        }
    }
}
