import Foundation
import Geo

/// A driver's line, with the time at each of its vertices.
///
/// Between two vertices it is straight in latitude and longitude, goes the shorter way around the Earth, and is
/// driven at constant speed.
public struct Way: Hashable, Sendable {
    public struct Vertex: Hashable, Sendable {
        /// Millionths of a degree: 11 cm.
        public let latitude: Int32
        public let longitude: Int32
        /// Seconds since the departure.
        public let seconds: Int32

        public init(latitude: Int32, longitude: Int32, seconds: Int32) {
            self.latitude = latitude
            self.longitude = longitude
            self.seconds = seconds
        }

        public var coordinate: Coordinate {
            Coordinate(latitude: Double(latitude) / 1e6, longitude: Double(longitude) / 1e6)
        }
    }

    /// A position on a route.
    public struct Position: Hashable, Sendable {
        public let point: Coordinate
        public let metersAway: Double
        /// Seconds since the departure.
        public let seconds: Double
        public let metersAlong: Double
        /// The index of the vertex before it.
        public let segment: Int
    }

    public static let mostVertices = 20_000
    public static let mostSeconds = 3 * 86_400
    /// Nearer to a pole, a degree of longitude is too short for the search's cells.
    public static let mostLatitude = 85.0

    /// At least two.
    public let vertices: [Vertex]

    /// Nil for fewer than two vertices or too many, for times that decrease or are too long, and for places off the
    /// globe or near a pole.
    public init?(vertices: [Vertex]) {
        guard (2...Self.mostVertices).contains(vertices.count), vertices[0].seconds >= 0,
            Int(vertices[vertices.count - 1].seconds) <= Self.mostSeconds
        else { return nil }
        var last: Int32 = 0
        for vertex in vertices {
            guard abs(Int(vertex.latitude)) <= Int(Self.mostLatitude * 1e6),
                abs(Int(vertex.longitude)) <= 180_000_000, vertex.seconds >= last
            else { return nil }
            last = vertex.seconds
        }
        self.vertices = vertices
    }

    /// `seconds` is the time since the departure at each point.
    public init?(_ points: [Coordinate], seconds: [Double]) {
        guard points.count == seconds.count, points.count <= Self.mostVertices else { return nil }
        var vertices: [Vertex] = []
        vertices.reserveCapacity(points.count)
        for (point, second) in zip(points, seconds) {
            guard point.isOnGlobe, (0...Double(Self.mostSeconds)).contains(second) else {
                return nil
            }
            vertices.append(
                Vertex(
                    latitude: Int32((point.latitude * 1e6).rounded()),
                    longitude: Int32((point.longitude * 1e6).rounded()),
                    seconds: Int32(second.rounded())))
        }
        self.init(vertices: vertices)
    }

    static let nowhere = Way(
        kept: [Vertex](repeating: Vertex(latitude: 0, longitude: 0, seconds: 0), count: 2))

    private init(kept vertices: [Vertex]) { self.vertices = vertices }

    public var first: Vertex { vertices[0] }
    public var last: Vertex { vertices[vertices.count - 1] }

    /// From the departure to the last vertex.
    public var durationSeconds: Int { Int(last.seconds) }

    public var coordinates: [Coordinate] { vertices.map(\.coordinate) }

    public var lengthMeters: Double {
        zip(vertices, vertices.dropFirst()).reduce(0) { $0 + Self.meters($1.0, $1.1) }
    }

    /// Millionths of a degree, the shorter way around.
    static func eastward(_ a: Vertex, _ b: Vertex) -> Int {
        let along = Int(b.longitude) - Int(a.longitude)
        return along > 180_000_000
            ? along - 360_000_000 : along < -180_000_000 ? along + 360_000_000 : along
    }

    private static func meters(_ a: Vertex, _ b: Vertex) -> Double {
        Geo.distanceMeters(a.coordinate, b.coordinate)
    }

    /// The nearest place on the whole route, the first of equals.
    public func position(nearest to: Coordinate) -> Position {
        let plane = Plane(at: to)
        var (best, along) = (Double.infinity, 0.0)
        var found: (segment: Int, part: Double, along: Double) = (0, 0, 0)
        for index in 0..<(vertices.count - 1) {
            let (a, b) = (vertices[index], vertices[index + 1])
            let length = Self.meters(a, b)
            let near = plane.nearest(a, b)
            if near.squared < best {
                best = near.squared
                found = (index, near.part, along + near.part * length)
            }
            along += length
        }
        let (a, b) = (vertices[found.segment], vertices[found.segment + 1])
        return Position(
            point: Plane.point(a, b, part: found.part), metersAway: best.squareRoot(),
            seconds: Double(a.seconds) + found.part * Double(b.seconds - a.seconds),
            metersAlong: found.along, segment: found.segment)
    }

    // MARK: Fewer vertices

    /// Removes vertices that the others imply (D. Douglas and T. Peucker, "Algorithms for the reduction of the number
    /// of points required to represent a digitized line", 1973). No place is farther than
    /// `toleranceMeters` from the new line, and none is passed more than `toleranceSeconds` earlier or later. The
    /// ends, and the times of remaining vertices, stay.
    public func simplified(
        toleranceMeters: Double = 5, toleranceSeconds: Double = 20
    ) -> Way {
        guard vertices.count > 2 else { return self }
        var kept = [Bool](repeating: false, count: vertices.count)
        kept[0] = true
        kept[vertices.count - 1] = true
        var open = [0..<(vertices.count - 1)]
        while let range = open.popLast() {
            guard let worst = farthest(in: range, toleranceMeters, toleranceSeconds) else {
                continue
            }
            kept[worst] = true
            open.append(range.lowerBound..<worst)
            open.append(worst..<range.upperBound)
        }
        return Way(kept: zip(vertices, kept).filter(\.1).map(\.0))
    }

    /// The vertex that the line between both ends misses most; nil if none is beyond the tolerance.
    private func farthest(
        in range: Range<Int>, _ toleranceMeters: Double, _ toleranceSeconds: Double
    ) -> Int? {
        let (a, b) = (vertices[range.lowerBound], vertices[range.upperBound])
        var worst: (index: Int, miss: Double)?
        for index in (range.lowerBound + 1)..<max(range.upperBound, range.lowerBound + 1) {
            let vertex = vertices[index]
            let near = Plane(at: vertex).nearest(a, b)
            let seconds = Double(a.seconds) + near.part * Double(b.seconds - a.seconds)
            let miss = max(
                near.squared.squareRoot() / max(toleranceMeters, 1e-9),
                abs(seconds - Double(vertex.seconds)) / max(toleranceSeconds, 1e-9))
            if miss > max(1, worst?.miss ?? 0) { worst = (index, miss) }
        }
        return worst?.index
    }
}

extension Way {
    /// Four or five bytes per vertex in a city: differences from one to the next.
    public var encoded: [UInt8] {
        var writer = ByteWriter(capacity: 8 + vertices.count * 6)
        write(to: &writer)
        return writer.bytes
    }

    /// Nil if it isn't a value of `encoded`.
    public init?(encoded: [UInt8]) {
        let way = encoded.withUnsafeBufferPointer { bytes -> Way? in
            var reader = ByteReader(bytes)
            guard let way = Way(from: &reader), reader.remaining == 0 else { return nil }
            return way
        }
        guard let way else { return nil }
        self = way
    }

    func write(to writer: inout ByteWriter) {
        writer.write(unsigned: vertices.count)
        var last = Vertex(latitude: 0, longitude: 0, seconds: 0)
        for vertex in vertices {
            writer.write(signed: Int(vertex.latitude) - Int(last.latitude))
            writer.write(signed: Int(vertex.longitude) - Int(last.longitude))
            writer.write(unsigned: Int(vertex.seconds) - Int(last.seconds))
            last = vertex
        }
    }

    init?(from reader: inout ByteReader) {
        guard let count = reader.unsigned(2...Self.mostVertices), count * 3 <= reader.remaining
        else { return nil }
        var vertices: [Vertex] = []
        vertices.reserveCapacity(count)
        let step = -400_000_000...400_000_000
        var (latitude, longitude, seconds) = (0, 0, 0)
        for _ in 0..<count {
            guard let north = reader.signed(step), let east = reader.signed(step),
                let later = reader.unsigned(0...Self.mostSeconds)
            else { return nil }
            (latitude, longitude, seconds) = (latitude + north, longitude + east, seconds + later)
            guard abs(latitude) <= 90_000_000, abs(longitude) <= 180_000_000,
                seconds <= Self.mostSeconds
            else { return nil }
            vertices.append(
                Vertex(
                    latitude: Int32(latitude), longitude: Int32(longitude),
                    seconds: Int32(seconds)))
        }
        self.init(vertices: vertices)
    }
}
