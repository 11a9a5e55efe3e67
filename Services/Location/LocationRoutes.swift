import Contracts
import Foundation
import Geo
import Hummingbird
import ServiceKit

/// HTTP to use case.
struct LocationRoutes: Sendable {
    static let radii = 1.0...6_000.0
    static let standardRadius = 3_000.0
    /// What matching may ask in one call.
    static let mostCandidatePoints = 200
    static let candidateLimits = 1...100
    static let candidateRadii = 1.0...20_000.0
    /// Characters of what somebody looks for.
    static let queryLengths = 2...200
    static let placeLimits = 1...20
    static let standardPlaces = 8

    let location: LocationUseCases
    let clock: ServiceClock

    func add(to router: Router<Context>) {
        router.on(LocationEndpoints.recordPosition, use: putLocation)
        router.on(LocationEndpoints.recordPositions, use: postLocations)
        router.on(LocationEndpoints.setAvailability, use: putAvailability)
        router.on(LocationEndpoints.nearbyValets, use: nearby)
        router.on(LocationEndpoints.track, use: track)
        router.on(LocationEndpoints.route, use: route)
        router.on(LocationEndpoints.places, use: places)
        router.on(LocationEndpoints.placesAround, use: placesAround)
        router.post("/internal/positions", use: positions)
        router.post("/internal/candidates", use: candidates)
        router.post("/internal/whereabouts", use: whereabouts)
        router.personalData { try await location.held(on: $0) }
    }

    @Sendable func putLocation(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        let body = try await context.body(PositionBody.self, of: request)
        _ = try await location.record(points([body], of: person) { "" })
        return .noContent
    }

    @Sendable func postLocations(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        let body = try await context.body(PositionsBody.self, of: request)
        guard body.points.count <= PositionsBody.most else {
            throw LocationError.invalid(
                field: "points", "At most \(PositionsBody.most) points in one request.")
        }
        var index = -1
        let points = try points(body.points, of: person) {
            index += 1
            return "points[\(index)]."
        }
        let accepted = try await location.record(points).filter { $0 == .used }.count
        return try Reply(
            .accepted, PositionsAnswer(accepted: accepted, ignored: points.count - accepted))
    }

    /// All of them, or the first field that can't be one.
    private func points(
        _ bodies: [PositionBody], of person: Identity, path: () -> String
    ) throws -> [Point] {
        let now = clock.now
        return try bodies.map { body in
            let path = path()
            do throws(PointFault) {
                return try Point(
                    .init(person: person.person, role: person.mover, point: body, receivedAt: now))
            } catch {
                throw LocationError.invalid(field: path + error.field, error.detail)
            }
        }
    }

    @Sendable func putAvailability(_ request: Request, _ context: Context) async throws -> Reply {
        let valet = try context.person()
        let body = try await context.body(AvailabilityBody.self, of: request)
        let shift: LocationStore.ShiftState =
            switch body.status {
            case .available: .on
            case .onBreak: .onBreak
            case .offline: .off
            case .busy:
                throw LocationError.invalid(
                    field: "status", "available, onBreak or offline; busy follows from jobs.")
            }
        let status = try await location.setShift(valet.valet, shift)
        return try Reply(.ok, AvailabilityBody(status: status))
    }

    @Sendable func nearby(_ request: Request, _ context: Context) async throws -> Reply {
        let center = try request.coordinate()
        let radius =
            request.query("radiusMeters") == nil
            ? Self.standardRadius : try request.double("radiusMeters", in: Self.radii)
        let items = try await location.nearby(center, radiusMeters: radius)
        return try Reply(.ok, Page(items: items))
    }

    @Sendable func track(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        let positions = try await location.track(context.id("id"), for: person)
        return try Reply(.ok, positions)
    }

    @Sendable func route(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        return try Reply(.ok, try await location.route(of: context.id("id"), for: person))
    }

    @Sendable func places(_ request: Request, _ context: Context) async throws -> Reply {
        let text = try Check.text(request.query("query") ?? "", "query", Self.queryLengths)
        let limit = try request.query("limit").map { text in
            try Check.int(Int(text) ?? 0, "limit", in: Self.placeLimits)
        }
        let hasBias = request.query("latitude") != nil || request.query("longitude") != nil
        let bias = hasBias ? try request.coordinate() : nil
        let answer = try await location.places(
            text, near: bias, limit: limit ?? Self.standardPlaces,
            language: request.askersLanguage)
        return try Reply(.ok, answer)
    }

    @Sendable func placesAround(_ request: Request, _ context: Context) async throws -> Reply {
        let answer = await location.places.reverse(
            try request.coordinate(), language: request.askersLanguage)
        return try Reply(.ok, answer)
    }

    // MARK: For other services

    @Sendable func positions(_ request: Request, _ context: Context) async throws -> Reply {
        try context.requireService()
        let batch = try await context.body(PositionBatch.self, of: request)
        guard batch.entries.count <= PositionBatch.most else {
            throw InvalidRequest("entries", "At most \(PositionBatch.most) in one call.")
        }
        return try Reply(.ok, try await location.record(batch))
    }

    @Sendable func candidates(_ request: Request, _ context: Context) async throws -> Reply {
        try context.requireService()
        let query = try await context.body(CandidateQuery.self, of: request)
        guard query.points.count <= Self.mostCandidatePoints else {
            throw InvalidRequest("points", "At most \(Self.mostCandidatePoints) in one call.")
        }
        _ = try Check.int(query.limit, "limit", in: Self.candidateLimits)
        for (index, point) in query.points.enumerated() {
            _ = try Check.coordinate(
                latitude: point.at.latitude, longitude: point.at.longitude, "points[\(index)].at")
            guard Self.candidateRadii.contains(point.radiusMeters) else {
                throw InvalidRequest("points[\(index)].radiusMeters", "Meters from 1 to 20000.")
            }
        }
        return try Reply(.ok, try await location.candidates(query))
    }

    @Sendable func whereabouts(_ request: Request, _ context: Context) async throws -> Reply {
        try context.requireService()
        let query = try await context.body(WhereaboutsQuery.self, of: request)
        guard query.valets.count <= WhereaboutsQuery.most else {
            throw InvalidRequest("valets", "At most \(WhereaboutsQuery.most) in one call.")
        }
        return try Reply(.ok, try await location.whereabouts(of: query.valets))
    }
}

extension Request {
    /// Characters of an `Accept-Language` that is passed on.
    private static var longestLanguage: Int { 100 }
    private static var standardLanguage: String { "en" }

    /// Of the query, both required.
    fileprivate func coordinate() throws -> Coordinate {
        Coordinate(
            latitude: try double("latitude", in: -90...90),
            longitude: try double("longitude", in: -180...180))
    }

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
