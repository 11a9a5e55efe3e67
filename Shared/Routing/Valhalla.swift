import AsyncHTTPClient
import Contracts
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
        var costing = Valhalla.costing
        let units = "kilometers"
        /// `none` says nothing of turns, `maneuvers` all but the words.
        var directions_type = "none"
    }

    private struct RouteAnswer: Decodable {
        struct Summary: Decodable {
            let time: Double
            /// In the units that were asked for.
            let length: Double
        }

        struct Leg: Decodable {
            let shape: String
            let maneuvers: [Maneuver]?
        }

        struct Maneuver: Decodable {
            let type: Int
            let street_names: [String]?
            let length: Double
            let time: Double
        }

        struct Trip: Decodable {
            let legs: [Leg]
            let summary: Summary
        }

        let trip: Trip
    }

    public func route(from start: Coordinate, to end: Coordinate) async throws -> Route {
        try await route(RouteQuestion(locations: [Place(start), Place(end)]))
    }

    public func way(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode
    ) async throws -> Route {
        var question = RouteQuestion(locations: [Place(start), Place(end)])
        question.costing = mode == .foot ? "pedestrian" : Self.costing
        question.directions_type = "maneuvers"
        return try await route(question)
    }

    private func route(_ question: RouteQuestion) async throws -> Route {
        let trip = try await source.post("/route", question, as: RouteAnswer.self).trip
        return Route(
            points: try trip.legs.flatMap { try Polyline.decode($0.shape) },
            distanceMeters: trip.summary.length * Self.metersPerKilometer,
            durationSeconds: trip.summary.time,
            steps: try trip.legs.flatMap { leg in
                try (leg.maneuvers ?? []).map(Self.step)
            })
    }

    private static func step(_ maneuver: RouteAnswer.Maneuver) throws -> RouteStep {
        let meters = maneuver.length * metersPerKilometer
        guard (0...Roads.longestMeters).contains(meters),
            (0...Roads.longestSeconds).contains(maneuver.time)
        else { throw RoutingError.away }
        return RouteStep(
            kind(of: maneuver.type), street: maneuver.street_names?.first, distanceMeters: meters,
            durationSeconds: Int(maneuver.time.rounded()))
    }

    /// By Valhalla's numbers of maneuvers (valhalla.github.io/valhalla/api/turn-by-turn/api-reference).
    private static func kind(of maneuver: Int) -> RouteStep.Kind {
        switch maneuver {
        case 1, 2, 3: .depart
        case 4, 5, 6: .arrive
        case 9, 18, 20, 23: .slightRight
        case 10: .right
        case 11: .sharpRight
        case 12, 13: .uTurn
        case 14: .sharpLeft
        case 15: .left
        case 16, 19, 21, 24: .slightLeft
        case 25, 37, 38: .merge
        case 26, 27: .roundabout
        case 28, 29: .ferry
        case 39: .lift
        case 40, 41: .stairs
        default: .straight
        }
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
