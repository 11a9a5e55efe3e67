/// A problem (RFC 9457) that endpoints declare and their services throw.
public struct Refusal: Error, Sendable, Hashable {
    /// As it is answered.
    public private(set) var problem: Problem
    /// For the document: when it comes.
    public private(set) var text: String

    public var status: Int { problem.status }
    /// Stable: clients are written against it.
    public var code: String { problem.code }

    /// - Parameters:
    ///   - title: A short sentence for a person, the same each time.
    ///   - field: Path of the field of the request that is wrong.
    ///   - when: When it comes, where the title does not say that.
    public init(
        _ status: Int, _ code: String, _ title: String, field: String? = nil, when: String? = nil
    ) {
        problem = Problem(title: title, status: status, code: code)
        problem.field = field
        text = when ?? title
    }

    /// What another service has refused, passed on in its own words.
    public init(_ problem: Problem) {
        self.problem = problem
        self.problem.instance = nil
        text = problem.title
    }

    /// With what was wrong this time.
    public func because(_ detail: String?) -> Refusal { because { $0.detail = detail } }

    /// With what this one says besides: the amount that is due, the order in the way.
    public func because(_ complete: (inout Problem) throws -> Void) rethrows -> Refusal {
        var refusal = self
        try complete(&refusal.problem)
        return refusal
    }

    /// With the field of the request in which it was this time.
    public func about(_ field: String?) -> Refusal {
        var refusal = self
        refusal.problem.field = field
        return refusal
    }

    /// To be tried again after so many seconds.
    public func retrying(after seconds: Int) -> Refusal {
        var refusal = self
        refusal.problem.retryAfterSeconds = max(1, seconds)
        return refusal
    }

    /// Where it comes for another reason than elsewhere.
    public func when(_ text: String) -> Refusal {
        var refusal = self
        refusal.text = text
        return refusal
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Of whatever was wrong this time: `catch Refusal.auctionClosed`.
    public static func ~= (refusal: Refusal, error: any Error) -> Bool {
        (error as? Refusal)?.code == refusal.code
    }
}
