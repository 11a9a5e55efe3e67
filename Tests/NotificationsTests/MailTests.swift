import Contracts
import Foundation
import Logging
import ServiceKit
import Support
import Testing

@testable import Notifications

@Suite(.withoutDatabase) struct MailMessageTests {
    private func mail(
        subject: String = "Your code", text: String = "It is 048213.",
        to: String = "ada@example.org"
    ) -> MailMessage {
        MailMessage(
            id: "01900000-0000-7000-8000-000000000001", from: "valet@example.com", to: to,
            subject: subject, text: text, date: Date(timeIntervalSince1970: 1_795_000_000))
    }

    @Test func aPlainMailIsReadable() {
        #expect(
            mail().lines == [
                "From: valet@example.com", "To: ada@example.org", "Subject: Your code",
                "Date: Wed, 18 Nov 2026 11:06:40 +0000",
                "Message-ID: <01900000-0000-7000-8000-000000000001@example.com>",
                "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: 7bit", "Auto-Submitted: auto-generated", "",
                "It is 048213.",
            ])
    }

    @Test func aMailWithHTMLHasItsTextFirst() {
        var both = mail(text: "Paid €9.00.")
        both.html = "<p>Paid</p>"
        let lines = both.lines
        let boundary = "=_01900000-0000-7000-8000-000000000001"
        #expect(
            lines.contains("Content-Type: multipart/alternative; boundary=\"\(boundary)\""))
        #expect(lines.filter { $0.hasPrefix("Content-Type: text/") }.count == 2)
        let parts = lines.split(separator: "--\(boundary)")
        #expect(parts.count == 3)
        #expect(parts[1].contains("Content-Type: text/plain; charset=utf-8"))
        #expect(parts[1].contains("Content-Transfer-Encoding: base64"))
        #expect(parts[1].last == Data("Paid €9.00.".utf8).base64EncodedString())
        #expect(parts[2].contains("Content-Type: text/html; charset=utf-8"))
        #expect(parts[2].contains("<p>Paid</p>"))
        #expect(lines.last == "--\(boundary)--")
    }

    @Test(arguments: ["Code\r\nBcc: eve@example.org", "Code\nBcc: eve@example.org", "代碼\r\nBcc: x"])
    func noSubjectAddsAHeader(subject: String) {
        let lines = mail(subject: subject).lines.flatMap { $0.split(separator: "\r\n") }
        #expect(!lines.contains { $0.hasPrefix("Bcc") })
        #expect(!lines.joined().contains { $0 == "\n" || $0 == "\r" })
    }

    @Test func noAddressAddsAHeader() {
        let lines = mail(to: "ada@example.org\r\nBcc: eve@example.org").lines
        #expect(!lines.contains { $0.contains("\r") || $0.contains("\n") || $0.hasPrefix("Bcc") })
    }

    @Test func aLongSubjectIsFoldedIntoWordsOf75Characters() {
        let subject = String(repeating: "重設密碼的驗證碼", count: 8)
        let lines = mail(subject: subject).lines.filter { $0.hasPrefix("Subject") }
            .flatMap { $0.split(separator: "\r\n") }
        #expect(lines.count > 1)
        for line in lines { #expect(line.utf8.count <= 76) }
    }
}

/// Against a real mail server.
@Suite struct SMTPTests {
    private func provider(
        of server: TestMailServer, host: String = "localhost",
        security: MailServer.Security = .startTLS, password: String = TestMailServer.password,
        trusts: Bool = true
    ) throws -> SMTPMails {
        try SMTPMails(
            MailServer(
                host: host, port: server.port, security: security,
                login: .init(user: TestMailServer.user, password: password),
                authorities: trusts ? server.authorities : nil, from: "valet@example.com"),
            clock: .system)
    }

    private func message(
        to: String = "ada@example.org", subject: String = "Your OpenValet code",
        text: String = "Your code is 048213."
    ) -> OutgoingMessage {
        OutgoingMessage(
            id: .new(), person: TestPerson.alice.id, to: to, subject: subject, text: text)
    }

    @Test(.withoutDatabase, arguments: ["starttls", "tls"], ["localhost", "127.0.0.1"])
    func aMailIsTakenEncryptedAndSignedIn(security: String, host: String) async throws {
        let server = try await TestMailServer.start(security)
        let provider = try provider(
            of: server, host: host, security: #require(.init(rawValue: security)))
        let message = message()
        try await provider.send(message)
        let mails = try server.mails()
        #expect(mails.count == 1)
        let mail = try #require(mails.first)
        #expect(mail.from == "valet@example.com" && mail.to == ["ada@example.org"])
        #expect(mail.isEncrypted && mail.isAuthenticated)
        #expect(mail.defects.isEmpty)
        #expect(mail.headers["subject"] == "Your OpenValet code")
        #expect(mail.headers["message-id"] == "<\(message.id)@example.com>")
        #expect(mail.text.trimmingCharacters(in: .newlines) == "Your code is 048213.")
    }

    @Test(
        .withoutDatabase,
        arguments: [
            "您的 OpenValet 驗證碼是 048213，10 分鐘內有效。",
            ".\n..\n.beginning with a point\n\nand an end\n.",
            "a very long line " + String(repeating: "x", count: 2_000),
        ])
    func everyTextArrivesAsItWasWritten(text: String) async throws {
        let server = try await TestMailServer.start()
        let subject = "重設 OpenValet 密碼的驗證碼，請於十分鐘內輸入，切勿向任何人透露"
        try await provider(of: server).send(message(subject: subject, text: text))
        let mail = try #require(try server.mails().first)
        #expect(mail.defects.isEmpty)
        #expect(mail.headers["subject"] == subject)
        let arrived = mail.text.replacingOccurrences(of: "\r\n", with: "\n")
        #expect(arrived.trimmingCharacters(in: .newlines) == text)
    }

    @Test(.withoutDatabase) func whoHasNoMailboxIsRefusedForGoodAndAFullOneIsTriedAgain()
        async throws
    {
        let server = try await TestMailServer.start()
        let provider = try provider(of: server)
        await #expect(throws: MessageError.final("status 550 to RCPT")) {
            try await provider.send(message(to: "nobody@example.org"))
        }
        await #expect(throws: MessageError.passing("status 452 to RCPT", afterSeconds: nil)) {
            try await provider.send(message(to: "full@example.org"))
        }
        #expect(try server.mails().isEmpty)
    }

    @Test(.withoutDatabase, arguments: ["starttls", "tls"])
    func aCertificateThatIsNotTrustedEndsItBeforeAnythingIsSaid(security: String) async throws {
        let server = try await TestMailServer.start(security)
        let provider = try provider(
            of: server, security: #require(.init(rawValue: security)), trusts: false)
        let refused = MessageError.passing(
            "the server's certificate or encryption is refused", afterSeconds: nil)
        await #expect(throws: refused) { try await provider.send(message()) }
        #expect(try server.mails().isEmpty)
    }

    @Test(.withoutDatabase) func withoutEncryptionNothingIsSaid() async throws {
        let server = try await TestMailServer.start("plain")
        let refused = MessageError.passing("the server has no STARTTLS", afterSeconds: nil)
        await #expect(throws: refused) { try await provider(of: server).send(message()) }
        #expect(try server.mails().isEmpty)
    }

    @Test(.withoutDatabase) func aWrongPasswordIsOursAndPasses() async throws {
        let server = try await TestMailServer.start()
        await #expect(throws: MessageError.passing("status 535 to AUTH", afterSeconds: nil)) {
            try await provider(of: server, password: "another").send(message())
        }
    }

    @Test(.withoutDatabase) func aServerThatIsAwayIsTriedAgain() async throws {
        let server = MailServer(
            host: "localhost", port: try FreePort.find(), security: .startTLS,
            from: "valet@example.com")
        let error = await #expect(throws: MessageError.self) {
            try await SMTPMails(server, clock: .system).send(message())
        }
        guard case .passing = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(.withoutDatabase) func anAddressWithACommandInItIsNotSaid() async throws {
        let server = try await TestMailServer.start()
        await #expect(throws: MessageError.final("a command of several lines")) {
            try await provider(of: server)
                .send(message(to: "ada@example.org>\r\nRCPT TO:<eve@example.org"))
        }
        #expect(try server.mails().isEmpty)
    }

    @Test func aCodeGoesByMailInThePersonsLanguage() async throws {
        let server = try await TestMailServer.start()
        let bench = try Bench()
        var event = try bench.codeRequested(
            "482913", for: .alice, purpose: .verification, .traditionalChinese)
        event.sealed = try bench.environment.sealer.seal(
            CodeSecret(email: "ada@example.org", code: "482913"))
        try await bench.hear(event)
        await bench.sender(try provider(of: server)).round()
        let mail = try #require(try server.mails().first)
        #expect(mail.headers["subject"] == "您的 OpenValet 驗證碼")
        #expect(mail.text.contains("482913"))
        #expect(try await bench.states().map(\.state) == [.sent])
    }
}

@Suite struct KeptMailTests {
    @Test func aMailIsKeptAsTextMessagesAre() async throws {
        let bench = try Bench()
        var event = try bench.codeRequested(purpose: .passwordReset)
        event.sealed = try bench.environment.sealer.seal(
            CodeSecret(email: "ada@example.org", code: "48291306"))
        try await bench.hear(event)
        try await bench.hear(try bench.codeRequested())
        await bench.sender().round()
        try await bench.run { caller in
            let page = try await caller.call(
                .get, "/v1/admin/messages?email=Ada@example.org", as: .olivia
            ).expect(200, Page<TextMessage>.self)
            #expect(page.items.map(\.email) == ["ada@example.org"])
            #expect(page.items.map(\.phone) == [""])
            #expect(page.items.map(\.subject) == ["Your code for a new OpenValet password"])
            let all = try await caller.call(.get, "/v1/admin/messages", as: .olivia)
                .expect(200, Page<TextMessage>.self)
            #expect(Set(all.items.map(\.email)) == [nil, "ada@example.org"])
        }
    }

    @Test(
        .withoutDatabase,
        arguments: [
            (["MAIL_PROVIDER": "post"], "MAIL_PROVIDER"), (["MAIL_PROVIDER": "smtp"], "SMTP_FROM"),
            (["MAIL_PROVIDER": "smtp", "SMTP_FROM": "valet@example.org"], "SMTP_HOST"),
            (["MAIL_PROVIDER": "smtp", "SMTP_FROM": "valet", "SMTP_HOST": "mail"], "SMTP_FROM"),
            (
                [
                    "MAIL_PROVIDER": "smtp", "SMTP_FROM": "valet@example.org", "SMTP_HOST": "mail",
                    "SMTP_SECURITY": "none",
                ], "SMTP_SECURITY"
            ),
            (
                [
                    "MAIL_PROVIDER": "smtp", "SMTP_FROM": "valet@example.org", "SMTP_HOST": "mail",
                    "SMTP_USER": "valet",
                ], "SMTP_PASSWORD"
            ),
        ])
    func aWrongSettingStopsTheStart(settings: [String: String], key: String) throws {
        let prefix = "OPENVALET_NOTIFICATIONS_"
        let named = Dictionary(uniqueKeysWithValues: settings.map { (prefix + $0, $1) })
        let error = #expect(throws: ConfigError.self) {
            try NotificationsConfig(ConfigValues(named, keys: NotificationsConfig.keys))
        }
        #expect(error?.description.contains(prefix + key) == true)
    }
}
