import AsyncHTTPClient
import Foundation
import Geo
import ServiceKit

/// A Valhalla server (valhalla.github.io/valhalla/api): `/route` and `/sources_to_targets`.
public struct Valhalla: RoadRouter {
    /// Valhalla's name for how valets move.
    private static let costing = "auto"
    private static let metersPerKilometer = 1_000.0

    private let source: JSONSource

    public init(_ url: URL, client: HTTPClient, limit: Duration) {
        source = JSONSource(
            "valhalla", url, client: client, .init(time: limit, largestAnswer: Roads.largestAnswer)
        )
    }

    init(_ source: JSONSource) { self.source = source }

    private struct Place: Encodable {
        let lat: Double
        let lon: Double

        init(_ point: Coordinate) { (lat, lon) = (point.latitude, point.longitude) }
    }

    private struct RouteQuestion: Encodable {
        let locations: [Place]
        let costing = Valhalla.costing
        let units = "kilometers"
        /// No words for each turn.
        let directions_type = "none"
    }

    private struct RouteAnswer: Decodable {
        struct Summary: Decodable {
            let time: Double
            /// In the units that were asked for.
            let length: Double
        }

        struct Leg: Decodable {
            let shape: String
        }

        struct Trip: Decodable {
            let legs: [Leg]
            let summary: Summary
        }

        let trip: Trip
    }

    public func route(from start: Coordinate, to end: Coordinate) async throws -> Route {
        let question = RouteQuestion(locations: [Place(start), Place(end)])
        let trip = try await source.post("/route", question, as: RouteAnswer.self).trip
        return Route(
            points: try trip.legs.flatMap { try Polyline.decode($0.shape) },
            distanceMeters: trip.summary.length * Self.metersPerKilometer,
            durationSeconds: trip.summary.time)
    }

    private struct MatrixQuestion: Encodable {
        let sources: [Place]
        let targets: [Place]
        let costing = Valhalla.costing
        let units = "kilometers"
        /// Rows of numbers instead of an object for each pair.
        let verbose = false
    }

    private struct MatrixAnswer: Decodable {
        struct Rows: Decodable {
            let durations: [[Double?]]
        }

        let sources_to_targets: Rows
    }

    public func travelSeconds(
        from starts: [Coordinate], to ends: [Coordinate]
    ) async throws -> [[Double?]] {
        let question = MatrixQuestion(
            sources: starts.map(Place.init), targets: ends.map(Place.init))
        return try await source.post("/sources_to_targets", question, as: MatrixAnswer.self)
            .sources_to_targets.durations
    }
}
