import Contracts
import Foundation
import Geo
import Threads

/// The addresses of all maps. It finds maps that are added while it is in use.
public actor AddressBook {
    /// The thread that reads the maps.
    public nonisolated let executor = BlockingExecutor(label: "maps.addresses")
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private var cache: OpenMapCache<AddressIndex>

    public init(_ folder: MapFolder) {
        cache = OpenMapCache(folder) { try AddressIndex($0.addresses) }
    }

    /// Searches the whole of each map that contains `near`, and other maps within the rectangle. Nil if there is no
    /// map.
    ///
    /// `language` has the form of `Accept-Language`. The best matches come first; among equals, the nearest to `near`,
    /// or else to the rectangle's middle.
    public func search(
        _ text: String, near: Coordinate?, within box: BoundingBox?, language: String, limit: Int
    ) throws -> PlacesAnswer? {
        func isAround(_ bounds: MapFacts.Bounds) -> Bool { near.map(bounds.contains) == true }
        let entries = cache.current().filter { entry in
            isAround(entry.facts.bounds) || box.map { entry.facts.bounds.touches($0) } ?? true
        }
        guard !entries.isEmpty else { return nil }
        let (typed, languages) = (TypedAddress(text), PlaceNames.languages(language))
        // A rectangle across the antimeridian has no simple middle.
        let plain = box.flatMap { $0.crossesAntimeridian ? nil : $0 }
        let center = near ?? plain?.middle
        let found = try entries.flatMap { entry in
            try entry.book.search(
                typed, around: center, within: isAround(entry.facts.bounds) ? nil : plain,
                limit: limit)
        }.sorted()
        return answer(
            found.prefix(limit).map { $0.entry.place(languages) }, entries.map(\.facts))
    }

    /// The address at a point; nil if no map has one nearby.
    public func reverse(_ point: Coordinate, language: String) throws -> PlacesAnswer? {
        let languages = PlaceNames.languages(language)
        var nearest: (meters: Double, place: FoundPlace, facts: MapFacts)?
        for entry in cache.current() where entry.facts.bounds.contains(point) {
            guard let found = try entry.book.nearest(to: point),
                found.meters < nearest?.meters ?? .infinity
            else { continue }
            // Streets are long, so use their point nearest to `point`.
            let place = found.entry.place(
                languages, at: found.entry.kind == .street ? found.at : found.entry.at)
            nearest = (found.meters, place, entry.facts)
        }
        return nearest.map { answer([$0.place], [$0.facts]) }
    }

    private func answer(_ places: [FoundPlace], _ facts: [MapFacts]) -> PlacesAnswer {
        var seen: Set<String> = []
        let names = facts.map(\.attribution).filter { seen.insert($0).inserted }
        return PlacesAnswer(
            items: places, source: .map, attribution: names.joined(separator: ", "))
    }
}

extension BoundingBox {
    fileprivate var middle: Coordinate {
        Coordinate(latitude: (south + north) / 2, longitude: (west + east) / 2)
    }
}

extension MapFacts.Bounds {
    fileprivate func touches(_ box: BoundingBox) -> Bool {
        guard box.south <= north, box.north >= south else { return false }
        return box.crossesAntimeridian
            ? box.west <= east || box.east >= west : box.west <= east && box.east >= west
    }
}
