import Answers
import Contracts
import Crypto
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

@Suite struct SignUpTests {
    @Test func aCustomerSignsUpAndIsSignedIn() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let answer = try await caller.call(
                .post, "/v1/customers",
                SignUpBody(
                    firstName: "  Ada ", lastName: "王", phone: "+852 6123-4567",
                    password: Caller.password, language: .traditionalChinese))
            let signedUp = try answer.expect(201, SignedUp.self)
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(signedUp.customer.firstName == "Ada")
            #expect(signedUp.customer.lastName == "王")
            #expect(signedUp.customer.phone == "+85261234567")
            #expect(signedUp.customer.role == .customer)
            #expect(!signedUp.customer.phoneVerified)
            #expect(signedUp.customer.language == .traditionalChinese)
            #expect(signedUp.expiresInSeconds == 900)
            let me = try await caller.call(.get, "/v1/me", token: signedUp.accessToken)
                .expect(200, Account.self)
            #expect(me == signedUp.customer)
        }
        let changed = try await outboxEvents(of: AccountChanged.self, in: bench.database)
        #expect(changed.map(\.version) == [1])
        let codes = try await outboxEvents(of: CodeRequested.self, in: bench.database)
        #expect(codes.count == 1)
        #expect(codes.first?.account == changed.first?.account.id)
    }

    @Test func noPasswordIsStoredOrPublishedInTheClear() async throws {
        let bench = try await Bench()
        try await bench.run { caller in _ = try await caller.customer(key: "k1") }
        let tables = [
            "people": "password || body", "outbox": "body", "idempotency": "answer",
            "sessions": "id", "refresh_tokens": "hash", "codes": "hash",
        ]
        let code = try await bench.code(for: "+85261234567")
        let request =
            try Data("POST /v1/customers\n".utf8)
            + Wire.encode(SignUpBody.of("+85261234567"))
        let plain = SHA256.hash(data: request).map { String(format: "%02x", $0) }.joined()
        let stored = try await bench.database.read { transaction in
            try transaction.row("SELECT request_hash FROM idempotency")?
                .get("request_hash", as: String.self)
        }
        #expect(stored != nil && stored != plain)
        for (table, column) in tables {
            let texts = try await bench.database.read { transaction in
                try transaction.rows("SELECT \(column) AS text FROM \(table)")
                    .map { try $0.get("text", as: String.self) }
            }
            #expect(!texts.isEmpty)
            #expect(!texts.contains { $0.contains(Caller.password) || $0 == code })
        }
    }

    @Test func oneNumberIsOnePersons() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer("+85261234567")
            try await caller.call(.post, "/v1/customers", SignUpBody.of("+852 6123 4567"))
                .refused(409, "account.phone_taken", field: "phone")
        }
        #expect(try await outboxEvents(of: AccountChanged.self, in: bench.database).count == 1)
    }

    /// By phone number and by e-mail address, and however the network writes its address.
    @Test func whoHasAnAccountCanNotBeTriedOut() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let (number, mail) = ("+85261234567", "ada@example.org")
            func signUp(_ body: SignUpBody, at address: String?) async throws -> Answer {
                try await caller.call(.post, "/v1/customers", body, at: address)
            }
            func body(phone: String? = nil, email: String? = nil) -> SignUpBody {
                SignUpBody(
                    firstName: "Ada", lastName: "Wong", phone: phone, email: email,
                    password: Caller.password)
            }
            let ada = body(phone: number, email: mail)
            _ = try await signUp(ada, at: "203.0.113.9").expect(201, SignedUp.self)
            let most = AccountUseCases.takenOfAddress.most
            for turn in 1...most {
                let isPhone = turn.isMultiple(of: 2)
                let contact = isPhone ? "phone" : "email"
                try await signUp(
                    isPhone ? body(phone: number) : body(email: mail), at: "203.0.113.9"
                ).refused(409, "account.\(contact)_taken", field: contact)
            }
            // Taken or free, the answer is the same.
            let free = body(phone: "+85261234569")
            for one in [body(phone: number), body(email: mail), free] {
                let problem = try await signUp(one, at: "203.0.113.9")
                    .refused(429, "account.too_many_attempts")
                #expect((1...3_600).contains(problem.retryAfterSeconds ?? 0))
            }
            // Other addresses, and this machine.
            for address in ["203.0.113.10", "127.0.0.1", "0:0:0:0:0:0:0:1", nil] {
                try await signUp(body(phone: number), at: address)
                    .refused(409, "account.phone_taken", field: "phone")
            }
            _ = try await signUp(free, at: "203.0.113.10").expect(201, SignedUp.self)
            bench.clock.advance(by: 3_600)
            try await signUp(body(phone: number), at: "203.0.113.9")
                .refused(409, "account.phone_taken", field: "phone")
        }
    }

    @Test func ofManySignUpsAtOnceWithOneNumberOneSucceeds() async throws {
        let bench = try await Bench()
        let statuses = try await bench.run { caller in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await caller.call(
                            .post, "/v1/customers", SignUpBody.of("+85261234567")
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 7))
        #expect(try await outboxEvents(of: AccountChanged.self, in: bench.database).count == 1)
        #expect(try await outboxEvents(of: CodeRequested.self, in: bench.database).count == 1)
    }

    @Test func aRepeatWithTheSameKeyGetsTheSameAnswer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.call(
                .post, "/v1/customers", SignUpBody.of("+85261234567"), key: "once")
            bench.clock.advance(by: 5)
            let second = try await caller.call(
                .post, "/v1/customers", SignUpBody.of("+85261234567"), key: "once")
            #expect(first.status == 201)
            #expect(second.status == 201)
            #expect(first.data == second.data)
            try await caller.call(
                .post, "/v1/customers", SignUpBody.of("+85261234568"), key: "once"
            ).refused(422, "idempotency.key_reused")
        }
        #expect(try await outboxEvents(of: AccountChanged.self, in: bench.database).count == 1)
    }

    private static let tooLong = String(repeating: "x", count: 81)

    @Test(arguments: [
        ("firstName", #""firstName":"  ","lastName":"B","phone":"+85261234567""#),
        ("firstName", #""firstName":"A\u0007b","lastName":"B","phone":"+85261234567""#),
        ("firstName", #""firstName":"A\u0000","lastName":"B","phone":"+85261234567""#),
        ("firstName", #""firstName":"A\u202Eb","lastName":"B","phone":"+85261234567""#),
        ("lastName", #""firstName":"A","lastName":"\u200FB\u200F","phone":"+85261234567""#),
        ("lastName", #""firstName":"A","lastName":"B\u2066C\u2069","phone":"+85261234567""#),
        ("lastName", #""firstName":"A","lastName":"B\u2028C","phone":"+85261234567""#),
        ("firstName", #""firstName":"\u200B\u2060","lastName":"B","phone":"+85261234567""#),
        ("firstName", #""firstName":"\u2800","lastName":"B","phone":"+85261234567""#),
        ("lastName", #""firstName":"A","lastName":"","phone":"+85261234567""#),
        (
            "lastName",
            #""firstName":"A","phone":"+85261234567","lastName":"\#(Self.tooLong)""#
        ),
        ("phone", #""firstName":"A","lastName":"B","phone":"61234567""#),
        ("phone", #""firstName":"A","lastName":"B","phone":"+99961234567""#),
    ])
    func aFieldThatCannotBeIsNamed(field: String, fields: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await caller.call(
                .post, "/v1/customers", raw: #"{\#(fields),"password":"a good long password"}"#
            ).refused(422, "request.invalid", field: field)
        }
        #expect(try await outboxEvents(of: AccountChanged.self, in: bench.database).isEmpty)
    }

    @Test(arguments: ["short", "password123", "aaaaaaaaaaaa", "1234567890", "x 61234567"])
    func aWeakPasswordIsNamed(password: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let body = SignUpBody.of("+85261234567", password: password)
            try await caller.call(.post, "/v1/customers", body)
                .refused(422, "request.invalid", field: "password")
        }
    }

    @Test(
        arguments: [
            ("{", nil), ("[]", nil), (#"{"firstName":1}"#, "firstName"), ("{}", "firstName"),
            (
                #"{"firstName":"A","lastName":"B","phone":"+1","password":"x","language":"xx"}"#,
                "language"
            ),
        ] as [(String, String?)])
    func aBodyThatCannotBeReadIsRefused(body: String, field: String?) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let problem = try await caller.call(.post, "/v1/customers", raw: body)
                .refused(400, "request.malformed", field: field)
            #expect(problem.detail != nil)
        }
    }

    @Test func fieldsThatNobodyKnowsAreIgnored() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let answer = try await caller.call(
                .post, "/v1/customers",
                raw: #"""
                    {"firstName":"A","lastName":"B","phone":"+85261234567","role":"operator",
                    "password":"a good long password","phoneVerified":true,"x":{"y":[1]}}
                    """#)
            let signedUp = try answer.expect(201, SignedUp.self)
            #expect(signedUp.customer.role == .customer)
            #expect(!signedUp.customer.phoneVerified)
        }
    }
}
