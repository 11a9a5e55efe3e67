import Contracts
import EventBus
import Foundation
import HTTPTypes
import ServiceKit
import Store

/// Why a request about a service area is refused.
enum ServiceAreaError: Error, Equatable, ServiceError {
    case unknown
    case tooMany
    case currencyOfTariff(String)

    var status: HTTPResponse.Status {
        switch self {
        case .unknown: .notFound
        case .tooMany: .conflict
        case .currencyOfTariff: .unprocessableContent
        }
    }

    var code: String {
        switch self {
        case .unknown: "service_area.unknown"
        case .tooMany: "service_area.too_many"
        case .currencyOfTariff: "service_area.currency"
        }
    }

    var title: String {
        switch self {
        case .unknown: "There is no such service area."
        case .tooMany: "There are as many service areas as there can be."
        case .currencyOfTariff: "The currency is changed together with the tariff."
        }
    }

    var detail: String? {
        if case .currencyOfTariff(let currency) = self {
            "The tariff is in \(currency)."
        } else {
            nil
        }
    }

    var field: String? {
        if case .currencyOfTariff = self { "properties.currency" } else { nil }
    }
}

/// What operators do with service areas and tariffs.
struct ServiceAreaUseCases: Sendable {
    let database: Database
    let clock: HouseClock

    struct Saved: Sendable {
        var area: ServiceArea
        var isNew: Bool
    }

    /// The areas of the first start, with the standard tariff.
    func seed() async throws {
        let data = Data(PackageResources.service_areas_geojson)
        let seeds = try Wire.decode(ServiceAreaCollection.self, from: data).features
        let now = clock.now
        try await database.write { transaction in
            guard try transaction.serviceAreaVersions().isEmpty else { return }
            for feature in seeds {
                guard let id = feature.id else { continue }
                let checked = try ServiceAreaRules.checked(feature, id: id)
                let tariff = Tariff.standard(currency: checked.properties.currency)
                try transaction.keep(
                    ServiceArea(id, checked, tariff, version: 1), at: now)
            }
        }
    }

    func all() async throws -> ServiceAreaCollection {
        let areas = try await database.read { try $0.serviceAreas() }
        return ServiceAreaCollection(features: areas.map(\.feature))
    }

    func one(_ id: ServiceAreaID) async throws -> ServiceArea {
        guard let area = try await database.read({ try $0.serviceArea(id) }) else {
            throw ServiceAreaError.unknown
        }
        return area
    }

    /// Makes the area, or changes everything of it but the tariff.
    func save(
        _ id: ServiceAreaID, _ feature: ServiceAreaFeature, ifVersion: VersionCondition,
        by editor: OperatorID
    ) async throws -> Saved {
        let checked = try ServiceAreaRules.checked(feature, id: id)
        let given = try feature.properties.tariff.map {
            try ServiceAreaRules.checked($0, "properties.tariff.")
        }
        let now = clock.now
        return try await database.write { transaction in
            let old = try transaction.serviceArea(id)
            try ifVersion.require(old?.version)
            let currency = checked.properties.currency
            var tariff = old?.tariff ?? given ?? Tariff.standard(currency: currency)
            if old == nil {
                tariff.version = 1
                let count = try transaction.serviceAreaVersions().count
                guard count < ServiceAreaStore.mostAreas else { throw ServiceAreaError.tooMany }
            }
            guard tariff.currency == currency else {
                throw ServiceAreaError.currencyOfTariff(tariff.currency)
            }
            let area = ServiceArea(id, checked, tariff, version: (old?.version ?? 0) + 1)
            try transaction.keep(area, at: now)
            try transaction.record("save-service-area", id, nil, by: editor, at: now)
            return Saved(area: area, isNew: old == nil)
        }
    }

    /// The next version of the tariff; orders that are placed already keep theirs.
    func setTariff(
        of id: ServiceAreaID, _ tariff: Tariff, ifVersion: VersionCondition, by editor: OperatorID
    ) async throws -> ServiceArea {
        let (next, now) = (try ServiceAreaRules.checked(tariff), clock.now)
        return try await database.write { transaction in
            guard let old = try transaction.serviceArea(id) else {
                throw ServiceAreaError.unknown
            }
            try ifVersion.require(old.version)
            var (tariff, feature) = (next, old.feature)
            tariff.version = (old.tariff.version ?? 0) + 1
            feature.properties.currency = tariff.currency
            let area = ServiceArea(id, feature, tariff, version: old.version + 1)
            try transaction.keep(area, at: now)
            try transaction.record("set-tariff", id, nil, by: editor, at: now)
            return area
        }
    }
}

/// `If-Match` of a request (RFC 9110 §13.1.1).
enum VersionCondition: Sendable, Equatable {
    case none
    case exists
    case oneOf([Int])

    func matches(_ version: Int) -> Bool {
        switch self {
        case .none: false
        case .exists: true
        case .oneOf(let versions): versions.contains(version)
        }
    }

    func require(_ version: Int?) throws {
        switch self {
        case .none: return
        case .exists: guard version != nil else { throw RequestError.preconditionFailed }
        case .oneOf(let versions):
            guard let version, versions.contains(version) else {
                throw RequestError.preconditionFailed
            }
        }
    }
}
