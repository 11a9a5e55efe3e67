import Contracts
import Foundation
import Geo
import Routing
import ServiceKit

/// People's positions from location, and driving times.
struct Whereabouts: Sendable {
    let location: Peer
    let roads: Roads
    let clock: ServiceClock

    /// Throws unless the person was seen near a point within the last minute. The reading's accuracy is added to the
    /// distance allowed, up to doubling it.
    func requirePresence(
        of person: PersonID, at point: Coordinate, within meters: Double
    ) async throws {
        guard let seen = try await last(of: person) else {
            throw Refusal.notAtSpot.because("We don't know your position.")
        }
        guard clock.now.timeIntervalSince(seen.recordedAt) <= SpotLimits.presenceAge else {
            throw Refusal.notAtSpot.because("Your position is more than a minute old.")
        }
        let distance = Geo.distanceMeters(seen.coordinate, point)
        guard distance <= meters + min(seen.accuracyMeters ?? 0, meters) else {
            throw Refusal.notAtSpot.because("You are \(Int(distance.rounded())) metres away.")
        }
    }

    /// A person's distance from a point in metres and their driving time in seconds; nil if the position is unknown.
    func way(of person: PersonID, to point: Coordinate) async -> (meters: Double, seconds: Int)? {
        guard let seen = try? await last(of: person) else { return nil }
        let (route, _) = await roads.route(from: seen.coordinate, to: point)
        return (
            Geo.distanceMeters(seen.coordinate, point).rounded(),
            Int(route.durationSeconds.rounded(.up))
        )
    }

    /// Driving seconds to each point; nil where no route leads.
    func drivingSeconds(from start: Coordinate, to ends: [Coordinate]) async -> [Int?] {
        guard let row = await roads.travelSeconds(from: [start], to: ends)?.first else {
            return ends.map {
                Int(StraightLine.route(from: start, to: $0).durationSeconds.rounded(.up))
            }
        }
        return row.map { $0.map { Int($0.rounded(.up)) } }
    }

    private func last(of person: PersonID) async throws -> LastPosition? {
        do {
            return try await location(
                InternalEndpoints.lastPositions(body: LastPositionsQuery(people: [person]))
            ).items.first
        } catch is Peer.Failure {
            throw Refusal.unavailable("We can't look up your position at the moment.")
        }
    }
}
