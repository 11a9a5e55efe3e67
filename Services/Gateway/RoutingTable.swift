import Contracts
import Foundation
import HTTPTypes

/// Who answers an address: a service, or the gateway itself.
enum Target: String, Sendable, CaseIterable {
    case gateway, accounts, orders, location, matching, plates, payments, ratings, notifications
}

/// Which limit a request counts against.
enum RateClass: String, Sendable, CaseIterable {
    /// What can be guessed or abused; by address before anybody is signed in, by person after.
    case strict
    /// What the payment provider tells; by address.
    case webhooks
    /// Public otherwise; by address.
    case open
    /// By person.
    case standard
    /// What a paid recogniser is asked; by person.
    case recognitions
    /// What a geocoder is asked that all share; by person.
    case places
    /// One's own position; by person, judged without a round trip.
    case positions
    /// What is answered from memory; by the limit of an address as a whole.
    case files
}

/// One line of the routing table.
struct Route: Sendable {
    /// Bytes of a body, unless the line says otherwise.
    static let standardBody = 64 * 1_024
    /// Bytes: one position, generously.
    static let positionBody = 4 * 1_024
    /// Bytes: an area of thousands of points.
    static let areaBody = 256 * 1_024
    /// Bytes: a profile picture.
    static let portraitBody = 5 * 1_024 * 1_024

    /// Bytes: a photo of a vehicle.
    static let photoBody = 8 * 1_024 * 1_024
    /// Bytes: an event of the payment provider.
    static let webhookBody = 256 * 1_024

    let method: HTTPRequest.Method
    /// As in OpenAPI: `/v1/orders/{id}`.
    let path: String
    let target: Target
    /// Nil: anybody, signed in or not.
    let callers: Set<Role>?
    let rate: RateClass
    /// In bytes.
    let bodyLimit: Int

    init(
        _ method: HTTPRequest.Method, _ path: String, _ target: Target,
        _ callers: Set<Role>? = Route.everybody, body: Int = Route.standardBody
    ) {
        self.method = method
        self.path = path
        self.target = target
        self.callers = callers
        self.rate = callers == nil ? .open : .standard
        self.bodyLimit = body
    }

    private init(_ route: Route, rate: RateClass) {
        (method, path, target) = (route.method, route.path, route.target)
        (callers, bodyLimit, self.rate) = (route.callers, route.bodyLimit, rate)
    }

    func limited(_ rate: RateClass) -> Route { Route(self, rate: rate) }

    static let anybody: Set<Role>? = nil
    static let everybody: Set<Role> = [.customer, .valet, .operator]
    static let customers: Set<Role> = [.customer]
    static let valets: Set<Role> = [.valet]
    static let parties: Set<Role> = [.customer, .valet]
    static let operators: Set<Role> = [.operator]
}

/// The public API: each address, who answers it and who may call. Beside it only the web apps
/// (`WebRoutes`) are reachable from outside.
enum RoutingTable {
    static let routes: [Route] =
        accounts + positions + orders + plates + payments + ratings + feed + operators + documents

    private static let accounts: [Route] = [
        Route(.post, "/v1/customers", .accounts, Route.anybody).limited(.strict),
        Route(.post, "/v1/verifications", .accounts, Route.anybody).limited(.strict),
        Route(.post, "/v1/verifications/confirm", .accounts, Route.anybody).limited(.strict),
        Route(.post, "/v1/sessions", .accounts, Route.anybody).limited(.strict),
        Route(.post, "/v1/sessions/refresh", .accounts, Route.anybody),
        Route(.delete, "/v1/sessions/current", .accounts),
        Route(.post, "/v1/password-resets", .accounts, Route.anybody).limited(.strict),
        Route(.post, "/v1/password-resets/confirm", .accounts, Route.anybody).limited(.strict),
        Route(.get, "/v1/me", .accounts),
        Route(.patch, "/v1/me", .accounts),
        Route(.post, "/v1/me/password", .accounts).limited(.strict),
        Route(.get, "/v1/me/sessions", .accounts),
        Route(.delete, "/v1/me/sessions", .accounts),
        Route(.delete, "/v1/me/sessions/{id}", .accounts),
        Route(.put, "/v1/me/photo", .accounts, body: Route.portraitBody),
        Route(.delete, "/v1/me/photo", .accounts),
        Route(.post, "/v1/me/deletion", .accounts).limited(.strict),
        Route(.get, "/v1/me/export", .gateway).limited(.strict),
        Route(.get, "/v1/pictures/people/{id}", .accounts, Route.anybody),
        Route(.get, "/v1/me/vehicles", .accounts, Route.customers),
        Route(.post, "/v1/me/vehicles", .accounts, Route.customers),
        Route(.patch, "/v1/me/vehicles/{id}", .accounts, Route.customers),
        Route(.delete, "/v1/me/vehicles/{id}", .accounts, Route.customers),
    ]

    private static let positions: [Route] = [
        Route(.put, "/v1/me/location", .gateway, Route.parties, body: Route.positionBody)
            .limited(.positions),
        Route(.post, "/v1/me/locations", .location, Route.parties),
        Route(.put, "/v1/me/availability", .location, Route.valets),
        Route(.get, "/v1/valets/nearby", .location),
        Route(.get, "/v1/orders/{id}/track", .location),
        Route(.get, "/v1/orders/{id}/route", .location),
        Route(.get, "/v1/places", .location).limited(.places),
        Route(.get, "/v1/places/reverse", .location).limited(.places),
    ]

    private static let orders: [Route] = [
        Route(.get, "/v1/service-areas", .orders, Route.anybody),
        Route(.post, "/v1/orders", .orders, Route.customers),
        Route(.get, "/v1/orders/current", .orders, Route.parties),
        Route(.get, "/v1/orders", .orders),
        Route(.get, "/v1/orders/{id}", .orders),
        Route(.post, "/v1/orders/{id}/cancel", .orders, Route.customers),
        Route(.post, "/v1/orders/{id}/cancel-recall", .orders, Route.customers),
        Route(.post, "/v1/orders/{id}/customer-absent", .orders, Route.valets),
        Route(.post, "/v1/orders/{id}/withdraw", .orders, [.valet, .operator]),
        Route(.post, "/v1/orders/{id}/collect", .orders, Route.valets),
        Route(.post, "/v1/orders/{id}/park", .orders, Route.valets),
        Route(.post, "/v1/orders/{id}/recall", .orders, Route.customers),
        Route(.post, "/v1/orders/{id}/retrieve", .orders, Route.valets),
        Route(.post, "/v1/orders/{id}/hand-back", .orders, Route.valets),
        Route(.get, "/v1/orders/{id}/quote", .orders),
        Route(.get, "/v1/orders/{id}/custody", .orders),
        Route(.get, "/v1/orders/{id}/matching", .matching, Route.operators),
        Route(.get, "/v1/me/offers", .orders, Route.valets),
        Route(.post, "/v1/orders/{id}/offer-delivered", .orders, Route.valets),
        Route(.post, "/v1/orders/{id}/accept", .orders, Route.valets),
        Route(.post, "/v1/orders/{id}/decline", .orders, Route.valets),
        Route(.get, "/v1/tasks", .orders, [.valet, .operator]),
        Route(.post, "/v1/orders/{id}/take-task", .orders, Route.valets),
        Route(.post, "/v1/orders/{id}/release-task", .orders, Route.valets),
        Route(.post, "/v1/orders/{id}/complete-task", .orders, Route.valets),
        Route(.get, "/v1/me/shifts", .orders, Route.valets),
        Route(.get, "/v1/admin/shifts", .orders, Route.operators),
    ]

    private static let plates: [Route] = [
        Route(.post, "/v1/plates/recognitions", .plates, Route.valets, body: Route.photoBody)
            .limited(.recognitions),
        Route(.post, "/v1/orders/{id}/photos", .plates, Route.parties, body: Route.photoBody),
        Route(.get, "/v1/orders/{id}/photos", .plates),
        Route(.get, "/v1/pictures/vehicles/{id}", .plates, Route.anybody),
    ]

    private static let payments: [Route] = [
        Route(.get, "/v1/me/payment-methods", .payments, Route.customers),
        Route(.post, "/v1/me/payment-methods", .payments, Route.customers),
        Route(.delete, "/v1/me/payment-methods/{id}", .payments, Route.customers),
        Route(.post, "/v1/orders/{id}/pay", .payments, Route.customers),
        Route(.get, "/v1/orders/{id}/receipt", .payments, [.customer, .operator]),
        Route(.get, "/v1/bills/{id}", .payments, [.customer, .operator]),
        Route(.post, "/v1/bills/{id}/pay", .payments, Route.customers),
        Route(.get, "/v1/bills/{id}/receipt", .payments, [.customer, .operator]),
        Route(.get, "/v1/payments", .payments, [.customer, .operator]),
        Route(.get, "/v1/me/earnings", .payments, Route.valets),
        Route(.get, "/v1/me/balance", .payments, [.customer, .valet]),
        Route(.get, "/v1/me/payouts", .payments, [.customer, .valet]),
        Route(.post, "/v1/me/payouts", .payments, [.customer, .valet]),
        Route(.post, "/v1/me/payout-account", .payments, [.customer, .valet]),
        Route(.get, "/v1/payment-provider", .payments, Route.anybody),
        Route(.post, "/v1/webhooks/stripe", .payments, Route.anybody, body: Route.webhookBody)
            .limited(.webhooks),
    ]

    private static let ratings: [Route] = [
        Route(.put, "/v1/orders/{id}/rating", .ratings, Route.parties),
        Route(.put, "/v1/engagements/{id}/rating", .ratings, Route.parties),
        Route(.get, "/v1/users/{id}/rating", .ratings),
        Route(.get, "/v1/users/{id}/comments", .ratings),
    ]

    private static let feed: [Route] = [
        Route(.get, "/v1/stream", .gateway),
        Route(.get, "/v1/notifications", .notifications),
        Route(.get, "/v1/push-key", .notifications, Route.anybody),
        Route(.get, "/v1/me/push-subscriptions", .notifications),
        Route(.post, "/v1/me/push-subscriptions", .notifications),
        Route(.delete, "/v1/me/push-subscriptions/{id}", .notifications),
    ]

    private static let operators: [Route] = [
        Route(.post, "/v1/admin/valets", .accounts, Route.operators),
        Route(.get, "/v1/admin/valets", .gateway, Route.operators),
        Route(.patch, "/v1/admin/valets/{id}", .accounts, Route.operators),
        Route(.get, "/v1/admin/orders", .orders, Route.operators),
        Route(.post, "/v1/admin/orders/{id}/override", .orders, Route.operators),
        Route(
            .get, "/v1/admin/orders/{id}/custody/verification", .orders, Route.operators),
        Route(.get, "/v1/admin/alerts", .orders, Route.operators),
        Route(.post, "/v1/admin/alerts/{id}/acknowledge", .orders, Route.operators),
        Route(.get, "/v1/admin/service-areas/{id}", .orders, Route.operators),
        Route(
            .put, "/v1/admin/service-areas/{id}", .orders, Route.operators, body: Route.areaBody),
        Route(.put, "/v1/admin/service-areas/{id}/tariff", .orders, Route.operators),
        Route(.post, "/v1/admin/payments/{id}/refunds", .payments, Route.operators),
        Route(.get, "/v1/admin/ledger/trial-balance", .payments, Route.operators),
        Route(.get, "/v1/admin/ledger/entries", .payments, Route.operators),
        Route(.post, "/v1/admin/reconciliations", .payments, Route.operators),
        Route(.get, "/v1/admin/reconciliations", .payments, Route.operators),
        Route(.get, "/v1/admin/statistics/orders", .orders, Route.operators),
        Route(.get, "/v1/admin/statistics/revenue", .payments, Route.operators),
        Route(.get, "/v1/admin/audit", .notifications, Route.operators),
        Route(.get, "/v1/admin/messages", .notifications, Route.operators),
        Route(.get, "/v1/admin/dead-letters", .notifications, Route.operators),
        Route(.post, "/v1/admin/dead-letters/{id}/retry", .notifications, Route.operators),
    ]

    private static let documents: [Route] = [
        Route(.get, "/openapi.yaml", .gateway, Route.anybody),
        Route(.get, "/asyncapi.yaml", .gateway, Route.anybody),
    ]

    /// What each address takes, for `Allow`.
    static let methods: [String: [HTTPRequest.Method]] = Dictionary(
        grouping: routes, by: \.path
    ).mapValues { $0.map(\.method) }
}

extension Route {
    /// Longest id in a path, in characters: a UUID or the name of a service area.
    private static let longestID = 64

    /// The address at the service, made of the table's own text; nil when an id is none.
    ///
    /// Nothing that a client wrote but letters, digits and hyphens gets into it, so that no trick
    /// with dots, slashes or escapes reaches an address that the table does not have.
    func address(id: String?) -> String? {
        guard path.contains("{id}") else { return path }
        guard let id, (1...Self.longestID).contains(id.utf8.count),
            id.utf8.allSatisfy(Self.isPlain)
        else { return nil }
        return path.replacingOccurrences(of: "{id}", with: id)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
        default: false
        }
    }
}
