import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// The routes of accounts: sign-up, sign-in, vehicles, and operators' view of valets.
struct AccountRoutes: Sendable {
    /// How long the published keys may be cached, in seconds.
    static let keysMaxAge = 300
    /// Answers with tokens must not be cached (RFC 6749 §5.1).
    static let notKept: HTTPFields = [.cacheControl: "no-store"]

    let accounts: AccountUseCases

    func add(to router: Router<Context>) {
        addSessions(to: router)
        addChallenges(to: router)
        addSecondFactors(to: router)
        addMyself(to: router)
        addVehicles(to: router)
        addValets(to: router)
        addConduct(to: router)
        router.get("/.well-known/jwks.json") { _, _ in
            try Reply(
                accounts.keys.published,
                headers: [.cacheControl: "public, max-age=\(Self.keysMaxAge)"])
        }
    }

    private func addSessions(to router: Router<Context>) {
        router.on(AccountEndpoints.signUp) { call in
            let signedUp = try await accounts.signUp(
                call.body, on: call.clientName, from: call.request.clientAddress,
                once: call.idempotency)
            return try Reply(signedUp, headers: Self.notKept)
        }
        router.on(AccountEndpoints.signIn) { call in
            let signedIn = try await accounts.signIn(
                call.body, on: call.clientName, from: call.request.clientAddress)
            return try Reply(signedIn, headers: Self.notKept)
        }
        router.on(AccountEndpoints.refresh) { call in
            let tokens = try await accounts.refresh(
                call.body, on: call.clientName, for: call.request.headers[.idempotencyKey])
            return try Reply(tokens, headers: Self.notKept)
        }
        router.on(AccountEndpoints.signOut) { try await accounts.signOut($0.person) }
        router.on(AccountEndpoints.requestCode) { try await accounts.sendCode($0.body) }
        router.on(AccountEndpoints.confirmCode) { try await accounts.confirm($0.body) }
        router.on(AccountEndpoints.requestPasswordReset) {
            try await accounts.askForReset($0.body)
        }
        router.on(AccountEndpoints.confirmPasswordReset) { call in
            let signedIn = try await accounts.confirmReset(
                call.body, on: call.clientName, from: call.request.clientAddress)
            return try Reply(signedIn, headers: Self.notKept)
        }
    }

    private func addVehicles(to router: Router<Context>) {
        router.on(AccountEndpoints.vehicles) {
            try await accounts.vehicles(of: $0.person.customer, $0.page)
        }
        router.on(AccountEndpoints.addVehicle) {
            try await accounts.addVehicle($0.body, of: $0.person.customer, once: $0.idempotency)
        }
        router.on(AccountEndpoints.changeVehicle) {
            try await accounts.change($0.id(), of: $0.person.customer, $0.body)
        }
        router.on(AccountEndpoints.removeVehicle) {
            try await accounts.removeVehicle($0.id(), of: $0.person.customer)
        }
        router.on(InternalEndpoints.vehicle) { call in
            let id: VehicleID = try call.id()
            let known = try await accounts.database.read { try $0.vehicles.find(id) }
            guard let known else { throw Refusal.ownVehicleUnknown }
            return known.changed
        }
    }

    private func addValets(to router: Router<Context>) {
        router.on(AccountEndpoints.valets) { try await accounts.valets($0.page) }
        router.on(AccountEndpoints.addValet) {
            try await accounts.addValet($0.body, by: $0.person, once: $0.idempotency)
        }
        router.on(AccountEndpoints.grantValet) {
            try await accounts.employ($0.id(), by: $0.person)
        }
        router.on(AccountEndpoints.changeValet) {
            try await accounts.change($0.id(), $0.body, by: $0.person)
        }
    }
}

extension Call {
    /// The client's own name, which the gateway passes on.
    var clientName: ClientName? { ClientName(request.headers[.userAgent]) }
}
