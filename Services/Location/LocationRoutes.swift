import Contracts
import Foundation
import Geo
import Hummingbird
import ServiceKit

/// The routes of location.
struct LocationRoutes: Sendable {
    /// The most points in one call of matching.
    static let mostCandidatePoints = 200
    static let candidateLimits = 1...100
    static let candidateRadii = 1.0...20_000.0

    let location: LocationUseCases
    let clock: ServiceClock

    func add(to router: Router<Context>) {
        addMovers(to: router)
        addSeekers(to: router)
        addServices(to: router)
        router.personalData { try await location.held(on: $0) }
    }

    private func addMovers(to router: Router<Context>) {
        router.on(LocationEndpoints.recordPosition) {
            try await record($0.body, of: $0.person)
        }
        router.on(LocationEndpoints.recordPositions) { call in
            guard call.body.readings.count <= PositionsBody.most else {
                throw Refusal.positionInvalid(
                    "points", "Send at most \(PositionsBody.most) points.")
            }
            return try await record(call.body, of: call.person)
        }
        router.on(LocationEndpoints.setAvailability) { call in
            let shift: LocationStore.ShiftState =
                switch call.body.status {
                case .available: .on
                case .onBreak: .onBreak
                case .offline: .off
                case .busy:
                    throw Refusal.positionInvalid(
                        "status", "Use `available`, `onBreak` or `offline`.")
                }
            return AvailabilityBody(
                status: try await location.setShift(call.person.valet, shift))
        }
    }

    /// Throws if the point can't be a position.
    private func record(_ point: PositionBody, of person: Identity) async throws {
        if let refusal = try await record([point], of: person).first?.refusal() { throw refusal }
    }

    /// Takes the points that can be positions. Throws the first fault if there are none.
    private func record(
        _ body: PositionsBody, of person: Identity
    ) async throws -> PositionsAnswer {
        var outcomes = try await record(body.points, of: person)[...]
        let accepted = outcomes.filter(\.accepted).count
        let refusals = body.readings.enumerated().compactMap { index, reading -> Refusal? in
            switch reading {
            case .success: outcomes.popFirst()?.refusal(prefix: "points[\(index)].")
            case .failure(let error): .malformed(error)
            }
        }
        if let first = refusals.first, refusals.count == body.readings.count { throw first }
        return PositionsAnswer(
            accepted: accepted, ignored: body.readings.count - accepted,
            refused: refusals.map(\.problem).map {
                .init(field: $0.field ?? "points", detail: $0.detail ?? $0.title)
            })
    }

    private func record(
        _ points: [PositionBody], of person: Identity
    ) async throws -> [PositionBatchAnswer.Outcome] {
        let now = clock.now
        let batch = PositionBatch(
            entries: points.map {
                .init(person: person.person, role: person.mover, point: $0, receivedAt: now)
            })
        let lead = Point.clockLead(points, receivedAt: now.milliseconds)
        return try await location.record(batch, clockLead: lead).outcomes
    }

    private func addSeekers(to router: Router<Context>) {
        router.on(LocationEndpoints.nearbyValets) { call in
            let radius = call.query.radiusMeters ?? Double(NearbyValetsQuery.usualRadius)
            return Page(items: try await location.nearby(call.point, radiusMeters: radius))
        }
        addFollowers(to: router)
    }

    private func addFollowers(to router: Router<Context>) {
        router.on(LocationEndpoints.engagementTrack) {
            try await location.track($0.id(), for: $0.person)
        }
        router.on(LocationEndpoints.engagementRoute) {
            try await location.route(of: $0.id(), for: $0.person)
        }
        // Clients of valet parking use its own names for the markers, and its own error for an unknown engagement.
        router.on(LocationEndpoints.track.giving(EngagementTrack.self)) { call in
            try await ofOrder { try await location.track(call.id(), for: call.person) }
        }
        router.on(LocationEndpoints.route) { call in
            try await ofOrder { try await location.route(of: call.id(), for: call.person) }
        }
    }

    private func ofOrder<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        do {
            return try await ask()
        } catch Refusal.engagementUnknown {
            throw Refusal.orderUnknown
        }
    }

    private func addServices(to router: Router<Context>) {
        router.on(InternalEndpoints.positions) { call in
            guard call.body.entries.count <= PositionBatch.most else {
                throw Refusal.invalid("entries", "Send at most \(PositionBatch.most).")
            }
            return try await location.record(call.body)
        }
        router.on(InternalEndpoints.candidates) { call in
            try Self.check(call.body)
            return try await location.candidates(call.body)
        }
        router.on(InternalEndpoints.whereabouts) { call in
            guard call.body.valets.count <= WhereaboutsQuery.most else {
                throw Refusal.invalid("valets", "Send at most \(WhereaboutsQuery.most).")
            }
            return try await location.whereabouts(of: call.body.valets)
        }
        router.on(InternalEndpoints.lastPositions) { call in
            guard call.body.people.count <= LastPositionsQuery.most else {
                throw Refusal.invalid("people", "Send at most \(LastPositionsQuery.most).")
            }
            return try await location.lastPositions(of: call.body.people)
        }
    }

    private static func check(_ query: CandidateQuery) throws {
        guard query.points.count <= mostCandidatePoints else {
            throw Refusal.invalid("points", "Send at most \(mostCandidatePoints).")
        }
        _ = try Check.int(query.limit, "limit", in: candidateLimits)
        for (index, point) in query.points.enumerated() {
            _ = try Check.coordinate(
                latitude: point.at.latitude, longitude: point.at.longitude, "points[\(index)].at")
            guard candidateRadii.contains(point.radiusMeters) else {
                throw Refusal.invalid("points[\(index)].radiusMeters", "Use 1 to 20000 metres.")
            }
        }
    }
}
