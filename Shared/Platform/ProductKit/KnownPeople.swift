import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// A service's copies of people who are shown to each other: names from accounts, stars from ratings.
public enum KnownPeople {
    public static let migrations = [people.migration, ratings.migration]
    /// What `openvalet doctor` compares, for a service that brings people together.
    public static let copies =
        [people.copies(of: .people)] + Standings.copies + KnownVehicles.copies
        + KnownBlocks.copies + KnownAreas.copies

    fileprivate static let people = Replica<Person>("people")
    fileprivate static let ratings = Replica<RatingSummary>("ratings")

    fileprivate struct Person: Codable, Sendable {
        var firstName: String
        var phone: String
    }
}

/// Names and stars of the people on a page, read at once.
public struct PeopleShown: Sendable {
    private let people: [String: KnownPeople.Person]
    private let ratings: [String: RatingSummary]

    public init(_ ids: some Sequence<PersonID>, in transaction: Transaction) throws {
        let ids = Set(ids)
        people = try KnownPeople.people.values(of: ids, in: transaction)
        ratings = try KnownPeople.ratings.values(of: ids, in: transaction)
    }

    public func firstName(_ id: PersonID) -> String { people[id.description]?.firstName ?? "" }
    /// E.164; empty if they have none.
    public func phone(_ id: PersonID) -> String { people[id.description]?.phone ?? "" }
    /// Average stars; nil before the first rating.
    public func rating(_ id: PersonID) -> Double? { ratings[id.description]?.average }
}

extension Transaction {
    /// Also stores their standing.
    public func keepPerson(_ event: AccountChanged, at now: Date) throws {
        try KnownPeople.people.keep(
            KnownPeople.Person(firstName: event.account.firstName, phone: event.account.phone),
            of: event.account.id, version: event.version, at: now, in: self)
        try keepStanding(event)
    }

    public func keepRating(_ event: RatingGiven, at now: Date) throws {
        try KnownPeople.ratings.keep(
            event.summary, of: event.to, version: event.version, at: now, in: self)
    }

    /// Deletes the name and ratings of a deleted account. A mark stays, so that a late event restores nothing.
    public func forgetPerson(_ event: AccountDeleted, at now: Date) throws {
        try KnownPeople.people.forget(event.account, version: event.version, at: now, in: self)
        try KnownPeople.ratings.forget(event.account, version: .max, at: now, in: self)
        try keepStanding(event)
    }
}

extension Owners {
    /// Asks accounts for an unknown person before they take part in something, so that the others see their name at
    /// once even if the event is late. The answer is stored like the event.
    public func learn(of person: PersonID, in database: Database, at now: Date) async throws {
        try await learn(
            of: person, in: database, unless: { try KnownPeople.people.isKnown(person, in: $0) },
            keep: { try $1.keepPerson($0, at: now) })
    }

    /// The same for a service with its own store for people. If accounts doesn't answer, nothing is refused: the
    /// person has no name until the event arrives.
    public func learn(
        of person: PersonID, in database: Database,
        unless isKnown: @escaping @Sendable (Transaction) throws -> Bool,
        keep: @escaping @Sendable (AccountChanged, Transaction) throws -> Void
    ) async throws {
        guard try await !database.read(isKnown) else { return }
        do {
            let latest = try await newest(InternalEndpoints.account(person))
            guard let latest else { return }
            try await database.write { try keep(latest, $0) }
        } catch is Peer.Failure {
            return
        }
    }
}

extension KnownPeople {
    /// Reactions of a service that brings people together: to people, their vehicles and blocks, and to areas.
    public static func reactions(_ database: Database, _ clock: ServiceClock) -> [Reaction] {
        [
            when(RatingGiven.self) { event, delivery in
                try await database.apply(delivery) { try $0.keepRating(event, at: clock.now) }
            },
            when(ServiceAreaChanged.self) { event, delivery in
                try await database.apply(delivery) { try $0.keepArea(event, at: clock.now) }
            },
            when(AccountChanged.self) { event, delivery in
                try await database.apply(delivery) { try $0.keepPerson(event, at: clock.now) }
            },
            when(VehicleChanged.self) { event, delivery in
                try await database.apply(delivery) { transaction in
                    guard try !transaction.isGone(event.owner.as(PersonID.self)) else { return }
                    try transaction.keepVehicle(event)
                }
            },
            when(PersonBlocked.self) { event, delivery in
                try await database.apply(delivery) { try $0.keepBlock(event) }
            },
        ]
    }
}
