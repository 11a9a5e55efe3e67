import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// User names of the old apps, with the contact for sign-in, since our accounts have no such names.
struct KnownNames: Sendable {
    static let longest = 64
    /// How long a name is reserved for an unfinished sign-up, in seconds.
    static let reservation: TimeInterval = 600

    static let migration = Migration(
        "getalift-names-1",
        """
        CREATE TABLE getalift_names (
            folded TEXT NOT NULL PRIMARY KEY,
            username TEXT NOT NULL,
            person TEXT UNIQUE,
            contact TEXT,
            reserved_at BIGINT NOT NULL)
        """,
        """
        CREATE TABLE getalift_people (
            person TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL)
        """)

    /// The contact with which a person signs in to our accounts.
    struct Contact: Codable, Sendable, Hashable {
        var email: String?
        var phone: String?

        init(email: String?, phone: String?) {
            self.email = email.flatMap { $0.isEmpty ? nil : $0 }
            self.phone = phone.flatMap { $0.isEmpty ? nil : $0 }
        }

        init(_ account: Account) { self.init(email: account.email, phone: account.phone) }

        /// For a name that is itself an address or a number.
        init?(_ name: String) {
            if name.contains("@") {
                self.init(email: name, phone: nil)
            } else if name.hasPrefix("+") {
                self.init(email: nil, phone: name)
            } else {
                return nil
            }
        }
    }

    let database: Database
    let sealer: Sealer
    let clock: ServiceClock

    /// Trims white space; nil if the name is empty or too long.
    static func checked(_ name: String?) -> String? {
        let name = (name ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return !name.isEmpty && name.count <= longest && name.utf8.count <= 4 * longest && isPlain
            ? name : nil
    }

    /// Compares names as the original's collation does, except for accents.
    private static func folded(_ name: String) -> String {
        name.precomposedStringWithCanonicalMapping.lowercased()
    }

    /// Reserves a name during a sign-up. Returns false if it is taken.
    func reserve(_ name: String) async throws -> Bool {
        let (folded, now) = (Self.folded(name), clock.now)
        return try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM getalift_names WHERE folded = ? AND person IS NULL AND reserved_at < ?",
                folded, now - Self.reservation)
            return try transaction.execute(
                """
                INSERT INTO getalift_names (folded, username, reserved_at) VALUES (?, ?, ?)
                ON CONFLICT (folded) DO NOTHING
                """, folded, name, now) == 1
        }
    }

    func release(_ name: String) async throws {
        let folded = Self.folded(name)
        try await database.write {
            try $0.execute(
                "DELETE FROM getalift_names WHERE folded = ? AND person IS NULL", folded)
        }
    }

    /// Gives a reserved name to the person, in place of their previous one.
    func give(_ name: String, to person: PersonID, _ contact: Contact) async throws {
        let (folded, contact) = (Self.folded(name), try sealer.seal(contact))
        try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM getalift_names WHERE person = ? AND folded <> ?", person, folded)
            try transaction.execute(
                "UPDATE getalift_names SET person = ?, username = ?, contact = ? WHERE folded = ?",
                person, name, contact, folded)
        }
    }

    /// Reserves a name, unless it differs from the person's own only in case. Returns false if it is taken.
    func isFree(_ name: String, for person: PersonID, named old: String) async throws -> Bool {
        if Self.folded(name) == Self.folded(old), try await username(of: person) != nil {
            return true
        }
        return try await reserve(name)
    }

    /// Stores a contact that the person has changed in our accounts.
    func keep(_ contact: Contact, of person: PersonID) async throws {
        let contact = try sealer.seal(contact)
        try await database.write {
            try $0.execute(
                "UPDATE getalift_names SET contact = ? WHERE person = ?", contact, person)
        }
    }

    func contact(of name: String) async throws -> Contact? {
        let folded = Self.folded(name)
        let sealed: String? = try await database.read { transaction in
            try transaction.row("SELECT contact FROM getalift_names WHERE folded = ?", folded)?
                .getIfPresent("contact")
        }
        return try sealed.map { try sealer.open(Contact.self, from: $0) } ?? Contact(name)
    }

    // MARK: Names that others see

    /// A person as others may see them: their name here, and the first name that the platform shows.
    struct Shown: Sendable {
        var username: String?
        var name: String
    }

    func see(_ people: [TripPerson]) async throws {
        let names = people.reduce(into: [PersonID: String]()) { $0[$1.id] = $1.firstName }
        guard !names.isEmpty else { return }
        let known = try await shown(Array(names.keys))
        let changed = names.filter { known[$0.key]?.name != $0.value }
        guard !changed.isEmpty else { return }
        try await database.write { transaction in
            for (person, name) in changed.sorted(by: { $0.key < $1.key }) {
                try transaction.execute(
                    """
                    INSERT INTO getalift_people (person, name) VALUES (?, ?)
                    ON CONFLICT (person) DO UPDATE SET name = excluded.name
                    """, person, name)
            }
        }
    }

    func shown(_ people: [PersonID]) async throws -> [PersonID: Shown] {
        guard !people.isEmpty else { return [:] }
        return try await database.read { transaction in
            let marks = transaction.marks(people.count)
            let names = try transaction.rows(
                "SELECT person, name FROM getalift_people WHERE person IN (\(marks))",
                arguments: people)
            let usernames = try transaction.rows(
                "SELECT person, username FROM getalift_names WHERE person IN (\(marks))",
                arguments: people)
            var shown: [PersonID: Shown] = [:]
            for row in names {
                shown[try row.get("person")] = Shown(username: nil, name: try row.get("name"))
            }
            for row in usernames {
                shown[try row.get("person"), default: Shown(name: "")].username =
                    try row.get("username")
            }
            return shown
        }
    }

    func username(of person: PersonID) async throws -> String? {
        try await shown([person])[person]?.username
    }
}
