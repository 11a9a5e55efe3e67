import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// MARK: Deletion

extension AccountUseCases {
    /// Deletes a person and publishes that, unless a product has something of theirs that is unfinished or unpaid. Only
    /// the id remains, so that legally required records still refer to somebody. Phone number and e-mail address can be
    /// used again.
    func delete(
        _ identity: Identity, _ body: DeletionBody, from address: ClientAddress
    ) async throws {
        let known = try await credentials(of: identity)
        let now = clock.now
        // Checked before the password: a refusal that does not depend on it should not use up an attempt.
        try await database.write { try $0.people.requireNotLast(known.person) }
        if let engagement = try await owners.binding(known.person.id) {
            throw Refusal.accountEngaged.because { $0.engagementId = engagement }
        }
        try await prove(known, body.password, field: "password", from: address)
        let hidden = try await database.write { transaction -> [PictureID] in
            guard let current = try transaction.people.credentials(known.person.id),
                current.password == known.password
            else { throw Refusal.wrongPassword.about("password") }
            try transaction.people.requireNotLast(current.person)
            return try erase(current.person, in: transaction, at: now)
        }
        await deletePhotos(hidden)
    }

    /// Returns the pictures that are left to delete.
    private func erase(
        _ person: Person, in transaction: Transaction, at now: Date
    ) throws -> [PictureID] {
        for contact in person.contacts {
            try codes.forget(contact, in: transaction)
            try resets.forget(contact, in: transaction)
            try factors.messages.forget(contact, in: transaction)
            try transaction.settings.remove(Self.setting(of: contact))
        }
        try transaction.sessions.endAll(of: person.id, at: now)
        try transaction.secondFactors.removeAll(of: person.id)
        try transaction.phoneResets.forget(of: person.id)
        try transaction.vehicles.erase(of: person.id.as(CustomerID.self))
        try transaction.blocks.erase(of: person.id)
        try transaction.reports.erase(of: person.id)
        let hidden = try transaction.photos.show(nil, of: person.id, at: now)
        try transaction.people.erase(person, at: now)
        // Published events also contain the name and the number.
        try transaction.unpublish(person.id.description, on: AccountDeleted.topic)
        try transaction.unpublish(person.id.description, on: .notices)
        try transaction.publish(person.deleted(at: now), at: now)
        return hidden
    }
}

// MARK: Export

/// Everything that accounts holds about a person: its part of `GET /v1/me/export`.
struct AccountExport: Codable, Sendable {
    struct HeldVehicle: Codable, Sendable {
        var vehicle: Vehicle
        /// Removed by its owner, but kept because old orders show it.
        var removed: Bool
    }

    var account: Account
    /// Whether they are suspended as a valet.
    var suspended: Bool
    var vehicles: [HeldVehicle]
    var sessions: [SessionRecord]
    /// The methods that are on, never their secrets.
    var secondFactors: SecondFactors
    var blocks: [BlockedPerson]
    /// Reports that the person made, never reports about them.
    var reports: [Report]
}

extension AccountUseCases {
    /// The most vehicles, and the most reports, in an export.
    static let mostExported = 1_000

    func export(_ id: PersonID) async throws -> AccountExport {
        let now = clock.now
        return try await database.read { transaction in
            guard let person = try transaction.people.find(id) else { throw Refusal.accountUnknown }
            // The gateway asks, so none of the sessions is the current one.
            let nobody = Identity(person: id, roles: person.roles, session: .new())
            return AccountExport(
                account: view(person), suspended: person.suspended,
                vehicles: try transaction.vehicles.all(
                    of: id.as(CustomerID.self), most: Self.mostExported
                ).map { .init(vehicle: $0.vehicle, removed: $0.removed) },
                sessions: try transaction.sessions.list(
                    of: nobody, PageRequest(limit: Session.mostPerPerson), at: now),
                secondFactors: try secondFactors(of: person, in: transaction),
                blocks: try transaction.blocks.list(of: id, PageRequest(limit: Blocks.most)).items,
                reports: try transaction.reports.all(by: id, most: Self.mostExported))
        }
    }
}
