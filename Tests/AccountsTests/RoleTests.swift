import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

/// Somebody may be several things at once.
@Suite struct RoleTests {
    private let phone = "+85261234567"

    private func grant(
        _ person: PersonID, by token: String, _ caller: Caller
    ) async throws -> ValetRecord {
        try await caller.call(.put, "/v1/admin/valets/\(person)", token: token)
            .expect(200, ValetRecord.self)
    }

    private func roles(of token: String, in bench: Bench) async throws -> Roles {
        try await bench.accounts.keys.verifier(clock: bench.environment.clock).verify(token).roles
    }

    /// A customer who works as a valet besides, signed in, and the operator's token.
    private func both(_ caller: Caller) async throws -> (SignedIn, operator: String) {
        let person = try await caller.customer(phone).customer.id
        let token = try await caller.operatorToken()
        _ = try await grant(person, by: token, caller)
        return (try await caller.signIn(phone).expect(201, SignedIn.self), token)
    }

    @Test func aCustomerIsMadeAValetBesides() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let customer = try await caller.customer(phone)
            #expect(customer.customer.roles == [.customer])
            let token = try await caller.operatorToken()
            let person = customer.customer.id
            let valet = try await grant(person, by: token, caller)
            #expect(valet.id == person.as(ValetID.self))
            #expect(try await grant(person, by: token, caller) == valet)
            let listed = try await caller.call(.get, "/v1/admin/valets", token: token)
                .expect(200, Page<ValetRecord>.self)
            #expect(listed.items == [valet])
            let me = try await caller.call(.get, "/v1/me", token: customer.accessToken)
                .expect(200, Account.self)
            #expect(me.role == .valet)
            #expect(me.roles == [.customer, .valet])
        }
        let changed = try await outboxEvents(of: AccountChanged.self, in: bench.database)
        #expect(changed.map(\.account.roles) == [[.customer], [.operator], [.customer, .valet]])
        let acted = try await outboxEvents(of: OperatorActed.self, in: bench.database)
        #expect(acted.map(\.action) == ["accounts.grant-valet"], "once")
        #expect(acted.map(\.subject) == [changed[0].account.id.description])
        #expect(acted.map { $0.by.as(PersonID.self) } == [changed[1].account.id])
    }

    @Test func whoHasNoPhoneIsMadeNoValet() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let body = SignUpBody(
                firstName: "Ada", lastName: "Wong", email: "ada@example.org",
                password: Caller.password)
            let person = try await caller.call(.post, "/v1/customers", body)
                .expect(201, SignedUp.self)
            let token = try await caller.operatorToken()
            try await caller.call(
                .put, "/v1/admin/valets/\(person.customer.id)", token: token
            ).refused(409, "account.phone_missing")
            let me = try await caller.call(.get, "/v1/me", token: person.accessToken)
                .expect(200, Account.self)
            #expect(me.roles == [.customer])
        }
        #expect(try await outboxEvents(of: OperatorActed.self, in: bench.database).isEmpty)
    }

    @Test func theNextTokenHasTheRole() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let customer = try await caller.customer(phone)
            let token = try await caller.operatorToken()
            _ = try await grant(customer.customer.id, by: token, caller)
            #expect(try await roles(of: customer.accessToken, in: bench) == [.customer])
            let next = try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: customer.refreshToken)
            ).expect(201, Tokens.self)
            #expect(try await roles(of: next.accessToken, in: bench) == [.customer, .valet])
            let vehicles = try await caller.call(
                .get, "/v1/me/vehicles", token: next.accessToken)
            #expect(vehicles.status == 200)
        }
    }

    @Test func onlyOperatorsGrantAndOnlyToWhoIsThere() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let customer = try await caller.customer(phone)
            let path = "/v1/admin/valets/\(customer.customer.id)"
            try await caller.call(.put, path, token: customer.accessToken)
                .refused(403, "auth.role")
            try await caller.call(.put, path).refused(401, "auth.token_missing")
            let token = try await caller.operatorToken()
            try await caller.call(.put, "/v1/admin/valets/\(PersonID.new())", token: token)
                .refused(404, "account.unknown")
            _ = try await caller.call(
                .post, "/v1/me/deletion", DeletionBody(password: Caller.password),
                token: customer.accessToken)
            try await caller.call(.put, path, token: token).refused(404, "account.unknown")
        }
        #expect(try await outboxEvents(of: OperatorActed.self, in: bench.database).isEmpty)
    }

    @Test func anOperatorLearnsWhoHasANumberAndNobodyElseDoes() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let person = try await caller.customer(phone).customer.id
            let token = try await caller.operatorToken()
            let known = try await caller.call(
                .post, "/v1/admin/valets", NewValetBody.of(phone), token: token
            ).refused(409, "account.phone_taken", field: "phone")
            #expect(known.personId == person)
            let hidden = try await caller.call(.post, "/v1/customers", SignUpBody.of(phone))
                .refused(409, "account.phone_taken", field: "phone")
            #expect(hidden.personId == nil)
        }
    }

    @Test func whoWasOnlyEverAValetIsNoCustomer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            #expect(try await roles(of: token, in: bench) == [.operator])
            _ = try await caller.valet(phone, by: token)
            let valet = try await caller.signIn(phone).expect(201, SignedIn.self)
            #expect(valet.account.roles == [.valet])
            try await caller.call(.get, "/v1/me/vehicles", token: valet.accessToken)
                .refused(403, "auth.role")
        }
    }

    @Test func aSuspendedValetIsStillTheCustomerThatTheyAre() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let (person, token) = try await both(caller)
            let path = "/v1/admin/valets/\(person.account.id)"
            let suspended = try await caller.call(
                .patch, path, ValetChange(suspended: true), token: token
            ).expect(200, ValetRecord.self)
            #expect(suspended.suspended)
            try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: person.refreshToken)
            ).refused(401, "account.session_ended")
            let again = try await caller.signIn(phone).expect(201, SignedIn.self)
            #expect(try await roles(of: again.accessToken, in: bench) == [.customer])
            #expect(again.account.roles == [.customer, .valet])
            _ = try await caller.call(
                .patch, path, ValetChange(suspended: false), token: token
            ).expect(200, ValetRecord.self)
            let next = try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: again.refreshToken)
            ).expect(201, Tokens.self)
            #expect(try await roles(of: next.accessToken, in: bench) == [.customer, .valet])
        }
    }

    @Test func theLastOperatorStaysWhateverElseTheyAre() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            let me = try await caller.call(.get, "/v1/me", token: token).expect(200, Account.self)
            _ = try await grant(me.id, by: token, caller)
            try await caller.call(
                .post, "/v1/me/deletion", DeletionBody(password: Caller.password), token: token
            ).refused(409, "account.last_operator")
            #expect(
                try await caller.call(.get, "/v1/me", token: token).expect(200, Account.self).role
                    == .operator)
        }
    }

    @Test func onTheWireRolesAreSortedAndNeverNone() throws {
        let roles: Roles = [.valet, .operator, .customer, .valet]
        #expect(
            String(decoding: try Wire.encode(roles), as: UTF8.self)
                == #"["customer","operator","valet"]"#)
        #expect(roles.highest == .operator)
        #expect(throws: DecodingError.self) {
            try Wire.decode(Roles.self, from: Data("[]".utf8))
        }
        #expect(Roles(.valet).removing(.valet) == nil)
    }
}
