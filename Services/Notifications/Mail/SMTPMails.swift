import Foundation
import NIOSSL
import ServiceKit

/// A mail server that accepts mails (RFC 6409), and how it is trusted.
struct MailServer: Sendable, Hashable {
    enum Security: String, Sendable, CaseIterable {
        /// Unencrypted until the server has accepted `STARTTLS`, which is required (RFC 3207).
        case startTLS = "starttls"
        /// Encrypted from the first byte (RFC 8314).
        case tls
    }

    struct Login: Sendable, Hashable {
        var user: String
        var password: String
    }

    var host: String
    var port: Int
    var security: Security
    var login: Login?
    /// PEM file of authorities to trust in addition to the system's.
    var authorities: String?
    /// Sender of all mails.
    var from: String
}

/// Sends mails through a mail server, each over its own connection.
struct SMTPMails: MessageProvider {
    private let server: MailServer
    private let encryption: NIOSSLContext
    private let clock: ServiceClock

    init(_ server: MailServer, clock: ServiceClock) throws {
        self.server = server
        self.clock = clock
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        if let authorities = server.authorities {
            configuration.additionalTrustRoots = [.file(authorities)]
        }
        encryption = try NIOSSLContext(configuration: configuration)
    }

    func send(_ message: OutgoingMessage) async throws {
        let mail = MailMessage(
            id: message.id.description, from: server.from, to: message.to,
            subject: message.subject ?? "", text: message.text, html: message.html,
            date: clock.now)
        let connection = try await SMTPConnection.open(server, encryption)
        do {
            try await connection.deliver(mail, to: server, encryption)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }
}

extension SMTPConnection {
    /// Identifies the server and us before anything of the mail is sent.
    fileprivate func deliver(
        _ mail: MailMessage, to server: MailServer, _ encryption: NIOSSLContext
    ) async throws {
        try await greeting().require([220], "greeting")
        let name = server.from.split(separator: "@").last ?? "localhost"
        var features = try await say("EHLO \(name)", [250])
        if server.security == .startTLS {
            guard features.names("STARTTLS") else {
                throw MessageError.passing("the server has no STARTTLS", afterSeconds: nil)
            }
            try await say("STARTTLS", [220])
            try await encrypt(with: encryption, as: server.host)
            features = try await say("EHLO \(name)", [250])
        }
        if let login = server.login {
            guard features.names("AUTH", "PLAIN") else {
                throw MessageError.passing("the server has no AUTH PLAIN", afterSeconds: nil)
            }
            let secret = Data("\0\(login.user)\0\(login.password)".utf8).base64EncodedString()
            try await say("AUTH PLAIN \(secret)", [235])
        }
        try await say("MAIL FROM:<\(mail.from)>", [250], isFinal: true)
        try await say("RCPT TO:<\(mail.to)>", [250, 251], isFinal: true)
        try await say("DATA", [354], isFinal: true)
        // A line that begins with a dot gets another one (RFC 5321, section 4.5.2).
        let lines = mail.lines.map { $0.hasPrefix(".") ? ".\($0)" : $0 }
        try await exchange((lines + ["."]).joined(separator: "\r\n") + "\r\n")
            .require([250], "the mail", isFinal: true)
        // The server has the mail, whatever it replies now.
        _ = try? await say("QUIT", [221])
    }

    /// `isFinal` if a permanent refusal (5yz) is about this mail and not about us.
    @discardableResult
    private func say(
        _ command: String, _ wanted: Set<Int>, isFinal: Bool = false
    ) async throws -> SMTPReply {
        guard !command.contains(where: \.isNewline) else {
            throw MessageError.final("a command of several lines")
        }
        let reply = try await exchange(command + "\r\n")
        let verb = command.prefix { $0 != " " && $0 != ":" }
        try reply.require(wanted, String(verb), isFinal: isFinal)
        return reply
    }
}

extension SMTPReply {
    /// Throws with the code alone, since the text may repeat the address.
    fileprivate func require(_ wanted: Set<Int>, _ what: String, isFinal: Bool = false) throws {
        guard !wanted.contains(code) else { return }
        let reason = "status \(code) to \(what)"
        throw isFinal && code >= 500
            ? MessageError.final(reason) : MessageError.passing(reason, afterSeconds: nil)
    }

    /// Whether a feature of EHLO's answer is there, with a parameter.
    fileprivate func names(_ feature: String, _ parameter: String? = nil) -> Bool {
        lines.dropFirst().contains { line in
            let words = line.uppercased().split(separator: " ").map(String.init)
            return words.first == feature && (parameter.map { words.contains($0) } ?? true)
        }
    }
}
