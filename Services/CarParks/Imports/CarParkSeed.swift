import Contracts
import Foundation
import ServiceKit

/// Values that only an operator knows, such as prices. Some car parks of the shipped map get them at their first
/// import, so that they can be booked; from then on, operators change them.
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
