import Foundation

/// One line of who had the vehicle and its key: item of `GET /v1/orders/{id}/custody`, oldest first.
///
/// `hash` is HMAC-SHA-256, with a key of the service's own, over the entry's canonical text, which begins with the
/// hash of the entry before.
public struct CustodyEntry: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case collected, parked, retrieved, returned, photo, task, overridden
    }

    /// Who has the vehicle and its key from this line on.
    public enum Holder: String, Codable, Sendable, CaseIterable {
        case customer, valet, lot
    }

    public enum Proof: String, Codable, Sendable, CaseIterable {
        /// The customer's hand-over code.
        case handoverCode
        /// The assigned valet's own word, signed in.
        case valetWord
        /// A photo with this SHA-256 in `digest`.
        case photo
        case operatorWord
    }

    /// 1 for the first.
    public var sequence: Int
    public var kind: Kind
    public var holder: Holder
    @Nullable public var place: Place?
    /// Lot, level, bay and key tag, as in `Lot B / 2 / 17 / tag 042`.
    @Nullable public var location: String?
    public var by: PersonID
    public var role: Open<Role>
    public var proof: Proof
    /// SHA-256 of the photo, with `photo`.
    @Nullable public var digest: String?
    public var at: Date
    /// Of the entry before; 64 zeros for the first.
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

    /// What `hash` is made of: the fields in this order, a line each, absent ones empty.
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

/// Answer of `GET /v1/admin/orders/{id}/custody/verification`.
public struct CustodyVerification: Codable, Sendable, Hashable {
    public var order: OrderID
    public var isIntact: Bool
    public var entries: Int
    /// Sequence of the first entry that does not fit.
    @Nullable public var brokenAt: Int?
    /// Hash of the last entry: written down elsewhere, it proves that nothing was cut off.
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
