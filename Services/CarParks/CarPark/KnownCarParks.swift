import Contracts
import ServiceKit
import Store

/// A car park with what it offers; a change of what is offered is another version, too.
struct KnownCarPark: Sendable {
    let carPark: CarParkRecord
    let products: [ParkingProduct]
}

typealias KnownCarParks = KnownVersions<CarParkID, KnownCarPark>

extension Transaction {
    func knownCarParks(_ ids: [CarParkID]) throws -> [CarParkID: KnownCarPark] {
        let products = try products(of: ids)
        return Dictionary(
            uniqueKeysWithValues: try carParks(ids).map { carPark in
                (
                    carPark.id,
                    KnownCarPark(carPark: carPark, products: products[carPark.id] ?? [])
                )
            })
    }
}
