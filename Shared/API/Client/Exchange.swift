import Contracts

/// One attempt of a call and its outcome, for measurements.
public struct Exchange: Sendable, Hashable {
    public var method: String
    /// Without the query.
    public var path: String
    /// Nil without an answer.
    public var status: Int?
    /// Code of a refusal.
    public var code: String?
    /// Time until the answer was read or, for the live stream, until it began.
    public var duration: Duration

    public init(method: String, path: String, status: Int?, code: String?, duration: Duration) {
        self.method = method
        self.path = path
        self.status = status
        self.code = code
        self.duration = duration
    }
}

extension OpenValetClient {
    /// Makes one attempt and reports it to the observer, if any. A cancelled attempt is not reported.
    func observed<Value>(
        _ call: EndpointRequest, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let observer else { return try await body() }
        let begun = ContinuousClock.now
        func tell(_ status: Int?, _ code: String?) {
            observer(
                Exchange(
                    method: call.method.rawValue, path: call.path, status: status, code: code,
                    duration: ContinuousClock.now - begun))
        }
        do {
            let value = try await body()
            tell((value as? Response)?.status ?? 200, nil)
            return value
        } catch let error as ClientError {
            tell(error.status, error.code)
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            tell(nil, nil)
            throw error
        }
    }
}
