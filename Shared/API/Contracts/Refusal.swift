/// A problem (RFC 9457) that endpoints declare and their services throw.
public struct Refusal: Error, Sendable, Hashable {
    /// The body of the answer.
    public private(set) var problem: Problem
    /// For the document: when the refusal occurs.
    public private(set) var text: String

    public var status: Int { problem.status }
    /// Stable, since clients depend on it.
    public var code: String { problem.code }

    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - code: Stable, since clients depend on it: `spot.bid_too_low`.
    ///   - title: A short sentence for a person, the same each time.
    ///   - field: Path of the request's wrong field.
    ///   - when: When the refusal occurs, if the title does not say so.
    public init(
        _ status: Int, _ code: String, _ title: String, field: String? = nil, when: String? = nil
    ) {
        problem = Problem(title: title, status: status, code: code)
        problem.field = field
        text = when ?? title
    }

    /// Another service's refusal, passed on unchanged.
    public init(_ problem: Problem) {
        self.problem = problem
        self.problem.instance = nil
        text = problem.title
    }

    /// A copy with a detail of this occurrence.
    public func because(_ detail: String?) -> Refusal { because { $0.detail = detail } }

    /// A copy with further fields of this occurrence, for example the amount due.
    public func because(_ complete: (inout Problem) throws -> Void) rethrows -> Refusal {
        var refusal = self
        try complete(&refusal.problem)
        return refusal
    }

    /// A copy with the request's wrong field of this occurrence.
    public func about(_ field: String?) -> Refusal {
        var refusal = self
        refusal.problem.field = field
        return refusal
    }

    /// A copy that can be retried after so many seconds.
    public func retrying(after seconds: Int) -> Refusal {
        var refusal = self
        refusal.problem.retryAfterSeconds = max(1, seconds)
        return refusal
    }

    /// A copy for an endpoint where the refusal has another reason.
    public func when(_ text: String) -> Refusal {
        var refusal = self
        refusal.text = text
        return refusal
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Matches by code, whatever the detail: `catch Refusal.auctionClosed`.
    public static func ~= (refusal: Refusal, error: any Error) -> Bool {
        (error as? Refusal)?.code == refusal.code
    }
}
