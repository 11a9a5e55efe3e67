import Foundation
import Geo

/// The world's time zones with their outlines, countries and currencies, from `data/time_zones.py`.
public enum TimeZones {
    public struct Zone: Hashable, Sendable {
        /// IANA name.
        public let name: String
        /// ISO 3166.
        public let country: String
        /// ISO 4217; nil if the country has none.
        public let currency: String?
    }

    // Copied, not embedded: as a Swift literal its bytes would take minutes to compile.
    static let file: URL? = Bundle.module.url(forResource: "time-zones", withExtension: "bin")

    private static let world =
        file.flatMap { try? Data(contentsOf: $0) }.flatMap(TimeZoneOutlines.init)

    /// The country of each zone, by the zone's name.
    static let countries: [String: String] =
        Dictionary((world?.zones ?? []).map { ($0.name, $0.country) }) { first, _ in first }

    /// Distances at which a border is near, in metres: the outlines are simplified, and a place is larger than its
    /// point.
    private static let borderMeters = [100.0, 300, 1_000]

    /// Regions with a currency of their own whose places may be tagged with the country on which they border.
    private static let regions = ["HK": "CN", "MO": "CN"]

    /// The zone whose outline contains the point; at sea the nearest one. Nil off the globe.
    ///
    /// `country` is the one that the place is tagged with (ISO 3166). Near a border it decides; elsewhere the outline
    /// is more reliable. A country without a zone of its own, such as Kosovo, still has its currency.
    public static func zone(at point: Coordinate, in country: String? = nil) -> Zone? {
        guard let world, let zone = world.zone(at: point) else { return nil }
        guard let country, country != zone.country, country != regions[zone.country] else {
            return zone
        }
        if let currency = world.currenciesWithoutZone[country] {
            return Zone(name: zone.name, country: country, currency: currency)
        }
        for meters in borderMeters {
            for bearing in stride(from: 0.0, to: 360, by: 45) {
                let near = Geo.destination(
                    from: point, bearingDegrees: bearing, distanceMeters: meters)
                if let other = world.zone(at: near), other.country == country { return other }
            }
        }
        return zone
    }
}
