import Redis
import ServiceLifecycle

/// The version of the form in which a service stores its state in Redis, in the key `<service>:format`.
///
/// A release raises it if the release before can't read what it writes. Then it uses other keys for the new form, and
/// fills them from the old ones or from the owners' events; what the old keys have expires. A service on a newer form
/// than it knows ends at its start, before it could damage anything. 1.0.0 has no such key; its form is 1.
public struct RedisFormat: Service {
    /// The pause between two tries while Redis is away, during which `/health/ready` says so.
    private static let pause: Duration = .seconds(1)

    private let service: String
    private let version: Int
    private let redis: RedisPool

    init(_ version: Int, of service: String, in redis: RedisPool) {
        (self.service, self.version, self.redis) = (service, version, redis)
    }

    private var key: String { "\(service):format" }

    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    return try await check()
                } catch let error as RedisError where error.isRetriable {
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
        try? await gracefulShutdown()
    }

    /// Stores the version if there is none. Throws `ConfigError` if Redis has a newer one.
    func check() async throws {
        _ = try await redis.execute(RawCommand("SET", key, "\(version)", "NX"))
        guard let found = try await redis.execute(RawCommand("GET", key)).string.flatMap(Int.init)
        else {
            throw RedisError(.protocol, "\(key) is not a number")
        }
        guard found <= version else {
            throw ConfigError(
                """
                Redis has \(service)'s state in form \(found) of a newer release; this one knows \(version). \
                Run that release, or delete the keys \(service):*, and replay (docs/operations.md, Upgrades).
                """)
        }
    }
}

extension ServiceEnvironment {
    /// Checks the form of this service's state in Redis; the first part of a service.
    public func redisFormat(_ version: Int, in redis: RedisPool) -> RedisFormat {
        RedisFormat(version, of: name, in: redis)
    }
}
