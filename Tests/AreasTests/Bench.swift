import Answers
import Contracts
import EventBus
import Foundation
import Hummingbird
import HummingbirdTesting
import ServiceKit
import Store
import Support
import Testing

@testable import Areas

extension Tariff {
    static let usual = Tariff.standard(currency: "HKD")

    static var free: Tariff {
        var tariff = Tariff.usual
        (tariff.baseFee, tariff.incrementPrice, tariff.dailyCap) = (0, 0, 0)
        (tariff.cancellationFee, tariff.noShowFee) = (0, 0)
        return tariff
    }
}

/// Areas as it runs, with a clock that stands still.
struct Bench: ServiceBench {
    let clock = TestClock()
    let environment: ServiceEnvironment
    let areas: AreaUseCases

    var database: Database { areas.database }
    /// It hears of nothing.
    var reactions: Reactions { Reactions {} }

    /// In memory, unless a folder is given.
    init(folder: String? = nil) async throws {
        environment = try ServiceEnvironment.test("areas", clock: clock, folder: folder)
        areas = AreaUseCases(
            database: try environment.database(areaMigrations), clock: environment.clock)
        try await areas.seed()
    }

    func run<T: Sendable>(_ body: @Sendable (Caller) async throws -> T) async throws -> T {
        try await Application(router: areaRouter(areas, environment)).test(.router) { client in
            try await body(Caller(client: client, clock: clock))
        }
    }
}

/// A client that speaks to the router.
struct Caller: Calling {
    static let service = "areas"

    let client: any TestClientProtocol
    let clock: TestClock
}
