import Contracts
import Foundation
import ProductKit
import ServiceKit
import Store
import TripSearch

extension TripSearches {
    /// Two lifts in a row, as they are stored now. A trip that has changed since the index read it is left out; the
    /// next search finds it in its new form.
    func connections(
        of query: TripQuery, for person: PersonID
    ) async throws -> [TripConnection] {
        let found = try await finder.connections(query)
        guard !found.isEmpty else { return [] }
        let now = clock.now
        let ids = Set(found.flatMap { [$0.first.trip, $0.second.trip] }.map(TripID.init(uuid:)))
        let (trips, people, favourites) = try await database.read { transaction in
            let trips = try transaction.trips.find(ids)
            return (
                trips, try PeopleShown(trips.values.map(\.driver), in: transaction),
                try transaction.favourites.all(of: person)
            )
        }
        func match(_ fit: Fit) throws -> TripMatch? {
            let id = TripID(uuid: fit.trip)
            guard let trip = trips[id], trip.status == .open, trip.version.number == fit.version,
                fit.pickUp.at > now
            else { return nil }
            return try TripMatch(
                FoundTrip(fit, of: trip), people.person(trip.driver),
                isFavourite: favourites.contains(id))
        }
        return try found.compactMap { found in
            guard let first = try match(found.first), let second = try match(found.second) else {
                return nil
            }
            return TripConnection(
                first: first, second: second,
                transfer: TripTransfer(
                    point: first.dropOff.point, walkMeters: second.pickUp.walkMeters,
                    waitSeconds: Int(found.second.waitSeconds.rounded())),
                totalWalkMeters: found.totalWalkMeters.rounded(), score: found.score.rounded())
        }
    }
}
