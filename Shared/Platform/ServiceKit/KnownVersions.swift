import Foundation

/// Caches values by version: a search reads many, and each version is read and decoded once.
public final class KnownVersions<ID: Hashable & Sendable, Value: Sendable>: Sendable {
    public struct Key: Hashable, Sendable {
        public let id: ID
        public let version: Int

        public init(id: ID, version: Int) { (self.id, self.version) = (id, version) }
    }

    /// Maximum number of values per read.
    private static var batch: Int { 500 }
    private let values: BoundedCache<Key, Value>

    public init(most: Int, seconds: Double = 3_600) {
        values = BoundedCache(most: most, seconds: seconds)
    }

    /// The values in the order of the keys. Unknown ones are read; missing ones are left out.
    public func values(
        of keys: [Key], at now: Date, read: (_ ids: [ID]) throws -> [ID: Value]
    ) rethrows -> [Value] {
        let known = keys.map { values.value(of: $0, at: now)?.value }
        let missing = zip(keys, known).filter { $0.1 == nil }.map(\.0)
        var new: [ID: Value] = [:]
        for part in missing.chunks(of: Self.batch) {
            new.merge(try read(part.map(\.id))) { $1 }
        }
        for key in missing {
            if let value = new[key.id] { values.keep(value, of: key, at: now) }
        }
        return zip(keys, known).compactMap { $0.1 ?? new[$0.0.id] }
    }
}
