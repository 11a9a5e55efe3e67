import Foundation
import Geo

/// The world's time zones by their main places, from the system's time zone database (`zone.tab`, IANA).
///
/// The nearest place gives a good guess, but not near borders, so a stored guess must be correctable.
public struct TimeZones: Sendable {
    public struct Zone: Hashable, Sendable {
        /// IANA name.
        public let name: String
        /// ISO 3166.
        let country: String
        /// ISO 4217; nil if unknown.
        let currency: String?
        let at: Coordinate
    }

    private static let file = "/usr/share/zoneinfo/zone.tab"

    private let zones: [(zone: Zone, at: SIMD3<Double>)]

    /// Empty if the system has no database.
    public init() {
        self.init((try? String(contentsOf: URL(filePath: Self.file), encoding: .utf8)) ?? "")
    }

    /// Reads lines of a country (ISO 3166), a place (ISO 6709) and a name, separated by tabs.
    init(_ text: String) {
        let read = text.split(separator: "\n").compactMap { line -> Zone? in
            let columns = line.split(separator: "\t")
            guard !line.hasPrefix("#"), columns.count >= 3,
                let at = Self.place(columns[1])
            else { return nil }
            return Zone(
                name: String(columns[2]), country: String(columns[0]),
                currency: Locale(identifier: "en_\(columns[0])").currency?.identifier, at: at)
        }
        zones = read.map { ($0, Self.direction($0.at)) }
    }

    /// The country of each zone, by the zone's name.
    var countries: [String: String] {
        Dictionary(zones.map { ($0.zone.name, $0.zone.country) }) { first, _ in first }
    }

    public func nearest(to point: Coordinate) -> Zone? {
        let here = Self.direction(point)
        return zones.max { ($0.at * here).sum() < ($1.at * here).sum() }?.zone
    }

    /// The unit vector from the Earth's centre: the dot product of two is largest for the nearest points.
    private static func direction(_ point: Coordinate) -> SIMD3<Double> {
        let (north, east) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        return SIMD3(cos(north) * cos(east), cos(north) * sin(east), sin(north))
    }

    /// Degrees, minutes and optional seconds: `+6010+02458`, `-690022+0393524`.
    private static func place(_ text: Substring) -> Coordinate? {
        guard let east = text.lastIndex(where: { "+-".contains($0) }),
            let latitude = degrees(text[..<east], digits: 2),
            let longitude = degrees(text[east...], digits: 3)
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// A sign, `digits` digits of degrees, two of minutes, and optionally two of seconds.
    private static func degrees(_ text: Substring, digits: Int) -> Double? {
        let number = text.dropFirst()
        guard let sign = text.first, "+-".contains(sign),
            number.allSatisfy({ $0.isASCII && $0.isNumber }),
            [digits + 2, digits + 4].contains(number.count),
            let degrees = Double(number.prefix(digits)),
            let minutes = Double(number.dropFirst(digits).prefix(2))
        else { return nil }
        let seconds = Double(number.dropFirst(digits + 2)) ?? 0
        return (sign == "-" ? -1 : 1) * (degrees + minutes / 60 + seconds / 3_600)
    }
}
