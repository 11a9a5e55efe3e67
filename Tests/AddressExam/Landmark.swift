import Contracts
import Foundation
import Geo

/// Something of an extract that people look for, read without any of the index's code.
struct Landmark {
    /// How far from it an answer may be.
    static let meters = 150.0

    /// What the sign says, and what it is called by languages.
    var names: [String: String]
    /// Of a house, whose names are its street's.
    let number: String?
    /// Its other names, from `alt_name` and the like.
    var others: Set<String> = []
    /// Of its postal address; nil where it is not tagged.
    var postcode, town: String?
    /// Of all that are called so.
    var boxes: [BoundingBox]

    var sign: String { names[""] ?? "" }

    /// Whether an answer is it, or another one of the same name.
    func isMeant(by place: FoundPlace) -> Bool {
        let isCalledSo: Bool
        if let number {
            // Its town may follow.
            let parts = place.address.split(separator: ", ")
            let lines = Set(parts.indices.map { Self.key(parts[...$0].joined()) })
            isCalledSo =
                place.name == nil
                && names.values.contains { street in
                    lines.contains(Self.key("\(number) \(street)"))
                        || lines.contains(Self.key("\(street) \(number)"))
                }
        } else {
            isCalledSo = names.values.contains { Self.key($0) == Self.key(place.name ?? "") }
        }
        return isCalledSo && boxes.contains { $0.isWithin(Self.meters, of: place) }
    }

    /// Small letters without marks.
    static func plain(_ text: String) -> String {
        text.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
            .replacing("ħ", with: "h")
    }

    /// What is one name however it is written: "3 A" and "3a", "Sant' Anna" and "Sant'Anna".
    static func key(_ text: String) -> String { plain(text).filter { $0.isLetter || $0.isNumber } }

    /// All that has a name, but boundaries and lines that are no road; and all houses.
    static func all(in features: URL) throws -> [Landmark] {
        var named: [String: Landmark] = [:]
        var houses: [String: Landmark] = [:]
        for line in try String(contentsOf: features, encoding: .utf8).split(separator: "\n") {
            let feature = try JSONDecoder().decode(Feature.self, from: Data(line.utf8))
            let (tags, box) = (feature.properties, feature.geometry.box)
            if let street = tags["addr:street"], let number = tags["addr:housenumber"] {
                houses[
                    "\(key(street))\n\(key(number))",
                    default: Landmark(names: ["": street], number: number, boxes: [])
                ].add(house: tags, box)
            }
            let isLine = feature.geometry.type == "LineString"
            guard let sign = tags["name"], tags["boundary"] == nil,
                isLine == (tags["highway"] != nil)
                    || feature.geometry.type == "Point"
            else { continue }
            named[key(sign), default: Landmark(names: ["": sign], number: nil, boxes: [])]
                .add(named: tags, box)
        }
        let streets = houses.values.map { house in
            var house = house
            if let street = named[key(house.sign)] {
                (house.names, house.others) = (street.names, street.others)
            }
            return house
        }
        return Array(named.values) + streets
    }

    private mutating func add(named tags: [String: String], _ box: BoundingBox) {
        for (tag, name) in tags {
            if tag.wholeMatch(of: /name:[a-z]{2}/) != nil {
                names[String(tag.dropFirst("name:".count))] = name
            } else if tag.wholeMatch(of: /(alt|official|short|old|loc)_name(:.+)?/) != nil {
                others.formUnion(name.split(separator: ";").map(String.init))
            }
        }
        boxes.append(box)
    }

    private mutating func add(house tags: [String: String], _ box: BoundingBox) {
        postcode = postcode ?? tags["addr:postcode"]
        town = town ?? tags["addr:city"]
        boxes.append(box)
    }
}

private struct Feature: Decodable {
    struct Geometry: Decodable {
        private enum Key: String, CodingKey { case type, coordinates }

        let type: String
        let box: BoundingBox

        init(from decoder: any Decoder) throws {
            let geometry = try decoder.container(keyedBy: Key.self)
            func numbers<Numbers: Decodable>() throws -> Numbers {
                try geometry.decode(Numbers.self, forKey: .coordinates)
            }
            type = try geometry.decode(String.self, forKey: .type)
            let positions: [[Double]] =
                switch type {
                case "Point": [try numbers()]
                case "LineString": try numbers()
                case "Polygon": try (numbers() as [[[Double]]]).flatMap(\.self)
                default: try (numbers() as [[[[Double]]]]).flatMap { $0.flatMap(\.self) }
                }
            let (longitudes, latitudes) = (positions.map { $0[0] }, positions.map { $0[1] })
            box = BoundingBox(
                south: latitudes.min() ?? 0, west: longitudes.min() ?? 0,
                north: latitudes.max() ?? 0, east: longitudes.max() ?? 0)
        }
    }

    let properties: [String: String]
    let geometry: Geometry
}

extension BoundingBox {
    fileprivate func isWithin(_ meters: Double, of place: FoundPlace) -> Bool {
        let point = Coordinate(latitude: place.latitude, longitude: place.longitude)
        let nearest = Coordinate(
            latitude: min(max(point.latitude, south), north),
            longitude: min(max(point.longitude, west), east))
        return Geo.distanceMeters(point, nearest) <= meters
    }
}
