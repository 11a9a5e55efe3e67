import EventBus
import Hummingbird
import Redis
import ServiceKit
import ServiceLifecycle

/// What location is made of, before anything of it runs.
struct Location: Sendable {
    let useCases: LocationUseCases
    let areas: AreaBook
    let feed: PositionFeed
    let outbox: LocationOutbox
    let producer: ProducerService
    let refresh: AreaRefresh
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
        useCases = LocationUseCases(store: store, areas: areas, feed: feed)
        outbox = LocationOutbox(
            redis: redis, areas: areas, producer: producer, signal: signal, house: house)
        self.producer = ProducerService(producer)
        refresh = AreaRefresh(book: areas, logger: house.logger)
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
