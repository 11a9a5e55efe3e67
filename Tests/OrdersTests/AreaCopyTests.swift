import Contracts
import Foundation
import HTTPTypes
import Support
import Testing

@testable import Orders

/// What orders knows of service areas, and what becomes of an order until it does.
struct AreaCopyTests {
    private static let inside = Place(latitude: 1.30, longitude: 103.83)
    private static let elsewhere = Place(latitude: 0.5, longitude: 0.5)

    private func refusedOutside(_ caller: Caller, at place: Place) async throws {
        try await caller.call(
            .post, "/v1/orders", PlaceOrderBody(dropOff: place), as: .alice
        ).refused(422, "order.outside_service_area", field: "dropOff")
    }

    @Test func aMovedAreaTakesOrdersAtItsNewPlace() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.hear(ServiceAreaChanged.around(Self.inside))
            let first = try await caller.place(at: Self.inside)
            #expect(first.serviceArea.description == "orchard")
            try await caller.act("cancel", first.id, as: .alice)
            try await bench.hear(ServiceAreaChanged.around(Self.elsewhere, version: 2))
            // What comes late changes nothing.
            try await bench.hear(ServiceAreaChanged.around(Self.inside))
            try await refusedOutside(caller, at: Self.inside)
            _ = try await caller.place(at: Self.elsewhere)
        }
    }

    @Test(arguments: [[], try ServiceAreaChanged.firstStart()])
    func anAreaThatHasNotBeenHeardOfIsAskedFor(known: [ServiceAreaChanged]) async throws {
        let areas = PretendServer(try .having([ServiceAreaChanged.around(Self.inside)]))
        try await areas.serve { url in
            let bench = try await Bench(areas: known, owner: url)
            try await bench.run { caller in
                let placed = try await caller.place(at: Self.inside)
                #expect(placed.serviceArea.description == "orchard")
                try await caller.act("cancel", placed.id, as: .alice)
                // It is known from now on, until its own event says something newer.
                try await bench.hear(ServiceAreaChanged.around(Self.elsewhere, version: 2))
                try await refusedOutside(caller, at: Self.inside)
            }
        }
        #expect(areas.asked.map(\.path) == ["/internal/service-areas", "/internal/service-areas"])
        #expect(areas.asked.first?.query == ["latitude": "1.3", "longitude": "103.83"])
    }

    @Test func whileNobodySaysWhichAreasThereAreNobodyIsOutside() async throws {
        let bench = try await Bench(owner: URL(string: "http://127.0.0.1:1"))
        try await bench.run { caller in
            let problem = try await caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: Self.inside), as: .alice
            ).refused(503, "service.unavailable")
            #expect(problem.retryAfterSeconds != nil)
            // What is known needs nobody.
            let order = try await caller.order(in: .parked)
            try await caller.call(
                .post, "/v1/orders/\(order.id)/recall", RecallBody(returnTo: Self.inside),
                as: .alice
            ).refused(503, "service.unavailable")
        }
    }

    @Test func beforeAnyAreaIsKnownNobodyIsOutside() async throws {
        let bench = try await Bench(areas: [])
        try await bench.run { caller in
            let answer = try await caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: .central), as: .alice)
            #expect(answer.headers[.retryAfter] != nil)
            try answer.refused(503, "service.unavailable")
            await #expect(throws: (any Error).self) {
                try await bench.database.read {
                    try bench.parts.orders.areas.requireSome(in: $0)
                }
            }
            for area in try ServiceAreaChanged.firstStart() { try await bench.hear(area) }
            _ = try await caller.place()
        }
    }

    @Test func anAreaThatCannotBeUnderstoodReachesNobody() async throws {
        let bench = try await Bench()
        var event = try ServiceAreaChanged.around(Self.inside)
        event.feature.geometry = .polygon([])
        let bad = event
        await #expect(throws: (any Error).self) { try await bench.hear(bad) }
        try await bench.run { caller in _ = try await caller.place() }
    }
}
