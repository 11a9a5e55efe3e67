import Contracts
import Foundation
import Geo
import Hummingbird
import ServiceKit
import Support
import Synchronization

/// Where the test says that people are.
final class SeenPeople: Sendable {
    private let positions = Mutex<[PersonID: LastPosition]>([:])

    func put(
        _ person: TestPerson, at point: Coordinate, _ time: Date, accuracyMeters: Double? = 5
    ) {
        positions.withLock {
            $0[person.id] = LastPosition(
                person: person.id, latitude: point.latitude, longitude: point.longitude,
                accuracyMeters: accuracyMeters, recordedAt: time)
        }
    }

    func router(_ environment: ServiceEnvironment) -> Router<Context> {
        let router = environment.router()
        router.on(InternalEndpoints.lastPositions) { call in
            let people = call.body.people
            return LastPositionsAnswer(
                items: self.positions.withLock { known in people.compactMap { known[$0] } })
        }
        return router
    }
}
