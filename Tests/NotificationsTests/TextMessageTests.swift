import AsyncHTTPClient
import Contracts
import EventBus
import Foundation
import Hummingbird
import ServiceKit
import ServiceLifecycle
import Support
import Synchronization
import Testing

@testable import Notifications

@Suite struct TextMessageTests {
    private let path = "/v1/admin/messages?phone=%2B85290000001"

    @Test func aCodeIsSentInThePersonsLanguage() async throws {
        let bench = try Bench()
        try await bench.hear(try bench.codeRequested())
        try await bench.hear(
            try bench.codeRequested("111111", purpose: .passwordReset, .traditionalChinese))
        await bench.sender().round()
        try await bench.run { caller in
            let page = try await caller.call(.get, path, as: .olivia)
                .expect(200, Page<TextMessage>.self)
            #expect(Set(page.items.map(\.phone)) == [TestPerson.alice.phone])
            #expect(page.items.allSatisfy { $0.sentAt == bench.clock.now })
            #expect(
                Set(page.items.map(\.text)) == [
                    "Your OpenValet code is 048213. It is valid for 10 minutes."
                        + " Never share it with anyone.",
                    "您的 OpenValet 重設密碼驗證碼是 111111，10 分鐘內有效。如非您要求，請勿理會。",
                ])
        }
    }

    @Test func aRequestThatArrivesTwiceIsSentOnce() async throws {
        let bench = try Bench()
        let provider = ToldProvider()
        let (event, id) = (try bench.codeRequested(), EventID.new())
        try await bench.hear(event, id: id)
        await bench.sender(provider).round()
        try await bench.hear(event, id: id)
        await bench.sender(provider).round()
        #expect(provider.sent.count == 1)
        #expect(try await bench.states().map(\.state) == [.sent])
    }

    @Test func twoSendersAtOnceSendEachMessageOnce() async throws {
        let bench = try Bench()
        let provider = ToldProvider()
        for _ in 0..<20 { try await bench.hear(try bench.codeRequested()) }
        let senders = (0..<4).map { _ in bench.sender(provider) }
        await withTaskGroup(of: Void.self) { group in
            for sender in senders { group.addTask { await sender.round() } }
        }
        #expect(provider.sent.count == 20)
        #expect(try await bench.states().allSatisfy { $0.state == .sent })
    }

    @Test func whatIsDoneIsForgotten() async throws {
        let bench = try Bench()
        try await bench.hear(try bench.codeRequested())
        #expect(try await bench.states().first?.sealed.isEmpty == false)
        await bench.sender().round()
        #expect(try await bench.states().first?.sealed == "")
    }

    @Test func anExpiredCodeIsNotSent() async throws {
        let bench = try Bench()
        let provider = ToldProvider()
        try await bench.hear(try bench.codeRequested(expiresIn: 600))
        bench.clock.advance(by: 600)
        await bench.sender(provider).round()
        #expect(provider.sent.isEmpty)
        #expect(try await bench.states().map(\.state) == [.expired])
    }

    @Test func aPassingTroubleIsTriedAgainUnderTheSameId() async throws {
        let bench = try Bench()
        let provider = ToldProvider([
            MessageError.passing("status 503", afterSeconds: nil),
            MessageError.passing("status 429", afterSeconds: 20),
        ])
        try await bench.hear(try bench.codeRequested())
        await bench.sender(provider).round()
        #expect(try await bench.states().map(\.state) == [.waiting])
        #expect(try await bench.nextMessage() == bench.clock.now.addingTimeInterval(1))
        await bench.sender(provider).round()
        #expect(provider.sent.count == 1)
        bench.clock.advance(by: 2)
        await bench.sender(provider).round()
        #expect(try await bench.nextMessage() == bench.clock.now.addingTimeInterval(20))
        bench.clock.advance(by: 30)
        await bench.sender(provider).round()
        #expect(provider.sent.count == 3)
        #expect(try await bench.nextMessage() == nil)
        #expect(Set(provider.sent.map(\.id)).count == 1)
        #expect(try await bench.states().map(\.state) == [.sent])
    }

    @Test func triesHaveALimit() async throws {
        let bench = try Bench()
        let trouble = MessageError.passing("status 503", afterSeconds: nil)
        let provider = ToldProvider(Array(repeating: trouble, count: 2 * CodeMessage.mostAttempts))
        try await bench.hear(try bench.codeRequested(expiresIn: 100_000))
        for _ in 0...CodeMessage.mostAttempts {
            await bench.sender(provider).round()
            bench.clock.advance(by: 2 * CodeMessage.pauses.most)
        }
        #expect(provider.sent.count == CodeMessage.mostAttempts)
        #expect(try await bench.states().map(\.state) == [.failed])
    }

    @Test func aFinalRefusalIsRecorded() async throws {
        let bench = try Bench()
        let provider = ToldProvider([MessageError.final("status 400, error 21211")])
        try await bench.hear(try bench.codeRequested())
        for _ in 0..<2 {
            await bench.sender(provider).round()
            bench.clock.advance(by: 60)
        }
        #expect(provider.sent.count == 1)
        let message = try #require(try await bench.states().first)
        #expect(message.state == .failed)
        #expect(message.failure == "status 400, error 21211")
    }

    @Test func aCrashWhileSendingLosesNothing() async throws {
        struct Crash: Error {}
        let bench = try Bench()
        let provider = ToldProvider([Crash()])
        try await bench.hear(try bench.codeRequested())
        await bench.sender(provider).round()
        #expect(try await bench.states().map(\.state) == [.sending])
        await bench.sender(provider).round()
        #expect(provider.sent.count == 1)
        bench.clock.advance(by: CodeMessage.pauses.most)
        await bench.sender(provider).round()
        #expect(try await bench.states().map(\.state) == [.sent])
        #expect(provider.sent.count == 2)
    }

    @Test func aRestartSendsWhatWaits() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let before = try Bench(folder: folder.path())
        try await before.hear(try before.codeRequested())
        try await before.database.close()
        let after = try Bench(folder: folder.path(), clock: before.clock)
        let provider = ToldProvider()
        await after.sender(provider).round()
        #expect(provider.sent.map(\.to) == [TestPerson.alice.phone])
        try await after.database.close()
    }

    @Test func whatIsSealedWithAnotherSecretIsRefusedByTheReaction() async throws {
        let bench = try Bench()
        var event = try bench.codeRequested()
        event.sealed = try Sealer(secret: "another secret, also long enough")
            .seal(CodeSecret(phone: "+85290000001", code: "1"))
        let foreign = event
        await #expect(throws: (any Error).self) { try await bench.hear(foreign) }
        #expect(try await bench.states().isEmpty)
    }

    @Test func theServiceSendsAsSoonAsItIsAsked() async throws {
        let bench = try Bench()
        let provider = ToldProvider()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await bench.sender(provider).run() }
            for count in 1...3 {
                try await bench.hear(try bench.codeRequested())
                let isSent = try await eventually { provider.sent.count == count }
                #expect(isSent)
            }
            group.cancelAll()
        }
    }

    @Test func messagesAreReadByOperatorsOnly() async throws {
        let bench = try Bench()
        for person in [TestPerson.alice, .bob] {
            try await bench.hear(try bench.codeRequested(for: person))
        }
        await bench.sender().round()
        try await bench.run { caller in
            for query in ["?phone=+85290000001", "?phone=85290000001", "?phone=%2B85290000001"] {
                let page = try await caller.call(.get, "/v1/admin/messages\(query)", as: .olivia)
                    .expect(200, Page<TextMessage>.self)
                #expect(page.items.map(\.phone) == [TestPerson.alice.phone])
            }
            let first = try await caller.call(.get, "/v1/admin/messages?limit=1", as: .olivia)
                .expect(200, Page<TextMessage>.self)
            let next = try #require(first.next)
            let second = try await caller.call(
                .get, "/v1/admin/messages?limit=1&after=\(next)", as: .olivia
            ).expect(200, Page<TextMessage>.self)
            #expect(Set((first.items + second.items).map(\.phone)).count == 2)
            #expect(second.next == nil)
            try await caller.call(.get, path, as: .alice).refused(403, "auth.role")
            try await caller.call(.get, path, as: .victor).refused(403, "auth.role")
            try await caller.call(.get, path, as: nil).refused(401, "auth.token_missing")
            try await caller.call(.get, "\(path)&after=x", as: .olivia)
                .refused(422, "request.invalid", field: "after")
        }
    }

    @Test func onlySoManyMessagesAreKept() async throws {
        let bench = try Bench()
        let dev = DevMessages(database: bench.database, clock: bench.environment.clock)
        let most = NotificationStore.mostKeptMessages
        for number in 0..<(most + 3) {
            bench.clock.advance(by: 1)
            try await dev.send(
                OutgoingMessage(
                    id: .new(at: bench.clock.now), person: TestPerson.alice.id,
                    to: "+85290000001", subject: nil, text: "\(number)"))
        }
        let page = try await dev.kept(phone: nil, email: nil, PageRequest(limit: 5_000))
        #expect(page.items.count == most)
        #expect(page.items.first?.text == "\(most + 2)")
        #expect(page.items.last?.text == "3")
    }
}

/// The wire form, against a real HTTP peer.
@Suite struct TwilioTests {
    struct Heard: Sendable, Equatable {
        var path: String
        var authorization: String?
        var contentType: String?
        var body: String
    }

    /// A peer that answers with a status and a body, and remembers what it heard.
    private func withPeer(
        _ status: HTTPResponse.Status, _ answer: String = "{}",
        headers: HTTPFields = [:],
        _ body: @Sendable (Bench, TwilioPeer) async throws -> Void
    ) async throws {
        let peer = TwilioPeer()
        let router = Router()
        router.post("/**") { request, _ in
            let bytes = try await request.body.collect(upTo: 10_000)
            peer.add(
                Heard(
                    path: request.uri.path, authorization: request.headers[.authorization],
                    contentType: request.headers[.contentType], body: String(buffer: bytes)))
            return Response(
                status: status, headers: headers,
                body: .init(byteBuffer: ByteBuffer(string: answer)))
        }
        try await withServer(router) { port in
            let bench = try Bench([
                "OPENVALET_NOTIFICATIONS_SMS_PROVIDER": "twilio",
                "OPENVALET_NOTIFICATIONS_TWILIO_URL": "http://127.0.0.1:\(port)/",
                "OPENVALET_NOTIFICATIONS_TWILIO_ACCOUNT_SID": "AC123",
                "OPENVALET_NOTIFICATIONS_TWILIO_AUTH_TOKEN": "s3cret",
                "OPENVALET_NOTIFICATIONS_TWILIO_FROM": "+85230000000",
            ])
            try await body(bench, peer)
        }
    }

    final class TwilioPeer: Sendable {
        private let all = Mutex<[Heard]>([])
        var heard: [Heard] { all.withLock { $0 } }
        func add(_ heard: Heard) { all.withLock { $0.append(heard) } }
    }

    @Test func aMessageIsAFormWithBasicAuthentication() async throws {
        try await withPeer(.created) { bench, peer in
            try await bench.hear(try bench.codeRequested())
            await bench.sender().round()
            let credentials = Data("AC123:s3cret".utf8).base64EncodedString()
            #expect(
                peer.heard == [
                    Heard(
                        path: "/2010-04-01/Accounts/AC123/Messages.json",
                        authorization: "Basic \(credentials)",
                        contentType: "application/x-www-form-urlencoded",
                        body: "To=%2B85290000001&From=%2B85230000000"
                            + "&Body=Your%20OpenValet%20code%20is%20048213."
                            + "%20It%20is%20valid%20for%2010%20minutes."
                            + "%20Never%20share%20it%20with%20anyone."
                    )
                ])
            #expect(try await bench.states().map(\.state) == [.sent])
        }
    }

    @Test(arguments: [
        (404, 20404), (400, 21211), (400, 21610), (400, 21614), (401, 20003),
    ])
    func aRefusalIsFinalAndNamesNobodyInTheLog(status: Int, code: Int) async throws {
        let answer =
            #"{"code": \#(code), "message": "The number +85290000001 is unknown", "status": 4}"#
        try await withPeer(.init(code: status), answer) { bench, peer in
            let log = LogRecorder()
            try await bench.hear(try bench.codeRequested())
            await bench.sender(log: log.logger).round()
            #expect(try await bench.states().map(\.state) == [.failed])
            #expect(peer.heard.count == 1)
            #expect(log.text.contains("status \(status), error \(code)"))
            #expect(!log.text.contains("90000001"))
            #expect(!log.text.contains("048213"))
        }
    }

    @Test func aProviderThatIsAwayNamesNobodyInTheLog() async throws {
        let bench = try Bench([
            "OPENVALET_NOTIFICATIONS_SMS_PROVIDER": "twilio",
            "OPENVALET_NOTIFICATIONS_TWILIO_URL": "http://127.0.0.1:1",
            "OPENVALET_NOTIFICATIONS_TWILIO_ACCOUNT_SID": "AC123",
            "OPENVALET_NOTIFICATIONS_TWILIO_AUTH_TOKEN": "s3cret",
            "OPENVALET_NOTIFICATIONS_TWILIO_FROM": "OpenValet",
        ])
        let log = LogRecorder()
        try await bench.hear(try bench.codeRequested())
        await bench.sender(log: log.logger).round()
        #expect(log.text.contains("message not sent"))
        for secret in ["90000001", "048213", "s3cret"] { #expect(!log.text.contains(secret)) }
    }

    @Test func aPauseNeverOutlivesTheCode() async throws {
        try await withPeer(.tooManyRequests, headers: [.retryAfter: "999999999"]) { bench, _ in
            try await bench.hear(try bench.codeRequested(expiresIn: 600))
            await bench.sender().round()
            bench.clock.advance(by: 600)
            await bench.sender().round()
            let message = try #require(try await bench.states().first)
            #expect(message.state == .expired)
            #expect(message.sealed.isEmpty)
        }
    }

    @Test(arguments: [408, 429, 500, 503])
    func theseAreTriedAgain(status: Int) async throws {
        try await withPeer(.init(code: status), headers: [.retryAfter: "7"]) { bench, _ in
            try await bench.hear(try bench.codeRequested())
            await bench.sender().round()
            let message = try #require(try await bench.states().first)
            #expect(message.state == .waiting)
            #expect(message.failure == "status \(status)")
            #expect(try await bench.nextMessage() == bench.clock.now.addingTimeInterval(7))
        }
    }

    @Test func aRefusalIsRecordedWithoutTheNumber() async throws {
        let answer = #"{"code": 21211, "message": "Invalid 'To' Phone Number: +85290000001"}"#
        try await withPeer(.badRequest, answer) { bench, peer in
            try await bench.hear(try bench.codeRequested())
            await bench.sender().round()
            let message = try #require(try await bench.states().first)
            #expect(message.state == .failed)
            #expect(message.failure == "status 400, error 21211")
            #expect(message.sealed.isEmpty)
            bench.clock.advance(by: 60)
            await bench.sender().round()
            #expect(peer.heard.count == 1)
        }
    }

    @Test func aPeerThatDoesNotAnswerIsTriedAgain() async throws {
        let bench = try Bench([
            "OPENVALET_NOTIFICATIONS_SMS_PROVIDER": "twilio",
            "OPENVALET_NOTIFICATIONS_TWILIO_URL": "http://127.0.0.1:1",
            "OPENVALET_NOTIFICATIONS_TWILIO_ACCOUNT_SID": "AC123",
            "OPENVALET_NOTIFICATIONS_TWILIO_AUTH_TOKEN": "s3cret",
            "OPENVALET_NOTIFICATIONS_TWILIO_FROM": "OpenValet",
        ])
        try await bench.hear(try bench.codeRequested())
        await bench.sender().round()
        #expect(try await bench.states().map(\.state) == [.waiting])
    }

    @Test func withoutTheDevProviderNoMessagesAreKept() async throws {
        let bench = try Bench([
            "OPENVALET_NOTIFICATIONS_SMS_PROVIDER": "twilio",
            "OPENVALET_NOTIFICATIONS_TWILIO_URL": "http://127.0.0.1:1",
            "OPENVALET_NOTIFICATIONS_TWILIO_ACCOUNT_SID": "AC123",
            "OPENVALET_NOTIFICATIONS_TWILIO_AUTH_TOKEN": "s3cret",
            "OPENVALET_NOTIFICATIONS_TWILIO_FROM": "OpenValet",
            "OPENVALET_NOTIFICATIONS_MAIL_PROVIDER": "smtp",
            "OPENVALET_NOTIFICATIONS_SMTP_FROM": "valet@example.org",
            "OPENVALET_NOTIFICATIONS_SMTP_HOST": "127.0.0.1",
        ])
        try await bench.run { caller in
            _ = try await caller.call(.get, "/v1/admin/messages", as: .olivia)
                .refused(404, "notification.messages_not_kept")
        }
    }

    @Test(arguments: [
        ["OPENVALET_NOTIFICATIONS_SMS_PROVIDER": "pigeon"],
        ["OPENVALET_NOTIFICATIONS_SMS_PROVIDER": "twilio"],
        [
            "OPENVALET_NOTIFICATIONS_SMS_PROVIDER": "twilio",
            "OPENVALET_NOTIFICATIONS_TWILIO_URL": "ftp://x",
        ],
        ["OPENVALET_NOTIFICATIONS_OPERATORS_LANGUAGE": "de"],
        ["OPENVALET_NOTIFICATIONS_PIGEONS": "2"],
    ])
    func aWrongConfigurationStopsTheStart(environment: [String: String]) {
        #expect(throws: ConfigError.self) { try Bench(environment) }
    }
}
