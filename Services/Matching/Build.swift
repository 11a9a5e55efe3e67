import EventBus
import Routing
import ServiceKit
import ServiceLifecycle

/// Everything this service is made of. Later services depend on earlier ones; they stop in reverse.
///
/// Replicas share the partitions of `orders`, by order and not by area, so that several of them may hear of
/// requests of one area. What is open, what was answered and who is held are therefore in Redis, where one
/// replica at a time looks at an area; and each decision is one atomic step there, so that no request is
/// answered twice, nor a valet given away twice, when a replica was slower than its turn lasts.
func build(_ config: MatchingConfig, _ house: House) async throws -> [any Service] {
    let producer = try house.producer()
    let announcer = Announcer { records in try await producer.sendInOrder(records) }
    let matching = MatchingParts(
        house, rules: config.rules, store: MatchingStore(redis: try house.redis()),
        location: house.peer(config.locationURL, audience: "location"),
        roads: Roads(config.router, client: house.httpClient), announcer: announcer)
    let useCases = MatchingUseCases(matching)
    let router = house.router()
    MatchingRoutes(matching: useCases).add(to: router)
    return [
        ProducerService(producer), Matcher(parts: matching),
        house.consumer(matchingReactions(useCases), dead: producer), house.server(router),
    ]
}
