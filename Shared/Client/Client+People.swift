import Contracts
import Foundation

// MARK: - Signing up, in and out

extension OpenValetClient {
    /// Makes a customer's account and signs in with it.
    @discardableResult
    public func signUp(_ body: SignUpBody, key: RequestKey = .new()) async throws -> SignedUp {
        var call = try Call.post("/v1/customers", body, key: key)
        call.needsToken = false
        let answer: SignedUp = try await value(call)
        await session.replace(
            Tokens(
                accessToken: answer.accessToken, refreshToken: answer.refreshToken,
                expiresInSeconds: answer.expiresInSeconds))
        return answer
    }

    /// Asks for a new code by text message.
    public func requestVerification(phone: String) async throws {
        try await done(
            try Call.open("/v1/verifications", PhoneBody(phone: phone), retry: .whenRefused))
    }

    public func confirmVerification(phone: String, code: String) async throws {
        let body = ConfirmCodeBody(phone: phone, code: code)
        try await done(try Call.open("/v1/verifications/confirm", body, retry: .whenRefused))
    }

    @discardableResult
    public func signIn(phone: String, password: String) async throws -> SignedIn {
        let body = SignInBody(phone: phone, password: password)
        let answer: SignedIn = try await value(try Call.open("/v1/sessions", body, retry: .always))
        await session.replace(
            Tokens(
                accessToken: answer.accessToken, refreshToken: answer.refreshToken,
                expiresInSeconds: answer.expiresInSeconds))
        return answer
    }

    /// Renews the tokens now, as a 401 would.
    public func refresh() async throws {
        _ = try await renewed(insteadOf: session.accessToken())
    }

    /// Ends the session here and on the server.
    public func signOut() async throws {
        try await done(.delete("/v1/sessions/current"))
        await session.replace(nil)
    }
}

// MARK: - Oneself

extension OpenValetClient {
    public func me() async throws -> Account { try await value(.get("/v1/me")) }

    @discardableResult
    public func updateMe(_ change: ProfileChange) async throws -> Account {
        try await value(try .patch("/v1/me", change))
    }

    public func vehicles(after: String? = nil, limit: Int? = nil) async throws -> Page<Vehicle> {
        try await value(.get("/v1/me/vehicles").page(after, limit))
    }

    public func addVehicle(
        _ vehicle: VehicleDescription, key: RequestKey = .new()
    ) async throws -> Vehicle {
        try await value(try .post("/v1/me/vehicles", vehicle, key: key))
    }

    @discardableResult
    public func changeVehicle(_ id: VehicleID, _ change: VehicleChange) async throws -> Vehicle {
        try await value(try .patch("/v1/me/vehicles/\(id)", change))
    }

    public func removeVehicle(_ id: VehicleID) async throws {
        try await done(.delete("/v1/me/vehicles/\(id)"))
    }
}

// MARK: - Ratings

extension OpenValetClient {
    /// Rates the other side of a finished order, or changes that rating.
    @discardableResult
    public func rate(_ order: OrderID, _ rating: RatingBody) async throws -> Rating {
        try await value(try .put("/v1/orders/\(order)/rating", rating))
    }

    public func rating(of person: PersonID) async throws -> RatingSummary {
        try await value(.get("/v1/users/\(person)/rating"))
    }

    public func comments(
        of person: PersonID, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<RatingComment> {
        try await value(.get("/v1/users/\(person)/comments").page(after, limit))
    }
}
