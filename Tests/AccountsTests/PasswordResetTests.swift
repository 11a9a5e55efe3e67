import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

@Suite struct PasswordResetTests {
    private let phone = "+85261234567"
    private let newPassword = "a longer way home"

    private func ask(_ caller: Caller, _ phone: String) async throws -> Answer {
        try await caller.call(.post, "/v1/password-resets", ContactBody(phone: phone))
    }

    private func confirm(
        _ caller: Caller, _ code: String, _ password: String? = nil, phone: String? = nil
    ) async throws -> Answer {
        try await caller.call(
            .post, "/v1/password-resets/confirm",
            ResetConfirmBody(
                phone: phone ?? self.phone, code: code, newPassword: password ?? newPassword))
    }

    /// Asks, and reads the text message.
    private func code(_ caller: Caller, for phone: String) async throws -> String {
        #expect(try await ask(caller, phone).status == 202)
        try await caller.bench.accounts.sendResets()
        return try await caller.bench.code(for: phone, .passwordReset)
    }

    private func wrong(_ code: String) -> String {
        code == "00000000" ? "00000001" : "00000000"
    }

    @Test func theCodeOfTheMessageSetsANewPasswordAndEndsAllSessions() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let old = try await caller.customer(phone)
            let code = try await code(caller, for: phone)
            let signedIn = try await confirm(caller, code).expect(201, SignedIn.self)
            #expect(signedIn.account.id == old.customer.id)
            #expect(signedIn.account.phoneVerified)
            try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: old.refreshToken)
            ).refused(401, "account.session_ended")
            try await caller.signIn(phone).refused(401, "account.credentials_mismatch")
            #expect(try await caller.signIn(phone, newPassword).status == 201)
            let refreshed = try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: signedIn.refreshToken))
            #expect(refreshed.status == 201)
            // It was good once.
            try await confirm(caller, code).refused(422, "account.wrong_code", field: "code")
        }
    }

    @Test func valetsAndOperatorsResetLikeCustomers() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            _ = try await caller.valet("+85291111111", by: token)
            for (phone, role) in [("+85291111111", Role.valet), ("+85298765432", .operator)] {
                let code = try await code(caller, for: phone)
                let signedIn = try await confirm(caller, code, phone: phone)
                    .expect(201, SignedIn.self)
                #expect(signedIn.account.role == role)
            }
        }
        // The configured password is the old one, and does not come back.
        try await bench.accounts.ensureOperator(
            .init(phone: "+85298765432", password: Caller.password))
        try await bench.run { caller in
            let answer = try await caller.signIn("+85298765432", newPassword)
            #expect(answer.status == 201)
        }
    }

    @Test func aStrangersNumberGetsTheSameAnswersAndNoMessage() async throws {
        let bench = try await Bench()
        let stranger = "+85265550000"
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            for number in [phone, stranger] {
                for _ in 0..<3 {
                    let answer = try await ask(caller, number)
                    #expect(answer.status == 202)
                    #expect(answer.data.isEmpty)
                }
            }
            #expect(try await bench.accounts.sendResets() == 2)
            #expect(try await bench.accounts.sendResets() == 0)
            for _ in 1...4 {
                for number in [phone, stranger] {
                    let code = try await wrong(bench.code(for: phone, .passwordReset))
                    let problem = try await confirm(caller, code, phone: number)
                        .refused(422, "account.wrong_code", field: "code")
                    #expect(problem.detail == nil)
                }
            }
            for number in [phone, stranger] {
                let code = try await wrong(bench.code(for: phone, .passwordReset))
                let problem = try await confirm(caller, code, phone: number)
                    .refused(422, "account.wrong_code", field: "code")
                #expect(problem.detail != nil)
            }
        }
        let sent = try await outboxEvents(of: CodeRequested.self, in: bench.database)
        #expect(sent.map(\.purpose.known) == [.verification, .passwordReset])
    }

    @Test func afterFiveWrongCodesTheRightOneIsDead() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let old = try await caller.customer(phone)
            let code = try await code(caller, for: phone)
            for _ in 1...5 {
                try await confirm(caller, wrong(code))
                    .refused(422, "account.wrong_code", field: "code")
            }
            let problem = try await confirm(caller, code)
                .refused(422, "account.wrong_code", field: "code")
            #expect(problem.detail?.contains("5 times") == true)
            // Nothing changed: password and session are as they were.
            #expect(try await caller.signIn(phone).status == 201)
            let refreshed = try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: old.refreshToken))
            #expect(refreshed.status == 201)
        }
    }

    @Test func aCodeEndsAfterTenMinutesAndANewOneReplacesIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            let first = try await code(caller, for: phone)
            bench.clock.advance(by: 29)
            #expect(try await code(caller, for: phone) == first)
            bench.clock.advance(by: 1)
            let second = try await code(caller, for: phone)
            if first != second {
                try await confirm(caller, first).refused(422, "account.wrong_code", field: "code")
            }
            bench.clock.advance(by: 600)
            try await confirm(caller, second).refused(422, "account.wrong_code", field: "code")
        }
        let sent = try await outboxEvents(of: CodeRequested.self, in: bench.database)
        #expect(sent.count { $0.purpose == .passwordReset } == 2)
    }

    @Test func aCodeToVerifyThePhoneResetsNothing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            let verification = try await bench.code(for: phone)
            let reset = try await code(caller, for: phone)
            if verification != reset {
                try await confirm(caller, verification)
                    .refused(422, "account.wrong_code", field: "code")
                try await caller.call(
                    .post, "/v1/verifications/confirm",
                    ConfirmCodeBody(phone: phone, code: reset)
                ).refused(422, "account.wrong_code", field: "code")
            }
            let hashes = try await bench.database.read { transaction in
                try transaction.rows("SELECT hash FROM reset_codes")
                    .map { try $0.get("hash", as: String.self) }
            }
            #expect(hashes.allSatisfy { $0.count == 64 })
        }
    }

    @Test(arguments: ["", "123456", "1234567", "abcdefgh", "１２３４５６７８"])
    func whatIsNoCodeCostsNoTry(code: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            let right = try await self.code(caller, for: phone)
            for _ in 1...6 {
                try await confirm(caller, code).refused(422, "account.wrong_code", field: "code")
            }
            #expect(try await confirm(caller, right).status == 201)
        }
    }

    @Test(arguments: ["short", "password123", "6123 4567 x"])
    func aWeakPasswordIsRefusedAndCostsNoTry(password: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            let code = try await code(caller, for: phone)
            for _ in 1...6 {
                try await confirm(caller, code, password)
                    .refused(422, "request.invalid", field: "newPassword")
            }
            #expect(try await confirm(caller, code).status == 201)
        }
    }

    @Test func aDayHasTwentyTriesWhateverBecomesOfTheAccount() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer(phone)
            var right = try await code(caller, for: phone)
            #expect(right.count == 8)
            for round in 1...4 {
                for _ in 1...5 {
                    try await confirm(caller, wrong(right))
                        .refused(422, "account.wrong_code", field: "code")
                }
                bench.clock.advance(by: 30)
                if round == 2 {
                    _ = try await caller.call(
                        .post, "/v1/me/deletion", DeletionBody(password: Caller.password),
                        token: me.accessToken)
                    _ = try await caller.customer(phone)
                    bench.clock.advance(by: 30)
                }
                right = try await code(caller, for: phone)
            }
            let refused = try await confirm(caller, right)
            try refused.refused(429, "account.too_many_attempts")
            #expect(refused.headers[.retryAfter] != nil)
            bench.clock.advance(by: 86_400)
            #expect(try await confirm(caller, code(caller, for: phone)).status == 201)
        }
    }

    @Test func aContactThatIsNotVerifiedOpensNoAccountThatHasOneThatIs() async throws {
        let bench = try await Bench()
        let email = "ada@example.org"
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            let early = try await code(caller, for: phone)
            #expect(try await caller.set(email: email, token: token).status == 200)
            // Sent when nothing was verified; it is no good any more.
            try await confirm(caller, early).refused(422, "account.wrong_code", field: "code")
            bench.clock.advance(by: 31)
            #expect(try await ask(caller, phone).status == 202)
            #expect(try await bench.accounts.sendResets() == 1)
            #expect(try await caller.signIn(phone).status == 201)
            _ = try await caller.call(.post, "/v1/password-resets", ContactBody(email: email))
            try await bench.accounts.sendResets()
            let reset = try await caller.call(
                .post, "/v1/password-resets/confirm",
                ResetConfirmBody(
                    email: email, code: bench.code(for: email, .passwordReset),
                    newPassword: newPassword))
            #expect(reset.status == 201)
        }
        let sent = try await outboxEvents(of: CodeRequested.self, in: bench.database)
        // One to each, and none to the phone later.
        #expect(sent.count { $0.purpose == .passwordReset } == 2)
    }

    @Test func whatIsNoNumberIsNamed() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await ask(caller, "12").refused(422, "request.invalid", field: "phone")
            try await confirm(caller, "12345678", phone: "12")
                .refused(422, "request.invalid", field: "phone")
        }
    }

    @Test func aSuspendedValetStaysOut() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            let valet = try await caller.valet("+85291111111", by: token)
            _ = try await caller.call(
                .patch, "/v1/admin/valets/\(valet.id)", ValetChange(suspended: true),
                token: token)
            let code = try await code(caller, for: "+85291111111")
            try await confirm(caller, code, phone: "+85291111111")
                .refused(403, "account.suspended")
        }
    }

    @Test func whoForgotThePasswordIsNotKeptOutByTheirGuesses() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            for _ in 0..<10 { _ = try await caller.signIn(phone, "not the password") }
            try await caller.signIn(phone).refused(429, "account.too_many_attempts")
            let code = try await code(caller, for: phone)
            #expect(try await confirm(caller, code).status == 201)
            #expect(try await caller.signIn(phone, newPassword).status == 201)
        }
    }

    @Test func theSenderSendsAsSoonAsItIsAsked() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            let sender = ResetSender(accounts: bench.accounts, logger: bench.environment.logger)
            try await withThrowingTaskGroup { group in
                group.addTask { try await sender.run() }
                #expect(try await ask(caller, phone).status == 202)
                let isSent = try await eventually {
                    try await outboxEvents(of: CodeRequested.self, in: bench.database)
                        .contains { $0.purpose == .passwordReset }
                }
                #expect(isSent)
                group.cancelAll()
            }
        }
    }
}

@Suite struct PasswordChangeTests {
    private let phone = "+85261234567"
    private let newPassword = "a longer way home"

    private func change(
        _ caller: Caller, _ token: String, from current: String = Caller.password,
        to new: String? = nil
    ) async throws -> Answer {
        try await caller.call(
            .post, "/v1/me/password",
            PasswordChangeBody(currentPassword: current, newPassword: new ?? newPassword),
            token: token)
    }

    @Test func theOtherSessionsEndAndThisOneGoesOn() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let here = try await caller.customer(phone)
            let there = try await caller.signIn(phone).expect(201, SignedIn.self)
            #expect(try await change(caller, here.accessToken).status == 204)
            let mine = try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: here.refreshToken))
            #expect(mine.status == 201)
            try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: there.refreshToken)
            ).refused(401, "account.session_ended")
            try await caller.signIn(phone).refused(401, "account.credentials_mismatch")
            #expect(try await caller.signIn(phone, newPassword).status == 201)
            // Its session is over, so its token changes nothing, though it has not expired.
            try await change(caller, there.accessToken, from: newPassword, to: "yet another one")
                .refused(401, "account.session_ended")
        }
    }

    @Test func aWrongPasswordIsRefusedAndTheTriesAreLimited() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            for _ in 1...10 {
                try await change(caller, token, from: "not the password")
                    .refused(422, "account.wrong_password", field: "currentPassword")
            }
            try await change(caller, token).refused(429, "account.too_many_attempts")
            try await caller.signIn(phone).refused(429, "account.too_many_attempts")
            bench.clock.advance(by: 899)
            try await change(caller, token).refused(429, "account.too_many_attempts")
        }
    }

    @Test func aWeakPasswordIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            for weak in ["short", "password123", "61234567 and so on"] {
                try await change(caller, token, to: weak)
                    .refused(422, "request.invalid", field: "newPassword")
            }
            #expect(try await caller.signIn(phone).status == 201)
        }
    }

    @Test func aCodeForAResetEndsWithTheChange() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            _ = try await caller.call(.post, "/v1/password-resets", ContactBody(phone: phone))
            try await bench.accounts.sendResets()
            let code = try await bench.code(for: phone, .passwordReset)
            #expect(try await change(caller, token).status == 204)
            try await caller.call(
                .post, "/v1/password-resets/confirm",
                ResetConfirmBody(phone: phone, code: code, newPassword: "yet another one")
            ).refused(422, "account.wrong_code", field: "code")
        }
    }
}
