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
        _ config: GatewayConfig, _ environment: ServiceEnvironment,
        table: RoutingTable = RoutingTable()
    ) throws {
        func peer(_ target: Target, within time: Duration = .seconds(3)) throws -> Peer {
            guard let url = config.peers[target] else { throw ConfigError("\(target.key)?") }
            return environment.peer(url, audience: target.rawValue, within: time)
        }
        let location = try peer(.location)
        // Recording a position may take as long as any forwarded call.
        let positions = try peer(.location, within: config.forwardTimeout)
        // Not a health check: without Redis the limits still hold, see `RateLimiter`.
        let redis = environment.common.redis.map(RedisPool.init)
        gatherer = PositionGatherer { batch in
            try await positions(InternalEndpoints.positions(body: batch))
        }
        streams = LiveStreams(config.streams)
        let forwarder = Forwarder(
            client: environment.httpClient,
            upstreams: Dictionary(
                uniqueKeysWithValues: config.peers.map { target, url in
                    (target, Upstream(url, name: target.rawValue))
                }))
        let admission = Admission(
            limiter: RateLimiter(redis, config.rates),
            addresses: ClientAddress(trusted: config.trustedProxies),
            deleted: DeletedAccounts(clock: environment.clock))
        routes = GatewayRoutes(
            table: table,
            admission: admission,
            forwarder: forwarder,
            gatherer: gatherer,
            streams: StreamRoutes(
                streams: streams, feed: FeedSource(try peer(.notifications)), pacer: pacer,
                verifier: environment.verifier, clock: environment.clock),
            whereabouts: WhereaboutsSource(location),
            exports: ExportSource(
                forwarder: forwarder, tokens: environment.serviceTokens,
                timeout: config.forwardTimeout),
            timeout: config.forwardTimeout,
            clock: environment.clock)
    }

    func router(_ config: GatewayConfig, _ environment: ServiceEnvironment) -> Router<Context> {
        let router = environment.router(
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
    /// Files that the process needs besides client connections: for services, Redis and Kafka.
    private static let reservedFiles = 512

    func connections(_ config: GatewayConfig) -> ConnectionLimits {
        let all = min(
            config.connections.all, max(64, ProcessRights.mostOpenFiles - Self.reservedFiles))
        let addresses = routes.admission.addresses
        return ConnectionLimits(
            all: all, perAddress: min(config.connections.perAddress, max(16, all / 4)),
            network: { addresses.network($0) })
    }

    /// Reads events for people who may be connected here.
    func consumer(_ environment: ServiceEnvironment) -> BroadcastConsumer {
        let reactions = GatewayReactions(streams: streams, deleted: routes.admission.deleted)
        return BroadcastConsumer(
            environment.kafka, topics: ServiceManifest.gateway.hearsIn,
            signatures: environment.signatures,
            logger: environment.logger
        ) { record in try reactions.apply(record) }
    }
}

/// Builds the service. Later services depend on earlier ones; they stop in reverse.
func build(_ config: GatewayConfig, _ environment: ServiceEnvironment) async throws -> [any Service]
{
    let gateway = try Gateway(config, environment)
    let consumer = gateway.consumer(environment)
    environment.addCheck(
        HealthCheck("bus") {
            guard consumer.status.isAssigned else {
                throw Refusal.unavailable("The event bus is unavailable.")
            }
        })
    environment.addCheck(
        HealthCheck("accounts") { try await environment.verifier.requireKeys() })
    let refill = FeedRefill(
        streams: gateway.streams, feed: gateway.routes.streams.feed,
        assignments: consumer.status.assignments, logger: environment.logger)
    return [
        gateway.gatherer, gateway.pacer, consumer, refill,
        environment.server(
            gateway.router(config, environment), connections: gateway.connections(config)),
    ]
}
