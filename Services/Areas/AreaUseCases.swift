import Contracts
import Foundation
import Geo
import ServiceKit
import Store

/// The use cases of service areas and tariffs, for operators.
struct AreaUseCases: Sendable {
    let database: Database
    let clock: ServiceClock

    struct Saved: Sendable {
        var area: ServiceArea
        var isNew: Bool
    }

    /// The areas for the first start, with their own tariff or the standard one.
    static func seeds() throws -> [ServiceArea] {
        let data = Data(PackageResources.service_areas_geojson)
        return try Wire.decode(ServiceAreaCollection.self, from: data).features.compactMap {
            guard let id = $0.id else { return nil }
            let checked = try AreaRules.checked($0, id: id)
            var tariff =
                try $0.properties.tariff.map { try AreaRules.checked($0) }
                ?? .standard(currency: checked.properties.currency)
            tariff.version = 1
            return ServiceArea(id, checked, tariff, version: 1)
        }
    }

    func seed() async throws {
        let (seeds, now) = (try Self.seeds(), clock.now)
        try await database.write { transaction in
            guard try transaction.areas.versions().isEmpty else { return }
            for area in seeds { try transaction.areas.keep(area, at: now) }
        }
    }

    func all() async throws -> ServiceAreaCollection {
        let areas = try await database.read { try $0.areas.all() }
        return ServiceAreaCollection(features: areas.map(\.feature))
    }

    /// The areas that contain the point.
    func all(around point: Coordinate) async throws -> [ServiceArea] {
        try await database.read { try $0.areas.all() }.filter {
            try Area($0.feature.geometry).contains(point)
        }
    }

    func one(_ id: ServiceAreaID) async throws -> ServiceArea {
        guard let area = try await database.read({ try $0.areas.find(id) }) else {
            throw Refusal.serviceAreaUnknown
        }
        return area
    }

    /// Creates the area, or changes everything but its tariff.
    func save(
        _ id: ServiceAreaID, _ feature: ServiceAreaFeature, ifVersion: VersionCondition,
        by editor: OperatorID
    ) async throws -> Saved {
        let checked = try AreaRules.checked(feature, id: id)
        let given = try feature.properties.tariff.map {
            try AreaRules.checked($0, "properties.tariff.")
        }
        let now = clock.now
        return try await database.write { transaction in
            let old = try transaction.areas.find(id)
            try ifVersion.require(old?.version)
            let currency = checked.properties.currency
            var tariff = old?.tariff ?? given ?? Tariff.standard(currency: currency)
            if old == nil {
                tariff.version = 1
                let count = try transaction.areas.versions().count
                guard count < AreaRules.mostAreas else { throw Refusal.tooManyServiceAreas }
            }
            guard tariff.currency == currency else {
                throw Refusal.currencyOfTariff.because("The tariff is in \(tariff.currency).")
            }
            let area = ServiceArea(id, checked, tariff, version: (old?.version ?? 0) + 1)
            try transaction.areas.keep(area, at: now)
            try transaction.areas.record("save-service-area", id, by: editor, at: now)
            return Saved(area: area, isNew: old == nil)
        }
    }

    /// Sets the next version of the tariff. Existing orders keep theirs.
    func setTariff(
        of id: ServiceAreaID, _ tariff: Tariff, ifVersion: VersionCondition, by editor: OperatorID
    ) async throws -> ServiceArea {
        let (next, now) = (try AreaRules.checked(tariff), clock.now)
        return try await database.write { transaction in
            guard let old = try transaction.areas.find(id) else {
                throw Refusal.serviceAreaUnknown
            }
            try ifVersion.require(old.version)
            var (tariff, feature) = (next, old.feature)
            tariff.version = (old.tariff.version ?? 0) + 1
            feature.properties.currency = tariff.currency
            let area = ServiceArea(id, feature, tariff, version: old.version + 1)
            try transaction.areas.keep(area, at: now)
            try transaction.areas.record("set-tariff", id, by: editor, at: now)
            return area
        }
    }
}
