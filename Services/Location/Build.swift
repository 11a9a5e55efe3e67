import EventBus
import Hummingbird
import Redis
import Routing
import ServiceKit
import ServiceLifecycle

/// What location is made of, before anything of it runs.
struct Location: Sendable {
    let useCases: LocationUseCases
    let areas: AreaBook
    let feed: PositionFeed
    let outbox: LocationOutbox
    let producer: ProducerService
    let refresh: Periodic
    let consumer: EventConsumer
    let reactions: Reactions

    init(_ config: LocationConfig, _ house: House) throws {
        let redis = try house.redis()
        let producer = try house.producer()
        let areaStore = AreaStore(redis: redis)
        let signal = OutboxSignal()
        areas = AreaBook(areaStore)
        feed = PositionFeed(producer, clock: house.clock, logger: house.logger)
        let store = LocationStore(
            redis: redis, rules: config.rules, clock: house.clock, outbox: signal)
        useCases = LocationUseCases(
            store: store, areas: areas, feed: feed,
            roads: Roads(config.router, client: house.httpClient),
            places: Places(config.geocoder, client: house.httpClient, clock: house.clock))
        outbox = LocationOutbox(
            redis: redis, areas: areas, producer: producer, signal: signal, house: house)
        self.producer = ProducerService(producer)
        // Changes that another replica has heard of; this one's own are read at once.
        refresh = Periodic("service areas", every: .seconds(2), logger: house.logger) {
            [areas] in try await areas.refresh()
        }
        reactions = locationReactions(useCases, areaStore)
        consumer = house.consumer(reactions, dead: producer)
    }

    func router(_ house: House) -> Router<Context> {
        let router = house.router()
        LocationRoutes(location: useCases, clock: house.clock).add(to: router)
        return router
    }
}

/// Later services depend on earlier ones; they stop in reverse.
func build(_ config: LocationConfig, _ house: House) async throws -> [any Service] {
    let location = try Location(config, house)
    let (areas, outbox) = (location.areas, location.outbox)
    house.addCheck(HealthCheck("service-areas") { _ = try areas.areas() })
    house.addReplay { since in try await outbox.replay(since: since) }
    return [
        location.producer, location.refresh, location.feed, outbox, location.consumer,
        house.server(location.router(house)),
    ]
}
