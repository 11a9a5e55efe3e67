import AsyncHTTPClient
import Foundation
import Hummingbird
import Support
import Synchronization
import Testing

/// moto's S3 over HTTP, a process of its own.
enum MotoServer {
    struct Missing: Error, CustomStringConvertible {
        let description =
            "There is no .venv/bin/moto_server: `make test` installs it (Tests/requirements.txt)."
    }

    private static let program = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".venv/bin/moto_server")

    /// The shell kills it when this process lets go of its input: a child inherits a signal mask
    /// under which it hears of no SIGTERM.
    private static let script = """
        "$1" -H 127.0.0.1 -p "$2" >/dev/null 2>&1 &
        read -r _
        kill -9 $!
        """
    private static let starting = Mutex(())

    /// Runs it on a free port for as long as the body takes.
    static func run(_ body: (_ port: Int) async throws -> Void) async throws {
        guard FileManager.default.isExecutableFile(atPath: program.path) else { throw Missing() }
        let port = try FreePort.find()
        let leash = try starting.withLock { _ in
            let (shell, input) = (Process(), Pipe())
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", script, "sh", program.path, String(port)]
            shell.standardInput = input
            try shell.run()
            return input.fileHandleForWriting
        }
        defer { try? leash.close() }
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
