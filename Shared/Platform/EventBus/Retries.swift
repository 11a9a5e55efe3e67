/// Retries work until it succeeds, has failed too often, or the service stops.
struct Retries: Sendable {
    enum Outcome: Sendable {
        case succeeded
        case failed(any Error, attempts: Int)
        case stopped

        /// Why it failed or was left, for a trace.
        var failure: String? {
            switch self {
            case .succeeded: nil
            case .failed(let error, _): loggable(error)
            case .stopped: "stopped"
            }
        }
    }

    /// Maximum number of retries after the first try.
    static let most = 5
    static let first: Duration = .milliseconds(50)
    static let longest: Duration = .seconds(2)

    /// Called before each wait.
    let onFailure: @Sendable (_ error: any Error, _ attempt: Int) -> Void

    /// An error that means that a dependency is unavailable does not count against the limit.
    func run(_ work: @Sendable (_ attempt: Int) async throws -> Void) async -> Outcome {
        var backoff = Backoff(first: Self.first, most: Self.longest)
        var (attempt, failures) = (1, 0)
        while true {
            do {
                try await work(attempt)
                return .succeeded
            } catch {
                if isStopping { return .stopped }
                let isAway = (error as? any Retriable)?.isRetriable ?? false
                if !isAway { failures += 1 }
                if failures > Self.most { return .failed(error, attempts: attempt) }
                onFailure(error, attempt)
            }
            await backoff.wait()
            if isStopping { return .stopped }
            attempt += 1
        }
    }
}
