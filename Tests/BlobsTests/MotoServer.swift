import AsyncHTTPClient
import Foundation
import Hummingbird
import Support
import Synchronization
import Testing

/// moto's S3 over HTTP, a process of its own.
enum MotoServer {
    /// Runs it on a free port for as long as the body takes.
    static func run(_ body: (_ port: Int) async throws -> Void) async throws {
        let port = try FreePort.find()
        let process = try ChildProcess(
            #""$1" -H 127.0.0.1 -p "$2""#,
            [ChildProcess.installed("bin/moto_server"), String(port)])
        defer { process.release() }
        let isThere = try await eventually {
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/moto-api/data.json")
            let answer = try? await HTTPClient.shared.execute(request, timeout: .seconds(2))
            return answer?.status == .ok
        }
        #expect(isThere)
        try await body(port)
    }
}

/// A store that fails so many times before it takes everything.
final class FlakyStore: Sendable {
    private let failures: Int
    private let count = Mutex(0)

    init(failures: Int) { self.failures = failures }

    var asked: Int { count.withLock { $0 } }

    var router: Router<BasicRequestContext> {
        let router = Router()
        let answer: @Sendable (Request, BasicRequestContext) async throws -> Response = { _, _ in
            let number = self.count.withLock { count in
                count += 1
                return count
            }
            return Response(status: number <= self.failures ? .serviceUnavailable : .ok)
        }
        router.on("/pictures/a", method: .put, use: answer)
        router.on("/pictures/a", method: .delete, use: answer)
        return router
    }
}
