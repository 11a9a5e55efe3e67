import ServiceKit
import Testing

@testable import Gateway

@Suite struct GatewayConfigTests {
    @Test func theDefaultsAreGenerousToPeopleAndStrictToStrangers() throws {
        let config = try TestGateway.config(base: "http://127.0.0.1:1")
        #expect(config.rates.strict == Rate(perSecond: 0.5, burst: 30))
        #expect(config.rates.person == Rate(perSecond: 50, burst: 100))
        #expect(config.rates.positions == Rate(perSecond: 20, burst: 40))
        #expect(config.trustedProxies.isEmpty)
        #expect(config.origins.isEmpty)
        #expect(config.forwardTimeout == .seconds(10))
        #expect(Set(config.peers.keys) == Set(Target.services))
    }

    @Test(arguments: [
        ("TRUSTED_PROXIES", "10.0.0.0/64"), ("TRUSTED_PROXIES", "proxy"),
        ("ORIGINS", "app.example.com"), ("ORIGINS", "https://app.example.com/"),
        ("STRICT_PER_MINUTE", "0"), ("STREAMS", "many"), ("FORWARD_SECONDS", "-1"),
        ("NONSENSE", "1"),
    ])
    func aValueThatCanNotBeStopsTheStart(name: String, value: String) {
        #expect(throws: ConfigError.self) {
            try TestGateway.config(base: "http://127.0.0.1:1", [name: value])
        }
    }

    @Test func listsAreRead() throws {
        let config = try TestGateway.config(
            base: "http://127.0.0.1:1",
            [
                "TRUSTED_PROXIES": "10.0.0.0/8, fd00::/8",
                "ORIGINS": "https://a.example.com,http://localhost:3000",
            ])
        #expect(config.trustedProxies.count == 2)
        #expect(config.origins == ["https://a.example.com", "http://localhost:3000"])
    }
}
