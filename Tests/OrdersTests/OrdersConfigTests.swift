import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Orders

struct OrdersConfigTests {
    private func values(
        _ others: [String: String] = [:], key: String? = String(repeating: "k", count: 32)
    ) throws -> ConfigValues {
        var environment = others
        environment["OPENVALET_ORDERS_CUSTODY_KEY"] = key
        for peer in ServiceManifest.orders.peers {
            environment["OPENVALET_\(peer.uppercased())_URL"] = "http://127.0.0.1:1"
        }
        return try ConfigValues(environment, keys: OrdersConfig.keys)
    }

    @Test(.withoutDatabase, arguments: [nil, "", String(repeating: "k", count: 31)])
    func withoutAKeyForTheRecordItDoesNotStart(key: String?) {
        #expect(throws: ConfigError.self) { _ = try OrdersConfig(values(key: key)) }
    }

    @Test(.withoutDatabase) func withoutKeysTheUsualLimitsHold() throws {
        let config = try OrdersConfig(values())
        #expect(config.limits.stateSeconds == OrderLimits.usual.stateSeconds)
        #expect(config.limits.matchAnswerSeconds == 60)
    }

    @Test(.withoutDatabase) func eachLimitHasItsKey() throws {
        let config = try OrdersConfig(
            values(
                [
                    "OPENVALET_ORDERS_LIMIT_WAITING_FOR_PAYMENT_SECONDS": "7",
                    "OPENVALET_ORDERS_MATCH_ANSWER_SECONDS": "9",
                ]))
        #expect(config.limits.stateSeconds[.waitingForPayment] == 7)
        #expect(config.limits.matchAnswerSeconds == 9)
    }

    @Test(.withoutDatabase) func aLimitThatIsNoTimeStopsTheStart() {
        for value in ["0", "-1", "x", "99999999999"] {
            #expect(throws: ConfigError.self) {
                _ = try OrdersConfig(
                    values(["OPENVALET_ORDERS_LIMIT_PARKED_SECONDS": value]))
            }
        }
    }

    @Test func theWholeServiceCanBeBuilt() async throws {
        let config = try OrdersConfig(values())
        let services = try await build(config, ServiceEnvironment.test("orders"))
        #expect(services.contains { $0 is OrderWatch })
    }
}
