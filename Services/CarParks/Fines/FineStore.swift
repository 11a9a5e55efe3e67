import Blobs
import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

let fineTable = DocumentTable<FineRecord>("fines")
let finePictures = PictureTable("fine_pictures", removal: "fine-picture")

/// Fines and their pictures, in SQL.
struct FineStore {
    static let migration = Migration(
        "fines-1",
        """
        CREATE TABLE fines (
            id TEXT NOT NULL PRIMARY KEY,
            reference TEXT NOT NULL,
            plate TEXT NOT NULL,
            car_park TEXT NOT NULL,
            status TEXT NOT NULL,
            payer TEXT,
            appellant TEXT,
            version BIGINT NOT NULL,
            body TEXT NOT NULL)
        """,
        "CREATE UNIQUE INDEX fines_by_reference ON fines (reference)",
        "CREATE INDEX fines_by_plate ON fines (plate, id)",
        "CREATE INDEX fines_of_car_park ON fines (car_park, id)",
        "CREATE INDEX fines_of_payer ON fines (payer, id) WHERE payer IS NOT NULL",
        "CREATE INDEX fines_of_appellant ON fines (appellant, id) WHERE appellant IS NOT NULL",
        """
        CREATE TABLE fine_pictures (
            id TEXT NOT NULL PRIMARY KEY,
            fine TEXT NOT NULL)
        """)

    let transaction: Transaction
}

extension FineStatus: SQLConvertible {}

extension FineRecord {
    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        [
            "reference": reference, "plate": plate.plateCharacters, "car_park": carPark.id,
            "status": status, "payer": payer, "appellant": appeal?.person,
        ]
    }
}

/// The filter of a list of fines.
struct FineFilter: Sendable {
    /// Fines of the person's proven plates, or that they have opened or dealt with; nil for everybody's.
    var person: PersonID?
    var status: FineStatus?
    var plate: String?
    var carPark: CarParkID?
}

extension Transaction {
    var fines: FineStore { FineStore(transaction: self) }
}

extension FineStore {
    func find(_ id: FineID) throws -> FineRecord? {
        try fineTable.value(of: id, in: transaction)
    }

    /// Throws the same for a fine that the reader may not see as for one that does not exist.
    func require(_ id: FineID, for reader: FineReader) throws -> FineRecord {
        guard let fine = try find(id) else { throw Refusal.fineUnknown }
        switch reader {
        case .operator: return fine
        case .person(let person) where fine.payer == person || fine.appeal?.person == person:
            return fine
        case .person(let person):
            guard
                try transaction.plates.isProven(fine.plate, for: person)
                    || hasOpened(id, person)
            else { throw Refusal.fineUnknown }
            return fine
        }
    }

    /// Newest first.
    func list(_ filter: FineFilter, _ page: PageRequest) throws -> Page<FineRecord> {
        var conditions = Conditions()
        if let person = filter.person {
            conditions.require(
                """
                (plate IN (\(PlateStore.ofPerson)) OR payer = ? OR appellant = ?
                    OR id IN (SELECT fine FROM fine_readers WHERE person = ?))
                """, person, person, person, person)
        }
        conditions.require("status = ?", ifPresent: filter.status)
        conditions.require("plate = ?", ifPresent: filter.plate)
        conditions.require("car_park = ?", ifPresent: filter.carPark)
        return try transaction.page(page, of: "fines", where: conditions)
    }

    /// Open fines of a plate, for a person who has just proven it.
    func open(ofPlate plate: String, most: Int) throws -> [FineRecord] {
        try transaction.rows(
            """
            SELECT body FROM fines WHERE plate = ? AND status IN ('issued', 'upheld')
            ORDER BY id DESC LIMIT ?
            """, plate.plateCharacters, most
        ).map { try $0.json() }
    }

    /// The newest fine that is not over, of the person's vehicles or dealt with by them.
    func newestOpen(of person: PersonID) throws -> FineID? {
        try transaction.row(
            """
            SELECT id FROM fines WHERE status IN ('issued', 'appealed', 'upheld')
                AND (plate IN (\(PlateStore.ofPerson)) OR payer = ? OR appellant = ?)
            ORDER BY id DESC LIMIT 1
            """, person, person, person)?.get("id")
    }

    /// A fine that the person has dealt with.
    func nextToForget(of person: PersonID) throws -> FineRecord? {
        try transaction.row(
            "SELECT body FROM fines WHERE payer = ? OR appellant = ? ORDER BY id LIMIT 1", person,
            person)?.json()
    }

    func has(_ reference: String) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM fines WHERE reference = ?", reference) != nil
    }

    func find(ofPlate plate: String, _ reference: String) throws -> FineID? {
        try transaction.row(
            "SELECT id FROM fines WHERE reference = ? AND plate = ?", reference,
            plate.plateCharacters)?.get("id")
    }

    /// Whether the person has entered the fine's reference.
    private func hasOpened(_ id: FineID, _ person: PersonID) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM fine_readers WHERE person = ? AND fine = ?", person, id) != nil
    }

    // MARK: Pictures

    func keep(_ picture: PictureID, of fine: FineID) throws {
        try transaction.execute("INSERT INTO fine_pictures (id, fine) VALUES (?, ?)", picture, fine)
    }
}
