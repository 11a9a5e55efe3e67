import Contracts
import Foundation
import Geo
import Maps
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
    /// What is at a point, asked at the start. A gateway lets a person ask sixty times a minute.
    private static let mostQuestions = 55
    private static let mostSpots = 40
    /// With fewer of them there is no town.
    private static let fewestSpots = 6
    /// Metres between a point that was asked about and what is there: a street farther off is across the harbour.
    private static let nearMeters = 150.0
    private static let buildings = ["Tower", "Plaza", "Mansion", "Centre", "House", "Court"]

    let id: ServiceAreaID
    let feature: ServiceAreaFeature
    let tariff: Tariff?
    /// The time zone of the main place nearest to the town, or of the machine where none is known.
    let timeZone: TimeZone
    let garages: [Garage]
    /// Points of streets with their addresses; none where the house has no map.
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
        let zone = TimeZones().nearest(to: center).flatMap { TimeZone(identifier: $0.name) }
        timeZone = zone ?? (TimeZone.current.identifier.contains("/") ? .current : .gmt)
        var generator = SeededGenerator(UInt64(seed), "town", id)
        var garages: [Garage] = []
        // On a map every third spot, so that each is within reach of one.
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

    /// The area that is wanted; else the first whose service point is on one of these maps, or the first of all.
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

    /// The same town with its people on the streets that a map of the house's own has here.
    ///
    /// `ask` says what is at a point; nil when nobody can say.
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

    /// Where a valet's day begins: at a car park, from which ways are known once somebody has gone there.
    func start(_ generator: inout SeededGenerator) -> Coordinate {
        hasStreets ? generator.pick(garages)?.point ?? center : point(&generator)
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

    /// Where people meet; with an address where a map has one.
    func place(_ generator: inout SeededGenerator) -> Place {
        generator.pick(spots) ?? Place(point(&generator))
    }

    /// Another of these, not farther away than so many metres where there is one.
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
