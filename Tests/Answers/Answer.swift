import Contracts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

/// What a router has answered, with the two things that a test expects of it.
///
/// A module of its own, since the benchmark uses `Support` and has no use for the testing library.
public struct Answer: Sendable {
    public let status: Int
    public let headers: HTTPFields
    public let data: Data

    public init(_ response: TestResponse) {
        status = response.status.code
        headers = response.headers
        data = Data(response.body.readableBytesView)
    }

    /// The beginning of the body; a picture's is long.
    public var text: String { String(decoding: data.prefix(10_000), as: UTF8.self) }

    /// A body of that type under that status.
    @discardableResult
    public func expect<T: Decodable>(
        _ status: Int, _ type: T.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> T {
        #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
        return try Wire.decode(type, from: data)
    }

    /// Nothing under that status.
    public func expectEmpty(_ status: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
        #expect(data.isEmpty, sourceLocation: sourceLocation)
    }

    /// A problem (RFC 9457) of that status and code.
    @discardableResult
    public func refused(
        _ status: Int, _ code: String, field: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Problem {
        #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
        let type = headers[.contentType]
        #expect(type == "application/problem+json", sourceLocation: sourceLocation)
        let problem = try Wire.decode(Problem.self, from: data)
        #expect(problem.code == code, sourceLocation: sourceLocation)
        #expect(problem.status == status, sourceLocation: sourceLocation)
        #expect(problem.field == field, sourceLocation: sourceLocation)
        return problem
    }
}
