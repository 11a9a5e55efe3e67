import Contracts
import Foundation
import Routing
import Store

/// Car parks with what they offer, as they were read last: a search looks at many, and each version is decoded once.
final class KnownCarParks: Sendable {
    struct Entry: Sendable {
        let carPark: CarParkRecord
        let products: [ParkingProduct]
    }

    /// A change of what is offered is another version, too.
    struct Key: Hashable, Sendable {
        let id: CarParkID
        let version: Int
    }

    private static let most = 20_000
    private static let seconds = 3_600.0
    private let entries = BoundedCache<Key, Entry>(most: most, seconds: seconds)

    /// As the transaction sees them, in the order of the keys.
    func entries(
        of keys: [Key], in transaction: Transaction, at now: Date
    ) throws -> [Entry] {
        let known = keys.map { entries.value(of: $0, at: now)?.value }
        let missing = zip(keys, known).filter { $0.1 == nil }.map(\.0)
        let read = try transaction.carParks(missing.map(\.id))
        let products = try transaction.products(of: missing.map(\.id))
        let new = Dictionary(
            uniqueKeysWithValues: read.map { carPark in
                (carPark.id, Entry(carPark: carPark, products: products[carPark.id] ?? []))
            })
        for key in missing {
            if let entry = new[key.id] { entries.keep(entry, of: key, at: now) }
        }
        return zip(keys, known).compactMap { $0.1 ?? new[$0.0.id] }
    }
}
