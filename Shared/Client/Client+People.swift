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

// MARK: - Passwords and sessions

extension OpenValetClient {
    /// Asks for a code by text message; the answer does not tell whether anybody has the number.
    public func requestPasswordReset(phone: String) async throws {
        let body = PhoneBody(phone: phone)
        try await done(try Call.open("/v1/password-resets", body, retry: .whenRefused))
    }

    /// Sets the new password and signs in; all other sessions end.
    @discardableResult
    public func confirmPasswordReset(_ body: ResetConfirmBody) async throws -> SignedIn {
        let answer: SignedIn = try await value(
            try Call.open("/v1/password-resets/confirm", body, retry: .whenRefused))
        await session.replace(
            Tokens(
                accessToken: answer.accessToken, refreshToken: answer.refreshToken,
                expiresInSeconds: answer.expiresInSeconds))
        return answer
    }

    /// All other sessions end.
    public func changePassword(_ body: PasswordChangeBody) async throws {
        var call = try Call.post("/v1/me/password", body)
        // Done twice, the second would find that the password is no longer the current one.
        call.retry = .whenRefused
        try await done(call)
    }

    public func sessions(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<SessionRecord> {
        try await value(.get("/v1/me/sessions").page(after, limit))
    }

    public func endSession(_ id: SessionID) async throws {
        try await done(.delete("/v1/me/sessions/\(id)"))
    }

    /// Ends all sessions, this one too.
    public func signOutEverywhere() async throws {
        try await done(.delete("/v1/me/sessions"))
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

    /// JPEG or PNG, up to 5 MB.
    @discardableResult
    public func setPhoto(_ picture: Data) async throws -> PhotoAnswer {
        try await value(.put("/v1/me/photo", bytes: picture))
    }

    public func removePhoto() async throws { try await done(.delete("/v1/me/photo")) }

    /// The bytes at an address that some answer gave, as in `photoURL`.
    public func picture(_ address: String) async throws -> Data {
        var call = Call.get(address)
        call.needsToken = false
        return try await send(call).body
    }

    /// All that is held on oneself, as JSON.
    public func exportMe() async throws -> Data { try await send(.get("/v1/me/export")).body }

    /// Deletes the account; refused while an order is unfinished or a bill unpaid.
    public func deleteMe(password: String) async throws {
        var call = try Call.post("/v1/me/deletion", DeletionBody(password: password))
        call.retry = .whenRefused
        try await done(call)
        await session.replace(nil)
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

    /// Rates the other side of what another product calls by this id, or changes that rating.
    @discardableResult
    public func rate(_ engagement: EngagementID, _ rating: RatingBody) async throws -> Rating {
        try await value(try .put("/v1/engagements/\(engagement)/rating", rating))
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
