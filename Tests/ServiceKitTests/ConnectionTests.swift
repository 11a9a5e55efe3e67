import Contracts
import Logging
import Store
import Support
import Testing

@testable import ServiceKit

/// As long as the tests live.
private let client = ServiceEnvironment.httpClient()

@Suite struct ConnectionTests {
    /// A service that may open so many connections, with a database on a server that allows 397.
    private func environment(_ connections: String, _ log: LogRecorder) throws -> ServiceEnvironment
    {
        let values = try ConfigValues(
            [
                "OPENVALET_KAFKA": "127.0.0.1:1",
                "OPENVALET_SERVICE_SECRET": ServiceEnvironment.testSecret,
                CommonConfig.databaseConnectionsKey: connections,
            ], keys: CommonConfig.keys([]))
        let clock = TestClock().serviceClock
        return ServiceEnvironment(
            "orders", try CommonConfig(values, parts: []), logger: log.logger,
            metrics: PrometheusRegistry(), clock: clock, client: client,
            verifier: TokenVerifier(clock: clock) { throw ConfigError("there are no keys") },
            databases: { _ in try TestPostgres.shared.get().newLocation() })
    }

    @Test func aServiceOpensAsManyConnectionsAsItIsTold() throws {
        let log = LogRecorder(.warning)
        let database = try environment("6", log).database([])
        #expect(database.connections?.most == 6)
        #expect(log.all == [])
    }

    @Test func aServiceWarnsOfMoreConnectionsThanItsServerAllows() throws {
        let log = LogRecorder(.warning)
        let database = try environment("398", log).database([])
        #expect(database.connections?.serverLimit == 397)
        #expect(log.all.count == 1)
        #expect(log.text.contains("allows fewer connections"))
    }

    @Test(arguments: ["1", "0", "-4", "many", "1001"])
    func aNumberOfConnectionsThatCannotWorkStopsTheStart(_ text: String) {
        #expect(throws: ConfigError.self) { try environment(text, LogRecorder()) }
    }
}
