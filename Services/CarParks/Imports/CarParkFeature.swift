import Contracts
import Foundation
import Geo
import ServiceKit

/// A car park as GeoJSON (RFC 7946) with OpenStreetMap's tags has it
/// (https://wiki.openstreetmap.org/wiki/Tag:amenity=parking).
struct CarParkFeature: Sendable, Hashable {
    /// By what it is known again: `way/4025` of OpenStreetMap, or whatever id it was given.
    let source: String
    let body: CarParkBody

    /// What car parks are in, where they do not say it themselves.
    struct Defaults: Sendable {
        var timeZone, currency: String?
    }

    static let longestSource = 200
    /// Whom OpenStreetMap's `access` keeps out: everybody but somebody's own people.
    private static let closedAccess: Set<String> = [
        "private", "no", "permit", "residents", "employees", "delivery", "military", "agricultural",
        "forestry", "emergency",
    ]

    /// Nil for what is left out: what is no car park, or is for somebody's own people.
    init?(_ json: JSONValue, _ defaults: Defaults) throws {
        guard let feature = try? json.decoded(as: Feature.self) else {
            throw InvalidRequest("type", "A GeoJSON Feature with geometry and properties.")
        }
        let tags = Tags(feature.properties ?? [:])
        guard tags["amenity"] ?? "parking" == "parking",
            !Self.closedAccess.contains(tags["access"] ?? "yes")
        else { return nil }
        guard let source = Self.source(of: json) else {
            throw InvalidRequest("id", "An id of 1 to \(Self.longestSource) characters.")
        }
        guard let position = feature.geometry?.middle else {
            throw InvalidRequest("geometry", "A Point, a Polygon or a MultiPolygon.")
        }
        guard let timeZone = tags["timeZone"] ?? defaults.timeZone else {
            throw InvalidRequest("timeZone", "An IANA name, as in Europe/Dublin.")
        }
        guard let currency = tags["currency"] ?? defaults.currency else {
            throw InvalidRequest("currency", "Three capital letters of ISO 4217.")
        }
        guard let name = tags.name else {
            throw InvalidRequest("name", "A text of 1 to 100 characters.")
        }
        var body = CarParkBody(
            name: name, address: tags.address, position: position, timeZone: timeZone,
            currency: currency, capacity: try tags.capacity())
        body.openingHours = tags["opening_hours"]
        body.maxHeightMeters = tags.maxHeightMeters
        body.features = tags.features
        body.phone = tags["phone"] ?? tags["contact:phone"]
        body.operator = tags["operator"]
        body.fee = tags["fee"].map { $0 != "no" }
        body.access = tags["access"] == "customers" ? .customers : .everybody
        self.source = source
        self.body = try CarParkRules.checked(body, .anyText)
    }

    /// Its own id, or `@id` of its properties, as overpass-turbo.eu writes it; also of one that can't be taken.
    static func source(of json: JSONValue) -> String? {
        guard case .object(let feature) = json else { return nil }
        var id = feature["id"] ?? .null
        if id == .null, case .object(let tags)? = feature["properties"] {
            id = tags["@id"] ?? .null
        }
        let text =
            switch id {
            case .text(let text): sourceOfOpenStreetMap(text) ?? text
            case .integer(let number): String(number)
            default: ""
            }
        return (1...longestSource).contains(text.count) ? text : nil
    }

    /// `way/4025` of `w4025`, and of `a8050`, as osmium numbers areas: twice the way's number, or one more than twice
    /// the relation's.
    private static func sourceOfOpenStreetMap(_ id: String) -> String? {
        guard let match = id.wholeMatch(of: /([nwra])(\d{1,18})/), let number = Int(match.2) else {
            return nil
        }
        switch match.1 {
        case "n": return "node/\(number)"
        case "w": return "way/\(number)"
        case "r": return "relation/\(number)"
        default: return number.isMultiple(of: 2) ? "way/\(number / 2)" : "relation/\(number / 2)"
        }
    }
}

/// As GeoJSON has it.
private struct Feature: Decodable {
    enum Kind: String, Decodable { case feature = "Feature" }

    let type: Kind
    let geometry: Geometry?
    let properties: [String: JSONValue]?
}

private struct Geometry: Decodable {
    let type: String
    let coordinates: JSONValue

    /// The point, or the middle of an area's outermost ring; nil for what is neither.
    var middle: Coordinate? {
        switch type {
        case "Point":
            return (try? coordinates.decoded(as: [Double].self)).flatMap(Self.point)
        case "Polygon":
            return middle(of: (try? coordinates.decoded(as: [[[Double]]].self))?.first)
        case "MultiPolygon":
            return middle(of: (try? coordinates.decoded(as: [[[[Double]]]].self))?.first?.first)
        default: return nil
        }
    }

    private func middle(of ring: [[Double]]?) -> Coordinate? {
        // A ring ends where it begins.
        let points = (ring ?? []).dropLast().compactMap(Self.point)
        guard !points.isEmpty else { return nil }
        let count = Double(points.count)
        return Coordinate(
            latitude: points.map(\.latitude).reduce(0, +) / count,
            longitude: points.map(\.longitude).reduce(0, +) / count)
    }

    private static func point(_ numbers: [Double]) -> Coordinate? {
        guard numbers.count >= 2 else { return nil }
        return Coordinate(latitude: numbers[1], longitude: numbers[0])
    }
}

/// OpenStreetMap's tags, as far as they say something of a car park.
private struct Tags {
    private let values: [String: String]

    init(_ properties: [String: JSONValue]) {
        values = properties.compactMapValues { value in
            switch value {
            case .text(let text):
                let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
                return text.isEmpty ? nil : text
            case .integer(let number): return String(number)
            case .number(let number): return String(number)
            case .bool(let isSo): return isSo ? "yes" : "no"
            case .null, .list, .object: return nil
            }
        }
    }

    subscript(_ key: String) -> String? { values[key] }

    /// Most have no name of their own: then it is the sign of car parks, which every language reads, and the street.
    var name: String? {
        self["name"] ?? self["operator"]
            ?? (self["addr:street"] ?? self["nearestStreet"]).map { "P \($0)" }
    }

    var address: String {
        if let whole = self["addr:full"] { return whole }
        let house = [self["addr:street"], self["addr:housenumber"]].compactMap(\.self)
        let town = [self["addr:postcode"], self["addr:city"]].compactMap(\.self)
        let street = house.isEmpty ? self["nearestStreet"] ?? "" : house.joined(separator: " ")
        return [street, town.joined(separator: " ")].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// What `capacity` counts are all spaces, those of the classes included. What is no number is not known.
    func capacity() throws -> SpaceCounts {
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
            throw InvalidRequest("capacity", "Not fewer than the spaces of its classes.")
        }
        counts[.general] = total - counts.total
        return counts
    }

    /// In metres, or feet and inches as in `6'7"`; `default` and the like are no number.
    var maxHeightMeters: Double? {
        guard let text = self["maxheight"] else { return nil }
        if let match = text.wholeMatch(of: /(\d+(?:\.\d+)?) ?m?/) { return Double(match.1) }
        guard let match = text.wholeMatch(of: /(\d+)'(?: ?(\d+)")?/), let feet = Double(match.1)
        else { return nil }
        let inches = feet * 12 + (match.2.flatMap { Double($0) } ?? 0)
        return (inches * 2.54).rounded() / 100
    }

    var features: [Contracts.CarParkFeature] {
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
