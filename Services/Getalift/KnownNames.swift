import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Under which names people of the old apps sign in, and what they are reached by: our accounts have no such names.
struct KnownNames: Sendable {
    static let longest = 64
    /// A name whose sign-up has not ended is free again after this, in seconds.
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

    /// How somebody signs in at our accounts.
    struct Contact: Codable, Sendable, Hashable {
        var email: String?
        var phone: String?

        init(email: String?, phone: String?) {
            self.email = email.flatMap { $0.isEmpty ? nil : $0 }
            self.phone = phone.flatMap { $0.isEmpty ? nil : $0 }
        }

        init(_ account: Account) { self.init(email: account.email, phone: account.phone) }

        /// Of a name that is an address or a number itself.
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

    /// Without white space around; nil for none, and for one that is too long.
    static func checked(_ name: String?) -> String? {
        let name = (name ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return !name.isEmpty && name.count <= longest && name.utf8.count <= 4 * longest && isPlain
            ? name : nil
    }

    /// As the original's collation compares them, but for accents.
    private static func folded(_ name: String) -> String {
        name.precomposedStringWithCanonicalMapping.lowercased()
    }

    /// Keeps a name free of others while its sign-up lasts; false when it is somebody's.
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

    /// A reserved name is this person's from now on, instead of one that they had.
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

    /// Reserves a name for somebody unless it is their old one in other letters; false when it is somebody else's.
    func isFree(_ name: String, for person: PersonID, named old: String) async throws -> Bool {
        if Self.folded(name) == Self.folded(old), try await username(of: person) != nil {
            return true
        }
        return try await reserve(name)
    }

    /// Contacts change where accounts are kept.
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

    /// Somebody as others may know them: their name here, and the first name that the house shows.
    struct Shown: Sendable {
        var username: String?
        var name: String
    }

    func see(_ people: [TripPerson]) async throws {
        let names = people.reduce(into: [PersonID: String]()) { $0[$1.id] = $1.firstName }
        guard !names.isEmpty else { return }
        let known = try await shown(Array(names.keys))
        let news = names.filter { known[$0.key]?.name != $0.value }
        guard !news.isEmpty else { return }
        try await database.write { transaction in
            for (person, name) in news.sorted(by: { $0.key < $1.key }) {
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
