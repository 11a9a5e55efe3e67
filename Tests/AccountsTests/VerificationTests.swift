import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

@Suite struct VerificationTests {
    private let phone = "+85261234567"

    private func confirm(_ caller: Caller, _ code: String) async throws -> Answer {
        try await caller.call(
            .post, "/v1/verifications/confirm", ConfirmCodeBody(phone: phone, code: code))
    }

    private func ask(_ caller: Caller, _ phone: String) async throws -> Answer {
        try await caller.call(.post, "/v1/verifications", ContactBody(phone: phone))
    }

    /// Any code but this one.
    private func wrong(_ code: String) -> String { code == "000000" ? "000001" : "000000" }

    @Test func theCodeOfTheMessageVerifiesThePhone() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let signedUp = try await caller.customer(phone)
            let code = try await bench.code(for: phone)
            #expect(code.count == 6)
            #expect(try await confirm(caller, code).status == 204)
            let me = try await caller.call(.get, "/v1/me", token: signedUp.accessToken)
                .expect(200, Account.self)
            #expect(me.phoneVerified)
            // The answer was lost, and the client asks again.
            #expect(try await confirm(caller, code).status == 204)
        }
        let changed = try await outboxEvents(of: AccountChanged.self, in: bench.database)
        #expect(changed.map(\.version) == [1, 2])
        #expect(changed.map(\.account.phoneVerified) == [false, true])
    }

    @Test func aWrongCodeIsRefusedAndTheFifthIsTheLast() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            let code = try await bench.code(for: phone)
            for _ in 0..<5 {
                try await confirm(caller, wrong(code))
                    .refused(422, "account.wrong_code", field: "code")
            }
            try await confirm(caller, code).refused(422, "account.wrong_code", field: "code")
        }
    }

    @Test func ofManyGuessesAtOnceFiveAreLookedAt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            let code = try await bench.code(for: phone)
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask { _ = try await confirm(caller, wrong(code)) }
                }
                try await group.waitForAll()
            }
            let tries = try await bench.database.read { transaction in
                try transaction.row("SELECT tries FROM codes")?.get("tries", as: Int.self)
            }
            #expect(tries == 5)
        }
    }

    @Test func aCodeEndsAfterTenMinutes() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            let code = try await bench.code(for: phone)
            bench.clock.advance(by: 600)
            try await confirm(caller, code).refused(422, "account.wrong_code", field: "code")
        }
    }

    @Test(arguments: ["", "12345", "1234567", "abcdef", "１２３４５６", " 12345"])
    func whatIsNoCodeCostsNoTry(code: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            try await confirm(caller, code).refused(422, "account.wrong_code", field: "code")
            let tries = try await bench.database.read { transaction in
                try transaction.row("SELECT tries FROM codes")?.get("tries", as: Int.self)
            }
            #expect(tries == 0)
        }
    }

    @Test func aNewCodeReplacesTheOldAfterThirtySeconds() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            let first = try await bench.code(for: phone)
            bench.clock.advance(by: 10)
            let refused = try await ask(caller, phone)
            let problem = try refused.refused(429, "account.code_too_soon")
            #expect(problem.retryAfterSeconds == 20)
            #expect(refused.headers[.retryAfter] == "20")
            bench.clock.advance(by: 20)
            #expect(try await ask(caller, phone).status == 202)
            let second = try await bench.code(for: phone)
            if first != second {
                try await confirm(caller, first)
                    .refused(422, "account.wrong_code", field: "code")
            }
            #expect(try await confirm(caller, second).status == 204)
        }
        #expect(try await outboxEvents(of: CodeRequested.self, in: bench.database).count == 2)
    }

    @Test func anHourHasTenCodes() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            for _ in 0..<9 {
                bench.clock.advance(by: 30)
                #expect(try await ask(caller, phone).status == 202)
            }
            bench.clock.advance(by: 30)
            let problem = try await ask(caller, phone).refused(429, "account.code_too_soon")
            #expect(problem.retryAfterSeconds == 3_300)
            bench.clock.advance(by: 3_300)
            #expect(try await ask(caller, phone).status == 202)
        }
    }

    @Test func aDayHasTwentyCodes() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            for _ in 2...20 {
                bench.clock.advance(by: 600)
                #expect(try await ask(caller, phone).status == 202)
            }
            bench.clock.advance(by: 600)
            let problem = try await ask(caller, phone).refused(429, "account.code_too_soon")
            #expect(problem.retryAfterSeconds == 86_400 - 20 * 600)
            bench.clock.advance(by: 86_400 - 20 * 600)
            #expect(try await ask(caller, phone).status == 202)
        }
    }

    @Test func signingUpAndLeavingInALoopSendsNoMoreThanAsking() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            func come() async throws {
                let token = try await caller.customer(phone).accessToken
                let left = try await caller.call(
                    .post, "/v1/me/deletion", DeletionBody(password: Caller.password), token: token)
                #expect(left.status == 202)
            }
            for _ in 1...5 { try await come() }
            // What was published of who has left is gone: the last sign-up's is all there could be.
            _ = try await caller.customer(phone)
            #expect(try await outboxEvents(of: CodeRequested.self, in: bench.database).isEmpty)
            bench.clock.advance(by: 30)
            #expect(try await ask(caller, phone).status == 202)
            #expect(try await outboxEvents(of: CodeRequested.self, in: bench.database).count == 1)
        }
    }

    @Test func aStrangersNumberGetsTheSameAnswers() async throws {
        let bench = try await Bench()
        let stranger = "+85265550000"
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            bench.clock.advance(by: 30)
            for number in [phone, stranger] {
                let first = try await ask(caller, number)
                #expect(first.status == 202)
                #expect(first.data.isEmpty)
                let problem = try await ask(caller, number).refused(429, "account.code_too_soon")
                #expect(problem.retryAfterSeconds == 30)
            }
            try await caller.call(
                .post, "/v1/verifications/confirm",
                ConfirmCodeBody(phone: stranger, code: "123456")
            ).refused(422, "account.wrong_code", field: "code")
        }
        let sent = try await outboxEvents(of: CodeRequested.self, in: bench.database)
        #expect(sent.count == 2)
    }

    @Test func whatAStrangerAskedForDoesNotKeepASignUpFromItsCode() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            #expect(try await ask(caller, phone).status == 202)
            _ = try await caller.customer(phone)
            #expect(try await confirm(caller, bench.code(for: phone)).status == 204)
        }
    }

    @Test func aVerifiedNumberGetsNoFurtherMessage() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            _ = try await confirm(caller, bench.code(for: phone))
            bench.clock.advance(by: 60)
            #expect(try await ask(caller, phone).status == 202)
        }
        #expect(try await outboxEvents(of: CodeRequested.self, in: bench.database).count == 1)
    }

    @Test func whatIsNoNumberIsNamed() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await ask(caller, "12").refused(422, "request.invalid", field: "phone")
            try await caller.call(
                .post, "/v1/verifications/confirm", ConfirmCodeBody(phone: "12", code: "123456")
            ).refused(422, "request.invalid", field: "phone")
        }
    }

    @Test(.withoutDatabase) func theHashOfACodeIsKeyed() throws {
        let sealer = Sealer(secret: ServiceEnvironment.testSecret)
        let phone = try #require(Contact(phone))
        let other = try #require(Contact("+85261234568"))
        let codes = VerificationCodes(secret: ServiceEnvironment.testSecret, sealer: sealer)
        let elsewhere = VerificationCodes(secret: "another secret, as long", sealer: sealer)
        #expect(codes.hash("123456", for: phone) == codes.hash("123456", for: phone))
        #expect(codes.hash("123456", for: phone) != codes.hash("123456", for: other))
        #expect(codes.hash("123456", for: phone) != codes.hash("123457", for: phone))
        #expect(codes.hash("123456", for: phone) != elsewhere.hash("123456", for: phone))
    }
}
