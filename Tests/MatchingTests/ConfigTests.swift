import Foundation
import ServiceKit
import Testing

@testable import Matching

@Suite struct ConfigTests {
    private func config(_ values: [String: String]) throws -> MatchingConfig {
        let url = ["OPENVALET_LOCATION_URL": "http://127.0.0.1:8084"]
        let environment = url.merging(values) { _, given in given }
        return try MatchingConfig(ConfigValues(environment, keys: MatchingConfig.keys))
    }

    @Test func theDefaultsAreThoseOfTheRules() throws {
        let rules = try config([:]).rules
        #expect(rules.patienceSeconds == 20)
        #expect(rules.windowSeconds == 2)
    }

    @Test func aRouterIsASetting() throws {
        #expect(try config([:]).router.router == .none)
        let url = "http://127.0.0.1:8002"
        let given = ["OPENVALET_ROUTER": "valhalla", "OPENVALET_ROUTER_URL": url]
        #expect(try config(given).router.router == .valhalla(#require(URL(string: url))))
        #expect(throws: ConfigError.self) { try config(["OPENVALET_ROUTER": "valhalla"]) }
    }

    @Test func zeroPatienceIsAllowed() throws {
        #expect(try config(["OPENVALET_MATCHING_PATIENCE_SECONDS": "0"]).rules.patienceSeconds == 0)
    }

    @Test(arguments: ["-1", "46", "soon"])
    func impossiblePatienceStopsTheStart(_ value: String) {
        #expect(throws: ConfigError.self) {
            try config(["OPENVALET_MATCHING_PATIENCE_SECONDS": value])
        }
    }

    @Test func withoutLocationThereIsNoStart() {
        #expect(throws: ConfigError.self) {
            try MatchingConfig(ConfigValues([:], keys: MatchingConfig.keys))
        }
    }
}
