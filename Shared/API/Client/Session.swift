import Contracts

/// The tokens of the person who is signed in, whatever their role. Renews them once at a time.
public actor Session {
    /// A token is renewed this long before it expires, since a call takes some time.
    public static let margin: Duration = .seconds(30)

    public private(set) var tokens: Tokens? {
        didSet { endsAt = tokens.map { ContinuousClock.now + .seconds($0.expiresInSeconds) } }
    }
    /// When the access token expires; nil if unknown, as for tokens passed in.
    private var endsAt: ContinuousClock.Instant?
    private var isRenewing = false
    private var waiting: [CheckedContinuation<Result<String, any Error>, Never>] = []

    public init(_ tokens: Tokens? = nil) { self.tokens = tokens }

    public func replace(_ tokens: Tokens?) { self.tokens = tokens }

    func accessToken() throws -> String {
        guard let tokens else { throw ClientError.signedOut }
        return tokens.accessToken
    }

    /// The access token, renewed when it is about to end.
    func freshToken(renew: @Sendable (Tokens) async throws -> Tokens) async throws -> String {
        let token = try accessToken()
        guard let endsAt, ContinuousClock.now > endsAt - Self.margin else { return token }
        // If the renewal fails, the old token may still work; if not, its refusal is the answer.
        return (try? await accessToken(insteadOf: token, renew: renew)) ?? token
    }

    /// A token that is not `refused`: one that another call got meanwhile, or a renewed one.
    ///
    /// A refresh token works once and its reuse ends the session, so all callers share one renewal.
    func accessToken(
        insteadOf refused: String, renew: @Sendable (Tokens) async throws -> Tokens
    ) async throws -> String {
        guard let tokens else { throw ClientError.signedOut }
        if tokens.accessToken != refused { return tokens.accessToken }
        if isRenewing {
            return try await withCheckedContinuation { waiting.append($0) }.get()
        }
        isRenewing = true
        let result: Result<Tokens, any Error>
        do { result = .success(try await renew(tokens)) } catch { result = .failure(error) }
        isRenewing = false
        keep(result, insteadOf: tokens)
        let token = result.map(\.accessToken)
        for continuation in waiting { continuation.resume(returning: token) }
        waiting = []
        return try token.get()
    }

    private func keep(_ result: Result<Tokens, any Error>, insteadOf old: Tokens) {
        // A newer sign-in or sign-out takes precedence.
        guard tokens == old else { return }
        switch result {
        case .success(let new): tokens = new
        case .failure(let error as ClientError) where error.status == 401: tokens = nil
        case .failure: break
        }
    }
}
