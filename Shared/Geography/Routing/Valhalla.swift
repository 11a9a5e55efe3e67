import AsyncHTTPClient
import Contracts
import Foundation
import Geo
import ServiceKit

/// A client for Valhalla (valhalla.github.io/valhalla/api): `/route`, `/sources_to_targets` and `/isochrone`.
public struct Valhalla: RoadRouter {
    private static let metersPerKilometer = 1_000.0

    private let source: JSONSource

    public init(_ url: URL, client: HTTPClient, limit: Duration) {
        source = JSONSource(
            "valhalla", url, client: client, .init(time: limit, largestAnswer: Roads.largestAnswer)
        )
    }

    init(_ source: JSONSource) { self.source = source }

    private struct Place: Encodable {
        struct Filter: Encodable { let exclude_tunnel = true }

        let lat: Double
        let lon: Double
        /// A route may begin or end on any road within this distance in metres; nil for the nearest road.
        let radius: Int?
        /// A road network with fewer roads counts as an island. Valhalla's default of 50 takes nearly twice as long
        /// to find a place, with the same routes.
        let minimum_reachability: Int
        let search_filter: Filter?
        /// Whether to prefer the nearest of the roads around; Valhalla's default is true.
        let rank_candidates: Bool?

        /// A place where a route begins or ends. Cars use the nearest street outside tunnels. Walkers use the best
        /// path within some metres: the nearest may be a tunnel below the building, whose entrance is far away, or
        /// the stairs to a tram stop.
        init(_ point: Coordinate, _ mode: TravelMode, rank_candidates: Bool? = nil) {
            (lat, lon) = (point.latitude, point.longitude)
            (radius, minimum_reachability, search_filter) =
                mode.isOnFoot ? (20, 5, nil) : (nil, 20, Filter())
            self.rank_candidates = rank_candidates
        }
    }

    private enum Costing: String, Encodable {
        case auto, pedestrian, bicycle

        init(_ mode: TravelMode) {
            switch mode {
            case .car: self = .auto
            case .foot, .wheelchair: self = .pedestrian
            case .bicycle: self = .bicycle
            }
        }
    }

    private struct CostingOptions: Encodable {
        struct Pedestrian: Encodable { let type = "wheelchair" }

        let pedestrian = Pedestrian()

        init?(_ mode: TravelMode) {
            guard mode == .wheelchair else { return nil }
        }
    }

    private struct RouteQuestion: Encodable {
        let locations: [Place]
        let costing: Costing
        let costing_options: CostingOptions?
        let units = "kilometers"
        /// `none` omits turns; `maneuvers` gives everything except the words.
        var directions_type = "none"
        /// Number of alternative routes besides the best.
        var alternates = 0

        init(_ points: [Coordinate], _ mode: TravelMode) {
            locations = points.map { Place($0, mode) }
            (costing, costing_options) = (Costing(mode), CostingOptions(mode))
        }
    }

    private struct RouteAnswer: Decodable {
        struct Summary: Decodable {
            let time: Double
            /// In the requested units.
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
            /// Index into the shape of the leg.
            let begin_shape_index: Int
        }

        struct Trip: Decodable {
            let legs: [Leg]
            let summary: Summary
        }

        struct Alternate: Decodable { let trip: Trip }

        let trip: Trip
        let alternates: [Alternate]?
    }

    public func route(from start: Coordinate, to end: Coordinate) async throws -> Route {
        let question = RouteQuestion([start, end], .car)
        return try Self.route(
            await source.post("/route", question, as: RouteAnswer.self).trip)
    }

    public func ways(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode, most: Int
    ) async throws -> [Route] {
        var question = RouteQuestion([start, end], mode)
        (question.directions_type, question.alternates) = ("maneuvers", most - 1)
        let answer = try await source.post("/route", question, as: RouteAnswer.self)
        return try ([answer.trip] + (answer.alternates ?? []).map(\.trip)).map(Self.route)
    }

    private static func route(_ trip: RouteAnswer.Trip) throws -> Route {
        var (points, steps) = ([Coordinate](), [RouteStep]())
        for leg in trip.legs {
            let shape = try Polyline.decode(leg.shape)
            points += shape
            steps += try (leg.maneuvers ?? []).map { try step($0, along: shape) }
        }
        return Route(
            points: points, distanceMeters: trip.summary.length * metersPerKilometer,
            durationSeconds: trip.summary.time, steps: steps)
    }

    private static func step(
        _ maneuver: RouteAnswer.Maneuver, along shape: [Coordinate]
    ) throws -> RouteStep {
        let meters = maneuver.length * metersPerKilometer
        guard (0...Roads.longestMeters).contains(meters),
            (0...Roads.longestSeconds).contains(maneuver.time),
            shape.indices.contains(maneuver.begin_shape_index)
        else { throw RoutingError.away }
        return RouteStep(
            kind(of: maneuver.type), street: maneuver.street_names?.first,
            at: shape[maneuver.begin_shape_index], distanceMeters: meters,
            durationSeconds: Int(maneuver.time.rounded()))
    }

    /// Valhalla's numbers of maneuvers (valhalla.github.io/valhalla/api/turn-by-turn/api-reference).
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
        let costing: Costing
        let costing_options: CostingOptions?
        let units = "kilometers"
        /// Rows of numbers instead of an object for each pair.
        let verbose = false

        init(_ starts: [Coordinate], _ ends: [Coordinate], _ mode: TravelMode) {
            // Otherwise a search by car does not leave a nearer island.
            sources = starts.map {
                Place($0, mode, rank_candidates: mode.isOnFoot ? nil : false)
            }
            targets = ends.map { Place($0, mode) }
            (costing, costing_options) = (Costing(mode), CostingOptions(mode))
        }
    }

    private struct MatrixAnswer: Decodable {
        struct Rows: Decodable {
            let durations: [[Double?]]
            let distances: [[Double?]]?
        }

        let sources_to_targets: Rows
    }

    /// Splits the request into parts with no more starts than ends. With more starts, Valhalla's search per row
    /// answers as if one-way streets had the opposite direction.
    public func travelSeconds(
        from starts: [Coordinate], to ends: [Coordinate]
    ) async throws -> [[Double?]] {
        let parts = starts.chunks(of: ends.count).map { MatrixQuestion($0, ends, .car) }
        let answers = await parts.concurrentMap(atOnce: Roads.atOnce) { part in
            await Result { try await matrix(part).durations }
        }
        return try answers.flatMap { try $0.get() }
    }

    public func distances(
        from start: Coordinate, to ends: [Coordinate], by mode: TravelMode
    ) async throws -> [Distance?] {
        let found = try await matrix(MatrixQuestion([start], ends, mode))
        guard let seconds = found.durations.first, let kilometers = found.distances?.first,
            seconds.count == kilometers.count
        else { throw RoutingError.away }
        return zip(seconds, kilometers).map { seconds, kilometers in
            guard let seconds, let kilometers else { return nil }
            return Distance(seconds: seconds, meters: kilometers * Self.metersPerKilometer)
        }
    }

    private func matrix(_ question: MatrixQuestion) async throws -> MatrixAnswer.Rows {
        try await source.post("/sources_to_targets", question, as: MatrixAnswer.self)
            .sources_to_targets
    }

    private struct IsochroneQuestion: Encodable {
        struct Contour: Encodable { let time: Double }

        let locations: [Place]
        let costing: Costing
        let costing_options: CostingOptions?
        /// Minutes.
        let contours: [Contour]
        let polygons = true
    }

    private struct IsochroneAnswer: Decodable {
        struct Feature: Decodable { let geometry: AreaGeometry }

        let features: [Feature]
    }

    public func isochrone(
        around start: Coordinate, by mode: TravelMode, seconds: Int
    ) async throws -> AreaGeometry {
        let question = IsochroneQuestion(
            locations: [Place(start, mode)], costing: Costing(mode),
            costing_options: CostingOptions(mode),
            contours: [.init(time: Double(seconds) / 60)])
        let answer = try await source.post("/isochrone", question, as: IsochroneAnswer.self)
        guard let area = answer.features.first?.geometry else { throw RoutingError.refused }
        return area
    }
}

extension TravelMode {
    fileprivate var isOnFoot: Bool { self == .foot || self == .wheelchair }
}
