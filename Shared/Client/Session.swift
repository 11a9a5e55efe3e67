import Contracts

/// Who is signed in, whatever the role: the tokens, and one renewal of them at a time.
public actor Session {
    public private(set) var tokens: Tokens?
    private var renewal: Task<Tokens, any Error>?

    public init(_ tokens: Tokens? = nil) { self.tokens = tokens }

    public func replace(_ tokens: Tokens?) { self.tokens = tokens }

    func accessToken() throws -> String {
        guard let tokens else { throw ClientError.signedOut }
        return tokens.accessToken
    }

    /// A token that is not `refused`: one that another call got meanwhile, or a renewed one.
    ///
    /// A refresh token works once and its reuse ends the session, so all callers share one
    /// renewal, and a caller that is cancelled must not take the new tokens with it: this is why
    /// the renewal is a task of its own.
    func accessToken(
        insteadOf refused: String, renew: @escaping @Sendable (Tokens) async throws -> Tokens
    ) async throws -> String {
        guard let tokens else { throw ClientError.signedOut }
        if tokens.accessToken != refused { return tokens.accessToken }
        let running = renewal ?? start(renew, tokens)
        return try await running.value.accessToken
    }

    private func start(
        _ renew: @escaping @Sendable (Tokens) async throws -> Tokens, _ old: Tokens
    ) -> Task<Tokens, any Error> {
        let task = Task {
            let result: Result<Tokens, any Error>
            do { result = .success(try await renew(old)) } catch { result = .failure(error) }
            finish(old, result)
            return try result.get()
        }
        renewal = task
        return task
    }

    private func finish(_ old: Tokens, _ result: Result<Tokens, any Error>) {
        renewal = nil
        // Somebody may have signed in or out meanwhile; theirs counts.
        guard tokens == old else { return }
        switch result {
        case .success(let new): tokens = new
        case .failure(let error as ClientError) where error.status == 401: tokens = nil
        case .failure: break
        }
    }
}
