import Contracts
import Foundation
import Geo
import Hummingbird
import Routing
import ServiceKit
import Store

/// HTTP to use case, for addresses, ways and what is within reach.
struct PlaceRoutes: Sendable {
    /// Characters of what somebody looks for.
    static let queryLengths = 2...200
    static let placeLimits = 1...20
    static let usualPlaces = 8

    let database: Database
    let areas: KnownAreas
    let geocoder: Geocoder
    let planner: TravelPlanner
    let mobility: MobilityUseCases
    let roads: Roads
    let clock: ServiceClock

    func add(to router: Router<Context>) {
        router.on(PlaceEndpoints.places) { call in
            let text = try Check.text(call.query("query") ?? "", "query", Self.queryLengths)
            let limit = try call.query("limit").map { text in
                try Check.int(Int(text) ?? 0, "limit", in: Self.placeLimits)
            }
            return try await find(
                text, near: call.pointIfPresent, limit: limit ?? Self.usualPlaces,
                language: call.request.askersLanguage)
        }
        router.on(PlaceEndpoints.placesAround) {
            await geocoder.reverse(try $0.point, language: $0.request.askersLanguage)
        }
        router.on(PlaceEndpoints.routes) { call in
            let limits = ReachLimits(try await mobility.mobility(of: call.caller))
            let question = try call.travelQuestion(of: limits.modes, at: clock.now)
            let routes = await planner.routes(question, within: limits)
            return TravelRoutes(
                items: routes,
                attribution: routes.allSatisfy(\.isStraightLine) ? nil : roads.attribution)
        }
        router.on(PlaceEndpoints.reachable) { call in
            var limits = ReachLimits(try await mobility.mobility(of: call.caller))
            limits.modes = try call.modes() ?? limits.modes
            limits.maxWalkMeters =
                try call.number("maxWalkMeters", in: MobilityRules.walk) ?? limits.maxWalkMeters
            limits.maxSeconds =
                try call.number("maxSeconds", in: MobilityRules.seconds) ?? limits.maxSeconds
            let features = await planner.reachable(
                from: try call.point, within: limits,
                at: try call.time("departAt") ?? clock.now)
            let areas = ReachableAreas(
                features,
                attribution: features.allSatisfy(\.properties.isStraightLine)
                    ? nil : roads.attribution)
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

    /// What is called so in the service areas, or in the one nearest to a point.
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
    /// Nil around nothing. All longitudes when one of them crosses the antimeridian.
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
    /// Nil for who is not signed in.
    var caller: PersonID? { (try? person)?.person }

    func modes() throws -> Set<MobilityMode>? {
        try query("modes", "Of \(MobilityMode.names), separated by commas.") { text in
            let names = text.split(separator: ",")
            let modes = names.compactMap { MobilityMode(rawValue: String($0)) }
            return modes.isEmpty || modes.count < names.count ? nil : Set(modes)
        }
    }

    func time(_ name: String) throws -> Date? {
        try query(name, "An RFC 3339 time.", Wire.date)
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        try query(name, "A whole number from \(range.lowerBound) to \(range.upperBound).") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// By the mode that is asked for, or by the usual of who has these.
    fileprivate func travelQuestion(
        of modes: Set<MobilityMode>, at now: Date
    ) throws -> TravelQuestion {
        func end(_ name: String) throws -> Coordinate {
            let point = try query(name, "Latitude and longitude, as in 35.8989,14.5146.") { text in
                let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
                    .compactMap { Double($0) }
                guard numbers.count == 2, text.count(where: { $0 == "," }) == 1 else {
                    return nil as Coordinate?
                }
                let point = Coordinate(latitude: numbers[0], longitude: numbers[1])
                return point.isOnGlobe ? point : nil
            }
            guard let point else { throw InvalidRequest(name, "It has to be named.") }
            return point
        }
        let (departAt, arriveBy) = (try time("departAt"), try time("arriveBy"))
        guard departAt == nil || arriveBy == nil else {
            throw InvalidRequest("arriveBy", "Either `departAt` or `arriveBy`.")
        }
        let tag = query("language") ?? request.headers[.acceptLanguage]
        let asked = try query(
            "mode", "One of \(MobilityMode.names).", MobilityMode.init(rawValue:))
        return TravelQuestion(
            from: try end("from"), to: try end("to"),
            mode: asked ?? TravelPlanner.usual(of: modes),
            ridden: (asked.map { [$0] } ?? modes).filter(\.isTransit),
            time: arriveBy.map { .arriveBy($0) } ?? .departAt(departAt ?? now),
            most: try number("alternatives", in: 1...3) ?? 1, language: Language(accepting: tag))
    }
}

extension Request {
    /// Characters of an `Accept-Language` that is passed on.
    private static var longestLanguage: Int { 100 }
    private static var standardLanguage: String { "en" }

    /// What the asker reads, as `Accept-Language` has it (RFC 9110 §12.5.4): `zh-Hant, en;q=0.5`.
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
