import Blobs
import Contracts
import EventBus
import Foundation
import Maps
import ProductKit
import Routing
import ServiceKit
import ServiceLifecycle

/// Builds the service. Later services need earlier ones; they stop in reverse.
func build(
    _ config: CarParksConfig, _ environment: ServiceEnvironment
) async throws -> [any Service] {
    let parts = try CarParkParts(
        environment, config.limits,
        ticketKeys: try await SigningKeys(config.signing, folder: environment.common.dataFolder),
        payments: environment.peer(
            config.paymentsURL, audience: ServiceManifest.payments.name,
            within: Cashier.patience),
        vehicles: Owners([
            environment.peer(config.accountsURL, audience: ServiceManifest.accounts.name)
        ]),
        recognitions: Owners([
            environment.peer(config.platesURL, audience: ServiceManifest.plates.name)
        ]), blobs: try config.blobs.store(in: environment),
        roads: Roads(config.router, client: environment.httpClient))
    environment.compare(
        Standings.copies + KnownVehicles.copies + [ValetSpaceStore.copies],
        in: parts.bookings.database)
    environment.tellBills(from: parts.bookings.database)
    environment.tell(.engagements, from: parts.bookings.database) { transaction, after, limit in
        try transaction.sessions.told(after: after, limit: limit)
    }
    let bus = try environment.bus(
        parts.bookings.database, reactions: carParkReactions(parts.bookings, parts.valets))
    let retention = environment.periodic("retention", of: parts.bookings.database) {
        try await parts.gates.sweep()
        try await parts.proofs.sweep()
        try await parts.guests.sweep()
        try await parts.imports.sweep()
        try await parts.spending.sweep()
        try await parts.valets.sweep()
    }
    let maps = config.maps.folder.map { folder in
        environment.periodic("maps", every: CarParkImports.interval, of: parts.bookings.database) {
            try await parts.imports.follow(MapFolder(folder))
        }
    }
    let feed = config.feed.map { feed in
        let source = SpaceFeed(
            feed.url, parts.bookings.database, client: environment.httpClient,
            clock: environment.clock, logger: environment.logger)
        return environment.periodic("feed", every: feed.every, of: parts.bookings.database) {
            try await source.poll()
        }
    }
    return bus + [maps, feed].compactMap(\.self) + [
        parts.work, retention,
        environment.server(parts.router()),
    ]
}

/// The service without its connections to the bus, as tests use it.
struct CarParkParts: Sendable {
    static let migrations =
        [Standings.migration, KnownVehicles.migration] + WorkQueue.migrations + [
            CarParkStore.migration, Inventory.migration, BookingStore.migration,
            GateStore.migration, ImportStore.migration,
            FineStore.migration, SpendingAlerts.migration, WatchedCarParks.migration,
            LoyaltyStore.migration, ValetSpaceStore.migration, AutoPays.migration,
            CarParkPictures.migration, BookingStore.platesThere,
            PlateStore.migration, TariffStore.migration, StayCodes.migration,
        ] + ParkedVehicles.migrations

    let environment: ServiceEnvironment
    let carParks: CarParkUseCases
    let bookings: BookingUseCases
    let gates: GateUseCases
    let tickets: Tickets
    let imports: CarParkImports
    let roads: Roads
    let exports: CarParkExports
    let reports: CarParkReports
    let parked: ParkedVehicles
    let fines: FineUseCases
    let pictures: CarParkPictures
    let spending: SpendingAlerts
    let watched: WatchedCarParks
    let valets: ValetSpaces
    let autoPays: AutoPays
    let proofs: PlateProofs
    let tariffs: TariffUseCases
    let guests: GuestPayments
    let page: TicketPage

    init(
        _ environment: ServiceEnvironment, _ limits: BookingLimits = BookingLimits(),
        ticketKeys: SigningKeys, payments: Peer, vehicles: Owners, recognitions: Owners,
        blobs: any BlobStore,
        roads: Roads = Roads(nil, attribution: nil)
    ) throws {
        self.roads = roads
        self.environment = environment
        let clock = environment.clock
        let database = try environment.database(Self.migrations)
        let cashier = Cashier(payments)
        carParks = CarParkUseCases(database: database, clock: clock)
        bookings = BookingUseCases(
            database: database, clock: clock, limits: limits, cashier: cashier,
            vehicles: vehicles)
        tickets = Tickets(keys: ticketKeys)
        imports = CarParkImports(
            database: database, clock: clock, seeds: try CarParkSeed.all(),
            logger: environment.logger)
        exports = CarParkExports(database: database, clock: clock)
        reports = CarParkReports(database: database)
        page = try TicketPage()
        gates = GateUseCases(
            database: database, clock: clock, bookings: bookings, tickets: tickets,
            recognitions: recognitions)
        valets = ValetSpaces(database: database, clock: clock)
        autoPays = AutoPays(database: database, cashier: cashier)
        proofs = PlateProofs(database: database, clock: clock, bookings: bookings)
        tariffs = TariffUseCases(database: database, clock: clock)
        spending = SpendingAlerts(database: database, clock: clock)
        watched = WatchedCarParks(database: database, clock: clock)
        func listed(_ kind: StaticString, in table: PictureTable) -> ListedPictures {
            ListedPictures(
                KeptPictures(kind, in: blobs, logger: environment.logger), in: table, of: database)
        }
        fines = FineUseCases(
            database: database, clock: clock, bookings: bookings,
            pictures: listed("fines", in: finePictures),
            addresses: environment.signedAddresses)
        guests = GuestPayments(gates: gates, fines: fines, keys: ticketKeys)
        parked = ParkedVehicles(
            database: database, clock: clock, roads: roads,
            pictures: listed("parked-vehicles", in: parkedPictures),
            addresses: environment.signedAddresses)
        pictures = CarParkPictures(
            database: database, clock: clock,
            pictures: listed("car-parks", in: carParkPictures))
    }

    /// The handlers of scheduled work.
    var work: WorkQueue {
        BookingWork.queue(
            bookings, environment,
            with: [
                finePictures.removal: WorkQueue.once(PictureID.init, fines.pictures.remove),
                ValetSpaces.look: WorkQueue.once(OrderID.init, valets.look),
                parkedPictures.removal: WorkQueue.once(PictureID.init, parked.pictures.remove),
                carParkPictures.removal: WorkQueue.once(PictureID.init, pictures.pictures.remove),
                WatchedCarParks.look: WorkQueue.once(CarParkID.init, watched.look),
            ])
    }
}
