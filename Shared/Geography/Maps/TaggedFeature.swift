import Contracts
import Foundation
import Geo

/// A GeoJSON feature (RFC 7946) whose properties are OpenStreetMap's tags.
public struct TaggedFeature: Sendable, Hashable {
    public static let longestSource = 200

    /// Its point, or a point on the surface of its area; nil if it has neither.
    public let position: Coordinate?
    private let tags: [String: String]

    /// Nil if it isn't a feature.
    public init?(_ json: JSONValue) {
        guard let feature = try? json.decoded(as: Feature.self) else { return nil }
        position = feature.geometry?.middle
        tags = (feature.properties ?? [:]).compactMapValues { value in
            switch value {
            case .text(let text):
                let text = text.withoutDirectionMarks
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                return text.isEmpty ? nil : text
            case .integer(let number): return String(number)
            case .number(let number): return String(number)
            case .bool(let isSo): return isSo ? "yes" : "no"
            case .null, .list, .object: return nil
            }
        }
    }

    public subscript(_ key: String) -> String? { tags[key] }

    /// The address from its tags, or the nearest street; empty if unknown.
    public var address: String {
        if let whole = self["addr:full"] { return whole }
        let house = [self["addr:street"], self["addr:housenumber"]].compactMap(\.self)
        let town = [self["addr:postcode"], self["addr:city"]].compactMap(\.self)
        let street = house.isEmpty ? self["nearestStreet"] ?? "" : house.joined(separator: " ")
        return [street, town.joined(separator: " ")].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// The time zone at its position; near a border, that of its `addr:country`. Nil without a position on the globe.
    public var zone: TimeZones.Zone? {
        position.flatMap { TimeZones.zone(at: $0, in: HouseOrder.country(tags)) }
    }

    /// The id for recognising it in a later import: its own id, or `@id` in its properties, as overpass-turbo.eu
    /// writes it. Also works for a feature that can't be imported.
    public static func source(of json: JSONValue) -> String? {
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
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return (1...longestSource).contains(text.count) && isPlain ? text : nil
    }

    /// Converts `w4025`, or `a8050`, to `way/4025`. osmium numbers areas with twice the way's number, or one more
    /// than twice the relation's.
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

/// The GeoJSON form.
private struct Feature: Decodable {
    enum Kind: String, Decodable { case feature = "Feature" }

    let type: Kind
    let geometry: Geometry?
    let properties: [String: JSONValue]?
}

private struct Geometry: Decodable {
    let type: String
    let coordinates: JSONValue

    /// The point, or a point on the surface of an area; nil for other geometries.
    var middle: Coordinate? {
        switch type {
        case "Point":
            return (try? coordinates.decoded(as: [Double].self)).flatMap(Self.point)
        case "Polygon":
            return middle(of: (try? coordinates.decoded(as: [[[Double]]].self)).map { [$0] })
        case "MultiPolygon":
            return middle(of: try? coordinates.decoded(as: [[[[Double]]]].self))
        default: return nil
        }
    }

    private func middle(of polygons: [[[[Double]]]]?) -> Coordinate? {
        Area.pointOnSurface(of: (polygons ?? []).map { $0.map(Self.ring) })
    }

    /// Some files leave out the last point, which repeats the first.
    private static func ring(_ numbers: [[Double]]) -> [Coordinate] {
        let points = numbers.compactMap(point)
        return points.first == points.last ? points : points + points.prefix(1)
    }

    private static func point(_ numbers: [Double]) -> Coordinate? {
        guard numbers.count >= 2 else { return nil }
        return Coordinate(latitude: numbers[1], longitude: numbers[0])
    }
}

extension String {
    /// The text without marks that turn the direction of writing, which maps contain and our texts may not.
    fileprivate var withoutDirectionMarks: String {
        guard unicodeScalars.contains(where: \.properties.isBidiControl) else { return self }
        var text = self
        text.unicodeScalars.removeAll(where: \.properties.isBidiControl)
        return text
    }
}
