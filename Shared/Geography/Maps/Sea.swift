import Foundation
import Geo

/// The sea of an extract. OpenStreetMap has no areas of sea but coastlines, ways with the land on their left
/// (https://wiki.openstreetmap.org/wiki/Tag:natural%3Dcoastline). The side on their right is closed along the edge of
/// the extract.
public struct Sea {
    /// Rings whose last point is their first.
    struct Area {
        var outer: [Coordinate]
        var islands: [[Coordinate]] = []
    }

    let areas: [Area]

    public var isEmpty: Bool { areas.isEmpty }

    /// Reads the coastlines from the output of `osmium export`.
    public init(coastlines file: URL, within box: MapFacts.Bounds) throws {
        var lines: [[Coordinate]] = []
        try MapFeature.each(of: file) { feature in
            if case .line(let points) = feature.shape { lines.append(points) }
        }
        self.init(coastlines: lines, within: box)
    }

    /// Coastlines may be in any order. One that ends near the edge, where the extract was cut, is extended to it. One
    /// that ends far within the box is ignored.
    init(coastlines: [[Coordinate]], within box: MapFacts.Bounds) {
        var islands: [[Coordinate]] = []
        var crossings: [[Coordinate]] = []
        for line in Self.joined(coastlines) {
            if line.first == line.last, line.allSatisfy(box.holds) {
                islands.append(line)
            } else {
                crossings += box.pieces(of: line)
            }
        }
        // Rings in the other direction are basins of sea within land.
        let basins = islands.filter { Self.turn($0) < 0 }
        islands.removeAll { Self.turn($0) < 0 }
        var areas = Self.closed(crossings, along: box) + basins.map { Area(outer: $0) }
        if crossings.isEmpty, !islands.isEmpty { areas.append(Area(outer: box.ring)) }
        for island in islands {
            guard let point = island.first,
                let around = areas.indices.first(where: { Self.contains(areas[$0].outer, point) })
            else { continue }
            areas[around].islands.append(island)
        }
        self.areas = areas
    }

    /// Joins ways where one begins at another's end.
    private static func joined(_ ways: [[Coordinate]]) -> [[Coordinate]] {
        var byStart: [Coordinate: [[Coordinate]]] = [:]
        var ends: Set<Coordinate> = []
        for way in ways where way.count > 1 {
            byStart[way[0], default: []].append(way)
            if way.first != way.last { ends.formUnion(way.suffix(1)) }
        }
        var lines: [[Coordinate]] = []
        // First ways that begin where none ends, then closed ones.
        for start in byStart.keys.filter({ !ends.contains($0) }) + Array(byStart.keys) {
            while var line = byStart[start]?.popLast() {
                while line.first != line.last, let end = line.last,
                    let next = byStart[end]?.popLast()
                {
                    line += next.dropFirst()
                }
                lines.append(line)
            }
        }
        return lines
    }

    /// Follows each piece, then the edge clockwise to the start of the next piece, until the ring is closed.
    private static func closed(_ pieces: [[Coordinate]], along box: MapFacts.Bounds) -> [Area] {
        var rest = pieces
        var areas: [Area] = []
        while let first = rest.popLast(), let start = first.first {
            var ring = first
            while let end = ring.last {
                func way(to point: Coordinate) -> Double { box.way(from: end, to: point) }
                let next = rest.indices.min { way(to: rest[$0][0]) < way(to: rest[$1][0]) }
                let isLast = next.map { way(to: start) <= way(to: rest[$0][0]) } ?? true
                let aim = isLast ? start : next.map { rest[$0][0] } ?? start
                ring += box.corners(from: end, to: aim)
                guard !isLast, let next else { break }
                ring += rest.remove(at: next)
            }
            areas.append(Area(outer: ring + [start]))
        }
        return areas
    }

    /// Twice the area; positive if counterclockwise.
    private static func turn(_ ring: [Coordinate]) -> Double {
        zip(ring, ring.dropFirst()).reduce(0) { sum, side in
            sum + side.0.longitude * side.1.latitude - side.1.longitude * side.0.latitude
        }
    }

    private static func contains(_ ring: [Coordinate], _ point: Coordinate) -> Bool {
        zip(ring, ring.dropFirst()).reduce(false) { isInside, side in
            let (a, b) = side
            guard (a.latitude > point.latitude) != (b.latitude > point.latitude) else {
                return isInside
            }
            let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
            let crossing = a.longitude + share * (b.longitude - a.longitude)
            return point.longitude < crossing ? !isInside : isInside
        }
    }
}

extension MapFacts.Bounds {
    fileprivate func holds(_ point: Coordinate) -> Bool {
        point.longitude > west && point.longitude < east && point.latitude > south
            && point.latitude < north
    }

    /// The nearest point of the edge; nil if it is farther than a twentieth of the box.
    private func nearEdge(_ point: Coordinate) -> Coordinate? {
        guard holds(point) else { return nil }
        let (x, y) = (point.longitude, point.latitude)
        let (width, height) = (east - west, north - south)
        let sides = [
            ((x - west) / width, (west, y)), ((east - x) / width, (east, y)),
            ((y - south) / height, (x, south)), ((north - y) / height, (x, north)),
        ]
        guard let (share, edge) = sides.min(by: { $0.0 < $1.0 }), share < 0.05 else { return nil }
        return Coordinate(latitude: edge.1, longitude: edge.0)
    }

    /// Clockwise.
    fileprivate var ring: [Coordinate] { corners + corners.prefix(1) }

    /// Clockwise from the north-west.
    private var corners: [Coordinate] {
        [(west, north), (east, north), (east, south), (west, south)]
            .map { Coordinate(latitude: $0.1, longitude: $0.0) }
    }

    /// The position along the edge, clockwise from the north-west corner; each side has length 1.
    private func position(_ point: Coordinate) -> Double {
        let x = (point.longitude - west) / (east - west)
        let y = (north - point.latitude) / (north - south)
        let sides = [(abs(y), x), (abs(1 - x), 1 + y), (abs(1 - y), 3 - x), (abs(x), 4 - y)]
        return sides.min { $0.0 < $1.0 }?.1 ?? 0
    }

    fileprivate func way(from: Coordinate, to: Coordinate) -> Double {
        let way = position(to) - position(from)
        return way < 0 ? way + 4 : way
    }

    /// The corners between two points of the edge, clockwise.
    fileprivate func corners(from: Coordinate, to: Coordinate) -> [Coordinate] {
        let (start, length) = (position(from), way(from: from, to: to))
        return (1...8).map(Double.init).filter { $0 > start && $0 < start + length }
            .map { corners[Int($0) % 4] }
    }

    /// The parts of a line that lie within the box and go from edge to edge.
    fileprivate func pieces(of line: [Coordinate]) -> [[Coordinate]] {
        var line = line
        if line.first != line.last {
            line = (line.first.flatMap(nearEdge).map { [$0] } ?? []) + line
            line += line.last.flatMap(nearEdge).map { [$0] } ?? []
        }
        // Start a ring at a point outside.
        if line.first == line.last, let outside = line.firstIndex(where: { !holds($0) }) {
            line = Array(line[outside...] + line.dropFirst().prefix(outside))
        }
        var pieces: [[Coordinate]] = []
        var piece: [Coordinate]?
        for (from, to) in zip(line, line.dropFirst()) {
            guard let (entry, exit) = clip(from, to) else {
                piece = nil
                continue
            }
            if !holds(from) { piece = [entry] }
            piece?.append(exit)
            if !holds(to) {
                if let piece, piece.count > 1 { pieces.append(piece) }
                piece = nil
            }
        }
        return pieces
    }

    /// The part of a segment that lies within the box (Liang and Barsky 1984).
    private func clip(_ from: Coordinate, _ to: Coordinate) -> (Coordinate, Coordinate)? {
        let (dx, dy) = (to.longitude - from.longitude, to.latitude - from.latitude)
        let limits = [
            (-dx, from.longitude - west), (dx, east - from.longitude),
            (-dy, from.latitude - south), (dy, north - from.latitude),
        ]
        var (start, end) = (0.0, 1.0)
        for (step, room) in limits {
            if step == 0 {
                if room < 0 { return nil }
            } else if step < 0 {
                start = max(start, room / step)
            } else {
                end = min(end, room / step)
            }
        }
        guard start < end else { return nil }
        func point(_ share: Double) -> Coordinate {
            switch share {
            case 0: from
            case 1: to
            default:
                Coordinate(
                    latitude: from.latitude + share * dy, longitude: from.longitude + share * dx)
            }
        }
        return (point(start), point(end))
    }
}

extension Sea {
    /// The first id for nodes that aren't in OpenStreetMap: above its own (13 thousand million in 2025), and within
    /// the 34 bits of tilemaker's.
    private static let firstID = 17_000_000_000
    /// The same for ways (1.4 thousand million in 2025), but not higher: tilemaker allocates a bit for each way below
    /// the last.
    private static let firstWayID = 2_000_000_000

    /// The areas as an OpenStreetMap file (https://wiki.openstreetmap.org/wiki/OSM_XML). Each is a multipolygon with
    /// the tags of a bay without a name, which OpenMapTiles draws as part of the ocean.
    public var document: String {
        var (id, wayID) = (Self.firstID, Self.firstWayID)
        var (nodes, ways, relations) = ("", "", "")
        for area in areas {
            var members = ""
            for (index, ring) in ([area.outer] + area.islands).enumerated() {
                let first = id
                for point in ring.dropLast() {
                    nodes += "<node id='\(id)' lat='\(point.latitude)' lon='\(point.longitude)'/>\n"
                    id += 1
                }
                let references = (Array(first..<id) + [first]).map { "<nd ref='\($0)'/>" }.joined()
                ways += "<way id='\(wayID)'>\(references)</way>\n"
                members +=
                    "<member type='way' ref='\(wayID)' role='\(index == 0 ? "outer" : "inner")'/>"
                wayID += 1
            }
            relations += """
                <relation id='\(id)'>\(members)<tag k='type' v='multipolygon'/><tag k='natural' v='bay'/></relation>

                """
            id += 1
        }
        return "<osm version='0.6'>\n\(nodes)\(ways)\(relations)</osm>\n"
    }
}
