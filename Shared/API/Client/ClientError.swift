import Contracts

/// The reason why a call returned no usable answer.
public enum ClientError: Error, Sendable, Equatable {
    /// The server refused, with its reason.
    case problem(Problem)
    /// The answer was an error without problem+json, for example from a proxy.
    case unexpectedStatus(Int)
    /// No answer within the limits, after all retries that are safe.
    case unreachable(String)
    /// An answer that does not have the documented form.
    case malformedAnswer(String)
    /// The call needs a token, and nobody is signed in.
    case signedOut

    /// The stable code of a refusal, for example `order.unfinished_exists`.
    public var code: String? { problem?.code }

    /// The reason of a refusal; nil for other errors.
    public var problem: Problem? {
        guard case .problem(let problem) = self else { return nil }
        return problem
    }

    /// The HTTP status; nil without an answer.
    public var status: Int? {
        switch self {
        case .problem(let problem): problem.status
        case .unexpectedStatus(let status): status
        case .unreachable, .malformedAnswer, .signedOut: nil
        }
    }
}
