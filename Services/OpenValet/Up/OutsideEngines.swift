import Contracts
import Kafka
import Redis
import ServiceKit
import Store

/// Kafka, Redis and PostgreSQL that somebody else runs. `up` starts none of its own of that kind.
struct OutsideEngines: Sendable {
    private static let redisKey = "OPENVALET_REDIS"

    /// Nil: the broker in memory.
    let kafka: KafkaConfiguration?
    /// Nil: a Redis of `up`.
    let redis: RedisConfiguration?
    /// Nil: SQLite.
    let postgres: PostgresAddress?

    /// From the settings of the services, which get them too.
    init(_ perService: [String: [String: String]]) throws {
        func settings(of part: ServiceManifest.Part) -> [String: String] {
            let service = allServices.first { $0.parts.contains(part) }
            return service.flatMap { perService[$0.name] } ?? [:]
        }
        let common = settings(of: .database)
        kafka = try common["OPENVALET_KAFKA"].map { _ in try TopicPlan.kafka(common) }
        postgres = try ConnectionBudget.own(common)?.address
        let cached = settings(of: .redis)
        guard cached[Self.redisKey] != nil || cached["\(Self.redisKey)_FILE"] != nil else {
            redis = nil
            return
        }
        let text = try ConfigValues(common: [Self.redisKey], in: cached).string(Self.redisKey)
        guard let configuration = RedisConfiguration(text) else {
            throw ConfigError("\(Self.redisKey) is not an address of Redis")
        }
        redis = configuration
    }

    /// Looks whether each of them can be used, and makes the topics that are missing. Returns what to tell.
    ///
    /// - Throws: `ToolError` with the engine that can't be used, and why.
    func prepare(_ settings: UpSettings) async throws -> [String] {
        var lines: [String] = []
        if let budget = try ConnectionBudget.check(settings) { lines.append("\(budget.text).") }
        if let redis {
            do {
                try await RedisPool(redis).ping()
            } catch {
                throw ToolError("Redis at \(Self.place(of: redis)) can't be used: \(error).")
            }
        }
        if let kafka {
            let report = try await TopicPlan().apply(to: kafka)
            let made = report.made.isEmpty ? [] : ["made \(report.made.count) topics."]
            lines += (made + report.warnings).map { "Kafka at \(kafka.bootstrapServers): \($0)" }
        }
        return lines
    }

    /// What each of them is, and where: without logins.
    var places: [(name: String, place: String)] {
        var places: [(name: String, place: String)] = []
        if let kafka { places.append(("Kafka", kafka.bootstrapServers)) }
        if let redis { places.append(("Redis", Self.place(of: redis))) }
        if let postgres { places.append(("PostgreSQL", postgres.server)) }
        return places
    }

    /// All servers that the address names, as Kafka's does.
    private static func place(of redis: RedisConfiguration) -> String {
        redis.servers.map(\.description).joined(separator: ",")
    }
}
