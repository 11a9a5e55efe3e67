import Blobs
import Contracts
import EventBus
import Foundation
import ProductKit
import Routing
import ServiceKit
import ServiceLifecycle

/// Builds the service. Later parts depend on earlier ones; they stop in reverse order.
func build(
    _ config: SpotsConfig, _ environment: ServiceEnvironment
) async throws -> [any Service] {
    let parts = try SpotParts(
        environment, config.limits,
        payments: environment.peer(
            config.paymentsURL, audience: ServiceManifest.payments.name,
            within: Cashier.patience),
        location: environment.peer(
            config.locationURL, audience: ServiceManifest.location.name),
        accounts: Owners([
            environment.peer(config.accountsURL, audience: ServiceManifest.accounts.name)
        ]),
        blobs: try config.blobs.store(in: environment),
        roads: Roads(config.router, client: environment.httpClient))
    environment.tellBills(from: parts.spots.database)
    environment.tell(.engagements, from: parts.spots.database) { transaction, after, limit in
        try transaction.spots.told(after: after, limit: limit)
    }
    let bus = try environment.bus(parts.spots.database, reactions: spotReactions(parts.spots))
    environment.compare(KnownPeople.copies, in: parts.spots.database)
    let retention = environment.periodic("retention", of: parts.spots.database) {
        try await parts.spots.sweep()
    }
    return bus + [parts.work, retention, environment.server(parts.router())]
}

/// The service without its connections to Kafka, as tests use it.
struct SpotParts: Sendable {
    static let migrations =
        [
            Standings.migration, KnownVehicles.migration, KnownBlocks.migration,
            KnownAreas.migration, BillBook.migration,
        ] + KnownPeople.migrations + WorkQueue.migrations + [
            SpotTables.migration, Strike.migration, SpotPhotos.migration, SpotPolicies.migration,
            ParkingAlerts.migration,
        ]

    let environment: ServiceEnvironment
    let spots: SpotUseCases
    let policies: SpotPolicies
    let photos: SpotPhotos
    let alerts: ParkingAlerts
    let views: SpotViews

    init(
        _ environment: ServiceEnvironment, _ limits: SpotLimits = SpotLimits(), payments: Peer,
        location: Peer, accounts: Owners, blobs: any BlobStore,
        roads: Roads = Roads(nil, attribution: nil)
    ) throws {
        self.environment = environment
        let clock = environment.clock
        let database = try environment.database(Self.migrations)
        let areas = KnownAreas()
        views = SpotViews(addresses: environment.signedAddresses, clock: clock)
        spots = SpotUseCases(
            database: database, clock: clock, limits: limits,
            whereabouts: Whereabouts(location: location, roads: roads, clock: clock),
            areas: areas, accounts: accounts, cashier: Cashier(payments))
        policies = SpotPolicies(database: database, clock: clock, areas: areas)
        photos = SpotPhotos(
            database: database, clock: clock,
            pictures: KeptPictures("spots", in: blobs, logger: environment.logger), views: views)
        alerts = ParkingAlerts(database: database, clock: clock)
    }

    /// The handlers of scheduled work.
    var work: WorkQueue {
        var handlers = SpotWork.handlers(spots, photos)
        handlers[SpotWork.alerts] = WorkQueue.once(SpotID.init, alerts.tell(of:))
        handlers[SpotWork.freed] = WorkQueue.once({ $0 }, alerts.tell(ofFreed:))
        return WorkQueue(
            spots.database, now: { spots.clock.now }, logger: environment.logger,
            handlers: handlers)
    }
}

extension SpotUseCases {
    /// How long positions of spots and records of problems are kept, in seconds.
    private static var remembered: TimeInterval { 90 * 86_400 }

    fileprivate func sweep() async throws {
        let now = clock.now
        try await database.sweep {
            try $0.spots.sweep(before: now.addingTimeInterval(-Self.remembered), limit: $1, at: now)
        }
        try await database.sweep {
            try $0.strikes.sweep(before: now.addingTimeInterval(-Strike.life), limit: $1)
        }
    }
}
