import Contracts

/// One try of a call and what came of it, for who measures.
public struct Exchange: Sendable, Hashable {
    public var method: String
    /// Without the query.
    public var path: String
    /// Nil when no answer came.
    public var status: Int?
    /// Of a refusal.
    public var code: String?
    /// Until the answer was read; until it began for the live stream.
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
    /// Carries out one try and tells the observer, if there is one. A cancelled try is none.
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
