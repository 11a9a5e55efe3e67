import Answers
import Contracts
import Store
import Support
import Testing

@testable import Accounts

/// Accounts whose number an earlier release stored digit by digit.
@Suite struct EarlierNumberTests {
    private let stored = "+4407700900557"
    private let typed = "+44 (0)7700 900557"
    private let now = "+447700900557"
    private let newPassword = "a longer way home"

    /// Creates the account as an earlier release left it.
    private func addCustomer(
        _ phone: String, _ role: Role = .customer, to bench: Bench
    ) async throws -> PersonID {
        let profile = Person.Profile(
            firstName: "Ottoline", lastName: "Wong", phone: PhoneNumber(stored: phone),
            language: .english)
        let person = Person.new(role, profile, at: bench.clock.now).person
        let password = try await bench.accounts.hasher.hash(Caller.password)
        try await bench.database.write { try $0.people.insert(person, password: password) }
        return person.id
    }

    /// The second one has a length that no number of its country has.
    @Test(arguments: [
        ("+4407700900557", "+44 (0)7700 900557"), ("+123456789012345", "+12345 678 901 2345"),
    ])
    func itsOwnerSignsInAsBefore(stored: String, typed: String) async throws {
        let bench = try await Bench()
        let person = try await addCustomer(stored, to: bench)
        try await bench.run { caller in
            for phone in [stored, typed] {
                let signedIn = try await caller.signIn(phone).expect(201, SignedIn.self)
                #expect(signedIn.account.id == person)
                #expect(signedIn.account.phone == stored)
            }
        }
    }

    @Test func itsOwnerGetsCodesByTheNumberAsTyped() async throws {
        let bench = try await Bench()
        _ = try await addCustomer(stored, to: bench)
        try await bench.run { caller in
            for path in ["/v1/verifications", "/v1/password-resets"] {
                let asked = try await caller.call(.post, path, ContactBody(phone: typed))
                #expect(asked.status == 202)
            }
            let code = ConfirmCodeBody(phone: typed, code: try await bench.code(for: stored))
            let confirmed = try await caller.call(.post, "/v1/verifications/confirm", code)
            #expect(confirmed.status == 204)
            try await bench.accounts.sendResets()
            let reset = ResetConfirmBody(
                phone: typed, code: try await bench.code(for: stored, .passwordReset),
                newPassword: newPassword)
            let signedIn = try await caller.call(.post, "/v1/password-resets/confirm", reset)
                .expect(201, SignedIn.self)
            #expect(signedIn.account.phone == stored)
            #expect(signedIn.account.phoneVerified)
        }
    }

    @Test func itsOwnerReplacesItByTheNumberThatTextsReach() async throws {
        let bench = try await Bench()
        let person = try await addCustomer(stored, to: bench)
        try await bench.run { caller in
            let token = try await caller.signIn(typed).expect(201, SignedIn.self).accessToken
            let account = try await caller.set(phone: now, token: token).expect(200, Account.self)
            #expect(account.phone == now)
            for phone in [typed, now, stored] {
                let signedIn = try await caller.signIn(phone).expect(201, SignedIn.self)
                #expect(signedIn.account.id == person)
            }
        }
    }

    @Test func itCanBeRemoved() async throws {
        let bench = try await Bench()
        _ = try await addCustomer(stored, to: bench)
        try await bench.run { caller in
            let token = try await caller.signIn(typed).expect(201, SignedIn.self).accessToken
            #expect(try await caller.set(email: "o@example.org", token: token).status == 200)
            let removal = ContactRemovalBody(phone: stored, password: Caller.password)
            let account = try await caller.call(
                .post, "/v1/me/contacts/removal", removal, token: token
            ).expect(200, Account.self)
            #expect(account.phone == "")
        }
    }

    @Test func nobodySignsUpWithItAsTypedAndTheRightNumberIsAnotherAccount() async throws {
        let bench = try await Bench()
        let person = try await addCustomer(stored, to: bench)
        try await bench.run { caller in
            for phone in [stored, typed] {
                try await caller.call(.post, "/v1/customers", SignUpBody.of(phone))
                    .refused(409, "account.phone_taken", field: "phone")
            }
            let other = try await caller.customer(now)
            #expect(other.customer.id != person)
            for (phone, owner) in [(now, other.customer.id), (typed, person)] {
                let signedIn = try await caller.signIn(phone).expect(201, SignedIn.self)
                #expect(signedIn.account.id == owner)
            }
        }
    }

    @Test func theFirstOperatorIsNotCreatedAgain() async throws {
        let bench = try await Bench()
        let person = try await addCustomer(stored, .operator, to: bench)
        try await bench.accounts.ensureOperator(.init(phone: typed, password: Caller.password))
        try await bench.run { caller in
            let signedIn = try await caller.signIn(typed).expect(201, SignedIn.self)
            #expect(signedIn.account.id == person)
            try await caller.signIn(now).refused(401, "account.credentials_mismatch")
        }
    }
}
