import Answers
import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import Accounts

@Suite struct SecondFactorTests {
    private let phone = "+85261234567"
    private let factors = "/v1/me/second-factors"
    private let answering = "/v1/sessions/second-factor"
    private let email = "ada@example.org"
    private let password = PasswordBody(password: Caller.password)

    /// What the app of the phone shows.
    private func code(of secret: String, _ bench: Bench, steps: Int = 0) throws -> String {
        let bits = try secret.map { letter in
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
            let text = String(try #require(alphabet.firstIndex(of: letter)), radix: 2)
            return String(repeating: "0", count: 5 - text.count) + text
        }.joined()
        let bytes = stride(from: 0, to: bits.count, by: 8).compactMap {
            UInt8(bits.dropFirst($0).prefix(8), radix: 2)
        }
        return TOTP(secret: Data(bytes)).code(ofStep: TOTP.step(at: bench.clock.now) + steps)
    }

    private func wrong(_ code: String) -> String { code == "000000" ? "000001" : "000000" }

    /// Turns the app's codes on.
    private func setUp(
        _ caller: Caller, _ token: String
    ) async throws -> (secret: String, recoveryCodes: [String]) {
        let setup = try await caller.call(.post, "\(factors)/totp", password, token: token)
            .expect(201, TOTPSetup.self)
        #expect(setup.uri.contains(setup.secret))
        #expect(setup.qrCode.path.hasPrefix("M"))
        let codes = try await caller.call(
            .post, "\(factors)/totp/confirm",
            SecondFactorCodeBody(code: code(of: setup.secret, caller.bench)), token: token
        ).expect(200, RecoveryCodes.self).recoveryCodes
        caller.bench.clock.advance(by: 60)
        return (setup.secret, codes)
    }

    private func setUpMessages(_ caller: Caller, _ token: String) async throws -> RecoveryCodes {
        #expect(
            try await caller.call(.post, "\(factors)/sms", password, token: token).status == 202)
        let code = try await caller.bench.code(for: phone, .secondFactor)
        return try await caller.call(
            .post, "\(factors)/sms/confirm", SecondFactorCodeBody(code: code), token: token
        ).expect(200, RecoveryCodes.self)
    }

    private func challenge(_ caller: Caller, _ phone: String? = nil) async throws -> Problem {
        try await caller.signIn(phone ?? self.phone)
            .refused(401, "account.second_factor_required")
    }

    private func answer(
        _ caller: Caller, _ problem: Problem, _ method: SecondFactorMethod, _ code: String
    ) async throws -> Answer {
        let challenge = try #require(problem.challenge)
        return try await caller.call(
            .post, answering,
            SecondFactorBody(challenge: challenge, method: method, code: code))
    }

    private func refresh(_ caller: Caller, _ token: String) async throws -> Answer {
        try await caller.call(
            .post, "/v1/sessions/refresh", RefreshBody(refreshToken: token))
    }

    private func notices(_ bench: Bench) async throws -> [String] {
        try await outboxEvents(of: NoticeIssued.self, in: bench.database)
            .flatMap(\.notice.messages).compactMap { $0.title?[.english] }
    }

    // MARK: The app's codes

    @Test func theAppsCodeIsAskedForOnceItIsSetUp() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            let (secret, codes) = try await setUp(caller, token)
            #expect(Set(codes).count == 10)
            let shown = try await caller.call(.get, factors, token: token)
                .expect(200, SecondFactors.self)
            #expect(
                shown == SecondFactors(methods: [.totp], recoveryCodesLeft: 10, isRequired: false))

            let problem = try await challenge(caller)
            #expect(problem.methods == [.known(.totp), .known(.recoveryCode)])
            let code = try code(of: secret, bench)
            let signedIn = try await answer(caller, problem, .totp, code)
                .expect(201, SignedIn.self)
            #expect(signedIn.account.phone == phone)
            #expect(
                try await caller.call(.get, factors, token: signedIn.accessToken).status == 200)
            // The challenge was good once, and so was the code.
            try await answer(caller, problem, .totp, code).refused(401, "account.challenge_ended")
            let next = try await challenge(caller)
            try await answer(caller, next, .totp, code)
                .refused(422, "account.wrong_code", field: "code")
            bench.clock.advance(by: 30)
            let later = try self.code(of: secret, bench)
            let grouped = "\(later.prefix(3)) \(later.suffix(3))"
            #expect(try await answer(caller, next, .totp, grouped).status == 201)
        }
        #expect(try await notices(bench) == ["A second sign-in step is on"])
    }

    @Test func theCodeThatTurnedItOnSignsNobodyIn() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            let setup = try await caller.call(.post, "\(factors)/totp", password, token: token)
                .expect(201, TOTPSetup.self)
            let code = try code(of: setup.secret, bench)
            let body = SecondFactorCodeBody(code: code)
            _ = try await caller.call(.post, "\(factors)/totp/confirm", body, token: token)
                .expect(200, RecoveryCodes.self)
            try await answer(caller, challenge(caller), .totp, code)
                .refused(422, "account.wrong_code", field: "code")
            try await caller.call(.post, "\(factors)/totp", password, token: token)
                .refused(409, "account.second_factor_exists")
            try await caller.call(.post, "\(factors)/totp/confirm", body, token: token)
                .refused(409, "account.second_factor_exists")
        }
    }

    @Test func whatIsNotConfirmedIsNotAskedFor() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            let setup = try await caller.call(.post, "\(factors)/totp", password, token: token)
                .expect(201, TOTPSetup.self)
            let right = try code(of: setup.secret, bench)
            try await caller.call(
                .post, "\(factors)/totp/confirm", SecondFactorCodeBody(code: wrong(right)),
                token: token
            ).refused(422, "account.wrong_code", field: "code")
            #expect(try await caller.signIn(phone).status == 201)
            bench.clock.advance(by: SecondFactorRules.setupLife)
            try await caller.call(
                .post, "\(factors)/totp/confirm",
                SecondFactorCodeBody(code: code(of: setup.secret, bench)), token: token
            ).refused(409, "account.second_factor_setup_ended")
            #expect(try await bench.accounts.sweep() > 0)
        }
    }

    @Test func anEndedSessionSetsNothingUp() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            _ = try await caller.call(.delete, "/v1/sessions/current", token: token)
            try await caller.call(.get, factors, token: token)
                .refused(401, "account.session_ended")
            for path in ["totp", "sms"] {
                try await caller.call(.post, "\(factors)/\(path)", password, token: token)
                    .refused(401, "account.session_ended")
                try await caller.call(
                    .post, "\(factors)/\(path)/confirm", SecondFactorCodeBody(code: "000000"),
                    token: token
                ).refused(401, "account.session_ended")
            }
            try await caller.call(
                .post, "\(factors)/recovery-codes", PasswordBody(password: Caller.password),
                token: token
            ).refused(401, "account.session_ended")
            try await caller.call(
                .post, "\(factors)/removal",
                SecondFactorRemovalBody(method: .totp, password: Caller.password), token: token
            ).refused(401, "account.session_ended")
        }
    }

    @Test(arguments: [SecondFactorMethod.totp, .sms])
    func theFirstFactorEndsTheOtherSessions(method: SecondFactorMethod) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let here = try await caller.customer(phone)
            let thief = try await caller.signIn(phone).expect(201, SignedIn.self)
            switch method {
            case .sms: _ = try await setUpMessages(caller, here.accessToken)
            case .totp, .recoveryCode: _ = try await setUp(caller, here.accessToken)
            }
            try await caller.call(
                .post, "\(factors)/removal",
                SecondFactorRemovalBody(method: method, password: Caller.password),
                token: thief.accessToken
            ).refused(401, "account.session_ended")
            try await refresh(caller, thief.refreshToken).refused(401, "account.session_ended")
            #expect(try await refresh(caller, here.refreshToken).status == 201)
        }
    }

    @Test func aFurtherFactorLeavesTheSessionsThatShowedOne() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let here = try await caller.customer(phone).accessToken
            let (secret, _) = try await setUp(caller, here)
            let there = try await answer(
                caller, challenge(caller), .totp, code(of: secret, bench)
            ).expect(201, SignedIn.self)
            _ = try await setUpMessages(caller, here)
            #expect(try await refresh(caller, there.refreshToken).status == 201)
        }
    }

    @Test(arguments: ["totp", "sms"])
    func aTokenAloneSetsNothingUp(path: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            try await caller.call(
                .post, "\(factors)/\(path)", PasswordBody(password: "not it at all"), token: token
            ).refused(422, "account.wrong_password", field: "password")
            let bare = try await caller.call(.post, "\(factors)/\(path)", token: token)
            #expect((400...422).contains(bare.status))
            let setups = try await bench.database.read {
                try $0.rows("SELECT person FROM second_factor_setups").count
            }
            #expect(setups == 0)
        }
        let sent = try await outboxEvents(of: CodeRequested.self, in: bench.database)
        #expect(sent.map(\.purpose.known) == [.verification])
    }

    @Test func aRightPasswordIsNoTry() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            _ = try await setUp(caller, token)
            for _ in 1...12 {
                let renewed = try await caller.call(
                    .post, "\(factors)/recovery-codes", password, token: token)
                #expect(renewed.status == 200)
            }
        }
    }

    // MARK: Text messages

    @Test func nobodyUsesUpAnothersMessages() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            _ = try await setUpMessages(caller, token)
            for _ in 1...20 {
                bench.clock.advance(by: 400)
                _ = try await caller.call(.post, "/v1/password-resets", ContactBody(phone: phone))
                try await bench.accounts.sendResets()
            }
            let problem = try await challenge(caller)
            let body = ChallengeBody(challenge: try #require(problem.challenge))
            #expect(try await caller.call(.post, "\(answering)/message", body).status == 202)
            let code = try await bench.code(for: phone, .secondFactor)
            #expect(try await answer(caller, problem, .sms, code).status == 201)
        }
    }

    @Test func whatIsNotSentIsToldAndLeavesTheCodeBefore() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer(phone)
            _ = try await setUpMessages(caller, me.accessToken)
            bench.clock.advance(by: 31)
            let problem = try await challenge(caller)
            let body = ChallengeBody(challenge: try #require(problem.challenge))
            #expect(try await caller.call(.post, "\(answering)/message", body).status == 202)
            let code = try await bench.code(for: phone, .secondFactor)
            bench.clock.advance(by: 31)
            let now = bench.clock.now
            try await bench.database.write { transaction in
                let person = try #require(try transaction.people.find(me.customer.id))
                let wait = try bench.accounts.factors.messages.publish(
                    "000000", to: AccountUseCases.phone(of: person), of: person, until: now,
                    in: transaction, at: now)
                #expect(wait == nil)
            }
            let refused = try await caller.call(.post, "\(answering)/message", body)
            try refused.refused(429, "account.code_too_soon")
            #expect(refused.headers[.retryAfter] == "30")
            #expect(try await answer(caller, problem, .sms, code).status == 201)
        }
    }

    @Test func aNumberThatBecameAFactorWhileItIsRemovedIsNone() async throws {
        let bench = try await Bench()
        let hasher = bench.accounts.hasher
        let number = Contact.phone(try #require(PhoneNumber(phone)))
        let door = Door()
        try await bench.run { caller in
            let body = SignUpBody(
                firstName: "Ada", lastName: "Wong", email: email, password: Caller.password)
            let me = try await caller.call(.post, "/v1/customers", body).expect(201, SignedUp.self)
            try await withThrowingTaskGroup { group in
                defer { door.open() }
                for _ in 0..<PasswordHasher.mostRunning {
                    group.addTask { try await hasher.run { door.pass() } }
                }
                #expect(
                    try await eventually { hasher.pendingCount == PasswordHasher.mostRunning })
                async let removed = caller.call(
                    .post, "/v1/me/contacts/removal",
                    ContactRemovalBody(phone: phone, password: Caller.password),
                    token: me.accessToken)
                #expect(
                    try await eventually { hasher.pendingCount > PasswordHasher.mostRunning })
                // On another device, before the password is looked at.
                let now = bench.clock.now
                try await bench.database.write { transaction in
                    try transaction.people.change(me.customer.id, at: now) {
                        try $0.set(number, sealedBy: bench.environment.sealer)
                    }
                    try transaction.secondFactors.insert(SecondFactor(.sms), of: me.customer.id)
                }
                door.open()
                #expect(try await removed.expect(200, Account.self).phone.isEmpty)
                try await group.waitForAll()
            }
            let signedIn = try await caller.call(
                .post, "/v1/sessions", SignInBody(email: email, password: Caller.password))
            #expect(signedIn.status == 201)
        }
        #expect(
            try await notices(bench)
                == ["A second sign-in step is off", "Your phone number has changed"])
    }

    /// Sets a new password with a code that comes to the phone.
    private func reset(_ caller: Caller, _ new: String) async throws -> Problem {
        _ = try await caller.call(.post, "/v1/password-resets", ContactBody(phone: phone))
        try await caller.bench.accounts.sendResets()
        let code = try await caller.bench.code(for: phone, .passwordReset)
        return try await caller.call(
            .post, "/v1/password-resets/confirm",
            ResetConfirmBody(phone: phone, code: code, newPassword: new)
        ).refused(401, "account.second_factor_required")
    }

    @Test func whoHasThePhoneAloneHasOneFactor() async throws {
        let bench = try await Bench()
        let new = "a longer way home"
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            let (secret, codes) = try await setUp(caller, token)
            _ = try await setUpMessages(caller, token)
            bench.clock.advance(by: 31)
            // The new password is of the phone, too, at each sign-in with it.
            let problems = [
                try await reset(caller, new),
                try await caller.signIn(phone, new).refused(401, "account.second_factor_required"),
            ]
            for problem in problems {
                #expect(problem.methods == [.known(.totp), .known(.recoveryCode)])
                let body = ChallengeBody(challenge: try #require(problem.challenge))
                try await caller.call(.post, "\(answering)/message", body)
                    .refused(404, "account.second_factor_unknown")
                try await answer(caller, problem, .sms, "000000")
                    .refused(404, "account.second_factor_unknown")
            }
            #expect(
                try await answer(caller, problems[1], .totp, code(of: secret, bench)).status == 201)
            let shown = try await caller.signIn(phone, new)
                .refused(401, "account.second_factor_required")
            #expect(shown.methods == [.known(.totp), .known(.sms), .known(.recoveryCode)])

            bench.clock.advance(by: 31)
            _ = try await answer(caller, reset(caller, "\(new) again"), .recoveryCode, codes[0])
                .expect(201, SignedIn.self)
            let last = try await caller.signIn(phone, "\(new) again")
                .refused(401, "account.second_factor_required")
            #expect(last.methods?.contains(.known(.sms)) == true)
        }
    }

    @Test func whoSetTheirOwnPasswordHasTheirMessagesAgain() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            #expect(try await caller.set(email: email, token: token).status == 200)
            _ = try await setUp(caller, token)
            _ = try await setUpMessages(caller, token)
            bench.clock.advance(by: 31)
            _ = try await reset(caller, "a longer way home")
            bench.clock.advance(by: 31)
            _ = try await caller.call(.post, "/v1/password-resets", ContactBody(email: email))
            try await bench.accounts.sendResets()
            let problem = try await caller.call(
                .post, "/v1/password-resets/confirm",
                ResetConfirmBody(
                    email: email, code: bench.code(for: email, .passwordReset),
                    newPassword: "by mail this time")
            ).refused(401, "account.second_factor_required")
            #expect(problem.methods?.contains(.known(.sms)) == true)
        }
    }

    @Test func messagesAloneStayTheFactorAfterAResetByPhone() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            _ = try await setUpMessages(caller, token)
            bench.clock.advance(by: 31)
            let problem = try await reset(caller, "a longer way home")
            #expect(problem.methods == [.known(.sms), .known(.recoveryCode)])
        }
    }

    @Test func aTextMessageIsSentWhenTheSignInAsksForIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            #expect(try await setUpMessages(caller, token).recoveryCodes.count == 10)
            try await caller.call(.post, "\(factors)/sms", password, token: token)
                .refused(409, "account.second_factor_exists")
            let problem = try await challenge(caller)
            #expect(problem.methods == [.known(.sms), .known(.recoveryCode)])
            let body = ChallengeBody(challenge: try #require(problem.challenge))
            try await caller.call(.post, "\(answering)/message", body)
                .refused(429, "account.code_too_soon")
            bench.clock.advance(by: 31)
            #expect(try await caller.call(.post, "\(answering)/message", body).status == 202)
            let code = try await bench.code(for: phone, .secondFactor)
            try await answer(caller, problem, .sms, wrong(code)).refused(
                422, "account.wrong_code", field: "code")
            #expect(try await answer(caller, problem, .sms, code).status == 201)
            try await answer(caller, challenge(caller), .sms, code)
                .refused(422, "account.wrong_code", field: "code")
        }
    }

    @Test func anAppBesidesMessagesKeepsTheRecoveryCodes() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            _ = try await setUpMessages(caller, token)
            let (_, codes) = try await setUp(caller, token)
            #expect(codes == [])
            let shown = try await caller.call(.get, factors, token: token)
                .expect(200, SecondFactors.self)
            #expect(shown.methods == [.totp, .sms] && shown.recoveryCodesLeft == 10)
        }
    }

    @Test func whoHasNoPhoneIsSentNothing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let body = SignUpBody(
                firstName: "Ada", lastName: "Wong", email: "ada@example.org",
                password: Caller.password)
            let token = try await caller.call(.post, "/v1/customers", body)
                .expect(201, SignedUp.self).accessToken
            try await caller.call(.post, "\(factors)/sms", password, token: token)
                .refused(409, "account.phone_missing")
            try await caller.call(
                .post, "\(factors)/sms/confirm", SecondFactorCodeBody(code: "000000"), token: token
            ).refused(409, "account.phone_missing")
            _ = try await setUp(caller, token)
            let problem = try await caller.call(
                .post, "/v1/sessions",
                SignInBody(email: "ada@example.org", password: Caller.password)
            ).refused(401, "account.second_factor_required")
            let challenge = ChallengeBody(challenge: try #require(problem.challenge))
            try await caller.call(.post, "\(answering)/message", challenge)
                .refused(404, "account.second_factor_unknown")
            try await answer(caller, problem, .sms, "000000")
                .refused(404, "account.second_factor_unknown")
        }
    }

    @Test func messagesGoWithTheNumber() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            #expect(try await caller.set(email: email, token: token).status == 200)
            _ = try await setUpMessages(caller, token)
            _ = try await caller.call(
                .post, "/v1/me/contacts/removal",
                ContactRemovalBody(phone: phone, password: Caller.password), token: token
            ).expect(200, Account.self)
            let signedIn = try await caller.call(
                .post, "/v1/sessions", SignInBody(email: email, password: Caller.password))
            #expect(signedIn.status == 201)
        }
        #expect(try await notices(bench).contains("A second sign-in step is off"))
    }

    // MARK: Recovery codes

    @Test func aRecoveryCodeIsGoodOnceAndNewOnesVoidIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            let (_, codes) = try await setUp(caller, token)
            let typed = codes[0].uppercased().replacingOccurrences(of: "-", with: " ")
            #expect(
                try await answer(caller, challenge(caller), .recoveryCode, typed).status == 201)
            try await answer(caller, challenge(caller), .recoveryCode, codes[0])
                .refused(422, "account.wrong_code", field: "code")
            let left = try await caller.call(.get, factors, token: token)
                .expect(200, SecondFactors.self).recoveryCodesLeft
            #expect(left == 9)

            try await caller.call(
                .post, "\(factors)/recovery-codes", PasswordBody(password: "not it at all"),
                token: token
            ).refused(422, "account.wrong_password", field: "password")
            let new = try await caller.call(
                .post, "\(factors)/recovery-codes", PasswordBody(password: Caller.password),
                token: token
            ).expect(200, RecoveryCodes.self).recoveryCodes
            try await answer(caller, challenge(caller), .recoveryCode, codes[1])
                .refused(422, "account.wrong_code", field: "code")
            #expect(
                try await answer(caller, challenge(caller), .recoveryCode, new[1]).status == 201)
        }
        #expect(
            try await notices(bench).filter { $0.contains("recovery codes") }.count == 2)
    }

    @Test func whoHasNoFactorHasNoRecoveryCodes() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            try await caller.call(
                .post, "\(factors)/recovery-codes", PasswordBody(password: Caller.password),
                token: token
            ).refused(404, "account.second_factor_unknown")
        }
    }

    // MARK: Tries

    @Test func aChallengeHasFiveTriesAndFiveMinutes() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            let (secret, _) = try await setUp(caller, token)
            let problem = try await challenge(caller)
            let right = try code(of: secret, bench)
            for _ in 1...4 {
                try await answer(caller, problem, .totp, wrong(right))
                    .refused(422, "account.wrong_code", field: "code")
            }
            // The last: nothing is to be asked for anew but the password.
            try await answer(caller, problem, .totp, wrong(right))
                .refused(401, "account.challenge_ended")
            try await answer(caller, problem, .totp, right).refused(401, "account.challenge_ended")

            let late = try await challenge(caller)
            bench.clock.advance(by: Challenge.life)
            try await answer(caller, late, .totp, code(of: secret, bench))
                .refused(401, "account.challenge_ended")
            let body = ChallengeBody(challenge: try #require(late.challenge))
            for path in ["message", "enrolment"] {
                try await caller.call(.post, "\(answering)/\(path)", body)
                    .refused(401, "account.challenge_ended")
            }
            #expect(try await bench.accounts.sweep() > 0)
        }
    }

    @Test func wrongCodesAreCountedByAccountWhicheverChallengeTheyAreFor() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            let (secret, _) = try await setUp(caller, token)
            for _ in 1...2 {
                let problem = try await challenge(caller)
                for _ in 1...4 {
                    let code = try code(of: secret, bench)
                    try await answer(caller, problem, .totp, wrong(code))
                        .refused(422, "account.wrong_code", field: "code")
                }
                try await answer(caller, problem, .totp, wrong(code(of: secret, bench)))
                    .refused(401, "account.challenge_ended")
            }
            let problem = try await challenge(caller)
            try await answer(caller, problem, .totp, code(of: secret, bench))
                .refused(429, "account.too_many_attempts")
            bench.clock.advance(by: 901)
            let next = try await challenge(caller)
            #expect(
                try await answer(caller, next, .totp, code(of: secret, bench)).status == 201)
        }
    }

    @Test func aNewPasswordEndsChallengesAndLeavesTheFactor() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            let (secret, _) = try await setUp(caller, token)
            let old = try await challenge(caller)
            _ = try await caller.call(.post, "/v1/password-resets", ContactBody(phone: phone))
            try await bench.accounts.sendResets()
            let problem = try await caller.call(
                .post, "/v1/password-resets/confirm",
                ResetConfirmBody(
                    phone: phone, code: bench.code(for: phone, .passwordReset),
                    newPassword: "a longer way home")
            ).refused(401, "account.second_factor_required")
            let code = try code(of: secret, bench)
            try await answer(caller, old, .totp, code).refused(401, "account.challenge_ended")
            #expect(try await answer(caller, problem, .totp, code).status == 201)
        }
    }

    // MARK: Off

    @Test func aFactorIsTurnedOffWithThePassword() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            _ = try await setUp(caller, token)
            func remove(_ method: SecondFactorMethod, _ password: String) async throws -> Answer {
                try await caller.call(
                    .post, "\(factors)/removal",
                    SecondFactorRemovalBody(method: method, password: password), token: token)
            }
            try await remove(.totp, "not it at all")
                .refused(422, "account.wrong_password", field: "password")
            try await remove(.sms, Caller.password).refused(404, "account.second_factor_unknown")
            let left = try await remove(.totp, Caller.password).expect(200, SecondFactors.self)
            #expect(left.methods == [] && left.recoveryCodesLeft == 0)
            #expect(try await caller.signIn(phone).status == 201)
        }
    }

    @Test func anOperatorRemovesTheFactorsOfWhoHasLostThem() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let customer = try await caller.customer(phone)
            _ = try await setUp(caller, customer.accessToken)
            let boss = try await caller.operatorToken()
            let path = "/v1/admin/people/\(customer.customer.id)/second-factors"
            try await caller.call(.delete, path, token: customer.accessToken)
                .refused(403, "auth.role")
            try await caller.call(
                .delete, "/v1/admin/people/\(PersonID.new())/second-factors", token: boss
            ).refused(404, "account.unknown")
            let me = try await caller.call(.get, "/v1/me", token: boss).expect(200, Account.self)
            try await caller.call(
                .delete, "/v1/admin/people/\(me.id)/second-factors", token: boss
            ).refused(409, "account.second_factors_own")
            for _ in 1...2 {
                #expect(try await caller.call(.delete, path, token: boss).status == 204)
            }
            #expect(try await caller.signIn(phone).status == 201)
            _ = try await caller.call(.delete, "/v1/sessions/current", token: boss)
            try await caller.call(.delete, path, token: boss)
                .refused(401, "account.session_ended")
        }
        let acts = try await outboxEvents(of: OperatorActed.self, in: bench.database)
        #expect(acts.map(\.action) == ["accounts.remove-second-factors"])
        #expect(
            try await notices(bench).contains("Our staff turned off your second sign-in step"))
    }

    // MARK: What is kept

    @Test func theExportTellsThatAFactorIsOnAndTheDeletionRemovesIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let customer = try await caller.customer(phone)
            let (secret, codes) = try await setUp(caller, customer.accessToken)
            let export = try await bench.accounts.export(customer.customer.id)
            #expect(export.secondFactors.methods == [.totp])
            let text = String(decoding: try Wire.encode(export), as: UTF8.self)
            #expect(!text.contains(secret) && !codes.contains { text.contains($0) })
            let problem = try await challenge(caller)
            let gone = try await caller.call(
                .post, "/v1/me/deletion", DeletionBody(password: Caller.password),
                token: customer.accessToken)
            #expect(gone.status == 202)
            try await answer(caller, problem, .totp, code(of: secret, bench))
                .refused(401, "account.challenge_ended")
        }
        let tables = [
            "second_factors", "second_factor_setups", "recovery_codes", "challenges",
            "phone_resets",
        ]
        for table in tables {
            let left = try await bench.database.read {
                try $0.row("SELECT COUNT(*) AS n FROM \(table)")?.get("n", as: Int.self)
            }
            #expect(left == 0, "\(table)")
        }
    }

    @Test func secretsLieSealed() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            let (secret, codes) = try await setUp(caller, token)
            let (sealed, hashes) = try await bench.database.read { transaction in
                (
                    try transaction.row("SELECT sealed FROM second_factors")?
                        .get("sealed", as: String.self),
                    try transaction.rows("SELECT hash FROM recovery_codes")
                        .map { try $0.get("hash", as: String.self) }
                )
            }
            #expect(try !#require(sealed).contains(secret))
            #expect(hashes.count == 10 && Set(hashes).isDisjoint(with: codes))
        }
    }

    // MARK: Operators

    @Test func anOperatorWhoNeedsAFactorSetsOneUpAtTheSignIn() async throws {
        let bench = try await Bench(operatorsNeedSecondFactor: true)
        let boss = "+85298765432"
        try await bench.accounts.ensureOperator(.init(phone: boss, password: Caller.password))
        try await bench.run { caller in
            let problem = try await challenge(caller, boss)
            #expect(problem.methods == [])
            let challenge = try #require(problem.challenge)
            let setup = try await caller.call(
                .post, "\(answering)/enrolment", ChallengeBody(challenge: challenge)
            ).expect(201, TOTPSetup.self)
            let right = try code(of: setup.secret, bench)
            func confirm(_ code: String) async throws -> Answer {
                try await caller.call(
                    .post, "\(answering)/enrolment/confirm",
                    EnrolmentBody(challenge: challenge, code: code))
            }
            try await confirm(wrong(right)).refused(422, "account.wrong_code", field: "code")
            let enrolled = try await confirm(right).expect(201, Enrolled.self)
            #expect(enrolled.recoveryCodes.count == 10)
            try await confirm(right).refused(401, "account.challenge_ended")
            let shown = try await caller.call(.get, factors, token: enrolled.accessToken)
                .expect(200, SecondFactors.self)
            #expect(shown.isRequired)
            try await caller.call(
                .post, "\(factors)/removal",
                SecondFactorRemovalBody(method: .totp, password: Caller.password),
                token: enrolled.accessToken
            ).refused(409, "account.last_second_factor")

            // From now on it is shown, and a challenge sets no other one up.
            let next = try await self.challenge(caller, boss)
            try await caller.call(
                .post, "\(answering)/enrolment",
                ChallengeBody(challenge: try #require(next.challenge))
            ).refused(409, "account.second_factor_exists")
            try await caller.call(
                .post, "\(answering)/enrolment/confirm",
                EnrolmentBody(challenge: try #require(next.challenge), code: right)
            ).refused(409, "account.second_factor_exists")
            // Customers need none.
            #expect(try await caller.customer(phone).customer.phone == phone)
            #expect(try await caller.signIn(phone).status == 201)
        }
    }

    @Test func aSessionFromBeforeTheSettingEndsWithItsNextTokens() async throws {
        try await withFolder { folder in
            let boss = "+85298765432"
            let before = try await Bench(folder: folder)
            try await before.accounts.ensureOperator(.init(phone: boss, password: Caller.password))
            let token = try await before.run { caller in
                try await caller.signIn(boss).expect(201, SignedIn.self).refreshToken
            }
            let after = try await Bench(
                folder: folder, clock: before.clock, operatorsNeedSecondFactor: true)
            try await after.run { caller in
                try await caller.call(
                    .post, "/v1/sessions/refresh", RefreshBody(refreshToken: token)
                ).refused(401, "account.session_ended")
            }
        }
    }

    @Test func settingOneUpAtTheSignInEndsTheSessionsFromBefore() async throws {
        try await withFolder { folder in
            let boss = "+85298765432"
            let before = try await Bench(folder: folder)
            try await before.accounts.ensureOperator(.init(phone: boss, password: Caller.password))
            let old = try await before.run { caller in
                try await caller.signIn(boss).expect(201, SignedIn.self).refreshToken
            }
            let after = try await Bench(
                folder: folder, clock: before.clock, operatorsNeedSecondFactor: true)
            try await after.run { caller in
                let challenge = try #require(try await challenge(caller, boss).challenge)
                let nothing = EnrolmentBody(challenge: challenge, code: "000000")
                try await caller.call(.post, "\(answering)/enrolment/confirm", nothing)
                    .refused(409, "account.second_factor_setup_ended")
                let setup = try await caller.call(
                    .post, "\(answering)/enrolment", ChallengeBody(challenge: challenge)
                ).expect(201, TOTPSetup.self)
                let body = EnrolmentBody(
                    challenge: challenge, code: try code(of: setup.secret, after))
                let enrolled = try await caller.call(
                    .post, "\(answering)/enrolment/confirm", body
                ).expect(201, Enrolled.self)
                try await refresh(caller, old).refused(401, "account.session_ended")
                #expect(try await refresh(caller, enrolled.refreshToken).status == 201)
            }
        }
    }

    @Test func fiveWrongCodesOfASetupEndTheSignIn() async throws {
        let bench = try await Bench(operatorsNeedSecondFactor: true)
        let boss = "+85298765432"
        try await bench.accounts.ensureOperator(.init(phone: boss, password: Caller.password))
        try await bench.run { caller in
            let challenge = try #require(try await challenge(caller, boss).challenge)
            let setup = try await caller.call(
                .post, "\(answering)/enrolment", ChallengeBody(challenge: challenge)
            ).expect(201, TOTPSetup.self)
            let body = EnrolmentBody(
                challenge: challenge, code: wrong(try code(of: setup.secret, bench)))
            for _ in 1...4 {
                try await caller.call(.post, "\(answering)/enrolment/confirm", body)
                    .refused(422, "account.wrong_code", field: "code")
            }
            try await caller.call(.post, "\(answering)/enrolment/confirm", body)
                .refused(401, "account.challenge_ended")
        }
    }

    @Test(arguments: [("yes", true), ("no", false)])
    func theSettingSaysWhetherOperatorsNeedOne(value: String, isNeeded: Bool) throws {
        let name = "OPENVALET_ACCOUNTS_OPERATORS_NEED_SECOND_FACTOR"
        let config = try AccountsConfig(ConfigValues([name: value], keys: AccountsConfig.keys))
        #expect(config.operatorsNeedSecondFactor == isNeeded)
        #expect(throws: ConfigError.self) {
            try AccountsConfig(ConfigValues([name: "perhaps"], keys: AccountsConfig.keys))
        }
    }
}
