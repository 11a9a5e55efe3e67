import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

/// Accounts by e-mail, and changing by what one is reached.
@Suite struct EmailTests {
    private let email = "ada@example.org"
    private let phone = "+85261234567"

    private func signUp(
        _ caller: Caller, phone: String? = nil, email: String?, password: String = Caller.password
    ) async throws -> Answer {
        try await caller.call(
            .post, "/v1/customers",
            SignUpBody(
                firstName: "Ada", lastName: "Wong", phone: phone, email: email, password: password))
    }

    private func signIn(
        _ caller: Caller, _ email: String, _ password: String = Caller.password
    ) async throws -> Answer {
        try await caller.call(
            .post, "/v1/sessions", SignInBody(email: email, password: password))
    }

    private func me(_ caller: Caller, _ token: String) async throws -> Account {
        try await caller.call(.get, "/v1/me", token: token).expect(200, Account.self)
    }

    /// Asks for a code to the new address, and sets it.
    private func set(
        _ caller: Caller, _ email: String, _ token: String, password: String = Caller.password
    ) async throws -> Answer {
        #expect(
            try await caller.call(
                .post, "/v1/me/contacts/code", ContactBody(email: email), token: token
            ).status == 202)
        let code = try await caller.bench.code(for: email)
        return try await caller.call(
            .put, "/v1/me/contacts",
            ContactChangeBody(email: email, code: code, password: password), token: token)
    }

    @Test func oneSignsUpVerifiesAndSignsInByMail() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let account = try await signUp(caller, email: "Ada@Example.ORG")
                .expect(201, SignedUp.self).customer
            #expect(account.email == email && account.emailVerified == false)
            #expect(account.phone.isEmpty && !account.phoneVerified)
            let code = try await bench.code(for: email)
            let confirmed = try await caller.call(
                .post, "/v1/verifications/confirm", ConfirmCodeBody(email: email, code: code))
            #expect(confirmed.status == 204)
            let signedIn = try await signIn(caller, " ADA@example.org")
                .expect(201, SignedIn.self)
            #expect(signedIn.account.id == account.id)
            #expect(signedIn.account.emailVerified == true)
            try await signIn(caller, email, "another long password")
                .refused(401, "account.credentials_mismatch")
            try await signIn(caller, "eve@example.org")
                .refused(401, "account.credentials_mismatch")
        }
    }

    @Test func anAddressIsOnePersonsInWhateverCase() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            #expect(try await signUp(caller, phone: phone, email: email).status == 201)
            try await signUp(caller, email: "ADA@EXAMPLE.org")
                .refused(409, "account.email_taken", field: "email")
            try await signUp(caller, phone: phone, email: "eve@example.org")
                .refused(409, "account.phone_taken", field: "phone")
            let byPhone = try await caller.signIn(phone).expect(201, SignedIn.self)
            let byMail = try await signIn(caller, email).expect(201, SignedIn.self)
            #expect(byPhone.account.id == byMail.account.id)
        }
        // A code to each.
        let sent = try await outboxEvents(of: CodeRequested.self, in: bench.database)
        #expect(sent.count == 2)
    }

    @Test func aSignInNamesOneOfBoth() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await signUp(caller, email: nil).refused(422, "request.invalid", field: "phone")
            try await signUp(caller, email: "ada").refused(422, "request.invalid", field: "email")
            for path in ["/v1/verifications", "/v1/password-resets"] {
                try await caller.call(.post, path, ContactBody())
                    .refused(422, "request.invalid", field: "phone")
                try await caller.call(.post, path, ContactBody(phone: phone, email: email))
                    .refused(422, "request.invalid", field: "email")
            }
            let short = try await signUp(caller, email: email, password: "my-ada.wong-word")
            #expect(short.status == 201)
            try await signUp(caller, email: "ada.wong@example.org", password: "my-ada.wong-word")
                .refused(422, "request.invalid", field: "password")
        }
    }

    @Test func aCodeByMailHasTheLimitsOfOneByText() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await signUp(caller, email: email)
            func ask(_ email: String) async throws -> Answer {
                try await caller.call(.post, "/v1/verifications", ContactBody(email: email))
            }
            for address in [email, "stranger@example.org"] {
                bench.clock.advance(by: 30)
                for number in 2...10 {
                    #expect(try await ask(address).status == 202, "\(number)")
                    bench.clock.advance(by: 30)
                }
                if address == email {
                    try await ask(address).refused(429, "account.code_too_soon")
                }
            }
        }
        let sent = try await outboxEvents(of: CodeRequested.self, in: bench.database)
        #expect(sent.count == 10)
    }

    @Test func aForgottenPasswordIsSetByMail() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await signUp(caller, email: email)
            #expect(
                try await caller.call(.post, "/v1/password-resets", ContactBody(email: email))
                    .status == 202)
            try await bench.accounts.sendResets()
            let code = try await bench.code(for: email, .passwordReset)
            let answer = try await caller.call(
                .post, "/v1/password-resets/confirm",
                ResetConfirmBody(email: email, code: code, newPassword: "a longer way home")
            ).expect(201, SignedIn.self)
            #expect(answer.account.emailVerified == true)
            #expect(try await signIn(caller, email, "a longer way home").status == 201)
        }
    }

    @Test func anAddressIsAddedWithItsCodeAndThePassword() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            try await set(caller, email, token, password: "not my password")
                .refused(422, "account.wrong_password", field: "password")
            #expect(try await me(caller, token).email == nil)
            bench.clock.advance(by: 30)
            let account = try await set(caller, email, token).expect(200, Account.self)
            #expect(account.email == email && account.emailVerified == true)
            #expect(account.phone == phone)
            #expect(try await signIn(caller, email).status == 201)
            // The code was good once.
            let code = try await bench.code(for: email)
            try await caller.call(
                .put, "/v1/me/contacts",
                ContactChangeBody(email: email, code: code, password: Caller.password),
                token: token
            ).refused(422, "account.wrong_code", field: "code")
        }
        let notices = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
        #expect(notices.count == 1)
    }

    @Test func anotherAddressTakesThePlaceOfTheOneBefore() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await signUp(caller, email: email)
                .expect(201, SignedUp.self).accessToken
            #expect(try await set(caller, "ada@example.com", token).status == 200)
            try await signIn(caller, email).refused(401, "account.credentials_mismatch")
            #expect(try await signIn(caller, "ada@example.com").status == 201)
            // It is free again.
            #expect(try await signUp(caller, email: email).status == 201)
        }
    }

    @Test func somebodyElsesAddressIsRefusedToWhoHasItsCode() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await signUp(caller, email: email)
            let token = try await caller.customer(phone).accessToken
            bench.clock.advance(by: 30)
            try await set(caller, email, token).refused(409, "account.email_taken", field: "email")
            #expect(try await me(caller, token).email == nil)
        }
    }

    @Test func wrongCodesForAnAddressAreCounted() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            _ = try await caller.call(
                .post, "/v1/me/contacts/code", ContactBody(email: email), token: token)
            let code = try await bench.code(for: email)
            func set(_ code: String) async throws -> Answer {
                try await caller.call(
                    .put, "/v1/me/contacts",
                    ContactChangeBody(email: email, code: code, password: Caller.password),
                    token: token)
            }
            for _ in 1...VerificationCodes.mostTries {
                try await set(code == "000000" ? "000001" : "000000")
                    .refused(422, "account.wrong_code", field: "code")
            }
            try await set(code).refused(422, "account.wrong_code", field: "code")
        }
    }

    @Test func theLastContactStays() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            func remove(phone: String? = nil, email: String? = nil) async throws -> Answer {
                try await caller.call(
                    .post, "/v1/me/contacts/removal",
                    ContactRemovalBody(phone: phone, email: email, password: Caller.password),
                    token: token)
            }
            try await remove(phone: phone).refused(409, "account.last_contact")
            #expect(try await set(caller, email, token).status == 200)
            let account = try await remove(phone: phone).expect(200, Account.self)
            #expect(account.phone.isEmpty && !account.phoneVerified)
            try await remove(email: email).refused(409, "account.last_contact")
            // Again: the same answer.
            #expect(try await remove(phone: phone).status == 200)
            try await caller.signIn(phone).refused(401, "account.credentials_mismatch")
            #expect(try await caller.customer(phone).customer.id != account.id)
        }
    }

    @Test func aValetKeepsAPhoneNumber() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.valet(phone, by: caller.operatorToken())
            let token = try await caller.signIn(phone).expect(201, SignedIn.self).accessToken
            #expect(try await set(caller, email, token).status == 200)
            try await caller.call(
                .post, "/v1/me/contacts/removal",
                ContactRemovalBody(phone: phone, password: Caller.password), token: token
            ).refused(409, "account.last_contact")
        }
    }

    @Test func aPostalAddressIsCheckedKeptAndTakenBack() async throws {
        let bench = try await Bench()
        let home = PostalAddress(
            street: " 1 Queen's Road ", postalCode: "", city: "Hong Kong", country: "hk")
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            let account = try await caller.call(.put, "/v1/me/address", home, token: token)
                .expect(200, Account.self)
            #expect(
                account.address
                    == PostalAddress(street: "1 Queen's Road", city: "Hong Kong", country: "HK"))
            var wrong = home
            wrong.country = "ZZ"
            try await caller.call(.put, "/v1/me/address", wrong, token: token)
                .refused(422, "request.invalid", field: "country")
            wrong = home
            wrong.street = ""
            try await caller.call(.put, "/v1/me/address", wrong, token: token)
                .refused(422, "request.invalid", field: "street")
            let export = try await bench.accounts.export(account.id)
            #expect(export.account.address?.city == "Hong Kong")
            let gone = try await caller.call(.delete, "/v1/me/address", token: token)
                .expect(200, Account.self)
            #expect(gone.address == nil)
        }
    }

    @Test func noEventHasTheMailOrThePostalAddress() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await signUp(caller, phone: phone, email: email)
                .expect(201, SignedUp.self).accessToken
            _ = try await caller.call(
                .put, "/v1/me/address",
                PostalAddress(street: "1 Queen's Road", city: "Hong Kong", country: "HK"),
                token: token)
            _ = try await set(caller, "ada@example.com", token)
        }
        let bodies = try await bench.database.read { transaction in
            try transaction.rows("SELECT body FROM outbox").map {
                try $0.get("body", as: String.self)
            }
        }
        #expect(bodies.count > 3)
        for body in bodies { #expect(!body.contains("@example") && !body.contains("Queen")) }
    }

    @Test func whoLeavesTakesTheAddressAlong() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await signUp(caller, email: email)
                .expect(201, SignedUp.self).accessToken
            _ = try await caller.call(
                .put, "/v1/me/address",
                PostalAddress(street: "1 Queen's Road", city: "Hong Kong", country: "HK"),
                token: token)
            let left = try await caller.call(
                .post, "/v1/me/deletion", DeletionBody(password: Caller.password), token: token)
            #expect(left.status == 202)
            let rows = try await bench.database.read { transaction in
                try transaction.rows("SELECT email, body FROM people").map { row in
                    (
                        try row.getIfPresent("email", as: String.self),
                        try row.get("body", as: String.self)
                    )
                }
            }
            #expect(rows.map(\.0) == [nil])
            // What it takes to tell the deletion again.
            #expect(
                rows.map(\.1) == [#"{"deletedAt":"2026-01-05T08:00:00.000Z","role":"customer"}"#])
            #expect(try await signUp(caller, email: email).status == 201)
        }
    }

    // MARK: Contacts that were never verified

    @Test func whoProvesAContactTakesItFromWhoNeverDid() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let squatter = try await signUp(caller, phone: phone, email: "eve@example.org")
                .expect(201, SignedUp.self)
            let mine = try await signUp(caller, email: email).expect(201, SignedUp.self)
            bench.clock.advance(by: 31)
            let account = try await caller.set(phone: phone, token: mine.accessToken)
                .expect(200, Account.self)
            #expect(account.phone == phone && account.phoneVerified)
            let left = try await me(caller, squatter.accessToken)
            #expect(left.phone.isEmpty && left.email == "eve@example.org")
            let byPhone = try await caller.signIn(phone).expect(201, SignedIn.self)
            #expect(byPhone.account.id == mine.customer.id)
            #expect(try await signIn(caller, "eve@example.org").status == 201)
        }
        let told = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
        #expect(Set(told.map(\.notice.subject)).count == 2)
    }

    @Test func aContactStaysWithWhoVerifiedItOrHasNoOther() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let mine = try await signUp(caller, email: email).expect(201, SignedUp.self).accessToken
            // Their only one.
            _ = try await caller.customer(phone)
            bench.clock.advance(by: 31)
            try await caller.set(phone: phone, token: mine)
                .refused(409, "account.phone_taken", field: "phone")
            // A valet's number.
            let boss = try await caller.operatorToken()
            _ = try await caller.valet("+85291111111", by: boss)
            let valet = try await caller.signIn("+85291111111").expect(201, SignedIn.self)
            #expect(try await set(caller, "vic@example.org", valet.accessToken).status == 200)
            try await caller.set(phone: "+85291111111", token: mine)
                .refused(409, "account.phone_taken", field: "phone")
            // One that is verified, with another besides.
            bench.clock.advance(by: 31)
            try await caller.set(email: "vic@example.org", token: mine)
                .refused(409, "account.email_taken", field: "email")
        }
    }
}
