import Contracts
import Crypto
import EventBus
import Foundation
import ServiceKit
import Store

/// The record of who had the vehicle and its key. Entries are only added, never changed; each contains the keyed
/// hash of the previous one.
struct CustodyStore {
    /// Entries that verification reads at once.
    static let batch = 500

    static let migrations = [
        Migration(
            "custody-1",
            """
            CREATE TABLE custody (
                order_id TEXT NOT NULL,
                sequence BIGINT NOT NULL,
                hash TEXT NOT NULL,
                body TEXT NOT NULL,
                written_at BIGINT NOT NULL,
                PRIMARY KEY (order_id, sequence))
            """,
            "CREATE INDEX custody_by_time ON custody (written_at, order_id, sequence)",
            """
            CREATE TABLE custody_seals (
                day BIGINT NOT NULL PRIMARY KEY,
                hash TEXT NOT NULL)
            """)
    ]

    let transaction: Transaction
}

/// Hashes the record with a key that is not in the database, so that write access to the rows is not enough to forge
/// a valid chain.
struct CustodyChain: Sendable {
    private let key: SymmetricKey

    init(key: String) { self.key = SymmetricKey(data: Data(key.utf8)) }

    func hash(_ text: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key).hex
    }
}

/// A custody entry before it gets its place in the chain.
struct CustodyFact: Sendable {
    var kind: CustodyEntry.Kind
    var holder: CustodyEntry.Holder
    var by: PersonID
    var role: Open<Role>
    var proof: CustodyEntry.Proof
    var place: Place?
    var location: String?
    var digest: String?
    var at: Date
}

extension OrderStatus {
    /// The holder of the vehicle and its key in this state.
    var holder: CustodyEntry.Holder {
        switch self {
        case .requested, .droppingOff, .waitingForPayment, .finished, .cancelled, .unfulfilled:
            .customer
        case .parking, .returningBack: .valet
        case .parked, .requestingBack: .lot
        }
    }
}

extension ParkedAt {
    var place: Place { Place(latitude: latitude, longitude: longitude, address: address) }

    /// For example `Lot B / 2 / 17 / tag 042`; nil if the valet described nothing.
    var words: String? {
        let parts = [lot, level, bay, keyTag.map { "tag \($0)" }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " / ")
    }
}

extension OrderEvent {
    /// The change of custody that the event causes; nil for most events.
    func custodyFact(at now: Date) -> CustodyFact? {
        guard let holder = order.status.known?.holder else { return nil }
        func valet(
            _ kind: CustodyEntry.Kind, _ id: ValetID, _ proof: CustodyEntry.Proof, _ place: Place?
        ) -> CustodyFact {
            CustodyFact(
                kind: kind, holder: holder, by: id.as(PersonID.self), role: .known(.valet),
                proof: proof, place: place, at: now)
        }
        switch self {
        case let event as VehicleCollected:
            return valet(.collected, event.valet, .handoverCode, order.dropOff)
        case let event as VehicleParked:
            var fact = valet(.parked, event.valet, .valetWord, order.parked?.place)
            fact.location = order.parked?.words
            return fact
        case let event as VehicleRetrieved:
            return valet(.retrieved, event.valet, .valetWord, order.parked?.place)
        case let event as VehicleReturned:
            return valet(.returned, event.valet, .handoverCode, order.returnTo)
        case let event as TaskChanged where event.task.status == .done:
            var fact = valet(.task, event.by, .valetWord, order.parked?.place)
            fact.location = order.parked?.words
            return fact
        case let event as OrderOverridden where event.from.known?.holder != holder:
            let isParked = holder == .lot
            return CustodyFact(
                kind: .overridden, holder: holder, by: event.by.as(PersonID.self),
                role: .known(.operator), proof: .operatorWord,
                place: isParked ? order.parked?.place : nil,
                location: isParked ? order.parked?.words : nil, at: now)
        default: return nil
        }
    }
}

extension Transaction {
    var custody: CustodyStore { CustodyStore(transaction: self) }
}

extension CustodyStore {
    /// Adds a photo and its hash to the custody record of its order.
    func append(
        _ photo: PhotoTaken, to order: Order, _ chain: CustodyChain, at now: Date
    ) throws {
        let fact = CustodyFact(
            kind: .photo, holder: order.status.holder, by: photo.by, role: photo.role,
            proof: .photo, place: photo.place, digest: photo.sha256, at: photo.takenAt)
        try append(fact, to: order.id, chain, at: now)
    }

    func append(
        _ fact: CustodyFact, to order: OrderID, _ chain: CustodyChain, at now: Date
    ) throws {
        let last = try transaction.row(
            """
            SELECT sequence, hash FROM custody WHERE order_id = ?
            ORDER BY sequence DESC LIMIT 1
            """, order)
        var entry = CustodyEntry(
            sequence: try last.map { try $0.get("sequence", as: Int.self) + 1 } ?? 1,
            kind: fact.kind, holder: fact.holder, by: fact.by, role: fact.role, proof: fact.proof,
            at: fact.at, previousHash: try last?.get("hash") ?? CustodyEntry.firstHash)
        // Without the address: the record is kept longer than personal data may be.
        entry.place = fact.place.map { Place(latitude: $0.latitude, longitude: $0.longitude) }
        entry.location = fact.location
        entry.digest = fact.digest
        entry.hash = chain.hash(entry.canonicalText)
        try transaction.execute(
            """
            INSERT INTO custody (order_id, sequence, hash, body, written_at) VALUES (?, ?, ?, ?, ?)
            """, order, entry.sequence, entry.hash,
            String(decoding: try Wire.encode(entry), as: UTF8.self), now)
    }

    /// Oldest first.
    func entries(of order: OrderID, after: Int, limit: Int) throws -> [CustodyEntry] {
        try lines(order, after, limit).map { row in
            try Wire.decode(CustodyEntry.self, from: Data(row.get("body", as: String.self).utf8))
        }
    }

    /// Checks the chain up to the first entry that does not match.
    func verify(_ order: OrderID, _ chain: CustodyChain) throws -> CustodyVerification {
        var (count, lastHash) = (0, CustodyEntry.firstHash)
        var rows = try lines(order, count, Self.batch)
        while !rows.isEmpty {
            for row in rows {
                let sequence: Int = try row.get("sequence")
                guard let hash = Self.fittingHash(row, count + 1, lastHash, chain) else {
                    return CustodyVerification(
                        order: order, isIntact: false, entries: try entryCount(order),
                        brokenAt: sequence, lastHash: nil)
                }
                (count, lastHash) = (sequence, hash)
            }
            rows = try lines(order, count, Self.batch)
        }
        return CustodyVerification(
            order: order, isIntact: true, entries: count, brokenAt: nil,
            lastHash: count == 0 ? nil : lastHash)
    }

    /// The row's hash if it matches the row's content and the previous row; nil otherwise.
    private static func fittingHash(
        _ row: Row, _ sequence: Int, _ previous: String, _ chain: CustodyChain
    ) -> String? {
        guard let body = try? row.get("body", as: String.self),
            let entry = try? Wire.decode(CustodyEntry.self, from: Data(body.utf8)),
            let hash = try? row.get("hash", as: String.self),
            let stored = try? row.get("sequence", as: Int.self)
        else { return nil }
        let isFitting =
            stored == sequence && entry.sequence == sequence && entry.previousHash == previous
            && entry.hash == hash && hash == chain.hash(entry.canonicalText)
        return isFitting ? hash : nil
    }

    private func lines(_ order: OrderID, _ after: Int, _ limit: Int) throws -> [Row] {
        try transaction.rows(
            """
            SELECT sequence, hash, body FROM custody WHERE order_id = ? AND sequence > ?
            ORDER BY sequence LIMIT ?
            """, order, after, limit)
    }

    private func entryCount(_ order: OrderID) throws -> Int {
        try transaction.row("SELECT count(*) AS entries FROM custody WHERE order_id = ?", order)?
            .get("entries") ?? 0
    }
}

extension OrderQueries {
    /// The record for a party to the order, or an operator. Valets whose leg is over see no places.
    func custody(
        of id: OrderID, for reader: Identity, _ page: PageRequest
    ) async throws -> Page<CustodyEntry> {
        let after: UInt32? = try page.cursor()
        return try await database.read { transaction in
            guard let order = try transaction.orders.find(id), order.isVisible(to: reader) else {
                throw Refusal.orderUnknown
            }
            var entries = try transaction.custody.entries(
                of: id, after: Int(after ?? 0), limit: page.rows)
            let suspended: Set<PersonID> =
                try transaction.people.isSuspended(reader.valet) ? [reader.person] : []
            if order.isLegOver(for: reader, suspended: suspended) {
                for index in entries.indices { entries[index].place = nil }
            }
            return page.page(of: entries, cursor: \.sequence)
        }
    }

    func verifyCustody(of id: OrderID) async throws -> CustodyVerification {
        try await database.read { transaction in
            guard try transaction.orders.find(id) != nil else { throw Refusal.orderUnknown }
            return try transaction.custody.verify(id, chain)
        }
    }
}
