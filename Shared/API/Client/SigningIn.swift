import Contracts

// Calls that change who is signed in.
extension OpenValetClient {
    /// Creates a customer's account and signs in with it.
    @discardableResult
    public func signUp(_ body: SignUpBody, key: RequestKey = .new()) async throws -> SignedUp {
        try await signedIn(by: AccountEndpoints.signUp(body: body, key: key))
    }

    /// Signs in with a phone number or an e-mail address.
    @discardableResult
    public func signIn(
        phone: String? = nil, email: String? = nil, password: String
    ) async throws -> SignedIn {
        let body = SignInBody(phone: phone, email: email, password: password)
        return try await signedIn(by: AccountEndpoints.signIn(body: body).repeatable)
    }

    /// After `signIn` was refused with `account.second_factor_required`, whose problem has the challenge.
    @discardableResult
    public func answerChallenge(_ body: SecondFactorBody) async throws -> SignedIn {
        try await signedIn(by: AccountEndpoints.answerChallenge(body: body))
    }

    /// Turns on a second factor and signs in.
    @discardableResult
    public func confirmEnrolment(_ body: EnrolmentBody) async throws -> Enrolled {
        try await signedIn(by: AccountEndpoints.confirmEnrolment(body: body))
    }

    /// Sets the new password and signs in; all other sessions end.
    @discardableResult
    public func confirmPasswordReset(_ body: ResetConfirmBody) async throws -> SignedIn {
        try await signedIn(by: AccountEndpoints.confirmPasswordReset(body: body))
    }

    private func signedIn<Answer: Decodable & HasTokens>(
        by call: EndpointCall<Answer>
    ) async throws -> Answer {
        let answer = try await self(call)
        await session.replace(answer.tokens)
        return answer
    }

    /// Renews the tokens now, as a 401 would.
    public func refresh() async throws {
        _ = try await renewed(insteadOf: session.accessToken())
    }

    /// Ends the session here and on the server.
    public func signOut() async throws {
        try await self(AccountEndpoints.signOut())
        await session.replace(nil)
    }

    /// Ends all sessions, including this one.
    public func signOutEverywhere() async throws {
        try await self(AccountEndpoints.signOutEverywhere())
        await session.replace(nil)
    }

    /// Deletes the account; refused while an order is unfinished or a bill unpaid.
    public func deleteMe(password: String) async throws {
        try await self(AccountEndpoints.deleteMe(body: DeletionBody(password: password)))
        await session.replace(nil)
    }
}
