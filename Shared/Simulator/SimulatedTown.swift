import Contracts
import Foundation
import Geo
import Maps
import ServiceKit

/// The service area of the simulation, with its car parks and streets.
struct SimulatedTown: Sendable {
    /// A car park that valets use.
    struct Garage: Sendable, Equatable {
        let name: String
        let point: Coordinate
    }

    private static let garageCount = 24
    /// Tries to find a point of the bounding box inside the area, before the centre is used.
    private static let mostTries = 1_000
    /// Minimum distance of points from the area's edge.
    private static let marginMeters = 60.0
    /// Maximum number of address requests at the start. The gateway allows a person sixty per minute.
    private static let mostQuestions = 55
    private static let mostSpots = 40
    /// The minimum for using streets at all.
    private static let fewestSpots = 6
    /// Maximum distance between a requested point and its address, in metres: a street farther away may be across the
    /// harbour.
    private static let nearMeters = 150.0
    private static let buildings = ["Tower", "Plaza", "Mansion", "Centre", "House", "Court"]

    let id: ServiceAreaID
    let feature: ServiceAreaFeature
    let tariff: Tariff?
    /// The time zone of its service point, or of this computer if unknown.
    let timeZone: TimeZone
    let garages: [Garage]
    /// Points on streets with their addresses; empty if the platform has no map.
    private let spots: [Place]
    private let area: Area
    private let center: Coordinate
    private let seed: Int

    init(_ feature: ServiceAreaFeature, seed: Int, spots: [Place] = []) throws {
        guard let id = feature.id ?? feature.properties.id else {
            throw SimulationFailure("A service area has no id.")
        }
        self.id = id
        self.feature = feature
        self.seed = seed
        self.spots = spots
        tariff = feature.properties.tariff
        area = try Area(feature.geometry)
        center = feature.properties.servicePoint.coordinate
        let zone = TimeZones.zone(at: center).flatMap { TimeZone(identifier: $0.name) }
        timeZone = zone ?? (TimeZone.current.identifier.contains("/") ? .current : .gmt)
        var generator = SeededGenerator(UInt64(seed), "town", id)
        var garages: [Garage] = []
        // With a map every third spot, so that each spot is near one.
        let points = spots.enumerated().filter { $0.offset % 3 == 0 }.map(\.element.coordinate)
        for number in 1...(spots.isEmpty ? Self.garageCount : points.count) {
            let point =
                spots.isEmpty ? Self.point(in: area, center, &generator) : points[number - 1]
            let building = generator.pick(Self.buildings) ?? ""
            garages.append(Garage(name: "\(building) Car Park \(number)", point: point))
        }
        self.garages = garages
    }

    /// Whether people keep to the streets of a map.
    var hasStreets: Bool { !spots.isEmpty }

    /// The requested area; else the first with its service point on one of these maps, or the first.
    static func area(
        _ wanted: ServiceAreaID?, of areas: [ServiceAreaFeature], on maps: [MapIndex.Map]
    ) throws -> ServiceAreaFeature {
        if let wanted {
            if let area = areas.first(where: { $0.id == wanted }) { return area }
            let names = areas.compactMap { $0.id?.description }.joined(separator: ", ")
            throw SimulationFailure("There is no service area \(wanted); there are: \(names).")
        }
        let mapped = areas.first { area in
            maps.contains { $0.bounds.contains(area.properties.servicePoint.coordinate) }
        }
        guard let area = mapped ?? areas.first else {
            throw SimulationFailure("There is no service area.")
        }
        return area
    }

    /// The same town with its people on the streets of the platform's own map, if there is one.
    ///
    /// `ask` returns the address at a point; nil if unknown.
    func onStreets(_ ask: (Coordinate) async throws -> PlacesAnswer?) async throws -> Self {
        guard try await ask(center)?.source == .map else { return self }
        var generator = SeededGenerator(UInt64(seed), "streets", id)
        var spots: [Place] = []
        for _ in 0..<Self.mostQuestions where spots.count < Self.mostSpots {
            let point = point(&generator)
            guard let answer = try await ask(point), answer.source == .map,
                let found = answer.items.first
            else { continue }
            let place = Place(
                latitude: found.latitude, longitude: found.longitude, address: found.address)
            let isNear = Geo.distanceMeters(point, place.coordinate) <= Self.nearMeters
            if isNear, area.contains(place.coordinate), !spots.contains(place) {
                spots.append(place)
            }
        }
        return spots.count < Self.fewestSpots
            ? self : try SimulatedTown(feature, seed: seed, spots: spots)
    }

    /// Where a valet starts the day: at a car park, from which routes are known once somebody has gone there.
    func start(_ generator: inout SeededGenerator) -> Coordinate {
        hasStreets ? generator.pick(garages)?.point ?? center : point(&generator)
    }

    /// A random point in the area.
    func point(_ generator: inout SeededGenerator) -> Coordinate {
        Self.point(in: area, center, &generator)
    }

    /// A random point in the area, at most that many metres away.
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

    /// A point outside all service areas: some kilometres away.
    func pointOutside(_ generator: inout SeededGenerator) -> Coordinate {
        Geo.destination(
            from: center, bearingDegrees: 180 + generator.within(-20...20), distanceMeters: 60_000)
    }

    /// A meeting point, with an address if a map has one.
    func place(_ generator: inout SeededGenerator) -> Place {
        generator.pick(spots) ?? Place(point(&generator))
    }

    /// Another meeting point, at most that many metres away if there is one.
    func place(
        near start: Coordinate, within meters: Double, _ generator: inout SeededGenerator
    ) -> Place {
        guard hasStreets else { return Place(point(near: start, within: meters, &generator)) }
        let near = spots.filter { Geo.distanceMeters(start, $0.coordinate) <= meters }
        return generator.pick(near) ?? place(&generator)
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
