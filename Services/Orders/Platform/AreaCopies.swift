import Contracts
import Geo
import ProductKit
import ServiceKit
import Store

extension KnownArea {
    /// How long a valet has to answer an offer; nil where jobs are assigned at once.
    var offerSeconds: Int? {
        feature.properties.dispatch.flatMap { $0.mode == .offer ? $0.offerSeconds : nil }
    }
}

extension KnownAreas {
    /// The area of a point; throws with the nearest service point if there is none.
    func area(
        at point: Place, field: String, in transaction: Transaction
    ) throws -> KnownArea {
        if let found = try area(at: point.coordinate, in: transaction) { return found }
        let nearest = try requireSome(in: transaction).min { left, right in
            left.shape.distanceMeters(to: point.coordinate)
                < right.shape.distanceMeters(to: point.coordinate)
        }
        throw Refusal.orderOutsideServiceArea.about(field).because {
            $0.servicePoint = nearest?.feature.properties.servicePoint ?? point
        }
    }

    func hold(_ point: Place, in transaction: Transaction) throws -> Bool {
        try all(in: transaction).contains { $0.shape.contains(point.coordinate) }
    }
}
