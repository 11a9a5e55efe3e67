import Contracts
import Foundation

// Calls that need more than an endpoint.
extension OpenValetClient {
    /// The bytes at an address from an answer, for example `photoURL`.
    public func picture(_ address: String) async throws -> Data {
        try await self(EndpointCall<Bytes>(address: address))
    }

    /// The platform's own maps.
    public func maps() async throws -> MapIndex {
        try await self(EndpointCall<MapIndex>(address: "/tiles"))
    }

    /// Nil if the platform is not a demo.
    public func demo() async throws -> DemoView? {
        do {
            return try await self(WebEndpoints.demo())
        } catch let error as ClientError where error.status == 404 {
            return nil
        }
    }

    /// All data about the signed-in person, as JSON.
    public func exportMe() async throws -> Data {
        try await self(AccountEndpoints.exportMe.giving(Bytes.self)())
    }

    /// A receipt as a page to show or print, in the customer's language by default.
    public func receiptPage(_ order: OrderID, in language: Language? = nil) async throws -> String {
        let receipt = PaymentEndpoints.receipt.giving(Bytes.self)
        let page = try await self(
            receipt(order, asks: LanguageQuery(language))
                .with("Accept", "text/html, application/problem+json"))
        return String(decoding: page, as: UTF8.self)
    }

    /// Calls as the gate, with its token.
    public func pass(_ gate: NewGate, _ body: PassageBody) async throws -> PassageAnswer {
        try await self(CarParkEndpoints.pass(gate.id, body: body).with("Gate-Token", gate.token))
    }
}
