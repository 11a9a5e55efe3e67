import Contracts
import Foundation
import Support
import Testing

@testable import Web

@Suite struct ClientErrorTests {
    @Test(arguments: [
        ("no vehicle at /v1/orders/0190aaaa-0000-7000-8000-000000000000?code=ab#x", "…"),
        ("no valet for ada@example.com", "no valet for …"), ("call +852 9123 4567", "call +… … …"),
        ("Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0", "Bearer ….…"),
        ("x is undefined", "x is undefined"),
    ])
    func whatIsWrittenHasNothingOfAnybody(message: String, kept: String) {
        #expect(message.withoutPersonalData.hasSuffix(kept))
        #expect(message.withoutPersonalData.firstMatch(of: /[0-9@?]/) == nil)
    }

    @Test func onlySoManyAreWrittenInAMinute() throws {
        let (clock, log) = (TestClock(), LogRecorder())
        let errors = ClientErrors(log.logger, clock.serviceClock)
        let error = WebAppError(
            app: "valet", build: "0123456789abcdef", message: "x\nis 5",
            source: "/apps/valet/app.js",
            line: 12)
        for _ in 0...ClientErrors.linesPerMinute { try errors.take(error) }
        #expect(log.all.count == ClientErrors.linesPerMinute)
        #expect(log.all[0].contains("x is …"))
        #expect(log.all[0].contains("/apps/valet/app.js") && log.all[0].contains("12"))
        clock.advance(by: 60)
        try errors.take(error)
        #expect(log.all.count == ClientErrors.linesPerMinute + 1)
    }

    @Test(arguments: [
        (#"{"app":"valet","build":"0123456789abcdef","message":"x"}"#, nil),
        (#"{"app":"other","build":"0123456789abcdef","message":"x"}"#, "app"),
        (#"{"app":"valet","build":"latest","message":"x"}"#, "build"),
        (#"{"app":"valet","build":"0123456789abcdef","message":" "}"#, "message"),
        (
            #"{"app":"valet","build":"0123456789abcdef","message":"x","line":-1}"#,
            "line" as String?
        ),
    ])
    func nobodyNeedBeSignedIn(body: String, wrong: String?) async throws {
        try await TestWeb.run { test in
            let answer = try await test.send(
                .post, "/v1/client-errors", headers: [.contentType: "application/json"], body: body)
            #expect(answer.status == (wrong == nil ? .accepted : .unprocessableContent))
            #expect(answer.problem?.field == wrong)
        }
    }
}
