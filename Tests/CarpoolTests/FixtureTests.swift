import Contracts
import EventBus
import Foundation
import Support
import Testing

@testable import Carpool

@Suite struct FixtureTests {
    /// As carpool really publishes them, held against the files that readers decode.
    @Test func itsEventsAreAsTheirFixtures() async throws {
        try await Bench.run { bench in
            _ = try await bench.accepted()
            var trip = try #require(
                try await outboxEvents(of: TripChanged.self, in: bench.database).first)
            trip.trip = try EventFixtures.read(TripChanged.self).trip
            try EventFixtures.expect(trip)
            var ride = try #require(
                try await outboxEvents(of: RideChanged.self, in: bench.database).last)
            (ride.ride, ride.trip) = (try EventFixtures.read(RideChanged.self).ride, trip.trip)
            try EventFixtures.expect(ride)
            var seat = try #require(
                try await outboxEvents(of: SeatRequestChanged.self, in: bench.database).last)
            (seat.request, seat.trip, seat.ride) = (
                try EventFixtures.read(SeatRequestChanged.self).request, trip.trip, ride.ride
            )
            try EventFixtures.expect(seat)
        }
    }

    @Test(.withoutDatabase) func bothLanguagesSayTheSame() {
        #expect(CarpoolNotices.words.differences == [])
    }
}
