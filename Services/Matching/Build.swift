import EventBus
import Routing
import ServiceKit
import ServiceLifecycle

/// Builds the service. Later services depend on earlier ones; they stop in reverse.
///
/// Replicas share the partitions of `orders` by order, not by area, so several may receive requests of one area. Open
/// requests, answers and held valets are therefore in Redis, and one replica at a time works on an area. Each decision
/// is one atomic step there. So no request is answered twice, and no valet is assigned twice, even if a replica is
/// slower than its turn.
func build(_ config: MatchingConfig, _ environment: ServiceEnvironment) async throws
    -> [any Service]
{
    let producer = try environment.producer()
    let redis = try environment.redis()
    let announcer = Announcer { records in try await producer.sendInOrder(records) }
    let matching = MatchingParts(
        environment, rules: config.rules, store: MatchingStore(redis: redis),
        location: environment.peer(config.locationURL, audience: "location"),
        roads: Roads(config.router, client: environment.httpClient), announcer: announcer)
    let useCases = MatchingUseCases(matching)
    let router = environment.router()
    MatchingRoutes(matching: useCases).add(to: router)
    return [
        environment.redisFormat(MatchingStore.format, in: redis),
        ProducerService(producer), Matcher(parts: matching),
        environment.consumer(matchingReactions(useCases), dead: producer),
        environment.server(router),
    ]
}
