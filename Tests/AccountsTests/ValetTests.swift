import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

@Suite struct ValetTests {
    private let path = "/v1/admin/valets"

    @Test func anOperatorMakesAValetWhoSignsIn() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            let valet = try await caller.valet("+852 9111 1111", by: token)
            #expect(valet.phone == "+85291111111")
            #expect(!valet.suspended)
            #expect(valet.status == nil)
            #expect(valet.position == nil)
            let signedIn = try await caller.signIn("+85291111111").expect(201, SignedIn.self)
            #expect(signedIn.account.role == .valet)
            #expect(signedIn.account.id.as(ValetID.self) == valet.id)
            #expect(!signedIn.account.phoneVerified)
            try await caller.call(.get, path, token: signedIn.accessToken)
                .refused(403, "auth.role")
        }
        let changed = try await outboxEvents(of: AccountChanged.self, in: bench.database)
        #expect(changed.map(\.account.role.known) == [.operator, .valet])
        #expect(try await outboxEvents(of: CodeRequested.self, in: bench.database).isEmpty)
    }

    @Test func aCustomerMakesNoValet() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            try await caller.call(.post, path, NewValetBody.of("+85291111111"), token: token)
                .refused(403, "auth.role")
            try await caller.call(
                .patch, "\(path)/\(ValetID.new())", ValetChange(suspended: true), token: token
            ).refused(403, "auth.role")
        }
    }

    @Test func valetsAndCustomersShareTheirNumbers() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            _ = try await caller.customer("+85261234567")
            try await caller.call(.post, path, NewValetBody.of("+85261234567"), token: token)
                .refused(409, "account.phone_taken", field: "phone")
            _ = try await caller.valet("+85291111111", by: token)
            try await caller.call(.post, "/v1/customers", SignUpBody.of("+85291111111"))
                .refused(409, "account.phone_taken", field: "phone")
        }
    }

    @Test func aRepeatWithTheSameKeyMakesOne() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            let body = NewValetBody.of("+85291111111")
            let first = try await caller.call(.post, path, body, token: token, key: "v")
            let second = try await caller.call(.post, path, body, token: token, key: "v")
            #expect(first.status == 201)
            #expect(first.data == second.data)
        }
    }

    @Test(arguments: ["firstName", "lastName", "phone", "password"])
    func aFieldThatCannotBeIsNamed(field: String) async throws {
        let bench = try await Bench()
        let good = NewValetBody.of("+85291111111")
        func value(_ name: String, _ value: String) -> String { name == field ? "   " : value }
        let body = NewValetBody(
            firstName: value("firstName", good.firstName),
            lastName: value("lastName", good.lastName),
            phone: value("phone", good.phone), password: value("password", good.password))
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            try await caller.call(.post, "/v1/admin/valets", body, token: token)
                .refused(422, "request.invalid", field: field)
        }
    }

    @Test func suspendingAValetEndsTheirSessionsAndKeepsThemOut() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            let valet = try await caller.valet("+85291111111", by: token)
            let signedIn = try await caller.signIn("+85291111111").expect(201, SignedIn.self)
            func suspend(_ suspended: Bool) async throws -> ValetRecord {
                try await caller.call(
                    .patch, "\(path)/\(valet.id)", ValetChange(suspended: suspended), token: token
                ).expect(200, ValetRecord.self)
            }
            #expect(try await suspend(true).suspended)
            #expect(try await suspend(true).suspended)
            try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: signedIn.refreshToken)
            ).refused(401, "account.session_ended")
            try await caller.signIn("+85291111111").refused(403, "account.suspended")
            try await caller.signIn("+85291111111", "not the password")
                .refused(401, "account.credentials_mismatch")
            #expect(try await !suspend(false).suspended)
            #expect(try await caller.signIn("+85291111111").status == 201)
        }
        let changed = try await outboxEvents(of: AccountChanged.self, in: bench.database)
            .filter { $0.account.role == .valet }
        #expect(changed.map(\.suspended) == [false, true, false])
        #expect(changed.map(\.version) == [1, 2, 3])
        let notices = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
            .map(\.notice)
        #expect(
            notices.flatMap(\.messages).map { $0.title?[.english] }
                == ["You are suspended", "Welcome back"])
        #expect(
            notices.allSatisfy { notice in
                notice.cause == AccountChanged.type
                    && notice.messages.map(\.to.description) == [notice.subject]
            })
        #expect(Set(notices.map(\.subject)) == Set(changed.map(\.account.id.description)))
    }

    @Test func anEndedSessionChangesNobodyElse() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            let valet = try await caller.valet("+85291111111", by: token)
            let customer = try await caller.customer().customer.id
            _ = try await caller.call(.delete, "/v1/sessions/current", token: token)
            let answers = [
                try await caller.call(.post, path, NewValetBody.of("+85291111112"), token: token),
                try await caller.call(.put, "\(path)/\(customer)", token: token),
                try await caller.call(
                    .patch, "\(path)/\(valet.id)", ValetChange(suspended: true), token: token),
            ]
            for answer in answers { try answer.refused(401, "account.session_ended") }
        }
        let acts = try await outboxEvents(of: OperatorActed.self, in: bench.database)
        #expect(acts.map(\.action) == ["accounts.add-valet"])
    }

    @Test(.withoutDatabase) func everyLanguageSaysTheSame() {
        #expect(AccountNotices.words.differences == [])
    }

    @Test func onlyValetsAreSuspended() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            let customer = try await caller.customer().customer
            for id in [customer.id.description, ValetID.new().description] {
                try await caller.call(
                    .patch, "\(path)/\(id)", ValetChange(suspended: true), token: token
                ).refused(404, "account.unknown")
            }
            try await caller.call(
                .patch, "\(path)/nobody", ValetChange(suspended: true), token: token
            ).refused(404, "request.not_found")
        }
    }

    @Test func theListOfValetsComesNewestFirstInPages() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            _ = try await caller.customer()
            for number in 1...3 {
                bench.clock.advance(by: 1)
                _ = try await caller.valet("+8529111111\(number)", by: token)
            }
            let first = try await caller.call(.get, "\(path)?limit=2", token: token)
                .expect(200, Page<ValetRecord>.self)
            #expect(first.items.map(\.phone) == ["+85291111113", "+85291111112"])
            let cursor = try #require(first.next)
            let second = try await caller.call(
                .get, "\(path)?limit=2&after=\(cursor)", token: token
            ).expect(200, Page<ValetRecord>.self)
            #expect(second.items.map(\.phone) == ["+85291111111"])
            #expect(second.next == nil)
            try await caller.call(.get, "\(path)?after=nothing", token: token)
                .refused(422, "request.invalid", field: "after")
        }
    }
}

@Suite struct OperatorTests {
    private let first = AccountsConfig.FirstOperator(
        phone: "+852 9876 5432", password: "the first password")

    @Test func theFirstOperatorIsMadeOnce() async throws {
        let bench = try await Bench()
        try await bench.accounts.ensureOperator(first)
        try await bench.accounts.ensureOperator(first)
        let changed = try await outboxEvents(of: AccountChanged.self, in: bench.database)
        #expect(changed.map(\.account.role.known) == [.operator])
        try await bench.run { caller in
            let signedIn = try await caller.signIn(first.phone, first.password)
                .expect(201, SignedIn.self)
            #expect(signedIn.account.role == .operator)
        }
    }

    @Test func processesThatStartTogetherMakeOneOperator() async throws {
        let bench = try await Bench()
        let (accounts, first) = (bench.accounts, first)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await accounts.ensureOperator(first) } }
            try await group.waitForAll()
        }
        let changed = try await outboxEvents(of: AccountChanged.self, in: bench.database)
        #expect(changed.map(\.account.role.known) == [.operator])
    }

    @Test func aChangedPasswordReplacesTheirsAndEndsTheirSessions() async throws {
        let bench = try await Bench()
        try await bench.accounts.ensureOperator(first)
        try await bench.run { caller in
            let old = try await caller.signIn(first.phone, first.password)
                .expect(201, SignedIn.self)
            try await bench.accounts.ensureOperator(
                .init(phone: first.phone, password: "another password"))
            try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: old.refreshToken)
            ).refused(401, "account.session_ended")
            try await caller.signIn(first.phone, first.password)
                .refused(401, "account.credentials_mismatch")
            #expect(try await caller.signIn(first.phone, "another password").status == 201)
        }
    }

    @Test func aChangedPasswordTakesTheirSecondFactors() async throws {
        let bench = try await Bench()
        try await bench.accounts.ensureOperator(first)
        try await bench.run { caller in
            let boss = try await caller.signIn(first.phone, first.password)
                .expect(201, SignedIn.self)
            try await bench.database.write {
                try $0.secondFactors.insert(
                    SecondFactor(.totp, sealed: "lost"), of: boss.account.id)
            }
            try await bench.accounts.ensureOperator(first)
            try await caller.signIn(first.phone, first.password)
                .refused(401, "account.second_factor_required")
            try await bench.accounts.ensureOperator(
                .init(phone: first.phone, password: "another password"))
            #expect(try await caller.signIn(first.phone, "another password").status == 201)
        }
        let told = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
        #expect(
            told.flatMap(\.notice.messages).map { $0.title?[.english] }
                == ["Our staff turned off your second sign-in step"])
    }

    @Test func anOperatorWhoHasAnotherNumberIsNotMadeAgain() async throws {
        let bench = try await Bench()
        try await bench.accounts.ensureOperator(first)
        try await bench.run { caller in
            let token = try await caller.signIn(first.phone, first.password)
                .expect(201, SignedIn.self).accessToken
            let moved = try await caller.set(
                phone: "+85261111111", password: first.password, token: token)
            #expect(moved.status == 200)
            try await bench.accounts.ensureOperator(first)
            #expect(try await bench.database.read { try $0.people.count(.operator) } == 1)
            // The person who has the number now is a customer, and stays one.
            let stranger = try await caller.customer("+85298765432")
            #expect(stranger.customer.roles == [.customer])
            try await bench.accounts.ensureOperator(first)
            try await bench.accounts.ensureOperator(
                .init(phone: first.phone, password: "another password"))
            #expect(try await bench.database.read { try $0.people.count(.operator) } == 1)
            #expect(try await caller.signIn(first.phone).status == 201)
            try await caller.signIn(first.phone, "another password")
                .refused(401, "account.credentials_mismatch")
        }
    }

    @Test func theNumberOfACustomerIsNotTakenOver() async throws {
        let bench = try await Bench()
        try await bench.run { caller in _ = try await caller.customer(first.phone) }
        await #expect(throws: ConfigError.self) { try await bench.accounts.ensureOperator(first) }
    }

    @Test(arguments: [("123", "the first password"), ("+85298765432", "password123")])
    func aBadConfigurationStopsTheStart(phone: String, password: String) async throws {
        let bench = try await Bench()
        await #expect(throws: ConfigError.self) {
            try await bench.accounts.ensureOperator(.init(phone: phone, password: password))
        }
    }

    @Test(
        .withoutDatabase,
        arguments: [
            ["OPENVALET_OPERATOR_PHONE": "+85298765432"],
            ["OPENVALET_OPERATOR_PASSWORD": "the first password"],
        ])
    func halfAnOperatorStopsTheStart(environment: [String: String]) throws {
        let values = try ConfigValues(environment, keys: AccountsConfig.keys)
        #expect(throws: ConfigError.self) { try AccountsConfig(values) }
    }

    @Test(.withoutDatabase) func theConfigurationIsRead() throws {
        let config = try AccountsConfig(
            ConfigValues(
                [
                    "OPENVALET_OPERATOR_PHONE": "+85298765432",
                    "OPENVALET_OPERATOR_PASSWORD": "the first password",
                ], keys: AccountsConfig.keys))
        #expect(config.firstOperator?.phone == "+85298765432")
        #expect(config.firstOperator?.password == "the first password")
        #expect(config.signing.current == nil)
    }
}
