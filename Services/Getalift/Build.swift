import Client
import Contracts
import EventBus
import Foundation
import Hummingbird
import ServiceKit
import ServiceLifecycle
import Store

/// Builds the service. Later services need earlier ones; they stop in reverse.
func build(
    _ config: GetaliftConfig, _ environment: ServiceEnvironment
) async throws -> [any Service] {
    let parts = try GetaliftParts(config, environment)
    environment.compare(Deletions.copies, in: parts.database)
    let bus = try environment.bus(
        parts.database, reactions: getaliftReactions(parts.database))
    let retention = environment.periodic("retention", of: parts.database) {
        try await parts.sessions.sweep()
        try await parts.store.sweep()
    }
    return bus + [retention, environment.server(getaliftRouter(parts, environment))]
}

/// The router with all addresses of getalift.
func getaliftRouter(
    _ parts: GetaliftParts, _ environment: ServiceEnvironment
) -> Router<Context> {
    let router = environment.router(readsIdempotencyKeys: false)
    router.personalData(parts.held)
    router.on(InternalEndpoints.getaliftImport) { try await parts.take($0.body) }
    GetaliftRoutes(parts).add(to: router)
    return router
}

/// The parts that all calls share.
struct GetaliftParts: Sendable {
    static let migrations = [
        IntegerIDs.migration, KnownNames.migration, Sessions.migration, GetaliftStore.migration,
    ]

    let database: Database
    let clock: ServiceClock
    let clocks: WallClock
    let countryCode: String
    let numbers: IntegerIDs
    let names: KnownNames
    let sessions: Sessions
    let store: GetaliftStore
    private let environment: ServiceEnvironment
    private let gateway: URL

    init(_ config: GetaliftConfig, _ environment: ServiceEnvironment) throws {
        database = try environment.database(Self.migrations)
        clock = environment.clock
        (clocks, countryCode) = (config.clocks, config.countryCode)
        numbers = IntegerIDs(database: database)
        names = KnownNames(
            database: database, sealer: environment.sealer, clock: environment.clock)
        sessions = Sessions(
            database: database, sealer: environment.sealer, clock: environment.clock)
        store = GetaliftStore(database: database, clock: environment.clock)
        (self.environment, gateway) = (environment, config.gatewayURL)
    }

    /// A client of our API for the sender of this request.
    func client(_ tokens: Tokens?, for call: LegacyRequest) -> OpenValetClient {
        var client = OpenValetClient(gateway, tokens: tokens, http: environment.httpClient)
        client.forwardedFor = call.forwardedFor
        return client
    }

    func rider(_ token: String, _ call: LegacyRequest) async throws -> Rider {
        let (person, client) = try await sessions.rider(token) { self.client($0, for: call) }
        return Rider(
            person: person, number: try await numbers.number(of: person, as: .user),
            client: client)
    }
}
