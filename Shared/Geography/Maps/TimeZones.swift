import Foundation
import Geo

/// The time zones of the world by their main places, as each system's time zone database has them (`zone.tab`, IANA).
///
/// The nearest is a good guess, and only that close to a border: who keeps what was guessed lets people correct it.
public struct TimeZones: Sendable {
    public struct Zone: Hashable, Sendable {
        /// IANA name.
        public let name: String
        /// ISO 3166.
        let country: String
        /// ISO 4217; nil where a country has none of its own that is known here.
        let currency: String?
        let at: Coordinate
    }

    private static let file = "/usr/share/zoneinfo/zone.tab"

    private let zones: [(zone: Zone, at: SIMD3<Double>)]

    /// Without the database nothing is known.
    public init() {
        self.init((try? String(contentsOf: URL(filePath: Self.file), encoding: .utf8)) ?? "")
    }

    /// Lines of a country (ISO 3166), a place (ISO 6709) and a name, parted by tabs.
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

    /// By the names of the zones.
    var countries: [String: String] {
        Dictionary(zones.map { ($0.zone.name, $0.zone.country) }) { first, _ in first }
    }

    public func nearest(to point: Coordinate) -> Zone? {
        let here = Self.direction(point)
        return zones.max { ($0.at * here).sum() < ($1.at * here).sum() }?.zone
    }

    /// From the middle of the Earth: the nearer two points are, the greater is their product.
    private static func direction(_ point: Coordinate) -> SIMD3<Double> {
        let (north, east) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        return SIMD3(cos(north) * cos(east), cos(north) * sin(east), sin(north))
    }

    /// Degrees, minutes and perhaps seconds: `+6010+02458`, `-690022+0393524`.
    private static func place(_ text: Substring) -> Coordinate? {
        guard let east = text.lastIndex(where: { "+-".contains($0) }),
            let latitude = degrees(text[..<east], digits: 2),
            let longitude = degrees(text[east...], digits: 3)
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// A sign, so many digits of degrees, two of minutes, and two of seconds or none.
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
