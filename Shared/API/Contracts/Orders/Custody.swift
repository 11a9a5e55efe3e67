import Foundation

/// One entry of an order's custody record, which says who had the vehicle and its key. `hash` is
/// HMAC-SHA-256 in hexadecimal digits, with a key that only the service knows, over these fields in
/// this order, one per line and empty when null: `previousHash`, `sequence`, `kind`, `holder`,
/// `latitude`, `longitude`, `location`, `by`, `role`, `proof`, `digest`, `at`.
///
/// Each hash covers the hash of the entry before, so the entries form a chain.
public struct CustodyEntry: Codable, Sendable, Hashable {
    /// The event that happened to the vehicle or its key.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case collected, parked, retrieved, returned, photo, task, overridden
    }

    /// The person or place that has the vehicle and its key from this entry on.
    public enum Holder: String, Codable, Sendable, CaseIterable {
        case customer, valet, lot
    }

    /// The evidence for an entry.
    public enum Proof: String, Codable, Sendable, CaseIterable {
        /// The customer's hand-over code.
        case handoverCode
        /// The word of the assigned valet, who was signed in.
        case valetWord
        /// A photo with this SHA-256 in `digest`.
        case photo
        case operatorWord
    }

    /// 1 for the first entry.
    public var sequence: Int
    public var kind: Kind
    public var holder: Holder
    /// Where it happened, if known. Always null for a valet whose leg is over.
    @Nullable public var place: Place?
    /// Lot, level, bay and key tag, for example `Lot B / 2 / 17 / tag 042`.
    @Nullable public var location: String?
    public var by: PersonID
    public var role: Open<Role>
    public var proof: Proof
    /// SHA-256 of the photo, in hexadecimal digits. Null unless `proof` is `photo`.
    @Nullable public var digest: String?
    public var at: Date
    /// Hash of the entry before; 64 zeros for the first.
    public var previousHash: String
    public var hash: String

    public static let firstHash = String(repeating: "0", count: 64)

    public init(
        sequence: Int, kind: Kind, holder: Holder, by: PersonID, role: Open<Role>, proof: Proof,
        at: Date, previousHash: String
    ) {
        self.sequence = sequence
        self.kind = kind
        self.holder = holder
        self.by = by
        self.role = role
        self.proof = proof
        self.at = at
        self.previousHash = previousHash
        (place, location, digest) = (nil, nil, nil)
        hash = ""
    }

    /// The text that `hash` covers: these fields in this order, one per line, empty when null.
    public var canonicalText: String {
        let latitude = place.map { String($0.latitude) } ?? ""
        let longitude = place.map { String($0.longitude) } ?? ""
        return [
            previousHash, String(sequence), kind.rawValue, holder.rawValue, latitude, longitude,
            location ?? "", by.description, role.rawValue, proof.rawValue, digest ?? "",
            Wire.text(at),
        ].joined(separator: "\n")
    }
}

extension CustodyEntry.Kind: SchemaNamed {
    public static var schemaName: String { "CustodyKind" }
}

/// Whether each entry of a custody record is as it was written. Store `lastHash` elsewhere to prove
/// later that no entry was cut off. Each day the platform also writes a hash of all entries to the
/// audit log (`orders.seal-custody`).
public struct CustodyVerification: Codable, Sendable, Hashable {
    public var order: OrderID
    public var isIntact: Bool
    public var entries: Int
    /// Sequence of the first entry that doesn't match.
    @Nullable public var brokenAt: Int?
    /// Hash of the last entry. Stored elsewhere, it proves that no entry was cut off.
    @Nullable public var lastHash: String?

    public init(
        order: OrderID, isIntact: Bool, entries: Int, brokenAt: Int?, lastHash: String?
    ) {
        self.order = order
        self.isIntact = isIntact
        self.entries = entries
        self.brokenAt = brokenAt
        self.lastHash = lastHash
    }
}
