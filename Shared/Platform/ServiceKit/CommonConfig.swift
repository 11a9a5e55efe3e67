import Contracts
import Foundation
import Kafka
import Logging
import Redis
import Store

/// The settings that every service has.
public struct CommonConfig: Sendable {
    private static let ofEveryService = [
        ConfigKey("OPENVALET_HOST", default: "127.0.0.1", "Address to listen on."),
        ConfigKey("OPENVALET_PORT", default: "8080", "Port to listen on; 0: a free one."),
        ConfigKey("OPENVALET_DATA", default: ".openvalet", "Folder of databases and keys."),
        ConfigKey(
            "OPENVALET_DATABASE", default: "", secret: true,
            "PostgreSQL server, for example postgres://user:password@host:port/?sslmode=verify-full. "
                + "The service creates its database openvalet_<service> there (another prefix: "
                + "…/prefix). Without it, SQLite in the data folder."),
        ConfigKey(
            databaseConnectionsKey, default: String(Database.standardConnections),
            "Maximum number of connections of this process to PostgreSQL, at least 2: one listens, the others "
                + "are opened as needed, and closed after a minute without use."),
        ConfigKey("OPENVALET_KAFKA", "Kafka's bootstrap servers: host:port,host:port."),
        ConfigKey(
            "OPENVALET_KAFKA_SETTINGS", default: "", secret: true,
            "Further librdkafka settings, for example security.protocol=ssl,fetch.wait.max.ms=500, "
                + "or one per line. A name without a value (group.instance.id=) takes librdkafka's default."
        ),
        ConfigKey(
            "OPENVALET_KAFKA_SHARE", default: "group",
            "group: replicas of this service share the topics. sole: this is its only process, which "
                + "starts reading without waiting for a group."),
        ConfigKey(
            "OPENVALET_KAFKA_INSTANCE", default: "",
            "Name by which the group recognises this process after a restart, unique among replicas. "
                + "Default: host name, service and port."),
        ConfigKey(
            "OPENVALET_SERVICE_SECRET", secret: true,
            "Secret by which services recognise each other: at least 32 characters, the same for all."
        ),
        ConfigKey(
            "OPENVALET_SERVICE_SECRET_PREVIOUS", default: "", secret: true,
            "The previous service secret: events signed with it are still accepted."),
        ConfigKey(
            "OPENVALET_LOG_LEVEL", default: "info", "trace, debug, info, notice or error."),
        ConfigKey("OPENVALET_LOG_FORMAT", default: "text", "text or json."),
        ConfigKey(
            "OPENVALET_METRICS_TOKEN", default: "", secret: true,
            "Bearer token for /metrics; without it only service tokens are accepted."),
        ConfigKey(
            "OTEL_EXPORTER_OTLP_ENDPOINT", default: "",
            "Collector of traces (OTLP over HTTP), for example http://collector:4318. Without it, no"
                + " traces are recorded."),
        ConfigKey(
            "OPENVALET_DRAIN_SECONDS", default: "0",
            "How long a stopping service works on, at most 60, so that load balancers notice that "
                + "/health/ready is 503."),
        ConfigKey(
            "OPENVALET_SUPERVISED", default: "0",
            "1: stop when standard input closes, which means that the supervisor has ended."),
    ]

    public static func keys(_ parts: Set<ServiceManifest.Part>) -> [ConfigKey] {
        var keys = ofEveryService
        if let key = ServiceClock.testKey { keys.append(key) }
        if parts.contains(.tokenKeys) {
            keys.append(
                ConfigKey(
                    "OPENVALET_JWKS_URL",
                    "Address of the public keys of accounts (RFC 7517), for example "
                        + "http://accounts:8080/.well-known/jwks.json."))
        }
        if parts.contains(.redis) {
            keys.append(
                ConfigKey(
                    "OPENVALET_REDIS", secret: true,
                    "Redis: host:port, redis://user:password@host:port, "
                        + "redis+cluster://host:port,host:port or "
                        + "redis+sentinel://host:port,host:port/master."))
        }
        if parts.contains(.asksEngagements) {
            keys.append(
                ConfigKey(
                    "OPENVALET_ENGAGEMENT_OWNERS", default: "",
                    "Services to ask for an engagement that is not known here, separated by commas: "
                        + "`orders=http://orders:8080`."))
        }
        if parts.contains(.asksState) {
            keys.append(
                ConfigKey(
                    "OPENVALET_STATE_OWNERS", default: "",
                    "Services that own what is copied here, to fill the copies when there are none: "
                        + "`areas=http://areas:8080`, separated by commas."))
        }
        return keys
    }

    /// Name of the setting of `databaseConnections`.
    public static let databaseConnectionsKey = "OPENVALET_DATABASE_CONNECTIONS"
    /// What it may be.
    public static let databaseConnectionsRange = 2...1_000

    /// Minimum length of the service secret in characters: 256 bits if it is random hexadecimal text.
    public static let shortestSecret = 32

    public let host: String
    public let port: Int
    public let dataFolder: String
    /// Nil for SQLite in the data folder.
    public let postgres: PostgresAddress?
    /// Maximum number of connections of this process to PostgreSQL.
    public let databaseConnections: Int
    public let kafka: String
    /// Further settings of librdkafka, by its own names.
    public let kafkaSettings: [String: String]
    /// Whether this is the only process of its service.
    public let isSoleReader: Bool
    /// Nil: made of host name, service and port.
    public let kafkaInstance: String?
    public let serviceSecret: String
    /// Checks events that were signed before the secret was changed.
    public let previousSecret: String?
    public let metricsToken: String?
    public let logLevel: Logger.Level
    public let logsJSON: Bool
    public let isSupervised: Bool
    /// Nil: nobody wants traces.
    public var traceCollector: URL?
    /// How long a stopping service works on before its connections end.
    public let drainPause: Duration
    public let keySetURL: URL?
    public var redis: RedisConfiguration?
    /// Services that answer `InternalEndpoints.engagement`.
    public let engagementOwners: [ServiceAddress]
    /// Services that answer `InternalEndpoints.state`.
    public let stateOwners: [ServiceAddress]
    /// The system's clock, which only a test can move.
    let clock: ServiceClock

    public init(_ values: ConfigValues, parts: Set<ServiceManifest.Part>) throws {
        host = try values.string("OPENVALET_HOST")
        port = try values.int("OPENVALET_PORT", in: 0...65_535)
        dataFolder = try values.string("OPENVALET_DATA")
        postgres = try values.optional("OPENVALET_DATABASE").map { text in
            guard let address = PostgresAddress(text) else {
                throw ConfigError("OPENVALET_DATABASE is not a postgres:// address")
            }
            return address
        }
        databaseConnections = try values.int(
            Self.databaseConnectionsKey, in: Self.databaseConnectionsRange)
        let bus = try Self.kafka(values, clientID: "")
        (kafka, kafkaSettings) = (bus.bootstrapServers, bus.settings)
        let share = try values.string("OPENVALET_KAFKA_SHARE")
        guard ["group", "sole"].contains(share) else {
            throw ConfigError("OPENVALET_KAFKA_SHARE is neither group nor sole")
        }
        isSoleReader = share == "sole"
        kafkaInstance = try values.optional("OPENVALET_KAFKA_INSTANCE")
        serviceSecret = try values.string("OPENVALET_SERVICE_SECRET")
        guard serviceSecret.count >= Self.shortestSecret else {
            throw ConfigError("OPENVALET_SERVICE_SECRET has fewer than 32 characters")
        }
        previousSecret = try values.optional("OPENVALET_SERVICE_SECRET_PREVIOUS")
        guard previousSecret.map({ $0.count >= Self.shortestSecret }) ?? true else {
            throw ConfigError("OPENVALET_SERVICE_SECRET_PREVIOUS has fewer than 32 characters")
        }
        metricsToken = try values.optional("OPENVALET_METRICS_TOKEN")
        guard let level = Logger.Level(rawValue: try values.string("OPENVALET_LOG_LEVEL")) else {
            throw ConfigError("OPENVALET_LOG_LEVEL is not a level")
        }
        logLevel = level
        let format = try values.string("OPENVALET_LOG_FORMAT")
        guard ["text", "json"].contains(format) else {
            throw ConfigError("OPENVALET_LOG_FORMAT is neither text nor json")
        }
        logsJSON = format == "json"
        isSupervised = try values.int("OPENVALET_SUPERVISED", in: 0...1) == 1
        traceCollector = try values.optional("OTEL_EXPORTER_OTLP_ENDPOINT").map { text in
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? "") else {
                throw ConfigError("OTEL_EXPORTER_OTLP_ENDPOINT is not an http:// address")
            }
            return url
        }
        drainPause = .seconds(
            try values.int("OPENVALET_DRAIN_SECONDS", in: 0...Drain.longestSeconds))
        clock = try .configured(values.optional)
        keySetURL = parts.contains(.tokenKeys) ? try values.url("OPENVALET_JWKS_URL") : nil
        engagementOwners =
            parts.contains(.asksEngagements)
            ? try values.services("OPENVALET_ENGAGEMENT_OWNERS") : []
        stateOwners =
            parts.contains(.asksState) ? try values.services("OPENVALET_STATE_OWNERS") : []
        if parts.contains(.redis) {
            guard let redis = RedisConfiguration(try values.string("OPENVALET_REDIS")) else {
                throw ConfigError(
                    "OPENVALET_REDIS is none of host:port, redis://, redis+cluster:// and redis+sentinel://"
                )
            }
            self.redis = redis
        } else {
            redis = nil
        }
    }

    /// The cluster and its settings alone, for a client of that name.
    public static func kafka(
        _ values: ConfigValues, clientID: String
    ) throws -> KafkaConfiguration {
        var configuration = KafkaConfiguration(
            bootstrapServers: try values.string("OPENVALET_KAFKA"), clientID: clientID)
        configuration.settings = try pairs(
            values.optional("OPENVALET_KAFKA_SETTINGS") ?? "", of: "OPENVALET_KAFKA_SETTINGS")
        return configuration
    }

    /// `name=value,name=value`, or one pair per line. A comma without a following `name=` belongs to the value;
    /// with one pair per line, every comma does.
    private static func pairs(_ text: String, of key: String) throws -> [String: String] {
        var pairs: [String: String] = [:]
        let lines = text.split(whereSeparator: \.isNewline)
        let texts =
            lines.count > 1 ? lines : text.split(separator: /,(?=\s*[a-z0-9._]+\s*=)/)
        for pair in texts {
            let parts = pair.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false
            ).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ConfigError("\(key) is not name=value,…")
            }
            pairs[parts[0]] = parts[1]
        }
        return pairs
    }
}
