import AsyncHTTPClient
import Contracts
import EventBus
import Foundation
import HTTPTypes
import Hummingbird
import JWTKit
import Kafka
import Logging
import NIOCore
import Redis
import ServiceLifecycle
import Store
import Synchronization

/// Everything a service is built from: the same database, bus, server and peers everywhere.
public struct ServiceEnvironment: Sendable {
    public let name: String
    public let common: CommonConfig
    public let logger: Logger
    public let clock: ServiceClock
    public private(set) var verifier: TokenVerifier
    public let serviceTokens: ServiceTokens
    public let sealer: Sealer
    public let signatures: EventSignatures
    public let kafka: KafkaConfiguration
    /// What this process notices of a broker that has lost records. An outbox listens to it.
    public let losses = BrokerLosses()
    /// Connections per host. With the default of 8, a forwarding service spends its time waiting for one.
    static let connectionsPerHost = 64
    /// Closes a connection after this time without traffic.
    static let idleLimit: TimeAmount = .seconds(75)

    let client: HTTPClient
    let metrics: PrometheusRegistry
    /// Nil without a collector of traces.
    let tracer: Tracer?
    /// What a stop begins with.
    var drain: Drain
    private let databaseLocation: @Sendable (String) throws -> Database.Location
    private let readiness = Readiness()

    /// What `bus`, `database` and others add to the server's answers about itself.
    private final class Readiness: Sendable {
        let checks = Mutex<[HealthCheck]>([])
        let databases = Mutex<[Database]>([])
        let replays = Mutex<[Replay]>([])
        let producers = Mutex<[KafkaProducer]>([])
        let sources = Mutex<[StateSource]>([])
        let copies = Mutex<[CopyCounts]>([])
        let measures = Mutex<[Measure]>([])
    }

    /// - Parameter clock: The configured clock if nil.
    public init(
        _ name: String, _ common: CommonConfig, logger: Logger, metrics: PrometheusRegistry,
        clock: ServiceClock? = nil
    ) throws {
        let client = Self.httpClient()
        let clock = clock ?? common.clock
        let (folder, postgres) = (common.dataFolder, common.postgres)
        self.init(
            name, common, logger: logger, metrics: metrics, clock: clock, client: client,
            verifier: Self.verifier(common, client, clock),
            databases: { service in
                if let postgres {
                    return .postgres(postgres, database: postgres.database(of: service))
                }
                return .file("\(folder)/\(service).sqlite")
            })
    }

    /// For tests: with a given clock, verifier and databases.
    public init(
        _ name: String, _ common: CommonConfig, logger: Logger, metrics: PrometheusRegistry,
        clock: ServiceClock, client: HTTPClient, verifier: TokenVerifier,
        databases: @escaping @Sendable (String) throws -> Database.Location
    ) {
        self.name = name
        self.common = common
        self.logger = logger
        self.clock = clock
        self.client = client
        self.verifier = verifier
        self.metrics = metrics
        tracer = common.traceCollector.map { _ in Tracer() }
        drain = Drain(common.drainPause)
        databaseLocation = databases
        serviceTokens = ServiceTokens(service: name, secret: common.serviceSecret, clock: clock)
        sealer = Sealer(secret: common.serviceSecret)
        signatures = EventSignatures(
            producer: name,
            secrets: [common.serviceSecret] + [common.previousSecret].compactMap(\.self))
        var kafka = KafkaConfiguration(bootstrapServers: common.kafka, clientID: name)
        kafka.settings = common.kafkaSettings
        kafka.isSoleReader = common.isSoleReader
        kafka.log = logger.kafkaHandler
        let manifest = allServices.first { $0.name == name }
        if manifest?.parts.contains(.interactive) == true {
            kafka.fetchWait = .milliseconds(11)
        }
        kafka.instance = common.kafkaInstance ?? Self.kafkaInstance(of: name, at: common.port)
        self.kafka = kafka
    }

    /// The same after each start, and different for each replica; nil if the port is chosen by the system.
    static func kafkaInstance(of service: String, at port: Int) -> String? {
        port == 0 ? nil : "\(ProcessInfo.processInfo.hostName)-\(service)-\(port)"
    }

    /// A client that reports at once when nobody listens, has a connection ready for every request, and doesn't
    /// follow redirects.
    public static func httpClient() -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout = .init(connect: .seconds(1), read: .seconds(35))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            connectionsPerHost
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(configuration: configuration)
    }

    private static func verifier(
        _ common: CommonConfig, _ client: HTTPClient, _ clock: ServiceClock
    ) -> TokenVerifier {
        TokenVerifier(clock: clock) {
            guard let url = common.keySetURL else {
                throw ConfigError("this service has no key set")
            }
            let request = HTTPClientRequest(url: url.absoluteString)
            let response = try await client.execute(request, timeout: .seconds(3))
            let body = try await response.body.collect(upTo: 64 * 1_024)
            return try JSONDecoder().decode(JWKS.self, from: Data(body.readableBytesView))
        }
    }

    /// The same environment with another verifier: accounts checks tokens with its own keys.
    public func with(verifier: TokenVerifier) -> ServiceEnvironment {
        var environment = self
        environment.verifier = verifier
        return environment
    }

    /// The service's own database, including the tables of the bus and of idempotency keys.
    public func database(_ migrations: [Migration]) throws -> Database {
        let database = try Database(
            try databaseLocation(name),
            migrations: EventBusSchema.migration + [IdempotencyKey.migration]
                + [CopyMarksInSQL.migration, Deletions.migration] + migrations,
            connections: common.databaseConnections)
        if let use = database.connections, use.most > use.serverLimit {
            logger.warning(
                "the database server allows fewer connections than this process may open",
                metadata: ["allowed": "\(use.serverLimit)", "most": "\(use.most)"])
        }
        readiness.databases.withLock { $0.append(database) }
        if database.connections != nil {
            measure("openvalet_sql_connections", atMostEvery: .seconds(5)) {
                database.connections?.record()
            }
        }
        addCheck(
            HealthCheck("sql") { _ = try await database.read { try $0.row("SELECT 1 AS one") } })
        return database
    }

    /// Connections to Redis, for a service that declares it.
    public func redis() throws -> RedisPool {
        guard let configuration = common.redis else {
            throw ConfigError("\(name) does not declare that it needs Redis")
        }
        let pool = RedisPool(configuration)
        addCheck(HealthCheck("redis") { try await pool.ping() })
        return pool
    }

    /// A client for another service. `time` is the maximum duration of one try.
    public func peer(_ url: URL, audience: String, within time: Duration = .seconds(3)) -> Peer {
        Peer(url, audience: audience, client: client, tokens: serviceTokens, timeout: time)
    }

    /// The client for other HTTP APIs. It stops after everything else.
    public var httpClient: HTTPClient { client }

    /// Publishes all events since then again, and returns their number.
    public typealias Replay = @Sendable (_ since: Date) async throws -> Int

    /// For a service whose events don't come from SQL. Databases are always replayed.
    public func addReplay(_ replay: @escaping Replay) {
        readiness.replays.withLock { $0.append(replay) }
    }

    /// Tells a kind of thing whole: when a replay asks for it, and to services whose copies are not filled.
    public func tell(_ kind: StateKind, from database: Database, _ read: @escaping StateSource.Read)
    {
        let source = StateSource(kind: kind, database: database, read: read)
        readiness.sources.withLock { $0.append(source) }
    }

    /// Counts the copies of some sets.
    public typealias CopyCounts = @Sendable () async throws -> [StateCount]

    /// Has `openvalet doctor` compare copies with their owners.
    public func compare(_ sets: [CopiedSet], in database: Database) {
        for set in sets { compare { [try await set.count(in: database)] } }
    }

    /// The same for copies outside SQL.
    public func compare(_ counts: @escaping CopyCounts) {
        readiness.copies.withLock { $0.append(counts) }
    }

    func addMeasure(_ measure: Measure) {
        readiness.measures.withLock { $0.append(measure) }
    }

    func addProducer(_ producer: KafkaProducer) {
        readiness.producers.withLock { $0.append(producer) }
    }

    /// The process stops, so senders no longer wait for an unavailable broker.
    func leaveBus() {
        for producer in readiness.producers.withLock({ $0 }) { producer.leave() }
    }

    public func addCheck(_ check: HealthCheck) {
        readiness.checks.withLock { $0.append(check) }
    }

    /// A router with drain, trace, metrics, errors, authentication and idempotency.
    ///
    /// `outermost` sees each answer last, including problems. A gateway leaves idempotency keys, and the bodies that
    /// they cover, to the service behind it. `largestBody` limits requests with a key, in bytes.
    public func router(
        outermost: [any MiddlewareProtocol<Request, Response, Context>] = [],
        readsIdempotencyKeys: Bool = true, largestBody: Int = Context.largestBody
    ) -> Router<Context> {
        let router = Router(context: Context.self)
        for middleware in outermost { router.add(middleware: middleware) }
        router.add(middleware: DrainMiddleware(drain: drain))
        router.add(middleware: TraceMiddleware(tracer: tracer))
        router.add(middleware: HTTPMetricsMiddleware())
        router.add(middleware: ProblemMiddleware())
        router.add(
            middleware: AuthenticationMiddleware(
                people: verifier, services: serviceTokens, metricsToken: common.metricsToken))
        if readsIdempotencyKeys {
            router.add(
                middleware: IdempotencyMiddleware(sealer: sealer, largestBody: largestBody))
        }
        return router
    }

    /// The HTTP server, with health, metrics and replay beside the routes.
    public func server(
        _ router: Router<Context>, connections: ConnectionLimits? = nil
    ) -> any Service {
        HealthRoutes(
            checks: readiness.checks.withLock { $0 }, drain: drain,
            logger: logger
        ).add(to: router)
        OperationRoutes(
            metrics: metrics, measures: readiness.measures.withLock { $0 },
            databases: readiness.databases.withLock { $0 },
            replays: readiness.replays.withLock { $0 },
            state: StateRoutes(
                sources: readiness.sources.withLock { $0 },
                copies: readiness.copies.withLock { $0 }, clock: clock)
        ).add(to: router)
        return Application(
            router: router,
            server: .guarded(idleLimit: Self.idleLimit, limits: connections),
            configuration: .init(
                address: .hostname(common.host, port: common.port), serverName: nil, backlog: 1_024),
            logger: quietLogger)
    }

    /// For libraries, which log details at info level.
    var quietLogger: Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .notice)
        return logger
    }

    var clientService: any Service { ClientService(client: client) }

    /// Sends the spans of this service, if there is a collector.
    var spanExporter: (any Service)? {
        guard let tracer, let url = common.traceCollector else { return nil }
        return SpanExporter(tracer, of: name, to: url, client: client, logger: logger)
    }
}

/// Shuts the HTTP client down after everything that uses it has stopped.
private struct ClientService: Service {
    let client: HTTPClient

    func run() async throws {
        try? await gracefulShutdown()
        try await client.shutdown()
    }
}
