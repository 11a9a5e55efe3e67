import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store
import Synchronization

/// What orders knows of service areas.
let areaCopies = Replica<ServiceAreaFeature>("areas")

/// A service area as orders needs it, with the tariff in force.
struct KnownArea: Sendable {
    let id: ServiceAreaID
    let feature: ServiceAreaFeature
    let tariff: Tariff
    let shape: Area
    let version: Int

    init(_ id: ServiceAreaID, _ feature: ServiceAreaFeature, version: Int) throws {
        guard let tariff = feature.properties.tariff else {
            throw StoreError(.other, "a service area without tariff")
        }
        (self.id, self.feature, self.tariff, self.version) = (id, feature, tariff, version)
        shape = try Area(feature.geometry)
    }

    /// How long a valet there may think about an offer; nil where jobs are assigned at once.
    var offerSeconds: Int? {
        feature.properties.dispatch.flatMap { $0.mode == .offer ? $0.offerSeconds : nil }
    }
}

/// Answers "which area is this point in" without reading a polygon twice.
final class KnownAreas: Sendable {
    static let most = 1_000

    private let known = Mutex<[ServiceAreaID: KnownArea]>([:])

    /// The area of a point; of several, the first by name. Refuses with the nearest service point.
    func area(
        at point: Place, field: String, in transaction: Transaction
    ) throws -> KnownArea {
        let areas = try all(in: transaction)
        if let found = areas.first(where: { $0.shape.contains(point.coordinate) }) { return found }
        let nearest = areas.min { left, right in
            left.shape.distanceMeters(to: point.coordinate)
                < right.shape.distanceMeters(to: point.coordinate)
        }
        guard let nearest else { throw Self.noneKnown }
        throw OrderError.outsideServiceArea(
            field: field, nearest: nearest.feature.properties.servicePoint)
    }

    func hold(_ point: Place, in transaction: Transaction) throws -> Bool {
        try all(in: transaction).contains { $0.shape.contains(point.coordinate) }
    }

    func area(_ id: ServiceAreaID, in transaction: Transaction) throws -> KnownArea? {
        try all(in: transaction).first { $0.id == id }
    }

    /// Throws until the first is heard of: every point would pass for outside all areas meanwhile.
    func requireSome(in transaction: Transaction) throws {
        if try all(in: transaction).isEmpty { throw Self.noneKnown }
    }

    private static let noneKnown = Unavailable("The service areas are not known yet.")

    private func all(in transaction: Transaction) throws -> [KnownArea] {
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
    func keep(_ event: ServiceAreaChanged, at now: Date) throws {
        // An area that can't be understood must not reach those who read all of them.
        _ = try KnownArea(event.area, event.feature, version: event.version)
        try areaCopies.keep(
            event.feature, of: event.area, version: event.version, at: now, in: self)
    }
}
