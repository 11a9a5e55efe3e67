import EventBus
import Hummingbird
import Redis
import Routing
import ServiceKit
import ServiceLifecycle

/// The parts of location, before anything runs.
struct Location: Sendable {
    let useCases: LocationUseCases
    let areas: AreaBook
    let feed: PositionFeed
    let outbox: LocationOutbox
    let format: RedisFormat
    let producer: ProducerService
    let refresh: Periodic
    let consumer: EventConsumer
    let filler: (any Service)?
    let areaStore: AreaStore
    let reactions: Reactions

    init(
        _ config: LocationConfig, _ environment: ServiceEnvironment,
        patience: Duration = LocationUseCases.patience
    ) throws {
        let redis = try environment.redis()
        format = environment.redisFormat(LocationKeys.format, in: redis)
        let producer = try environment.producer()
        areaStore = AreaStore(redis: redis)
        let signal = OutboxSignal()
        areas = AreaBook(areaStore)
        feed = PositionFeed(producer, clock: environment.clock, logger: environment.logger)
        let store = LocationStore(
            redis: redis, rules: config.rules, clock: environment.clock, outbox: signal)
        useCases = LocationUseCases(
            store: store, areas: areas, feed: feed,
            roads: Roads(config.router, client: environment.httpClient), patience: patience)
        outbox = LocationOutbox(
            redis: redis, areas: areas, producer: producer, signal: signal, environment: environment
        )
        self.producer = ProducerService(producer)
        // Changes that another replica has received; this replica's own are read at once.
        refresh = environment.periodic("service areas", every: .seconds(2)) {
            [areas] in try await areas.refresh()
        }
        reactions = locationReactions(useCases, areaStore)
        consumer = environment.consumer(reactions, dead: producer)
        filler = environment.copyFiller(
            reactionsToState(useCases, reactions), LocationMarks(redis: redis))
    }

    func router(_ environment: ServiceEnvironment) -> Router<Context> {
        let router = environment.router()
        LocationRoutes(location: useCases, clock: environment.clock).add(to: router)
        return router
    }
}

/// Builds the service. Later services depend on earlier ones; they stop in reverse.
func build(_ config: LocationConfig, _ environment: ServiceEnvironment) async throws
    -> [any Service]
{
    let location = try Location(config, environment)
    let (areas, outbox) = (location.areas, location.outbox)
    environment.addCheck(HealthCheck("service-areas") { _ = try areas.areas() })
    environment.addReplay { since in try await outbox.replay(since: since) }
    environment.compare { try await location.counts() }
    return [
        location.format, location.producer, location.refresh, location.feed, outbox,
        location.consumer,
    ] + [location.filler].compactMap(\.self) + [
        environment.server(location.router(environment))
    ]
}
