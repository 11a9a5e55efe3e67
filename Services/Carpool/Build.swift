import Contracts
import EventBus
import Foundation
import Maps
import ProductKit
import Routing
import ServiceKit
import ServiceLifecycle
import Store

/// Builds the service. Later services need earlier ones; they stop in reverse.
func build(
    _ config: CarpoolConfig, _ environment: ServiceEnvironment
) async throws -> [any Service] {
    let parts = try CarpoolParts(
        environment,
        payments: environment.peer(
            config.paymentsURL, audience: ServiceManifest.payments.name,
            within: Cashier.patience),
        accounts: Owners([
            environment.peer(config.accountsURL, audience: ServiceManifest.accounts.name)
        ]),
        roads: Roads(config.router, client: environment.httpClient),
        maps: config.maps.folder.map(MapFolder.init), appURL: config.appURL)
    environment.addCheck(
        HealthCheck("search") {
            guard await parts.finder.isReady else {
                throw Refusal.unavailable("The service is still loading its trips.")
            }
        })
    environment.tellBills(from: parts.database)
    environment.tell(.engagements, from: parts.database) { transaction, after, limit in
        try transaction.rides.told(after: after, limit: limit, at: environment.clock.now)
    }
    let bus = try environment.bus(parts.database, reactions: carpoolReactions(parts.rides))
    environment.compare(KnownPeople.copies, in: parts.database)
    let retention = environment.periodic("retention", of: parts.database) {
        try await parts.rides.sweep()
    }
    return bus + [parts.finder, parts.work, retention, environment.server(parts.router())]
}

/// The service without its connections to the bus, as tests use it.
struct CarpoolParts: Sendable {
    static let migrations =
        [
            Standings.migration, KnownVehicles.migration, KnownBlocks.migration,
            KnownAreas.migration, BillBook.migration,
        ] + KnownPeople.migrations + WorkQueue.migrations + [
            TripStore.migration, TripStore.straightLines, SeatStore.migration,
            RideStore.underWay, SavedSearches.migration, CarpoolPolicies.migration,
        ]

    let environment: ServiceEnvironment
    let database: Database
    let trips: TripUseCases
    let seats: SeatUseCases
    let rides: RideUseCases
    let finder: TripFinder
    let searches: TripSearches
    let saved: SavedSearches
    let policies: CarpoolPolicies
    let feeds: GTFSFeeds

    init(
        _ environment: ServiceEnvironment, payments: Peer, accounts: Owners,
        roads: Roads = Roads(nil, attribution: nil), maps: MapFolder? = nil, appURL: URL
    ) throws {
        self.environment = environment
        let clock = environment.clock
        database = try environment.database(Self.migrations)
        let (areas, ways) = (KnownAreas(), TripWays(roads: roads))
        let places = MeetingPlaces(book: maps.map(StopBook.init))
        trips = TripUseCases(
            database: database, clock: clock, ways: ways, places: places, areas: areas,
            accounts: accounts)
        let cashier = Cashier(payments)
        seats = SeatUseCases(
            database: database, clock: clock, accounts: accounts, cashier: cashier)
        rides = RideUseCases(
            database: database, clock: clock, areas: areas, cashier: cashier)
        finder = TripFinder(database: database, clock: clock, logger: environment.logger)
        searches = TripSearches(
            database: database, clock: clock, finder: finder, ways: ways, places: places,
            areas: areas)
        saved = SavedSearches(database: database, clock: clock)
        policies = CarpoolPolicies(database: database, clock: clock, areas: areas)
        feeds = GTFSFeeds(finder: finder, address: appURL, clock: clock)
    }

    /// The handlers of scheduled work.
    var work: WorkQueue {
        WorkQueue(
            database, now: { environment.clock.now }, logger: environment.logger,
            handlers: CarpoolWork.handlers(trips, seats, rides, saved))
    }
}
