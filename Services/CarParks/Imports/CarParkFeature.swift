import Contracts
import Foundation
import Geo
import Maps
import ServiceKit

/// A car park from GeoJSON (RFC 7946) with OpenStreetMap's tags
/// (https://wiki.openstreetmap.org/wiki/Tag:amenity=parking).
struct CarParkFeature: Sendable, Hashable {
    /// Identifies it in later imports: `way/4025` of OpenStreetMap, or any other id in the file.
    let source: String
    let body: CarParkBody

    /// The values for car parks that do not state their own.
    struct Defaults: Sendable {
        var timeZone, currency: String?
    }

    /// Values of OpenStreetMap's `access` that exclude the general public.
    private static let closedAccess: Set<String> = [
        "private", "no", "permit", "residents", "employees", "delivery", "military", "agricultural",
        "forestry", "emergency",
    ]

    /// Nil for a feature that is not a car park, or not open to the public.
    init?(_ json: JSONValue, _ defaults: Defaults) throws {
        guard let tags = TaggedFeature(json) else {
            throw Refusal.invalid("type", "Send a GeoJSON Feature with geometry and properties.")
        }
        guard tags["amenity"] ?? "parking" == "parking",
            !Self.closedAccess.contains(tags["access"] ?? "yes")
        else { return nil }
        guard let source = TaggedFeature.source(of: json) else {
            throw Refusal.invalid("id", "Use 1 to \(TaggedFeature.longestSource) characters.")
        }
        guard let position = tags.position else {
            throw Refusal.invalid("geometry", "Use a Point, a Polygon or a MultiPolygon.")
        }
        guard let timeZone = tags["timeZone"] ?? defaults.timeZone ?? tags.zone?.name
        else {
            throw Refusal.invalid("timeZone", "Use an IANA name, for example Europe/Dublin.")
        }
        guard let currency = tags["currency"] ?? defaults.currency ?? tags.zone?.currency
        else {
            throw Refusal.invalid("currency", "Use three capital letters of ISO 4217.")
        }
        guard let name = tags.name else {
            throw Refusal.invalid("name", "Use a name of 1 to 100 characters.")
        }
        var body = CarParkBody(
            name: name, address: tags.address, position: position, timeZone: timeZone,
            currency: currency, capacity: try tags.capacity())
        body.openingHours = tags.openingHours
        body.maxHeightText = tags.maxHeight
        body.features = tags.features
        body.phone = tags["phone"] ?? tags["contact:phone"]
        body.operator = tags["operator"]
        body.fee = tags["fee"].map { $0 != "no" }
        body.access = tags["access"] == "customers" ? .customers : .everybody
        self.source = source
        self.body = try CarParkRules.checked(body, .anyText)
    }
}

/// The OpenStreetMap tags that describe a car park.
extension TaggedFeature {
    /// Most have no name of their own: they get the sign of car parks, which people of all languages can read, and the
    /// street.
    fileprivate var name: String? {
        self["name"] ?? self["operator"]
            ?? (self["addr:street"] ?? self["nearestStreet"]).map { "P \($0)" }
    }

    /// `capacity` counts all spaces, including those of the classes. A value that is not a number counts as unknown.
    fileprivate func capacity() throws -> SpaceCounts {
        guard let total = self["capacity"].flatMap({ Int($0) }) else { return SpaceCounts() }
        let keys: [SpaceClass: String] = [
            .disabled: "capacity:disabled", .electric: "capacity:charging",
            .family: "capacity:parent", .motorcycle: "capacity:motorcycle",
        ]
        var counts = SpaceCounts()
        for (kind, key) in keys {
            guard let count = self[key].flatMap({ Int($0) }), count != 0 else { continue }
            counts[kind] = try Check.int(
                count, "capacity.\(kind.rawValue)", in: 0...CarParkRules.mostSpaces)
        }
        guard counts.total <= total else {
            throw Refusal.invalid("capacity", "Use at least the spaces of its classes.")
        }
        counts[.general] = total - counts.total
        return counts
    }

    // As they are written, but without control characters and shortened: no text may keep the car park out.

    fileprivate var maxHeight: String? {
        self["maxheight"].map { String($0.withoutControls.prefix(HeightText.longest)) }
    }

    /// Hours that are cut off may say the opposite of all of them, so an ellipsis makes them unreadable.
    fileprivate var openingHours: String? {
        self["opening_hours"].map { text in
            let plain = OpeningHours.line(text).withoutControls
            guard plain.count > OpeningHours.longest else { return String(plain) }
            return "\(String(plain.prefix(OpeningHours.longest - 1)))\u{2026}"
        }
    }

    fileprivate var features: [Contracts.CarParkFeature] {
        var features: Set<Contracts.CarParkFeature> = []
        let said: [(key: String, Contracts.CarParkFeature)] = [
            ("covered", .covered), ("lit", .lit), ("supervised", .guarded), ("toilets", .toilets),
            ("elevator", .lift), ("surveillance", .cctv), ("car_wash", .carWash),
        ]
        for (key, feature) in said where self[key] ?? "no" != "no" { features.insert(feature) }
        if self["capacity:charging"] ?? "0" != "0", self["capacity:charging"] != "no" {
            features.insert(.charging)
        }
        for value in [self["parking"], self["location"]] {
            switch value {
            case "multi-storey": features.formUnion([.multiStorey, .covered])
            case "underground": features.formUnion([.underground, .covered])
            default: break
            }
        }
        return Array(features)
    }
}

extension String {
    fileprivate var withoutControls: String.UnicodeScalarView {
        unicodeScalars.filter { $0.properties.generalCategory != .control }
    }
}
