import Contracts
import Foundation
import ServiceKit

/// What nobody but its operator knows of a car park: given to some of the shipped map when they come in first, so that
/// they can be booked. Operators change it from then on.
struct CarParkSeed: Decodable, Sendable {
    /// As `TaggedFeature.source`.
    let source: String
    let capacity, bookable: SpaceCounts
    let terms: String
    let overstayFee: Int
    let products: [ParkingProductBody]

    static func all() throws -> [String: CarParkSeed] {
        let seeds = try Wire.decode([CarParkSeed].self, from: Data(PackageResources.car_parks_json))
        return Dictionary(uniqueKeysWithValues: seeds.map { ($0.source, $0) })
    }

    func applied(to body: CarParkBody) throws -> CarParkBody {
        var body = body
        (body.capacity, body.bookable) = (capacity, bookable)
        (body.terms, body.overstayFee) = (terms, overstayFee)
        return try CarParkRules.checked(body, .anyText)
    }
}
