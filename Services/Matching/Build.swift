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
func build(_ config: MatchingConfig, _ environment: ServiceEnvironment) async throws
    -> [any Service]
{
    let producer = try environment.producer()
    let announcer = Announcer { records in try await producer.sendInOrder(records) }
    let matching = MatchingParts(
        environment, rules: config.rules, store: MatchingStore(redis: try environment.redis()),
        location: environment.peer(config.locationURL, audience: "location"),
        roads: Roads(config.router, client: environment.httpClient), announcer: announcer)
    let useCases = MatchingUseCases(matching)
    let router = environment.router()
    MatchingRoutes(matching: useCases).add(to: router)
    return [
        ProducerService(producer), Matcher(parts: matching),
        environment.consumer(matchingReactions(useCases), dead: producer),
        environment.server(router),
    ]
}
