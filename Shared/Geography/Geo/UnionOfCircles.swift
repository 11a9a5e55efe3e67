import Foundation

/// The union of many circles, as polygons of a raster: marching squares, the plane case of marching cubes (W.
/// Lorensen, H. Cline, "Marching Cubes", SIGGRAPH 1987; C. Maple, "Geometric Design and Space Planning Using the
/// Marching Squares and Marching Cube Algorithms", GMAG 2003).
///
/// Each corner of the raster has its distance to the nearest edge of a circle, positive inside. Lines go where the
/// distance is zero between two corners. Lines within a cell never touch, so rings are simple. Shapes smaller than a
/// cell may get lost, as do circles of less than a metre; a circle that crosses the antimeridian is cut there.
public struct UnionOfCircles: Sendable {
    public struct Circle: Sendable {
        public var center: Coordinate
        public var radiusMeters: Double

        public init(center: Coordinate, radiusMeters: Double) {
            (self.center, self.radiusMeters) = (center, radiusMeters)
        }
    }

    /// Cells along the longer side of the raster: about 150,000 corners in all.
    static let cells = 384
    private static let metersPerDegree = Geo.earthRadiusMeters * .pi / 180
    /// Minimum distance of a crossing from a corner, in cells, so that no two crossings coincide.
    private static let least = 0.01

    /// The size of a cell, in degrees.
    let (latitudeStep, longitudeStep): (Double, Double)
    private let (south, west): (Double, Double)
    /// Corners along each side, with one extra on every side.
    private let (rows, columns): (Int, Int)
    /// Depth inside the circles in metres, by row and column.
    private var depths: [Float] = []

    /// Nil without circles on the globe.
    private init?(around circles: [Circle]) {
        let sides = circles.map(Self.sides)
        guard let south = sides.map(\.south).min(), let north = sides.map(\.north).max(),
            let west = sides.map(\.west).min(), let east = sides.map(\.east).max(),
            south < north, west < east
        else { return nil }
        let shrink = max(0.01, cos(Geo.radians((south + north) / 2)))
        let step = max(north - south, (east - west) * shrink) / Double(Self.cells)
        (latitudeStep, longitudeStep) = (step, step / shrink)
        rows = Int(((north - south) / latitudeStep).rounded(.up)) + 3
        columns = Int(((east - west) / longitudeStep).rounded(.up)) + 3
        (self.south, self.west) = (south - latitudeStep, west - longitudeStep)
        depths = [Float](repeating: -.greatestFiniteMagnitude, count: rows * columns)
    }

    /// Outer rings go counterclockwise, holes clockwise, as in RFC 7946 §3.1.6.
    public static func polygons(of circles: [Circle]) -> [[[Coordinate]]] {
        let usable = circles.filter {
            $0.center.isOnGlobe && (1...Geo.earthRadiusMeters).contains($0.radiusMeters)
        }
        guard var raster = UnionOfCircles(around: usable) else { return [] }
        // Largest first: most of the others are deep within them.
        for circle in usable.sorted(by: { $0.radiusMeters > $1.radiusMeters }) {
            raster.draw(circle)
        }
        return polygons(of: raster.rings())
    }

    // MARK: Drawing

    /// The circle's bounds, clipped to the globe.
    private static func sides(
        of circle: Circle
    ) -> (south: Double, west: Double, north: Double, east: Double) {
        let up = circle.radiusMeters / metersPerDegree
        let aside = up / max(0.01, cos(Geo.radians(circle.center.latitude)))
        let center = circle.center
        return (
            max(-90, center.latitude - up), max(-180, center.longitude - aside),
            min(90, center.latitude + up), min(180, center.longitude + aside)
        )
    }

    /// Draws on a plane around the circle's centre, which is accurate for walking distances, up to the next corners
    /// outside.
    private mutating func draw(_ circle: Circle) {
        let sides = Self.sides(of: circle)
        let up = Self.metersPerDegree
        let aside = up * max(0.01, cos(Geo.radians(circle.center.latitude)))
        let cell = Float((latitudeStep * up).magnitude + (longitudeStep * aside).magnitude)
        let radius = Float(circle.radiusMeters)
        // So that the corner after the last one is on the globe, too.
        let places = columnRange(sides.west, sides.east).filter {
            abs(longitude($0)) <= 180 - longitudeStep
        }
        for row in rowRange(sides.south, sides.north)
        where abs(latitude(row)) <= 90 - latitudeStep {
            let y = Float((latitude(row) - circle.center.latitude) * up)
            for column in places {
                let place = row * columns + column
                guard depths[place] < cell else { continue }
                let x = Float((longitude(column) - circle.center.longitude) * aside)
                let depth = radius - (x * x + y * y).squareRoot()
                if depth > depths[place] { depths[place] = depth }
            }
        }
    }

    /// Without the outermost rows.
    private func rowRange(_ low: Double, _ high: Double) -> ClosedRange<Int> {
        Self.range((low - south) / latitudeStep, (high - south) / latitudeStep, rows)
    }

    private func columnRange(_ low: Double, _ high: Double) -> ClosedRange<Int> {
        Self.range((low - west) / longitudeStep, (high - west) / longitudeStep, columns)
    }

    private static func range(_ low: Double, _ high: Double, _ count: Int) -> ClosedRange<Int> {
        let first = max(1, Int(low.rounded(.down)))
        return first...max(first, min(count - 2, Int(high.rounded(.up))))
    }

    private func latitude(_ row: Int) -> Double { south + Double(row) * latitudeStep }
    private func longitude(_ column: Int) -> Double { west + Double(column) * longitudeStep }

    // MARK: Lines

    private func isInside(_ row: Int, _ column: Int) -> Bool { depths[row * columns + column] > 0 }

    /// The edge from a corner to the next one in its row (0) or in its column (1).
    private func edge(_ row: Int, _ column: Int, _ direction: Int) -> Int {
        (row * columns + column) * 2 + direction
    }

    /// Closed rings, with the inside to their left.
    private func rings() -> [[Coordinate]] {
        var next = lines()
        return next.keys.sorted().compactMap { first in
            guard next[first] != nil else { return nil }
            var (ring, place) = ([Coordinate](), first)
            while let following = next.removeValue(forKey: place) {
                ring.append(crossing(place))
                place = following
            }
            return ring + [ring[0]]
        }
    }

    /// Maps edge to edge within each cell: one line around each run of neighbouring inside corners, so that two
    /// opposite ones are separated.
    private func lines() -> [Int: Int] {
        var next: [Int: Int] = [:]
        for row in 0..<(rows - 1) {
            for column in 0..<(columns - 1) {
                let (southwest, southeast) = (isInside(row, column), isInside(row, column + 1))
                let (northwest, northeast) = (
                    isInside(row + 1, column), isInside(row + 1, column + 1)
                )
                guard southwest != southeast || northwest != northeast || southwest != northwest
                else { continue }
                // Counterclockwise; each edge follows its corner.
                let corners = [southwest, southeast, northeast, northwest]
                let edges = [
                    edge(row, column, 0), edge(row, column + 1, 1), edge(row + 1, column, 0),
                    edge(row, column, 1),
                ]
                for last in 0..<4 where corners[last] && !corners[(last + 1) % 4] {
                    var before = (last + 3) % 4
                    while corners[before] { before = (before + 3) % 4 }
                    next[edges[last]] = edges[before]
                }
            }
        }
        return next
    }

    /// The point of an edge at which the depth is zero.
    private func crossing(_ edge: Int) -> Coordinate {
        let (place, isUpwards) = (edge / 2, edge % 2 == 1)
        let (row, column) = (place / columns, place % columns)
        let (here, there) = (depths[place], depths[place + (isUpwards ? columns : 1)])
        let share = min(1 - Self.least, max(Self.least, Double(here / (here - there))))
        return Coordinate(
            latitude: latitude(row) + (isUpwards ? share * latitudeStep : 0),
            longitude: longitude(column) + (isUpwards ? 0 : share * longitudeStep))
    }

    // MARK: Polygons

    /// Each hole belongs to the smallest ring around it.
    private static func polygons(of rings: [[Coordinate]]) -> [[[Coordinate]]] {
        let sized = rings.map { (ring: $0, surface: surface($0)) }
        var polygons = sized.filter { $0.surface > 0 }.sorted { $0.surface < $1.surface }
            .map { [$0.ring] }
        for hole in sized where hole.surface < 0 {
            let around = polygons.firstIndex { contains($0[0], hole.ring[0]) }
            if let around { polygons[around].append(hole.ring) }
        }
        return polygons
    }

    /// The area in square degrees; negative if clockwise.
    static func surface(_ ring: [Coordinate]) -> Double {
        let origin = ring[0]
        return zip(ring, ring.dropFirst()).reduce(0) { sum, side in
            let (a, b) = side
            return sum
                + ((a.longitude - origin.longitude) * (b.latitude - origin.latitude)
                    - (b.longitude - origin.longitude) * (a.latitude - origin.latitude)) / 2
        }
    }

    /// By the even-odd rule.
    private static func contains(_ ring: [Coordinate], _ point: Coordinate) -> Bool {
        var isInside = false
        for (a, b) in zip(ring, ring.dropFirst())
        where (a.latitude > point.latitude) != (b.latitude > point.latitude) {
            let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
            if point.longitude < a.longitude + share * (b.longitude - a.longitude) {
                isInside.toggle()
            }
        }
        return isInside
    }
}
