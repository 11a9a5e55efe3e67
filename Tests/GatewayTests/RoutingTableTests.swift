import Contracts
import HTTPTypes
import Testing

@testable import Gateway

/// The whole API, line by line, with the service that answers it.
private let api = """
    POST /v1/customers accounts
    POST /v1/verifications accounts
    POST /v1/verifications/confirm accounts
    POST /v1/sessions accounts
    POST /v1/sessions/refresh accounts
    DELETE /v1/sessions/current accounts
    POST /v1/password-resets accounts
    POST /v1/password-resets/confirm accounts
    GET /v1/me accounts
    PATCH /v1/me accounts
    POST /v1/me/password accounts
    GET /v1/me/sessions accounts
    DELETE /v1/me/sessions accounts
    DELETE /v1/me/sessions/{id} accounts
    PUT /v1/me/photo accounts
    DELETE /v1/me/photo accounts
    POST /v1/me/deletion accounts
    GET /v1/me/export gateway
    GET /v1/pictures/people/{id} accounts
    GET /v1/me/vehicles accounts
    POST /v1/me/vehicles accounts
    PATCH /v1/me/vehicles/{id} accounts
    DELETE /v1/me/vehicles/{id} accounts
    GET /v1/service-areas orders
    PUT /v1/me/location gateway
    POST /v1/me/locations location
    PUT /v1/me/availability location
    GET /v1/valets/nearby location
    POST /v1/orders orders
    GET /v1/orders/current orders
    GET /v1/orders orders
    GET /v1/orders/{id} orders
    POST /v1/orders/{id}/cancel orders
    POST /v1/orders/{id}/cancel-recall orders
    POST /v1/orders/{id}/customer-absent orders
    POST /v1/orders/{id}/withdraw orders
    POST /v1/orders/{id}/collect orders
    POST /v1/orders/{id}/park orders
    POST /v1/orders/{id}/recall orders
    POST /v1/orders/{id}/retrieve orders
    POST /v1/orders/{id}/hand-back orders
    GET /v1/orders/{id}/quote orders
    GET /v1/orders/{id}/track location
    GET /v1/orders/{id}/route location
    GET /v1/places location
    GET /v1/places/reverse location
    GET /v1/orders/{id}/matching matching
    GET /v1/me/offers orders
    POST /v1/orders/{id}/offer-delivered orders
    POST /v1/orders/{id}/accept orders
    POST /v1/orders/{id}/decline orders
    GET /v1/tasks orders
    POST /v1/orders/{id}/take-task orders
    POST /v1/orders/{id}/release-task orders
    POST /v1/orders/{id}/complete-task orders
    GET /v1/me/shifts orders
    GET /v1/admin/shifts orders
    POST /v1/plates/recognitions plates
    POST /v1/orders/{id}/photos plates
    GET /v1/orders/{id}/photos plates
    GET /v1/pictures/vehicles/{id} plates
    GET /v1/me/payment-methods payments
    POST /v1/me/payment-methods payments
    DELETE /v1/me/payment-methods/{id} payments
    POST /v1/orders/{id}/pay payments
    GET /v1/orders/{id}/receipt payments
    GET /v1/payments payments
    GET /v1/me/earnings payments
    POST /v1/webhooks/stripe payments
    GET /v1/payment-provider payments
    GET /v1/admin/statistics/orders orders
    GET /v1/admin/statistics/revenue payments
    PUT /v1/orders/{id}/rating ratings
    PUT /v1/engagements/{id}/rating ratings
    GET /v1/users/{id}/rating ratings
    GET /v1/users/{id}/comments ratings
    GET /v1/stream gateway
    GET /v1/notifications notifications
    GET /v1/push-key notifications
    GET /v1/me/push-subscriptions notifications
    POST /v1/me/push-subscriptions notifications
    DELETE /v1/me/push-subscriptions/{id} notifications
    POST /v1/admin/valets accounts
    GET /v1/admin/valets gateway
    PATCH /v1/admin/valets/{id} accounts
    GET /v1/admin/orders orders
    POST /v1/admin/orders/{id}/override orders
    GET /v1/admin/service-areas/{id} orders
    PUT /v1/admin/service-areas/{id} orders
    PUT /v1/admin/service-areas/{id}/tariff orders
    POST /v1/admin/payments/{id}/refunds payments
    GET /v1/orders/{id}/custody orders
    GET /v1/admin/orders/{id}/custody/verification orders
    GET /v1/admin/alerts orders
    POST /v1/admin/alerts/{id}/acknowledge orders
    GET /v1/admin/audit notifications
    GET /v1/admin/ledger/trial-balance payments
    GET /v1/admin/ledger/entries payments
    POST /v1/admin/reconciliations payments
    GET /v1/admin/reconciliations payments
    GET /v1/admin/messages notifications
    GET /v1/admin/dead-letters notifications
    POST /v1/admin/dead-letters/{id}/retry notifications
    GET /v1/bills/{id} payments
    POST /v1/bills/{id}/pay payments
    GET /v1/bills/{id}/receipt payments
    GET /v1/me/balance payments
    GET /v1/me/payouts payments
    POST /v1/me/payouts payments
    POST /v1/me/payout-account payments
    GET /openapi.yaml gateway
    GET /asyncapi.yaml gateway
    """

@Suite struct RoutingTableTests {
    @Test func theTableIsTheWholeAPI() {
        let table = RoutingTable.routes.map {
            "\($0.method.rawValue) \($0.path) \($0.target.rawValue)"
        }
        let wanted = api.split(separator: "\n").map(String.init)
        #expect(Set(table) == Set(wanted))
        #expect(table.count == wanted.count)
    }

    @Test func onlyTheseAreOpenToAnybody() {
        let open = RoutingTable.routes.filter { $0.callers == nil }.map(\.path)
        #expect(
            Set(open) == [
                "/v1/customers", "/v1/verifications", "/v1/verifications/confirm", "/v1/sessions",
                "/v1/sessions/refresh", "/v1/password-resets", "/v1/password-resets/confirm",
                "/v1/pictures/people/{id}", "/v1/pictures/vehicles/{id}", "/v1/service-areas",
                "/v1/payment-provider", "/v1/push-key",
                "/openapi.yaml",
                "/asyncapi.yaml", "/v1/webhooks/stripe",
            ])
    }

    @Test func whatCanBeGuessedIsStrictlyLimited() {
        let strict = RoutingTable.routes.filter { $0.rate == .strict }.map(\.path)
        #expect(
            Set(strict) == [
                "/v1/customers", "/v1/verifications", "/v1/verifications/confirm", "/v1/sessions",
                "/v1/password-resets", "/v1/password-resets/confirm", "/v1/me/password",
                "/v1/me/deletion", "/v1/me/export",
            ])
    }

    @Test func everythingForOperatorsIsForOperatorsOnly() {
        for route in RoutingTable.routes where route.path.hasPrefix("/v1/admin/") {
            #expect(route.callers == [.operator], "\(route.path)")
        }
    }

    @Test func everyBodyHasALimit() {
        for route in RoutingTable.routes {
            let most =
                switch route.path {
                case "/v1/me/photo": Route.portraitBody
                case "/v1/orders/{id}/photos", "/v1/plates/recognitions": Route.photoBody
                default: Route.areaBody
                }
            #expect((1...most).contains(route.bodyLimit), "\(route.path)")
        }
    }

    @Test func nothingInternalIsInTheTable() {
        for route in RoutingTable.routes {
            let first = route.path.split(separator: "/").first ?? ""
            #expect(!["internal", "metrics", "health", ".well-known"].contains(first))
        }
    }

    @Test(arguments: [
        ("0190aaaa-0000-7000-8000-000000000001", true), ("hk-island", true), ("", false),
        ("..", false), ("%2e%2e", false), ("a/b", false), ("a%2Fb", false), ("a?b", false),
        ("a b", false), ("a#b", false), (String(repeating: "a", count: 65), false), ("é", false),
    ])
    func onlyAPlainIDGetsIntoAnAddress(id: String, isGood: Bool) {
        let route = Route(.get, "/v1/orders/{id}/track", .location)
        #expect(route.address(id: id) == (isGood ? "/v1/orders/\(id)/track" : nil))
        #expect(route.address(id: nil) == nil)
    }

    @Test func anAddressWithoutAnIDIsTheTablesOwn() {
        #expect(Route(.get, "/v1/me", .accounts).address(id: "x") == "/v1/me")
    }
}
