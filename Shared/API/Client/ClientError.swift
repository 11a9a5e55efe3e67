import Contracts

/// Why a call gave no answer that one can use.
public enum ClientError: Error, Sendable, Equatable {
    /// The server refused, and says why.
    case problem(Problem)
    /// The server answered with an error that is not problem+json: a proxy, or something else.
    case unexpectedStatus(Int)
    /// No answer within the limits, after all retries that are safe.
    case unreachable(String)
    /// An answer that does not have the documented form.
    case malformedAnswer(String)
    /// The call needs a token, and nobody is signed in.
    case signedOut

    /// The stable code of a refusal, as in `order.unfinished_exists`.
    public var code: String? { problem?.code }

    public var problem: Problem? {
        guard case .problem(let problem) = self else { return nil }
        return problem
    }

    /// The HTTP status, when there was an answer at all.
    public var status: Int? {
        switch self {
        case .problem(let problem): problem.status
        case .unexpectedStatus(let status): status
        case .unreachable, .malformedAnswer, .signedOut: nil
        }
    }
}
