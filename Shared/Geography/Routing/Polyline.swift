import Geo

/// Google's "Encoded Polyline Algorithm Format", with six decimals instead of five: what Valhalla
/// and OSRM call polyline6.
enum Polyline {
    /// A route across a continent has fewer; an answer with more is invalid.
    static let mostPoints = 50_000
    private static let unitsPerDegree = 1e6
    /// Bits of the largest difference, twice 360 degrees, in groups of five.
    private static let longestNumber = 30

    static func decode(_ text: String) throws(RoutingError) -> [Coordinate] {
        var points: [Coordinate] = []
        var bytes = text.utf8.makeIterator()
        var (latitude, longitude) = (0, 0)
        while let first = bytes.next() {
            latitude += try number(first, &bytes)
            guard let second = bytes.next() else { throw .away }
            longitude += try number(second, &bytes)
            let point = Coordinate(
                latitude: Double(latitude) / unitsPerDegree,
                longitude: Double(longitude) / unitsPerDegree)
            guard point.isOnGlobe, points.count < mostPoints else { throw .away }
            points.append(point)
        }
        return points
    }

    /// Groups of five bits, lowest first; the lowest bit of all is the sign.
    private static func number(
        _ first: UInt8, _ bytes: inout String.UTF8View.Iterator
    ) throws(RoutingError) -> Int {
        var (number, shift) = (0, 0)
        var next: UInt8? = first
        while let byte = next {
            guard (63...126).contains(byte), shift <= longestNumber else { throw .away }
            let group = Int(byte) - 63
            number |= (group & 0x1F) << shift
            shift += 5
            if group & 0x20 == 0 { return number & 1 == 0 ? number >> 1 : ~(number >> 1) }
            next = bytes.next()
        }
        throw .away
    }
}
