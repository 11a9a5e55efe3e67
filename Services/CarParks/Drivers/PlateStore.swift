import Contracts
import Foundation
import ProductKit
import ServiceKit
import Store

/// Proofs that people have the vehicles with their plates, in SQL.
///
/// A proof counts while its person has a vehicle with the plate. Only then do stays and fines of the plate belong to
/// them. Plates are compared by their letters and digits.
struct PlateStore {
    static let migration = Migration.addition(
        "plates-1",
        """
        CREATE TABLE plate_proofs (
            plate TEXT NOT NULL,
            person TEXT NOT NULL,
            source TEXT NOT NULL,
            proven_at BIGINT NOT NULL,
            PRIMARY KEY (plate, person))
        """,
        "CREATE INDEX plate_proofs_of_person ON plate_proofs (person)",
        """
        CREATE TABLE plate_invitations (
            code TEXT NOT NULL PRIMARY KEY,
            plate TEXT NOT NULL,
            person TEXT NOT NULL,
            expires_at BIGINT NOT NULL)
        """,
        "CREATE INDEX plate_invitations_of_person ON plate_invitations (person)",
        "CREATE INDEX plate_invitations_by_end ON plate_invitations (expires_at)",
        """
        CREATE TABLE plate_tries (
            person TEXT NOT NULL PRIMARY KEY,
            tries BIGINT NOT NULL,
            ends_at BIGINT NOT NULL)
        """,
        "CREATE INDEX plate_tries_by_end ON plate_tries (ends_at)",
        """
        CREATE TABLE fine_readers (
            person TEXT NOT NULL,
            fine TEXT NOT NULL,
            PRIMARY KEY (person, fine))
        """)

    /// The proofs that count.
    private static let counting = """
        plate_proofs JOIN vehicles ON vehicles.owner = plate_proofs.person
            AND vehicles.plate_characters = plate_proofs.plate AND vehicles.removed = 0
        """

    let transaction: Transaction
}

extension PlateProofSource: SQLConvertible {}

extension Transaction {
    var plates: PlateStore { PlateStore(transaction: self) }
}

extension PlateStore {
    // MARK: Questions

    /// The person's proven plates, as a subquery with one argument.
    static let ofPerson = """
        SELECT plate_proofs.plate FROM \(counting) WHERE plate_proofs.person = ?
        """

    /// The owner and the plate of a vehicle that is not removed.
    func vehicle(_ id: VehicleID) throws -> (owner: PersonID, plate: String)? {
        try transaction.row(
            "SELECT owner, plate FROM vehicles WHERE id = ? AND removed = 0", id
        ).map { (try $0.get("owner"), try $0.get("plate")) }
    }

    /// Everybody for whom the plate is proven, first the person who proved it first, who can invite others.
    func owners(of plate: String) throws -> [PersonID] {
        try transaction.rows(
            """
            SELECT plate_proofs.person AS person FROM \(Self.counting)
            WHERE plate_proofs.plate = ?
            GROUP BY plate_proofs.person, plate_proofs.proven_at, plate_proofs.source
            ORDER BY plate_proofs.proven_at,
                CASE plate_proofs.source WHEN ? THEN 1 ELSE 0 END, plate_proofs.person
            LIMIT ?
            """, plate.plateCharacters, PlateProofSource.invitation, Notice.mostMessages
        ).map { try $0.get("person") }
    }

    func isProven(_ plate: String, for person: PersonID) throws -> Bool {
        try owners(of: plate).contains(person)
    }

    /// Whether the vehicle may be admitted on a booking of the person by its plate alone: not if the plate is proven
    /// for others only, so that nobody can follow a vehicle by booking for it.
    func admits(_ plate: String, on booking: BookingRecord) throws -> Bool {
        let owners = try owners(of: plate)
        return owners.isEmpty || owners.contains(booking.person)
    }

    func list(of person: PersonID) throws -> [PlateProof] {
        try transaction.vehicles(of: person.as(CustomerID.self)).map {
            try proof(of: $0.id, $0.plate, person)
        }
    }

    /// The vehicles of everybody who has added the plate.
    func list(ofPlate plate: String, _ page: PageRequest) throws -> Page<PlateProof> {
        try transaction.page(
            page, of: "vehicles", columns: "id, owner, plate",
            where: Conditions("plate_characters = ? AND removed = 0", plate.plateCharacters)
        ) { try proof(of: $0.get("id"), $0.get("plate"), $0.get("owner")) }
    }

    private func proof(
        of vehicle: VehicleID, _ plate: String, _ person: PersonID
    ) throws -> PlateProof {
        let row = try transaction.row(
            "SELECT source, proven_at FROM plate_proofs WHERE plate = ? AND person = ?",
            plate.plateCharacters, person)
        return PlateProof(
            vehicleId: vehicle, plate: plate, source: try row?.get("source"),
            provenAt: try row?.get("proven_at"))
    }

    // MARK: Proofs

    /// Proves a plate, and opens its stays and fines. Returns whether it is proven for the person: an invitation shares
    /// it, an operator's proof ends those of others, and any other is no proof while the plate is proven for somebody
    /// else, or the person has no such vehicle.
    @discardableResult
    func prove(
        _ plate: String, for person: PersonID, by source: PlateProofSource, at now: Date
    ) throws -> Bool {
        let characters = plate.plateCharacters
        guard try !transaction.isGone(person), try has(characters, person) else { return false }
        let owners = try owners(of: characters)
        if owners.contains(person), source != .operator { return true }
        switch source {
        case .gate, .ticket, .valet: guard owners.isEmpty else { return false }
        case .invitation: break
        case .operator:
            try transaction.execute(
                "DELETE FROM plate_proofs WHERE plate = ? AND person <> ?", characters, person)
            try transaction.execute("DELETE FROM plate_invitations WHERE plate = ?", characters)
        }
        try transaction.execute(
            """
            INSERT INTO plate_proofs (plate, person, source, proven_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (plate, person) DO UPDATE SET
                source = excluded.source, proven_at = excluded.proven_at
            """, characters, person, source, now)
        guard !owners.contains(person) else { return true }
        try FineNotices.announceOpen(ofPlate: characters, to: person, at: now, in: transaction)
        try transaction.sessions.hand(ofPlate: characters, to: person, at: now)
        return true
    }

    /// Whether the person has added a vehicle with the plate.
    private func has(_ plate: String, _ person: PersonID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS one FROM vehicles
            WHERE plate_characters = ? AND owner = ? AND removed = 0 LIMIT 1
            """, plate, person) != nil
    }

    /// Ends proofs of plates that no vehicle of the person has any more, so that their next owners can prove them.
    func dropUnused(of person: PersonID) throws {
        for table in ["plate_proofs", "plate_invitations"] {
            try transaction.execute(
                """
                DELETE FROM \(table) WHERE person = ? AND plate NOT IN (
                    SELECT plate_characters FROM vehicles WHERE owner = ? AND removed = 0)
                """, person, person)
        }
    }

    /// Proves the plate of the customer's own vehicle, which a valet has recognised and parked. A plate that differs
    /// from the one that the customer has added proves nothing.
    func recognise(_ order: OrderSnapshot, at now: Date) throws {
        guard let parked = order.vehicle, let id = parked.id,
            let known = try transaction.vehicle(id, of: order.customer),
            known.plate.plateCharacters == parked.plate.plateCharacters
        else { return }
        try prove(known.plate, for: order.customer.as(PersonID.self), by: .valet, at: now)
    }

    /// Ends the person's proof of a plate, and their invitations.
    func withdraw(_ plate: String, of person: PersonID) throws {
        for table in ["plate_proofs", "plate_invitations"] {
            try transaction.execute(
                "DELETE FROM \(table) WHERE plate = ? AND person = ?", plate.plateCharacters,
                person)
        }
    }

    // MARK: Codes

    /// What the code opens; nil if it doesn't belong to the plate.
    func open(
        _ code: String, of plate: String, for person: PersonID, at now: Date
    ) throws -> PlateCodeAnswer? {
        let plate = plate.plateCharacters
        let reference = BookingReference.typed(code)
        if var stay = try transaction.sessions.unclaimed(ofPlate: plate).first(where: {
            $0.reference == reference
        }), try transaction.sessions.claim(&stay, for: person, at: now) {
            let isProven = try prove(plate, for: person, by: .gate, at: now)
            return PlateCodeAnswer(isProven: isProven, session: stay.session.id)
        }
        if let fine = try transaction.fines.find(ofPlate: plate, reference) {
            try transaction.execute(
                "INSERT INTO fine_readers (person, fine) VALUES (?, ?) ON CONFLICT DO NOTHING",
                person, fine)
            return PlateCodeAnswer(isProven: try isProven(plate, for: person), fine: fine)
        }
        return try accept(code, plate, person, now)
    }

    /// Uses an invitation up, unless the person has no vehicle with the plate yet.
    private func accept(
        _ code: String, _ plate: String, _ person: PersonID, _ now: Date
    ) throws -> PlateCodeAnswer? {
        let inviting: PersonID? = try transaction.row(
            "SELECT person FROM plate_invitations WHERE code = ? AND plate = ? AND expires_at > ?",
            code.plateCharacters, plate, now)?.get("person")
        guard let inviting, try owners(of: plate).first == inviting,
            try prove(plate, for: person, by: .invitation, at: now)
        else { return nil }
        try transaction.execute(
            "DELETE FROM plate_invitations WHERE code = ?", code.plateCharacters)
        return PlateCodeAnswer(isProven: true)
    }

    /// An invitation to a plate that is proven for the person. It replaces an earlier one.
    func invite(
        to plate: String, by person: PersonID, until end: Date
    ) throws -> PlateInvitation {
        let code = BookingReference.random()
        try transaction.execute(
            "DELETE FROM plate_invitations WHERE plate = ? AND person = ?", plate.plateCharacters,
            person)
        try transaction.execute(
            "INSERT INTO plate_invitations (code, plate, person, expires_at) VALUES (?, ?, ?, ?)",
            code.plateCharacters, plate.plateCharacters, person, end)
        return PlateInvitation(code: code, expiresAt: end)
    }

    /// Seconds until the person may enter another code; nil if they may now.
    func wait(of person: PersonID, at now: Date) throws -> Int? {
        let end: Date? = try transaction.row(
            "SELECT ends_at FROM plate_tries WHERE person = ? AND ends_at > ? AND tries >= ?",
            person, now, PlateProofs.mostTries)?.get("ends_at")
        return end.map { Int($0.timeIntervalSince(now).rounded(.up)) }
    }

    /// Counts a wrong code.
    func countTry(of person: PersonID, at now: Date) throws {
        try transaction.execute(
            """
            INSERT INTO plate_tries (person, tries, ends_at) VALUES (?, 1, ?)
            ON CONFLICT (person) DO UPDATE SET
                tries = CASE WHEN plate_tries.ends_at <= ? THEN 1 ELSE plate_tries.tries + 1 END,
                ends_at = CASE WHEN plate_tries.ends_at <= ?
                    THEN excluded.ends_at ELSE plate_tries.ends_at END
            """, person, now.addingTimeInterval(PlateProofs.triesKept), now, now)
    }

    // MARK: Ends

    func forget(of person: PersonID) throws {
        for table in ["plate_proofs", "plate_invitations", "plate_tries", "fine_readers"] {
            try transaction.execute("DELETE FROM \(table) WHERE person = ?", person)
        }
    }

    /// Forgets people whose accounts are deleted. 1.0.0, which may have run on this database meanwhile, doesn't know
    /// these tables. Returns their number.
    func forgetDeleted(limit: Int) throws -> Int {
        let people = try transaction.rows(
            """
            SELECT person FROM standings WHERE deleted = 1 AND (
                person IN (SELECT person FROM plate_proofs)
                OR person IN (SELECT person FROM plate_invitations)
                OR person IN (SELECT person FROM fine_readers))
            LIMIT ?
            """, limit
        ).map { try $0.get("person", as: PersonID.self) }
        for person in people { try forget(of: person) }
        return people.count
    }

    func sweep(before now: Date, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM plate_invitations WHERE code IN (
                SELECT code FROM plate_invitations WHERE expires_at <= ? LIMIT ?)
            """, now, limit)
            + transaction.execute(
                """
                DELETE FROM plate_tries WHERE person IN (
                    SELECT person FROM plate_tries WHERE ends_at <= ? LIMIT ?)
                """, now, limit)
    }
}

extension Check {
    /// A plate with at least one letter or digit.
    static func plate(_ value: String, _ field: String) throws -> String {
        let plate = try text(value, field, 1...Vehicle.longestPlate)
        guard !plate.plateCharacters.isEmpty else {
            throw Refusal.invalid(field, "Enter letters or digits.")
        }
        return plate
    }
}
