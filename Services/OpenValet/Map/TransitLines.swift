import Foundation
import Geo
import Transit

/// The lines of public transport in an extract: relations of `type=route`, with their stops in order
/// (https://wiki.openstreetmap.org/wiki/Public_transport).
struct TransitLines {
    /// osmium's filter for these relations.
    static let filter = "r/route=\(modes.keys.sorted().joined(separator: ","))"
    private static let modes: [String: TransitMode] = [
        "bus": .bus, "trolleybus": .trolleybus, "tram": .tram, "light_rail": .tram,
        "subway": .subway, "train": .rail, "monorail": .monorail, "ferry": .ferry,
        "funicular": .funicular, "aerialway": .aerialLift,
    ]
    /// Longest distance between two stops of a line; beyond it, stops are missing or out of order.
    private static let mostMeters: [TransitMode: Double] = [.bus: 15_000, .tram: 10_000]
    private static let mostMetersOtherwise = 100_000.0
    /// Largest gap between two ways of one line.
    private static let mostGapMeters = 100.0

    private struct Node {
        let at: Coordinate
        let tags: [String: String]
    }

    private struct Relation {
        let id: Int
        let tags: [String: String]
        let members: [(type: Character, id: Int, role: Substring)]
    }

    private var nodes: [Int: Node] = [:]
    private var ways: [Int: [Int]] = [:]
    private var wayTags: [Int: [String: String]] = [:]
    private var relations: [Relation] = []

    /// Reads what osmium wrote of a filtered extract: objects as lines (https://osmcode.org/opl-file-format).
    init(opl file: URL) throws {
        let data = try Data(contentsOf: file, options: .mappedIfSafe)
        for line in data.split(separator: UInt8(ascii: "\n")) {
            read(String(decoding: line, as: UTF8.self))
        }
    }

    private mutating func read(_ line: String) {
        let fields = line.split(separator: " ")
        guard let id = fields.first.flatMap({ Int($0.dropFirst()) }) else { return }
        func field(_ letter: Character) -> Substring? {
            fields.dropFirst().first { $0.first == letter }?.dropFirst()
        }
        let tags = Self.tags(field("T") ?? "")
        switch line.first {
        case "n":
            guard let latitude = field("y").flatMap({ Double($0) }),
                let longitude = field("x").flatMap({ Double($0) })
            else { return }
            nodes[id] = Node(
                at: Coordinate(latitude: latitude, longitude: longitude), tags: tags)
        case "w":
            ways[id] = (field("N") ?? "").split(separator: ",").compactMap {
                Int($0.dropFirst().prefix { $0.isNumber || $0 == "-" })
            }
            if !tags.isEmpty { wayTags[id] = tags }
        case "r":
            let members = (field("M") ?? "").split(separator: ",").compactMap { member in
                let parts = member.split(separator: "@", omittingEmptySubsequences: false)
                return member.first.flatMap { type in
                    parts.first.flatMap { Int($0.dropFirst()) }.map {
                        (type: type, id: $0, role: parts.count > 1 ? parts[1] : "")
                    }
                }
            }
            relations.append(Relation(id: id, tags: tags, members: members))
        default: break
        }
    }

    private static func tags(_ text: Substring) -> [String: String] {
        text.split(separator: ",").reduce(into: [:]) { tags, tag in
            let parts = tag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return }
            tags[decoded(parts[0])] = decoded(parts[1])
        }
    }

    /// Special characters are written as numbers: `%20%`.
    private static func decoded(_ text: Substring) -> String {
        guard text.contains("%") else { return String(text) }
        return text.split(separator: "%", omittingEmptySubsequences: false).enumerated()
            .map { place, part in
                guard place % 2 == 1 else { return String(part) }
                return UInt32(part, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
            }.joined()
    }

    // MARK: Lines

    /// Lines with at least two stops, sorted by id.
    var lines: [MadeUpLine] {
        relations.sorted { $0.id < $1.id }.compactMap(line)
    }

    private func line(_ relation: Relation) -> MadeUpLine? {
        let tags = relation.tags
        guard tags["type"] == "route", let mode = tags["route"].flatMap({ Self.modes[$0] }) else {
            return nil
        }
        let stops = stops(of: relation)
        let most = Self.mostMeters[mode] ?? Self.mostMetersOtherwise
        guard Set(stops.map(\.id)).count > 1,
            zip(stops, stops.dropFirst()).allSatisfy({ Geo.distanceMeters($0.at, $1.at) <= most })
        else { return nil }
        let name = tags["name"] ?? ""
        return MadeUpLine(
            id: "r\(relation.id)", ref: tags["ref"] ?? (name.isEmpty ? "r\(relation.id)" : ""),
            name: name, mode: mode, wheelchair: Self.wheelchair(tags), stops: stops,
            geometry: geometry(of: relation))
    }

    private static func wheelchair(_ tags: [String: String]) -> Feed.Wheelchair {
        switch tags["wheelchair"] {
        case "yes", "designated": .yes
        case "no": .no
        default: .unknown
        }
    }

    /// Stop positions or platforms, whichever are more complete: many relations have both for each stop.
    private func stops(of relation: Relation) -> [MadeUpLine.Stop] {
        func named(_ isMeant: (Substring) -> Bool) -> [MadeUpLine.Stop] {
            relation.members.filter { isMeant($0.role) }.compactMap { stop($0.type, $0.id) }
        }
        let positions = named { $0.hasPrefix("stop") || $0.hasSuffix("_stop") }
        let platforms = named { $0.hasPrefix("platform") }
        return positions.count >= platforms.count ? positions : platforms
    }

    private func stop(_ type: Character, _ id: Int) -> MadeUpLine.Stop? {
        let (points, tags): ([Coordinate], [String: String])
        switch type {
        case "n": (points, tags) = ([nodes[id]?.at].compactMap(\.self), nodes[id]?.tags ?? [:])
        case "w":
            (points, tags) = ((ways[id] ?? []).compactMap { nodes[$0]?.at }, wayTags[id] ?? [:])
        default: return nil
        }
        guard !points.isEmpty else { return nil }
        let count = Double(points.count)
        return .init(
            id: "\(type)\(id)", name: tags["name"] ?? tags["ref"] ?? "\(type)\(id)",
            at: Coordinate(
                latitude: points.map(\.latitude).reduce(0, +) / count,
                longitude: points.map(\.longitude).reduce(0, +) / count),
            wheelchair: Self.wheelchair(tags))
    }

    /// Its ways, each turned to continue the one before; empty if they don't connect.
    private func geometry(of relation: Relation) -> [Coordinate] {
        var line: [Coordinate] = []
        let members = relation.members.filter { member in
            member.type == "w" && !member.role.hasPrefix("platform")
                && !member.role.hasPrefix("stop")
        }
        let pieces = members.map { (ways[$0.id] ?? []).compactMap { nodes[$0]?.at } }
            .filter { $0.count > 1 }
        for (place, piece) in pieces.enumerated() {
            guard let first = piece.first, let last = piece.last else { continue }
            let isTurned: Bool
            if let end = line.last {
                isTurned = Geo.distanceMeters(end, last) < Geo.distanceMeters(end, first)
                guard Geo.distanceMeters(end, isTurned ? last : first) <= Self.mostGapMeters else {
                    return []
                }
            } else {
                // The first way is turned towards the next.
                let next = place + 1 < pieces.count ? pieces[place + 1] : []
                let ends = [next.first, next.last].compactMap(\.self)
                func nearest(_ point: Coordinate) -> Double {
                    ends.map { Geo.distanceMeters(point, $0) }.min() ?? 0
                }
                isTurned = nearest(first) < nearest(last)
            }
            line += (isTurned ? piece.reversed() : piece).drop { $0 == line.last }
        }
        return line
    }
}
