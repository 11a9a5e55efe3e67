import Contracts
import EventBus
import Hummingbird
import Redis
import ServiceKit
import ServiceLifecycle

/// The gateway's parts, so that tests can reach them.
struct Gateway: Sendable {
    let gatherer: PositionGatherer
    let pacer = PositionPacer()
    let streams: LiveStreams
    let routes: GatewayRoutes

    init(
        _ config: GatewayConfig, _ house: House, table: RoutingTable = RoutingTable()
    ) throws {
        func peer(_ target: Target) throws -> Peer {
            guard let url = config.peers[target] else { throw ConfigError("\(target.key)?") }
            return house.peer(url, audience: target.rawValue)
        }
        let location = try peer(.location)
        // Not among the health checks: without Redis the limits still hold, see RateLimiter.
        let redis = house.common.redis.map(RedisPool.init)
        gatherer = PositionGatherer { batch in
            try await location.post("/internal/positions", body: batch)
        }
        streams = LiveStreams(config.streams)
        let forwarder = Forwarder(
            client: house.httpClient, upstreams: config.peers.mapValues(Upstream.init))
        let admission = Admission(
            limiter: RateLimiter(redis, config.rates),
            addresses: ClientAddress(trusted: config.trustedProxies))
        routes = GatewayRoutes(
            table: table,
            admission: admission,
            forwarder: forwarder,
            gatherer: gatherer,
            streams: StreamRoutes(
                streams: streams, feed: FeedSource(try peer(.notifications)), pacer: pacer,
                verifier: house.verifier, clock: house.clock),
            whereabouts: WhereaboutsSource(location),
            exports: ExportSource(
                forwarder: forwarder, tokens: house.serviceTokens, timeout: config.forwardTimeout),
            timeout: config.forwardTimeout,
            clock: house.clock)
    }

    func router(_ config: GatewayConfig, _ house: House) -> Router<Context> {
        let router = house.router(
            outermost: [
                BrowserRules(origins: config.origins, addresses: routes.admission.addresses),
                HeadRules(),
                AddressRules(
                    limiter: routes.admission.limiter, addresses: routes.admission.addresses),
            ],
            readsIdempotencyKeys: false)
        routes.add(to: router)
        return router
    }
}

extension Gateway {
    /// Files that the process needs beside connections of clients: to services, to Redis, to Kafka.
    private static let reservedFiles = 512

    func connections(_ config: GatewayConfig) -> ConnectionLimits {
        let all = min(
            config.connections.all, max(64, ProcessRights.mostOpenFiles - Self.reservedFiles))
        let addresses = routes.admission.addresses
        return ConnectionLimits(
            all: all, perAddress: min(config.connections.perAddress, max(16, all / 4)),
            household: { addresses.household($0) })
    }

    /// Reads what concerns somebody who may be connected here.
    func consumer(_ house: House) -> BroadcastConsumer {
        let reactions = GatewayReactions(streams: streams)
        return BroadcastConsumer(
            house.kafka, topics: GatewayReactions.topics, signatures: house.signatures,
            logger: house.logger
        ) { record in try reactions.apply(record) }
    }
}

/// Everything that the gateway is made of. Later services depend on earlier ones; they stop in
/// reverse.
func build(_ config: GatewayConfig, _ house: House) async throws -> [any Service] {
    let gateway = try Gateway(config, house)
    let consumer = gateway.consumer(house)
    house.addCheck(
        HealthCheck("bus") {
            guard consumer.status.isAssigned else { throw Unavailable("The bus is away.") }
        })
    let refill = FeedRefill(
        streams: gateway.streams, feed: gateway.routes.streams.feed,
        assignments: consumer.status.assignments, logger: house.logger)
    return [
        gateway.gatherer, gateway.pacer, consumer, refill,
        house.server(gateway.router(config, house), connections: gateway.connections(config)),
    ]
}
