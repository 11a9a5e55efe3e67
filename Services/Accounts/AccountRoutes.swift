import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// Signing up, signing in, and one's own profile.
struct AccountRoutes: Sendable {
    /// How long others may keep the published keys, in seconds.
    static let keysMaxAge = 300

    let accounts: AccountUseCases

    func add(to router: Router<Context>) {
        router.on(AccountEndpoints.signUp, use: signUp)
        router.on(AccountEndpoints.requestCode, use: sendCode)
        router.on(AccountEndpoints.confirmCode, use: confirm)
        router.on(AccountEndpoints.signIn, use: signIn)
        router.on(AccountEndpoints.refresh, use: refresh)
        router.on(AccountEndpoints.signOut, use: signOut)
        router.on(AccountEndpoints.me, use: me)
        router.on(AccountEndpoints.changeMe, use: change)
        router.get("/.well-known/jwks.json", use: keys)
    }

    @Sendable func signUp(_ request: Request, _ context: Context) async throws -> Reply {
        let body = try await context.body(SignUpBody.self, of: request)
        return try Reply(
            .created,
            try await accounts.signUp(
                body, on: request.clientName, from: request.clientAddress,
                once: context.idempotency),
            headers: Self.notKept)
    }

    @Sendable func sendCode(_ request: Request, _ context: Context) async throws -> Reply {
        try await accounts.sendCode(context.body(of: request))
        return .accepted
    }

    @Sendable func confirm(_ request: Request, _ context: Context) async throws -> Reply {
        try await accounts.confirm(context.body(of: request))
        return .noContent
    }

    @Sendable func signIn(_ request: Request, _ context: Context) async throws -> Reply {
        let signedIn = try await accounts.signIn(
            context.body(of: request), on: request.clientName, from: request.clientAddress)
        return try Reply(.created, signedIn, headers: Self.notKept)
    }

    @Sendable func refresh(_ request: Request, _ context: Context) async throws -> Reply {
        let tokens = try await accounts.refresh(
            context.body(of: request), on: request.clientName)
        return try Reply(.created, tokens, headers: Self.notKept)
    }

    @Sendable func signOut(_ request: Request, _ context: Context) async throws -> Reply {
        try await accounts.signOut(context.person())
        return .noContent
    }

    @Sendable func me(_ request: Request, _ context: Context) async throws -> Reply {
        try Reply(.ok, try await accounts.account(context.person().person))
    }

    @Sendable func change(_ request: Request, _ context: Context) async throws -> Reply {
        let identity = try context.person()
        let body = try await context.body(ProfileChange.self, of: request)
        return try Reply(.ok, try await accounts.change(identity.person, body))
    }

    @Sendable func keys(_ request: Request, _ context: Context) async throws -> Reply {
        try Reply(
            .ok, accounts.keys.published,
            headers: [.cacheControl: "public, max-age=\(Self.keysMaxAge)"])
    }

    /// Answers with tokens stay out of caches (RFC 6749 §5.1).
    static let notKept: HTTPFields = [.cacheControl: "no-store"]
}

extension Request {
    /// What the client calls itself; the gateway passes it on.
    var clientName: ClientName? { ClientName(headers[.userAgent]) }
}

/// A customer's own vehicles.
struct VehicleRoutes: Sendable {
    let accounts: AccountUseCases

    func add(to router: Router<Context>) {
        router.on(AccountEndpoints.vehicles, use: list)
        router.on(AccountEndpoints.addVehicle, use: add)
        router.on(AccountEndpoints.changeVehicle, use: change)
        router.on(AccountEndpoints.removeVehicle, use: remove)
        router.get("/internal/vehicles/:id", use: one)
    }

    /// For who has not heard of it yet.
    @Sendable func one(_ request: Request, _ context: Context) async throws -> Reply {
        _ = try context.requireService()
        let id = try context.id("id", as: VehicleID.self)
        let known = try await accounts.database.read { try $0.vehicle(id) }
        guard let known else { throw AccountError.vehicleUnknown }
        return try Reply(.ok, known.changed)
    }

    @Sendable func list(_ request: Request, _ context: Context) async throws -> Reply {
        let owner = try context.person().customer
        return try Reply(.ok, try await accounts.vehicles(of: owner, request.page()))
    }

    @Sendable func add(_ request: Request, _ context: Context) async throws -> Reply {
        let owner = try context.person().customer
        let body = try await context.body(VehicleDescription.self, of: request)
        return try Reply(
            .created,
            try await accounts.addVehicle(body, of: owner, once: context.idempotency))
    }

    @Sendable func change(_ request: Request, _ context: Context) async throws -> Reply {
        let owner = try context.person().customer
        let id = try context.id("id", as: VehicleID.self)
        let body = try await context.body(VehicleChange.self, of: request)
        return try Reply(.ok, try await accounts.change(id, of: owner, body))
    }

    @Sendable func remove(_ request: Request, _ context: Context) async throws -> Reply {
        let owner = try context.person().customer
        try await accounts.removeVehicle(context.id("id"), of: owner)
        return .noContent
    }
}

/// Operators' view of valets.
struct ValetRoutes: Sendable {
    let accounts: AccountUseCases

    func add(to router: Router<Context>) {
        router.on(AccountEndpoints.valets, use: list)
        router.on(AccountEndpoints.addValet, use: add)
        router.on(AccountEndpoints.grantValet, use: grant)
        router.on(AccountEndpoints.changeValet, use: change)
    }

    @Sendable func list(_ request: Request, _ context: Context) async throws -> Reply {
        return try Reply(.ok, try await accounts.valets(request.page()))
    }

    @Sendable func add(_ request: Request, _ context: Context) async throws -> Reply {
        let by = try context.person().operatorID
        let body = try await context.body(NewValetBody.self, of: request)
        return try Reply(
            .created, try await accounts.addValet(body, by: by, once: context.idempotency))
    }

    @Sendable func grant(_ request: Request, _ context: Context) async throws -> Reply {
        let by = try context.person().operatorID
        return try Reply(.ok, try await accounts.employ(context.id("id"), by: by))
    }

    @Sendable func change(_ request: Request, _ context: Context) async throws -> Reply {
        let by = try context.person().operatorID
        let id = try context.id("id", as: ValetID.self)
        let body = try await context.body(ValetChange.self, of: request)
        return try Reply(.ok, try await accounts.change(id, body, by: by))
    }
}
