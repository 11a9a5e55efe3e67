import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import OpenValet

/// What services know of each other outlives the events that told it.
@Suite(.enabled(if: !TestDatabases.arePostgres)) struct SevenDaysTests {
    @Test func aWeekLaterAnEmptiedRedisAndANewServiceHaveEverythingAgain() async throws {
        try await TestPlatform.run(["OPENVALET_MATCHING_PATIENCE_SECONDS": "45"]) {
            world, platform in
            let pair = try await Pair.meet(in: world)
            let parked = try await pair.park()
            try await becomesWhole(platform.services)

            try platform.pass(days: 8)
            try platform.emptyRedis()
            try await platform.withNew(.ratings) { url in
                let ratings = LocalServices(platform.services, with: ["ratings": url])
                let isReady = try await eventually { await ratings.isReady("ratings") }
                #expect(isReady)
                try await becomesWhole(ratings)
            }
            let isServing = try await eventually { try await platform.isServing() }
            #expect(isServing)

            // The valet is still on shift, and the customer's vehicle comes back.
            for person in [pair.customer, pair.valet] {
                _ = try await person.client.signIn(
                    phone: person.account.phone, password: person.password)
            }
            let back = try await pair.handBack(try await pair.recall(parked.id))
            #expect(back.status == .waitingForPayment)
        }
    }

    private func becomesWhole(_ services: LocalServices) async throws {
        let examination = try await services.becomeWhole()
        func copied(_ service: String, _ set: StateSet) -> Int? {
            examination.copies.first { $0.service == service && $0.set == set }?.copied
        }
        let asked = allServices.filter { services.names.contains($0.name) }
        for service in asked {
            for kind in service.copies {
                let isCompared = examination.copies.contains {
                    $0.service == service.name && $0.set.kind == kind
                }
                #expect(isCompared, "\(service.name) \(kind)")
            }
        }
        // The shipped areas and the town.
        #expect(copied("location", .areas) ?? 0 > 4)
        #expect(copied("orders", .people) ?? 0 >= 3)
        #expect(copied("ratings", .valets) == 1)
        #expect(copied("ratings", .engagements) == 1)
        #expect(copied("location", .valets) == 1)
        #expect(copied("location", .engagements) == 1)
        #expect(copied("location", .shifts) == 1)
        #expect(copied("payments", .bills) == 1)
    }
}
