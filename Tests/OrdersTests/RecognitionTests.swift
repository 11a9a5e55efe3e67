import Contracts
import Foundation
import Support
import Testing

@testable import Orders

struct RecognitionTests {
    private func made(
        _ id: RecognitionID, by valet: TestPerson = .victor, for order: OrderID?, at time: Date
    ) -> RecognitionMade {
        RecognitionMade(
            recognition: id, engagement: order?.as(EngagementID.self), valet: valet.valet,
            plate: "AB1234", madeAt: time)
    }

    private func body(_ id: RecognitionID) -> ParkBody {
        ParkBody(at: .garage, vehicle: .tesla, recognitionId: id)
    }

    @Test(arguments: [true, false])
    func theRecognitionThatTheValetConfirmedIsToldWithTheParking(
        _ isForOrder: Bool
    ) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let (order, id) = (try await caller.order(in: .parking), RecognitionID.new())
            try await bench.hear(
                made(id, for: isForOrder ? order.id : nil, at: bench.clock.now))
            try await caller.act("park", order.id, body(id), as: .victor)
            #expect(try await bench.published(VehicleParked.self).map(\.recognition) == [id])
            #expect(try await bench.stored(order.id).recognition == id)
        }
    }

    @Test func aRecognitionThatHasNotBeenHeardOfIsAskedFor() async throws {
        let (id, plates) = (RecognitionID.new(), PretendServer(.failing(503)))
        try await plates.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                let order = try await caller.order(in: .parking)
                let path = "/v1/orders/\(order.id)/park"
                let problem = try await caller.call(.post, path, body(id), as: .victor)
                    .refused(503, "service.unavailable")
                #expect(problem.retryAfterSeconds != nil)
                plates.set(.refusing(404, "plates.engagement_unknown"))
                try await caller.call(.post, path, body(id), as: .victor)
                    .refused(422, "order.recognition_unknown", field: "recognitionId")
                let others = made(id, by: .vera, for: order.id, at: bench.clock.now)
                plates.set(try .having(others))
                try await caller.call(.post, path, body(id), as: .victor)
                    .refused(422, "order.recognition_unknown", field: "recognitionId")
                #expect(try await bench.stored(order.id).status == .parking)
            }
        }
        #expect(Set(plates.asked.map(\.path)) == ["/internal/recognitions/\(id)"])
    }

    @Test func aVehicleIsParkedWithItWhileTheBusIsAway() async throws {
        let (id, plates) = (RecognitionID.new(), PretendServer(.failing(503)))
        try await plates.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                let order = try await caller.order(in: .parking)
                let made = made(id, for: order.id, at: bench.clock.now)
                plates.set(try .having(made))
                #expect(
                    try await caller.act("park", order.id, body(id), as: .victor).status == .parked)
                // The event that comes after all changes nothing.
                try await bench.hear(made)
                #expect(try await bench.stored(order.id).recognition == id)
            }
        }
    }

    @Test func aRecognitionOfNobodyOrSomebodyElseIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .parking)
            let now = bench.clock.now
            let (others, elsewhere) = (RecognitionID.new(), RecognitionID.new())
            try await bench.hear(made(others, by: .vera, for: order.id, at: now))
            try await bench.hear(made(elsewhere, for: .new(), at: now))
            for id in [others, elsewhere, .new()] {
                try await caller.call(
                    .post, "/v1/orders/\(order.id)/park", body(id), as: .victor
                ).refused(422, "order.recognition_unknown", field: "recognitionId")
            }
            #expect(try await bench.stored(order.id).status == .parking)
            #expect(try await bench.published(VehicleParked.self).isEmpty)
            try await caller.act(
                "park", order.id, ParkBody(at: .garage, vehicle: .tesla), as: .victor)
        }
    }

    @Test func oldCopiesAreRemoved() async throws {
        let bench = try await Bench()
        let id = RecognitionID.new()
        try await bench.hear(made(id, for: nil, at: bench.clock.now))
        func isThere() async throws -> Bool {
            try await bench.database.read {
                try $0.recognitions.contains(id, of: TestPerson.victor.valet, for: .new())
            }
        }
        try await bench.parts.sweep()
        #expect(try await isThere())
        bench.clock.advance(by: RecognitionStore.retentionSeconds + 1)
        try await bench.parts.sweep()
        #expect(try await !isThere())
    }
}
