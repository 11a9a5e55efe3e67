import Contracts
import HTTPTypes
import Testing

@testable import Gateway

@Suite struct RoutingTableTests {
    private let endpoints = RoutingTable().routes.map(\.endpoint)

    @Test func noAddressIsAnsweredTwice() {
        let addresses = endpoints.map { "\($0.method.rawValue) \($0.path)" }
        #expect(Set(addresses).count == addresses.count)
        #expect(Set(endpoints.map(\.id)).count == endpoints.count)
    }

    /// Two names for one place of an address, and the router ends the gateway at its start.
    @Test func addressesNameAnIdAlikeAtTheSamePlace() {
        var names: [String: Set<Substring>] = [:]
        for endpoint in endpoints {
            var place = ""
            for part in endpoint.path.split(separator: "/") {
                if part.hasPrefix("{") { names[place, default: []].insert(part) }
                place += part.hasPrefix("{") ? "/{}" : "/\(part)"
            }
        }
        #expect(!names.isEmpty)
        for (place, names) in names { #expect(names.count == 1, "\(place): \(names)") }
    }

    /// The service of the original, whose ids the product's address has by the same names.
    @Test func whatAProductListsOfAnotherServiceIsAnsweredThere() throws {
        let routes = RoutingTable().routes
        for route in routes {
            guard let original = route.endpoint.answeredAt else { continue }
            let answers = try #require(
                routes.first {
                    $0.endpoint.answeredAt == nil && $0.endpoint.path == original
                        && $0.endpoint.method == route.endpoint.method
                }, "\(route.endpoint.path)")
            #expect(answers.target == route.target, "\(route.endpoint.path)")
            #expect(Set(answers.endpoint.pathIDs).isSubset(of: route.endpoint.pathIDs))
        }
    }

    @Test func aProductsAddressLeadsToTheServiceThatAnswersIt() throws {
        let rate = RatingEndpoints.rateEngagement.at(
            "/v1/stations/{station}/lockers/{id}/rating", id: "rateLocker", "Rate it")
        let lockers = ServiceManifest("lockers", [], endpoints: [rate.untyped])
        let route = try #require(
            RoutingTable([lockers, .ratings]).routes.first { $0.endpoint.id == "rateLocker" })
        #expect(route.target.rawValue == "ratings")
        let address = route.endpoint.address { $0 == "id" ? "7" : "central" }
        #expect(address == "/v1/engagements/7/rating")
        #expect(route.endpoint.address { $0 == "id" ? "7" : ".." } == nil)
        #expect(rate.refusals == RatingEndpoints.rateEngagement.refusals)
        #expect(rate.callers == RatingEndpoints.rateEngagement.callers)
    }

    @Test func onlyTheseAreOpenToAnybody() {
        let open = endpoints.filter { $0.callers == .anybody }.map(\.path)
        #expect(
            Set(open) == [
                "/v1/customers", "/v1/verifications", "/v1/verifications/confirm", "/v1/sessions",
                "/v1/sessions/refresh", "/v1/password-resets", "/v1/password-resets/confirm",
                "/v1/pictures/people/{id}", "/v1/pictures/vehicles/{id}", "/v1/service-areas",
                "/v1/payment-provider", "/v1/payment-provider/confirmations", "/v1/push-key",
                "/v1/client-errors", "/v1/webhooks/stripe",
                "/v1/company", "/v1/company/logo", "/v1/parking/lookup", "/v1/parking/pay",
                "/openapi.yaml", "/asyncapi.yaml", "/v1/demo", "/v1/demo/orders/{id}/code",
                "/v1/car-parks", "/v1/car-parks/{id}", "/v1/car-parks/{id}/availability",
                "/v1/car-parks/{id}/route", "/v1/exports/car-parks", "/v1/carpool/gtfs",
                "/v1/exports/apds",
                "/v1/exports/parking-status", "/v1/car-parks/{id}/quote", "/v1/gates/{id}/passages",
                "/v1/ticket-keys", "/v1/pictures/fines/{id}", "/v1/pictures/spots/{id}",
                "/v1/sessions/second-factor",
                "/v1/sessions/second-factor/message", "/v1/sessions/second-factor/enrolment",
                "/v1/sessions/second-factor/enrolment/confirm", "/v1/pictures/car-parks/{id}",
                "/v1/pictures/parked-vehicles/{id}", "/v1/places", "/v1/places/reverse",
                "/v1/routes", "/v1/reachable", "/v1/vendors", "/v1/vendors/{id}",
                "/v1/parking/receipt",
            ])
    }

    @Test func whatCanBeGuessedIsStrictlyLimited() {
        let strict = endpoints.filter { $0.rate == .strict }.map(\.path)
        #expect(
            Set(strict) == [
                "/v1/customers", "/v1/verifications", "/v1/verifications/confirm", "/v1/sessions",
                "/v1/password-resets", "/v1/password-resets/confirm", "/v1/me/password",
                "/v1/me/deletion", "/v1/me/export", "/v1/me/contacts", "/v1/me/contacts/code",
                "/v1/me/contacts/removal", "/v1/sessions/second-factor",
                "/v1/sessions/second-factor/message", "/v1/sessions/second-factor/enrolment",
                "/v1/sessions/second-factor/enrolment/confirm", "/v1/me/second-factors/totp",
                "/v1/me/second-factors/totp/confirm", "/v1/me/second-factors/sms",
                "/v1/me/second-factors/sms/confirm", "/v1/me/second-factors/recovery-codes",
                "/v1/me/second-factors/removal", "/v1/parking/lookup", "/v1/parking/pay",
                "/v1/me/payment-methods/setup",
            ])
    }

    @Test func webhooksOfAProviderShareNobodysLimit() {
        #expect(endpoints.filter { $0.rate == .webhooks }.map(\.path) == ["/v1/webhooks/stripe"])
    }

    @Test func everythingForOperatorsIsForOperatorsOnly() {
        for route in endpoints where route.path.hasPrefix("/v1/admin/") {
            #expect(route.callers == [.operator], "\(route.path)")
        }
    }

    @Test func everyBodyHasALimit() {
        for route in endpoints {
            let most =
                switch route.path {
                case "/v1/admin/car-parks/imports": BodyLimit.carParks
                case "/v1/admin/vendor-imports": BodyLimit.vendors
                case "/v1/me/photo": BodyLimit.portrait
                case "/v1/orders/{id}/photos", "/v1/plates/recognitions", "/v1/fines/{id}/photos",
                    "/v1/admin/fines/{id}/photos", "/v1/admin/car-parks/{id}/photos",
                    "/v1/me/spot-photos", "/v1/me/parked-vehicle/photo":
                    BodyLimit.photo
                default: BodyLimit.area
                }
            #expect((1...most).contains(route.bodyLimit), "\(route.path)")
        }
    }

    @Test func nothingInternalIsInTheTable() {
        for route in endpoints {
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
        let endpoint = Endpoint<Void, Void>(
            .get, "/v1/orders/{id}/photos/{photo}", id: "photo", "A photo", answer: "The photo.")
        let address = endpoint.untyped.address { $0 == "photo" ? id : "one" }
        #expect(address == (isGood ? "/v1/orders/one/photos/\(id)" : nil))
        #expect(endpoint.untyped.address { $0 == "photo" ? nil : "one" } == nil)
    }

    @Test func anAddressWithoutAnIDIsTheTablesOwn() {
        #expect(AccountEndpoints.me.untyped.address { _ in "x" } == "/v1/me")
    }
}
