import Contracts

@testable import Areas

extension Tariff {
    static let usual = Tariff.standard(currency: "HKD")
}

extension ServiceAreaChanged {
    /// What areas tells of at its first start.
    static func firstStart() throws -> [ServiceAreaChanged] {
        try AreaUseCases.seeds().map {
            ServiceAreaChanged(area: $0.id, feature: $0.feature, version: $0.version)
        }
    }

    /// A square around a point.
    static func around(_ center: Place, version: Int = 1) throws -> ServiceAreaChanged {
        let (east, north) = (center.longitude, center.latitude)
        let ring = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1], [-0.1, -0.1]]
            .map { [east + $0[0], north + $0[1]] }
        let id = ServiceAreaID("orchard") ?? { preconditionFailure("a valid name") }()
        return ServiceAreaChanged(
            area: id,
            feature: ServiceAreaFeature(
                id: id,
                properties: .init(
                    id: id, name: "Orchard", servicePoint: center, currency: "HKD", tariff: .usual),
                geometry: .polygon([ring])),
            version: version)
    }
}
