import AsyncHTTPClient
import Foundation
import Geo
import ServiceKit

/// An OSRM server (project-osrm.org/docs, version 1): `/route` and `/table` of its one profile.
public struct OSRM: RoadRouter {
    private static let profile = "driving"

    private let source: JSONSource

    public init(_ url: URL, client: HTTPClient, limit: Duration) {
        source = JSONSource(
            "osrm", url, client: client, .init(time: limit, largestAnswer: Roads.largestAnswer))
    }

    init(_ source: JSONSource) { self.source = source }

    /// The point on the roads for a requested point, and the distance between the two in metres.
    private struct Waypoint: Decodable {
        let distance: Double

        /// A table uses the nearest road, even on another continent.
        var isNear: Bool { distance <= Roads.farthestRoadMeters }
    }

    private struct RouteAnswer: Decodable {
        struct Found: Decodable {
            let geometry: String
            let distance: Double
            let duration: Double
        }

        let routes: [Found]
    }

    public func route(from start: Coordinate, to end: Coordinate) async throws -> Route {
        // Without a radius, OSRM uses the nearest road, even on another continent.
        let radius = String(Int(Roads.farthestRoadMeters))
        let answer = try await source.get(
            path("route", [start, end]),
            [
                ("overview", "full"), ("geometries", "polyline6"), ("steps", "false"),
                ("alternatives", "false"), ("radiuses", "\(radius);\(radius)"),
            ], as: RouteAnswer.self)
        guard let best = answer.routes.first else { throw RoutingError.refused }
        return Route(
            points: try Polyline.decode(best.geometry), distanceMeters: best.distance,
            durationSeconds: best.duration)
    }

    private struct TableAnswer: Decodable {
        let durations: [[Double?]]
        let sources: [Waypoint]
        let destinations: [Waypoint]
    }

    public func travelSeconds(
        from starts: [Coordinate], to ends: [Coordinate]
    ) async throws -> [[Double?]] {
        func indices(_ range: Range<Int>) -> String {
            // OSRM's separator is a semicolon, which is escaped like everything else.
            range.map(String.init).joined(separator: ";")
        }
        let all = starts + ends
        let answer = try await source.get(
            path("table", all),
            [
                ("sources", indices(0..<starts.count)),
                ("destinations", indices(starts.count..<all.count)),
                ("annotations", "duration"),
            ], as: TableAnswer.self)
        guard answer.sources.count == starts.count, answer.destinations.count == ends.count,
            answer.durations.allSatisfy({ $0.count == ends.count })
        else { throw RoutingError.away }
        return zip(answer.sources, answer.durations).map { start, row in
            zip(answer.destinations, row).map { end, seconds in
                start.isNear && end.isNear ? seconds : nil
            }
        }
    }

    /// Coordinates are longitude first.
    private func path(_ service: String, _ points: [Coordinate]) -> String {
        let text = points.map { point in
            String(format: "%.6f,%.6f", point.longitude, point.latitude)
        }
        return "/\(service)/v1/\(Self.profile)/" + text.joined(separator: ";")
    }
}
