import Contracts
import Foundation
import Geo
import Hummingbird
import ProductKit
import Routing
import ServiceKit
import Store

/// Maps HTTP requests to use cases: addresses, routes and areas within reach.
extension PlacesParts {
    func addPlaces(to router: Router<Context>) {
        router.on(PlaceEndpoints.places) { call in
            let asked = call.query
            return try await find(
                Check.text(asked.query, "query", FindPlacesQuery.lengths), near: asked.point,
                limit: asked.limit ?? FindPlacesQuery.usualLimit,
                language: call.request.askersLanguage)
        }
        router.on(PlaceEndpoints.placesAround) {
            await geocoder.reverse($0.point, language: $0.request.askersLanguage)
        }
        router.on(PlaceEndpoints.routes) { call in
            let limits = ReachLimits(try await mobility.mobility(of: call.caller))
            let question = try call.travelQuestion(of: limits.modes, at: environment.clock.now)
            let routes = await planner.routes(question, within: limits)
            return TravelRoutes(
                items: routes,
                attribution: routes.allSatisfy(\.isStraightLine) ? nil : planner.roads.attribution)
        }
        router.on(PlaceEndpoints.reachable) { call in
            var limits = ReachLimits(try await mobility.mobility(of: call.caller))
            limits.modes = try call.query.modes?.some("modes") ?? limits.modes
            limits.maxWalkMeters = call.query.maxWalkMeters ?? limits.maxWalkMeters
            limits.maxSeconds = call.query.maxSeconds ?? limits.maxSeconds
            let features = await planner.reachable(
                from: call.point, within: limits, at: call.query.departAt ?? environment.clock.now)
            let areas = ReachableAreas(
                features,
                attribution: features.allSatisfy(\.properties.isStraightLine)
                    ? nil : planner.roads.attribution)
            return try Reply(
                areas, headers: [.contentType: MediaType.geoJSON.rawValue])
        }
        router.on(MobilityEndpoints.mobility) { try await mobility.mobility(of: $0.person.person) }
        router.on(MobilityEndpoints.putMobility) {
            try await mobility.put($0.body, of: $0.person.person)
        }
        router.on(MobilityEndpoints.changeMobility) {
            try await mobility.change($0.body, of: $0.person.person)
        }
    }

    /// Searches addresses in the service areas, or in the one nearest to a point.
    private func find(
        _ text: String, near bias: Coordinate?, limit: Int, language: String
    ) async throws -> PlacesAnswer {
        let known = try await database.read { try areas.requireSome(in: $0).map(\.shape) }
        let nearest = bias.flatMap { bias in
            known.min { $0.distanceMeters(to: bias) < $1.distanceMeters(to: bias) }
        }
        let boxes = (nearest.map { [$0] } ?? known).flatMap(\.polygons).map(\.boundingBox)
        return await geocoder.search(
            PlaceSearch(
                text: text, limit: limit, language: language, near: bias,
                within: BoundingBox(around: boxes)))
    }
}

extension BoundingBox {
    /// Nil for no boxes. Spans all longitudes if one of them crosses the antimeridian.
    fileprivate init?(around boxes: [BoundingBox]) {
        guard let south = boxes.map(\.south).min(), let north = boxes.map(\.north).max(),
            let west = boxes.map(\.west).min(), let east = boxes.map(\.east).max()
        else { return nil }
        let crosses = boxes.contains(where: \.crossesAntimeridian)
        self.init(
            south: south, west: crosses ? -180 : west, north: north, east: crosses ? 180 : east)
    }
}

extension Call {
    /// Nil for callers who are not signed in.
    var caller: PersonID? { (try? person)?.person }
}

extension CommaSeparated {
    /// Throws if the set is empty.
    func some(_ field: String) throws(Refusal) -> Set<Element> {
        guard !values.isEmpty else { throw Refusal.invalid(field, Self.form) }
        return values
    }
}

extension Call<RoutesQuery> {
    /// Uses the requested mode, or the default for the caller's modes.
    fileprivate func travelQuestion(
        of modes: Set<MobilityMode>, at now: Date
    ) throws -> TravelQuestion {
        guard query.departAt == nil || query.arriveBy == nil else {
            throw Refusal.invalid("arriveBy", "Use either `departAt` or `arriveBy`.")
        }
        let tag = query.language ?? request.headers[.acceptLanguage]
        return TravelQuestion(
            from: query.from.point, to: query.to.point,
            mode: query.mode ?? TravelPlanner.usual(of: modes),
            ridden: (query.mode.map { [$0] } ?? modes).filter(\.isTransit),
            time: query.arriveBy.map { .arriveBy($0) } ?? .departAt(query.departAt ?? now),
            most: query.alternatives ?? 1, language: Language(accepting: tag))
    }
}

extension Request {
    /// The most characters of an `Accept-Language` that are passed on.
    private static var longestLanguage: Int { 100 }
    private static var standardLanguage: String { "en" }

    /// The caller's languages in the form of `Accept-Language` (RFC 9110 §12.5.4): `zh-Hant, en;q=0.5`.
    fileprivate var askersLanguage: String {
        let text = headers[.acceptLanguage] ?? ""
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-,;=.* ".utf8.contains(byte)
            }
        }
        return isPlain && (1...Self.longestLanguage).contains(text.utf8.count)
            ? text : Self.standardLanguage
    }
}
