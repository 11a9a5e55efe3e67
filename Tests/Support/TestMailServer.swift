import Foundation

/// A mail server that takes mails with other people's libraries; a process of its own on a free port, which stops with
/// its last reference.
public final class TestMailServer: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// A mail as it came, read by Python's library.
    public struct Mail: Decodable, Sendable {
        public let from: String
        public let to: [String]
        /// By name in lower case, decoded.
        public let headers: [String: String]
        public let text: String
        /// What the reader finds wrong with it.
        public let defects: [String]
        public let isEncrypted: Bool
        public let isAuthenticated: Bool
    }

    public static let user = "valet"
    public static let password = "a b+c/ü"

    public let port: Int
    /// File of the authority that signed its certificate, which is of `localhost`.
    public var authorities: String { folder.url.appending(path: "authority.pem").path }
    private let folder: TestFolder
    private let process: ChildProcess

    private init(port: Int, security: String) throws {
        self.port = port
        folder = try TestFolder("mails")
        process = try ChildProcess(
            #""$1" "$2" "$3" "$4" "$5""#,
            [
                ChildProcess.installed("bin/python"), ChildProcess.script("smtp_sink.py"),
                String(port),
                folder.path, security,
            ])
    }

    /// `starttls`, `tls` or `plain`; returns once it takes connections.
    public static func start(_ security: String = "starttls") async throws -> TestMailServer {
        let server = try TestMailServer(port: FreePort.find(), security: security)
        guard try await eventually({ (try? server.mails()) != nil }) else {
            throw Failure(description: "The mail server does not answer: is aiosmtpd in .venv?")
        }
        return server
    }

    /// Every mail so far, oldest first.
    public func mails() throws -> [Mail] {
        let file = folder.url.appending(path: "mails.json")
        return try JSONDecoder().decode([Mail].self, from: Data(contentsOf: file))
    }
}
