import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store
import Synchronization

/// A service's copies of the service areas.
private let areaCopies = Replica<ServiceAreaFeature>("areas")

/// The latest version of a service area, with the current tariff.
public struct KnownArea: Sendable {
    public let id: ServiceAreaID
    public let feature: ServiceAreaFeature
    public let tariff: Tariff
    public let shape: Area
    public let version: Int

    init(_ id: ServiceAreaID, _ feature: ServiceAreaFeature, version: Int) throws {
        guard let tariff = feature.properties.tariff else {
            throw StoreError(.other, "a service area without tariff")
        }
        (self.id, self.feature, self.tariff, self.version) = (id, feature, tariff, version)
        shape = try Area(feature.geometry)
    }
}

/// Finds the area of a point, and parses each polygon only once.
public final class KnownAreas: Sendable {
    public static let migration = areaCopies.migration
    /// What `openvalet doctor` compares.
    public static let copies = [areaCopies.copies(of: .areas)]
    static let most = 1_000

    private let known = Mutex<[ServiceAreaID: KnownArea]>([:])

    public init() {}

    /// The area of a point; the first by name if several contain it. Throws until the first area has arrived: until
    /// then every point would be outside all areas.
    public func area(
        at point: Coordinate, in transaction: Transaction
    ) throws -> KnownArea? {
        try requireSome(in: transaction).first { $0.shape.contains(point) }
    }

    public func area(_ id: ServiceAreaID, in transaction: Transaction) throws -> KnownArea? {
        try all(in: transaction).first { $0.id == id }
    }

    /// All areas; throws while there are none.
    @discardableResult
    public func requireSome(in transaction: Transaction) throws -> [KnownArea] {
        let areas = try all(in: transaction)
        guard !areas.isEmpty else {
            throw Refusal.unavailable("The service areas are not known yet.")
        }
        return areas
    }

    /// All areas by name.
    public func all(in transaction: Transaction) throws -> [KnownArea] {
        let versions = try areaCopies.versions(
            of: ServiceAreaID.self, most: Self.most, in: transaction)
        let kept = known.withLock { known in
            known.filter { versions[$0.key] == $0.value.version }
        }
        var areas = kept
        for (id, version) in versions where kept[id] == nil {
            guard let feature = try areaCopies.value(of: id, in: transaction) else { continue }
            areas[id] = try KnownArea(id, feature, version: version)
        }
        if areas.count != kept.count {
            let read = areas
            known.withLock { $0 = read }
        }
        return areas.values.sorted { $0.id.description < $1.id.description }
    }
}

extension Transaction {
    public func keepArea(_ event: ServiceAreaChanged, at now: Date) throws {
        // An invalid area must not reach the reader of all areas.
        _ = try KnownArea(event.area, event.feature, version: event.version)
        try areaCopies.keep(
            event.feature, of: event.area, version: event.version, at: now, in: self)
    }
}
