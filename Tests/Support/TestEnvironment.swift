import AsyncHTTPClient
import Contracts
import EventBus
import Foundation
import JWTKit
import Logging
import Redis
import ServiceKit
import Store
import Synchronization

/// A clock that stands still until the test moves it, at a whole second: what is stored is rounded to
/// microseconds, and is the same as what was meant.
public final class TestClock: Sendable {
    private let time: Mutex<Date>

    /// 2026-01-05 08:00 UTC, a Monday, unless told otherwise.
    public init(_ start: Date = Date(timeIntervalSince1970: 1_767_600_000)) {
        time = Mutex(Date(timeIntervalSince1970: start.timeIntervalSince1970.rounded(.down)))
    }

    public var now: Date { time.withLock { $0 } }
    public func advance(by seconds: TimeInterval) {
        time.withLock { $0 = $0.addingTimeInterval(seconds) }
    }

    public var serviceClock: ServiceClock { ServiceClock { self.now } }
}

/// Access tokens signed by a key that test houses accept.
public struct TestTokens: Sendable {
    private static let key = ES256PrivateKey()
    private static let keyID = "test"

    /// A bearer token for the person, issued at the clock's time.
    public static func token(
        for person: PersonID, roles: Roles, session: SessionID = .new(), at date: Date
    ) async throws -> String {
        let keys = await JWTKeyCollection().add(ecdsa: key, kid: JWKIdentifier(string: keyID))
        return try await keys.sign(
            AccessClaims(person: person, roles: roles, session: session, issuedAt: date),
            kid: JWKIdentifier(string: keyID))
    }

    static func keySet() throws -> JWKS {
        guard let point = key.publicKey.parameters else { throw ConfigError("no key") }
        return JWKS(keys: [
            .ecdsa(
                .es256, identifier: JWKIdentifier(string: keyID), x: point.x, y: point.y,
                curve: .p256)
        ])
    }
}

/// One for all tests: it lives as long as they do.
private let testClient = ServiceEnvironment.httpClient()

extension ServiceEnvironment {
    public static let testSecret = "a secret of tests, long enough for one"

    /// A house with databases in memory, or the one given, a fixed secret, tokens of `TestTokens` and the given clock.
    ///
    /// Kafka is absent unless given: nothing answers at the address, so the outbox keeps what is published.
    public static func test(
        _ name: String, clock: TestClock = TestClock(), kafka: String = "127.0.0.1:1",
        redis: String? = nil, folder: String? = nil, location: Database.Location? = nil,
        traces: String? = nil
    ) throws -> ServiceEnvironment {
        var environment = [
            "OPENVALET_KAFKA": kafka, "OPENVALET_SERVICE_SECRET": testSecret,
            "OPENVALET_JWKS_URL": "http://127.0.0.1:1/", "OPENVALET_PORT": "0",
        ]
        var parts: Set<ServiceManifest.Part> = [.tokenKeys]
        if let redis {
            environment["OPENVALET_REDIS"] = redis
            parts.insert(.redis)
        }
        if let folder { environment["OPENVALET_DATA"] = folder }
        if let traces { environment["OTEL_EXPORTER_OTLP_ENDPOINT"] = traces }
        let values = try ConfigValues(environment, keys: CommonConfig.keys(parts))
        var common = try CommonConfig(values, parts: parts)
        // A busy machine is slow.
        common.redis?.connectTimeout = patience
        common.redis?.commandTimeout = patience
        // What nobody expected stands beside the failure that comes of it.
        var logger = Logger(label: name) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        return ServiceEnvironment(
            name, common, logger: logger,
            metrics: PrometheusRegistry(), clock: clock.serviceClock, client: testClient,
            verifier: TokenVerifier(clock: clock.serviceClock) { try TestTokens.keySet() },
            databases: { service in
                if let location { return location }
                guard let folder else { return try TestDatabases.location(of: service) }
                return try TestDatabases.location(service, in: folder)
            })
    }
}

/// The events of a type that a database has published, oldest first.
public func outboxEvents<E: Event>(
    of type: E.Type, in database: Database
) async throws -> [E] {
    try await database.read { transaction in
        try transaction.rows(
            "SELECT body FROM outbox WHERE type = ? ORDER BY position", E.type
        ).map { row in
            try Wire.decode(E.self, from: Data(row.get("body", as: String.self).utf8))
        }
    }
}

/// How long a test waits for what must come: it costs time only when the test fails, and a loaded
/// machine is slow.
public let patience: Duration = .seconds(60)

/// Waits for a condition by asking again, as long as `patience` lasts.
public func eventually(
    within limit: Duration = patience, _ condition: () async throws -> Bool
) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    var pause = Duration.milliseconds(5)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(80))
    }
    return try await condition()
}
