import Contracts
import Geo

// The town in which much is tested.

extension Coordinate {
    public static let valletta = Coordinate(latitude: 35.8965, longitude: 14.5101)

    public func north(_ meters: Double) -> Coordinate {
        Geo.destination(from: self, bearingDegrees: 0, distanceMeters: meters)
    }
}

extension ServiceAreaChanged {
    public static var aroundValletta: ServiceAreaChanged {
        let id = ServiceAreaID("valletta") ?? { preconditionFailure("a valid name") }()
        let point = Coordinate.valletta
        let ring = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1], [-0.1, -0.1]]
            .map { [point.longitude + $0[0], point.latitude + $0[1]] }
        let tariff = Tariff(
            currency: "EUR", baseFee: 100, freeMinutes: 0, incrementPrice: 100,
            incrementMinutes: 30, dailyCap: 5_000, extras: [:], cancellationFee: 100,
            cancellationGraceSeconds: 60, noShowFee: 100, waitingSeconds: 300)
        return ServiceAreaChanged(
            area: id,
            feature: ServiceAreaFeature(
                id: id,
                properties: .init(
                    id: id, name: "Valletta", servicePoint: Place(point), currency: "EUR",
                    tariff: tariff),
                geometry: .polygon([ring])), version: 1)
    }
}
