import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store

let spotTable = DocumentTable<SpotRecord>("spots")
let requestTable = DocumentTable<SpotRequestRecord>("spot_requests")

/// The tables of spots and requests.
enum SpotTables {
    static let migration = Migration(
        "spots-1",
        """
        CREATE TABLE spots (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            seller TEXT NOT NULL,
            buyer TEXT,
            area TEXT NOT NULL,
            status TEXT NOT NULL,
            is_open BIGINT NOT NULL,
            is_offered BIGINT NOT NULL,
            is_disputed BIGINT NOT NULL,
            is_forgotten BIGINT NOT NULL,
            sale TEXT NOT NULL,
            price BIGINT NOT NULL,
            latitude DOUBLE PRECISION NOT NULL,
            longitude DOUBLE PRECISION NOT NULL,
            created_at BIGINT NOT NULL,
            body TEXT NOT NULL)
        """,
        "CREATE UNIQUE INDEX spots_open_of_seller ON spots (seller) WHERE is_open = 1",
        """
        CREATE INDEX spots_by_place ON spots (latitude, longitude, sale, price) WHERE is_offered = 1
        """,
        """
        CREATE INDEX spots_sold_by_place ON spots (latitude, longitude, created_at, price)
        WHERE status = 'handedOver' AND price > 0
        """,
        "CREATE INDEX spots_of_seller ON spots (seller, id)",
        "CREATE INDEX spots_of_buyer ON spots (buyer, id) WHERE buyer IS NOT NULL",
        "CREATE INDEX spots_of_area ON spots (area, id)",
        "CREATE INDEX spots_by_status ON spots (status, id)",
        "CREATE INDEX spots_disputed ON spots (id) WHERE is_disputed = 1",
        "CREATE INDEX spots_by_time ON spots (created_at)",
        "CREATE INDEX spots_to_forget ON spots (created_at) WHERE is_open = 0 AND is_forgotten = 0",
        """
        CREATE TABLE spot_requests (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            spot TEXT NOT NULL,
            buyer TEXT NOT NULL,
            status TEXT NOT NULL,
            is_open BIGINT NOT NULL,
            is_owed BIGINT NOT NULL,
            is_forgotten BIGINT NOT NULL,
            body TEXT NOT NULL)
        """,
        "CREATE INDEX spot_requests_of_spot ON spot_requests (spot, id)",
        "CREATE INDEX spot_requests_open ON spot_requests (buyer) WHERE is_open = 1",
        "CREATE INDEX spot_requests_owed ON spot_requests (buyer) WHERE is_owed = 1",
        "CREATE INDEX spot_requests_of_buyer ON spot_requests (buyer, id)")
}

/// Which spots a list shows.
struct SpotFilter: Sendable {
    var seller: PersonID?
    var status: SpotStatus?
    var area: ServiceAreaID?
    var isDisputed = false
}

extension Transaction {
    var spots: SpotStore { SpotStore(transaction: self) }
    var requests: RequestStore { RequestStore(transaction: self) }
}

/// Open and finished spots.
struct SpotStore {
    let transaction: Transaction

    func find(_ id: SpotID) throws -> SpotRecord? { try spotTable.value(of: id, in: transaction) }

    func require(_ id: SpotID) throws -> SpotRecord {
        guard let found = try find(id) else { throw Refusal.spotUnknown }
        return found
    }

    /// Throws the same error for another seller's spot as for one that does not exist.
    func require(_ id: SpotID, of seller: PersonID) throws -> SpotRecord {
        let spot = try require(id)
        guard spot.seller == seller else { throw Refusal.spotUnknown }
        return spot
    }

    func open(of seller: PersonID) throws -> SpotRecord? {
        try transaction.row("SELECT body FROM spots WHERE seller = ? AND is_open = 1", seller)?
            .json()
    }

    /// Newest first.
    func list(_ filter: SpotFilter, _ page: PageRequest) throws -> Page<SpotRecord> {
        var conditions = Conditions()
        conditions.require("seller = ?", ifPresent: filter.seller)
        conditions.require("status = ?", ifPresent: filter.status)
        conditions.require("area = ?", ifPresent: filter.area)
        if filter.isDisputed { conditions.require("is_disputed = 1") }
        return try transaction.page(page, of: "spots", where: conditions)
    }
}

/// Requests and bids.
struct RequestStore {
    let transaction: Transaction

    func find(_ id: SpotRequestID) throws -> SpotRequestRecord? {
        try requestTable.value(of: id, in: transaction)
    }

    func require(_ id: SpotRequestID) throws -> SpotRequestRecord {
        guard let found = try find(id) else { throw Refusal.spotRequestUnknown }
        return found
    }

    func require(_ id: SpotRequestID, of buyer: PersonID) throws -> SpotRequestRecord {
        let request = try require(id)
        guard request.buyer == buyer else { throw Refusal.spotRequestUnknown }
        return request
    }

    /// Unfinished requests, oldest first.
    func open(of spot: SpotID) throws -> [SpotRequestRecord] {
        try transaction.rows(
            "SELECT body FROM spot_requests WHERE spot = ? AND is_open = 1 ORDER BY id", spot
        ).map { try $0.json() }
    }

    /// Unfinished requests. A person who bids against themselves has two, which count as one.
    func open(of buyer: PersonID) throws -> [SpotRequestRecord] {
        try transaction.rows(
            "SELECT body FROM spot_requests WHERE buyer = ? AND is_open = 1 ORDER BY id", buyer
        ).map { try $0.json() }
    }

    func owed(of buyer: PersonID) throws -> SpotRequestID? {
        try transaction.row(
            "SELECT id FROM spot_requests WHERE buyer = ? AND is_owed = 1 ORDER BY id LIMIT 1",
            buyer)?.get("id")
    }

    func isDenied(_ buyer: PersonID, of spot: SpotID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS one FROM spot_requests WHERE spot = ? AND buyer = ? AND status = 'denied'
            LIMIT 1
            """, spot, buyer) != nil
    }

    func hasWanted(_ person: PersonID, _ spot: SpotID) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM spot_requests WHERE spot = ? AND buyer = ? LIMIT 1", spot, person)
            != nil
    }

    /// Newest first.
    func list(of buyer: PersonID, _ page: PageRequest) throws -> Page<SpotRequestRecord> {
        try transaction.page(page, of: "spot_requests", where: Conditions("buyer = ?", buyer))
    }
}
