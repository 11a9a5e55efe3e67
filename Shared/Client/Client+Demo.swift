import Contracts
import Foundation

// MARK: - Demos, and the house's maps

extension OpenValetClient {
    /// Nil where the system is no demo.
    public func demo() async throws -> DemoView? {
        do {
            return try await value(WebEndpoints.demo())
        } catch let error as ClientError where error.status == 404 {
            return nil
        }
    }

    /// Reads out a hand-over code on a demo's street.
    public func readOut(_ code: String, _ leg: OrderLeg, of order: OrderID) async throws {
        try await done(WebEndpoints.readOut(order, body: SpokenCode(leg: leg, code: code)))
    }

    /// The code that was read out last on a demo's street; nil while none was.
    public func hear(_ leg: OrderLeg, of order: OrderID) async throws -> String? {
        try await value(WebEndpoints.hear(order, asks: HearQuery(leg)))?.code
    }

    /// Which maps of its own the house has.
    public func maps() async throws -> MapIndex {
        try await value(Call<MapIndex>(address: "/tiles"))
    }
}
