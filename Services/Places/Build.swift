import Contracts
import EventBus
import Foundation
import Hummingbird
import Maps
import ProductKit
import Routing
import ServiceKit
import ServiceLifecycle
import Store

/// Builds the service. Later parts depend on earlier ones; they stop in reverse order.
func build(
    _ config: PlacesConfig, _ environment: ServiceEnvironment
) async throws -> [any Service] {
    let parts = try PlacesParts(config, environment)
    environment.compare(Standings.copies + KnownAreas.copies, in: parts.database)
    let bus = try environment.bus(parts.database, reactions: placesReactions(parts.vendors))
    let maps = config.maps.folder.map { folder in
        environment.periodic("maps", every: VendorImports.interval, of: parts.database) {
            try await parts.imports.follow(MapFolder(folder))
        }
    }
    let timetables = environment.periodic("timetables", every: Timetables.interval) {
        try await parts.timetables.follow()
    }
    let walks = environment.periodic("walks", every: StopWalks.interval) {
        await parts.walks.learn()
    }
    let delays = config.realtime.map { _ in
        environment.periodic("delays", every: Timetables.realtimeInterval) {
            await parts.timetables.hear()
        }
    }
    return bus + [maps, delays].compactMap(\.self) + [
        timetables, walks, parts.work, environment.server(parts.router()),
    ]
}

/// The service without its connections to Kafka, as tests use it.
struct PlacesParts: Sendable {
    static let migrations =
        [Standings.migration, KnownAreas.migration] + WorkQueue.migrations + [
            VendorStore.migration, VendorImports.migration, MobilityUseCases.migration,
        ]

    let environment: ServiceEnvironment
    let database: Database
    let geocoder: Geocoder
    let vendors: VendorUseCases
    let finder: VendorFinder
    let imports: VendorImports
    let mobility: MobilityUseCases
    let planner: TravelPlanner
    let timetables: Timetables
    let walks: StopWalks
    let areas = KnownAreas()

    init(_ config: PlacesConfig, _ environment: ServiceEnvironment) throws {
        self.environment = environment
        let clock = environment.clock
        database = try environment.database(Self.migrations)
        let roads = Roads(config.router, client: environment.httpClient)
        geocoder = Geocoder(
            config.maps, config.geocoder, client: environment.httpClient, clock: clock)
        timetables = Timetables(
            config.maps.folder.map { MapFolder($0) }, realtime: config.realtime,
            client: environment.httpClient, clock: clock, logger: environment.logger)
        walks = StopWalks(roads: roads, timetables: timetables, clock: clock)
        vendors = VendorUseCases(database: database, clock: clock, geocoder: geocoder)
        finder = VendorFinder(
            database: database, clock: clock,
            reaches: Reaches(roads: roads, timetables: timetables, walks: walks))
        imports = VendorImports(vendors: vendors, logger: environment.logger)
        mobility = MobilityUseCases(database: database)
        planner = TravelPlanner(roads: roads, timetables: timetables)
    }

    /// The handlers of scheduled work.
    var work: WorkQueue {
        WorkQueue(
            database, now: { environment.clock.now }, logger: environment.logger,
            handlers: [
                VendorImports.work: WorkQueue.once(VendorImportID.init, imports.goOn)
            ])
    }

    /// All endpoints of places.
    func router() -> Router<Context> {
        let router = environment.router(largestBody: BodyLimit.vendors)
        addPlaces(to: router)
        addVendors(to: router)
        router.personalData { try await vendors.held(on: $0) }
        return router
    }
}
