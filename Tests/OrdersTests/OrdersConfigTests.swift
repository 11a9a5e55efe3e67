import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Orders

struct OrdersConfigTests {
    @Test func withoutKeysTheUsualLimitsHold() throws {
        let config = try OrdersConfig(ConfigValues([:], keys: OrdersConfig.keys))
        #expect(config.limits.stateSeconds == OrderLimits.usual.stateSeconds)
        #expect(config.limits.matchAnswerSeconds == 60)
    }

    @Test func eachLimitHasItsKey() throws {
        let config = try OrdersConfig(
            ConfigValues(
                [
                    "OPENVALET_ORDERS_LIMIT_WAITING_FOR_PAYMENT_SECONDS": "7",
                    "OPENVALET_ORDERS_MATCH_ANSWER_SECONDS": "9",
                ], keys: OrdersConfig.keys))
        #expect(config.limits.stateSeconds[.waitingForPayment] == 7)
        #expect(config.limits.matchAnswerSeconds == 9)
    }

    @Test func aLimitThatIsNoTimeStopsTheStart() {
        for value in ["0", "-1", "x", "99999999999"] {
            #expect(throws: ConfigError.self) {
                _ = try OrdersConfig(
                    ConfigValues(
                        ["OPENVALET_ORDERS_LIMIT_PARKED_SECONDS": value], keys: OrdersConfig.keys))
            }
        }
    }

    @Test func theWholeServiceCanBeBuilt() async throws {
        let config = try OrdersConfig(ConfigValues([:], keys: OrdersConfig.keys))
        let services = try await build(config, House.test("orders"))
        #expect(services.contains { $0 is OrderWatch })
    }
}
