import Foundation
import Geo

/// The surroundings of a point as a plane (equirectangular, true to scale at the point): lines that are straight in
/// latitude and longitude are straight on it. Within 10 km of the point, distances are accurate to a thousandth up to
/// 60 degrees of latitude.
struct Plane {
    static let metersPerDegree = Geo.earthRadiusMeters * .pi / 180

    struct Near {
        /// Square of the distance in metres; infinite on the other side of the Earth.
        let squared: Double
        /// The share of the line, from 0 at its beginning to 1 at its end.
        let part: Double
    }

    /// Metres east and north of the point.
    struct Place {
        let x: Double
        let y: Double
    }

    /// In millionths of a degree, like vertices.
    let latitude: Double
    let longitude: Double
    /// Metres per millionth of a degree.
    let north: Double
    let east: Double

    init(at point: Coordinate) {
        self.init(latitude: point.latitude * 1e6, longitude: point.longitude * 1e6)
    }

    init(at vertex: Way.Vertex) {
        self.init(latitude: Double(vertex.latitude), longitude: Double(vertex.longitude))
    }

    private init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
        north = Self.metersPerDegree / 1e6
        east = north * cos(latitude / 1e6 * .pi / 180)
    }

    /// The shorter way around the Earth.
    @inline(__always)
    func place(_ vertex: Way.Vertex) -> Place {
        var along = Double(vertex.longitude) - longitude
        if along > 180e6 { along -= 360e6 } else if along < -180e6 { along += 360e6 }
        return Place(x: along * east, y: (Double(vertex.latitude) - latitude) * north)
    }

    /// A line around the back of the Earth is not near any point on this side.
    @inline(__always)
    func isFar(_ a: Place, _ b: Place) -> Bool {
        abs(a.x - b.x) > 180e6 * east
    }

    @inline(__always)
    static func nearest(_ a: Place, _ b: Place) -> Near {
        let (east, north) = (b.x - a.x, b.y - a.y)
        let length = east * east + north * north
        let part = length > 0 ? min(1, max(0, -(a.x * east + a.y * north) / length)) : 0
        let (x, y) = (a.x + part * east, a.y + part * north)
        return Near(squared: x * x + y * y, part: part)
    }

    func nearest(_ a: Way.Vertex, _ b: Way.Vertex) -> Near {
        let (a, b) = (place(a), place(b))
        return isFar(a, b) ? Near(squared: .infinity, part: 0) : Self.nearest(a, b)
    }

    /// The point at that share of the straight line to the other.
    func point(toward other: Coordinate, share: Double) -> Coordinate {
        var along = other.longitude * 1e6 - longitude
        if along > 180e6 { along -= 360e6 } else if along < -180e6 { along += 360e6 }
        return Coordinate(
            latitude: (latitude + share * (other.latitude * 1e6 - latitude)) / 1e6,
            longitude: Geo.normalizedLongitude((longitude + share * along) / 1e6))
    }

    /// A point of the line between two vertices.
    static func point(_ a: Way.Vertex, _ b: Way.Vertex, part: Double) -> Coordinate {
        var along = Double(b.longitude) - Double(a.longitude)
        if along > 180e6 { along -= 360e6 } else if along < -180e6 { along += 360e6 }
        let north = Double(b.latitude) - Double(a.latitude)
        return Coordinate(
            latitude: (Double(a.latitude) + part * north) / 1e6,
            longitude: Geo.normalizedLongitude((Double(a.longitude) + part * along) / 1e6))
    }
}
