import Contracts
import ServiceKit
import Store

/// A car park with its products and its tariff, whose changes also make a new version.
struct KnownCarPark: Sendable {
    let carPark: CarParkRecord
    let products: [ParkingProduct]
    /// The latest version; nil without prices.
    let tariff: ParkingTariff?
}

typealias KnownCarParks = KnownVersions<CarParkID, KnownCarPark>

extension CarParkStore {
    func withProducts(_ ids: [CarParkID]) throws -> [CarParkID: KnownCarPark] {
        let products = try products(of: ids)
        let tariffs = try transaction.tariffs.published(of: ids)
        return Dictionary(
            uniqueKeysWithValues: try list(ids).map { carPark in
                (
                    carPark.id,
                    KnownCarPark(
                        carPark: carPark, products: products[carPark.id] ?? [],
                        tariff: tariffs[carPark.id])
                )
            })
    }
}
