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
        router.forServices(post: "/internal/last-positions") { (call: Call<LastPositionsQuery>) in
            let people = call.body.people
            return LastPositionsAnswer(
                items: self.positions.withLock { known in people.compactMap { known[$0] } })
        }
        return router
    }
}

/// Payments that dies before it has done what it is asked, or afterwards, before it has said so.
final class Faults: Sendable {
    private let percent = Mutex(0)

    func happen(inPercent percent: Int) { self.percent.withLock { $0 = percent } }

    func around(
        _ router: any HTTPResponder<ServiceKit.Context>
    ) -> CallbackResponder<ServiceKit.Context> {
        CallbackResponder { request, context in
            let percent = self.percent.withLock { $0 }
            if Int.random(in: 0..<100) < percent { throw Unavailable("It died before.") }
            let answer = try await router.respond(to: request, context: context)
            if Int.random(in: 0..<100) < percent { throw Unavailable("It died afterwards.") }
            return answer
        }
    }
}
