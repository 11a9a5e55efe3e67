import Contracts
import Foundation

// MARK: - Signing up, in and out

extension OpenValetClient {
    /// Makes a customer's account and signs in with it.
    @discardableResult
    public func signUp(_ body: SignUpBody, key: RequestKey = .new()) async throws -> SignedUp {
        let answer = try await value(AccountEndpoints.signUp(body: body, key: key))
        await session.replace(
            Tokens(
                accessToken: answer.accessToken, refreshToken: answer.refreshToken,
                expiresInSeconds: answer.expiresInSeconds))
        return answer
    }

    /// Asks for a new code by text message, or by mail.
    public func requestVerification(phone: String? = nil, email: String? = nil) async throws {
        let body = ContactBody(phone: phone, email: email)
        try await done(AccountEndpoints.requestCode(body: body))
    }

    public func confirmVerification(
        phone: String? = nil, email: String? = nil, code: String
    ) async throws {
        let body = ConfirmCodeBody(phone: phone, email: email, code: code)
        try await done(AccountEndpoints.confirmCode(body: body))
    }

    @discardableResult
    public func signIn(
        phone: String? = nil, email: String? = nil, password: String
    ) async throws -> SignedIn {
        let body = SignInBody(phone: phone, email: email, password: password)
        let answer = try await value(AccountEndpoints.signIn(body: body).repeatable)
        await session.replace(
            Tokens(
                accessToken: answer.accessToken, refreshToken: answer.refreshToken,
                expiresInSeconds: answer.expiresInSeconds))
        return answer
    }

    /// After `signIn` was refused with `account.second_factor_required`, whose problem has the challenge.
    @discardableResult
    public func answerChallenge(_ body: SecondFactorBody) async throws -> SignedIn {
        let answer = try await value(AccountEndpoints.answerChallenge(body: body))
        await session.replace(
            Tokens(
                accessToken: answer.accessToken, refreshToken: answer.refreshToken,
                expiresInSeconds: answer.expiresInSeconds))
        return answer
    }

    /// Asks for the challenge's code by text message.
    public func sendChallengeMessage(_ challenge: String) async throws {
        try await done(
            AccountEndpoints.sendChallengeMessage(body: ChallengeBody(challenge: challenge)))
    }

    /// For a challenge without methods: a second factor has to be set up first.
    public func beginEnrolment(_ challenge: String) async throws -> TOTPSetup {
        try await value(AccountEndpoints.beginEnrolment(body: ChallengeBody(challenge: challenge)))
    }

    /// Turns it on, and signs in.
    @discardableResult
    public func confirmEnrolment(_ body: EnrolmentBody) async throws -> Enrolled {
        let answer = try await value(AccountEndpoints.confirmEnrolment(body: body))
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

    /// The tokens after these, for who keeps them elsewhere: asked again under the same key it is the same answer.
    public func tokens(after tokens: Tokens, key: RequestKey) async throws -> Tokens {
        let body = RefreshBody(refreshToken: tokens.refreshToken)
        return try await value(AccountEndpoints.refresh(body: body, key: key))
    }

    /// Ends the session here and on the server.
    public func signOut() async throws {
        try await done(AccountEndpoints.signOut())
        await session.replace(nil)
    }
}

// MARK: - Passwords and sessions

extension OpenValetClient {
    /// Asks for a code by text message or mail; the answer does not tell whether there is anybody.
    public func requestPasswordReset(phone: String? = nil, email: String? = nil) async throws {
        let body = ContactBody(phone: phone, email: email)
        try await done(AccountEndpoints.requestPasswordReset(body: body))
    }

    /// Sets the new password and signs in; all other sessions end.
    @discardableResult
    public func confirmPasswordReset(_ body: ResetConfirmBody) async throws -> SignedIn {
        let answer = try await value(AccountEndpoints.confirmPasswordReset(body: body))
        await session.replace(
            Tokens(
                accessToken: answer.accessToken, refreshToken: answer.refreshToken,
                expiresInSeconds: answer.expiresInSeconds))
        return answer
    }

    /// All other sessions end.
    public func changePassword(_ body: PasswordChangeBody) async throws {
        try await done(AccountEndpoints.changePassword(body: body))
    }

    public func secondFactors() async throws -> SecondFactors {
        try await value(AccountEndpoints.secondFactors())
    }

    public func beginTOTP(password: String) async throws -> TOTPSetup {
        try await value(AccountEndpoints.beginTOTP(body: PasswordBody(password: password)))
    }

    /// The recovery codes are shown this once.
    public func confirmTOTP(code: String) async throws -> RecoveryCodes {
        try await value(AccountEndpoints.confirmTOTP(body: SecondFactorCodeBody(code: code)))
    }

    /// Has a code sent to the account's number.
    public func beginSMS(password: String) async throws {
        try await done(AccountEndpoints.beginSMS(body: PasswordBody(password: password)))
    }

    public func confirmSMS(code: String) async throws -> RecoveryCodes {
        try await value(AccountEndpoints.confirmSMS(body: SecondFactorCodeBody(code: code)))
    }

    @discardableResult
    public func removeSecondFactor(
        _ method: SecondFactorMethod, password: String
    ) async throws -> SecondFactors {
        let body = SecondFactorRemovalBody(method: method, password: password)
        return try await value(AccountEndpoints.removeSecondFactor(body: body))
    }

    /// Those from before are void.
    public func renewRecoveryCodes(password: String) async throws -> RecoveryCodes {
        try await value(
            AccountEndpoints.renewRecoveryCodes(body: PasswordBody(password: password)))
    }

    public func sessions(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<SessionRecord> {
        try await value(AccountEndpoints.sessions(asks: PageQuery(after: after, limit: limit)))
    }

    public func endSession(_ id: SessionID) async throws {
        try await done(AccountEndpoints.endSession(id))
    }

    /// Ends all sessions, this one too.
    public func signOutEverywhere() async throws {
        try await done(AccountEndpoints.signOutEverywhere())
        await session.replace(nil)
    }
}

// MARK: - Oneself

extension OpenValetClient {
    public func me() async throws -> Account { try await value(AccountEndpoints.me()) }

    @discardableResult
    public func updateMe(_ change: ProfileChange) async throws -> Account {
        try await value(AccountEndpoints.changeMe(body: change))
    }

    /// Nil takes it back.
    @discardableResult
    public func setAddress(_ address: PostalAddress?) async throws -> Account {
        guard let address else { return try await value(AccountEndpoints.removeAddress()) }
        return try await value(AccountEndpoints.setAddress(body: address))
    }

    /// Asks for a code to what shall become one's own.
    public func requestContactCode(phone: String? = nil, email: String? = nil) async throws {
        let body = ContactBody(phone: phone, email: email)
        try await done(AccountEndpoints.requestContactCode(body: body))
    }

    /// With the code that came there.
    @discardableResult
    public func setContact(_ body: ContactChangeBody) async throws -> Account {
        try await value(AccountEndpoints.setContact(body: body))
    }

    @discardableResult
    public func removeContact(_ body: ContactRemovalBody) async throws -> Account {
        try await value(AccountEndpoints.removeContact(body: body))
    }

    /// JPEG or PNG, up to 5 MB.
    @discardableResult
    public func setPhoto(_ picture: Data) async throws -> PhotoAnswer {
        try await value(AccountEndpoints.setPhoto(bytes: picture))
    }

    public func removePhoto() async throws { try await done(AccountEndpoints.removePhoto()) }

    /// The bytes at an address that some answer gave, as in `photoURL`.
    public func picture(_ address: String) async throws -> Data {
        try await send(Call<Bytes>(address: address).request).body
    }

    /// All that is held on oneself, as JSON.
    public func exportMe() async throws -> Data {
        try await send(AccountEndpoints.exportMe().request).body
    }

    /// Deletes the account; refused while an order is unfinished or a bill unpaid.
    public func deleteMe(password: String) async throws {
        try await done(AccountEndpoints.deleteMe(body: DeletionBody(password: password)))
        await session.replace(nil)
    }

    public func vehicles(after: String? = nil, limit: Int? = nil) async throws -> Page<Vehicle> {
        try await value(AccountEndpoints.vehicles(asks: PageQuery(after: after, limit: limit)))
    }

    public func addVehicle(
        _ vehicle: VehicleDescription, key: RequestKey = .new()
    ) async throws -> Vehicle {
        try await value(AccountEndpoints.addVehicle(body: vehicle, key: key))
    }

    @discardableResult
    public func changeVehicle(_ id: VehicleID, _ change: VehicleChange) async throws -> Vehicle {
        try await value(AccountEndpoints.changeVehicle(id, body: change))
    }

    public func removeVehicle(_ id: VehicleID) async throws {
        try await done(AccountEndpoints.removeVehicle(id))
    }
}

// MARK: - Dealing with others

extension OpenValetClient {
    public func blocks(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<BlockedPerson> {
        try await value(AccountEndpoints.blocks(asks: PageQuery(after: after, limit: limit)))
    }

    public func block(_ person: PersonID) async throws {
        try await done(AccountEndpoints.block(person))
    }

    public func unblock(_ person: PersonID) async throws {
        try await done(AccountEndpoints.unblock(person))
    }

    @discardableResult
    public func report(_ body: ReportBody, key: RequestKey = .new()) async throws -> Report {
        try await value(AccountEndpoints.report(body: body, key: key))
    }
}

// MARK: - Ratings

extension OpenValetClient {
    /// Rates the other side of a finished order, or changes that rating.
    @discardableResult
    public func rate(_ order: OrderID, _ rating: RatingBody) async throws -> Rating {
        try await value(RatingEndpoints.rate(order, body: rating))
    }

    /// Rates the other side of what another product calls by this id, or changes that rating.
    @discardableResult
    public func rate(_ engagement: EngagementID, _ rating: RatingBody) async throws -> Rating {
        try await value(RatingEndpoints.rateEngagement(engagement, body: rating))
    }

    public func rating(of person: PersonID) async throws -> RatingSummary {
        try await value(RatingEndpoints.rating(person))
    }

    public func comments(
        of person: PersonID, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<RatingComment> {
        try await value(
            RatingEndpoints.comments(person, asks: PageQuery(after: after, limit: limit)))
    }
}
