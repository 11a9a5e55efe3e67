import Contracts
import Geo
import ServiceKit

/// The service area in which everything happens, and what stands there.
struct SimulatedTown: Sendable {
    /// A car park that valets use.
    struct Garage: Sendable, Equatable {
        let name: String
        let point: Coordinate
    }

    private static let garageCount = 24
    /// Tries to hit the area with a point of its bounding box; the centre otherwise.
    private static let mostTries = 1_000
    /// Metres that points keep from the area's edge.
    private static let marginMeters = 60.0
    private static let streets = [
        "Des Voeux Road", "Queen's Road", "Hennessy Road", "King's Road", "Electric Road",
        "Hollywood Road", "Caine Road", "Gloucester Road", "Lockhart Road", "Java Road",
    ]
    private static let buildings = ["Tower", "Plaza", "Mansion", "Centre", "House", "Court"]

    let id: ServiceAreaID
    let feature: ServiceAreaFeature
    let tariff: Tariff?
    let garages: [Garage]
    private let area: Area
    private let center: Coordinate

    init(_ feature: ServiceAreaFeature, seed: Int) throws {
        guard let id = feature.id ?? feature.properties.id else {
            throw SimulationFailure("A service area has no id.")
        }
        self.id = id
        self.feature = feature
        tariff = feature.properties.tariff
        area = try Area(feature.geometry)
        center = feature.properties.servicePoint.coordinate
        var generator = SeededGenerator(UInt64(seed), "town", id)
        var garages: [Garage] = []
        for number in 1...Self.garageCount {
            let point = Self.point(in: area, center, &generator)
            let building = generator.pick(Self.buildings) ?? ""
            garages.append(Garage(name: "\(building) Car Park \(number)", point: point))
        }
        self.garages = garages
    }

    /// Somewhere in the area.
    func point(_ generator: inout SeededGenerator) -> Coordinate {
        Self.point(in: area, center, &generator)
    }

    /// Somewhere in the area, not farther away than so many metres.
    func point(
        near start: Coordinate, within meters: Double, _ generator: inout SeededGenerator
    ) -> Coordinate {
        for _ in 0..<Self.mostTries {
            let point = Geo.destination(
                from: start, bearingDegrees: generator.within(0...360),
                distanceMeters: generator.within(0...meters))
            if Self.isWellInside(point, area) { return point }
        }
        return start
    }

    /// A point that is in no service area: some kilometres off the coast, or inland.
    func pointOutside(_ generator: inout SeededGenerator) -> Coordinate {
        Geo.destination(
            from: center, bearingDegrees: 180 + generator.within(-20...20), distanceMeters: 60_000)
    }

    func place(_ point: Coordinate, _ generator: inout SeededGenerator) -> Place {
        let street = Self.streets.randomElement(using: &generator) ?? ""
        return Place(point, address: "\(Int(generator.within(1...400))) \(street)")
    }

    func contains(_ point: Coordinate) -> Bool { area.contains(point) }

    private static func point(
        in area: Area, _ center: Coordinate, _ generator: inout SeededGenerator
    ) -> Coordinate {
        let boxes = area.polygons.map(\.boundingBox)
        for _ in 0..<mostTries {
            guard let box = generator.pick(boxes), !box.crossesAntimeridian else { break }
            let point = Coordinate(
                latitude: generator.within(box.south...box.north),
                longitude: generator.within(box.west...box.east))
            if isWellInside(point, area) { return point }
        }
        return center
    }

    private static func isWellInside(_ point: Coordinate, _ area: Area) -> Bool {
        [0.0, 90, 180, 270].allSatisfy {
            area.contains(
                Geo.destination(from: point, bearingDegrees: $0, distanceMeters: marginMeters))
        }
    }
}
