import Answers
import Contracts
import Foundation
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import Accounts

typealias HTTPMethod = HTTPRequest.Method

@Suite struct SessionTests {
    private let phone = "+85261234567"

    private func refresh(
        _ caller: Caller, _ token: String, key: String? = nil
    ) async throws -> Answer {
        try await caller.call(
            .post, "/v1/sessions/refresh", RefreshBody(refreshToken: token), key: key)
    }

    @Test func aPersonSignsInWithPhoneAndPassword() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let customer = try await caller.customer(phone).customer
            let signedIn = try await caller.signIn("+852 6123 4567").expect(201, SignedIn.self)
            #expect(signedIn.account == customer)
            #expect(signedIn.expiresInSeconds == 900)
            let me = try await caller.call(.get, "/v1/me", token: signedIn.accessToken)
            #expect(try me.expect(200, Account.self) == customer)
        }
    }

    @Test func aTokenSaysWhoRoleSessionIssuerAndAudience() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let signedUp = try await caller.customer(phone)
            let parts = signedUp.accessToken.split(separator: ".").map { part in
                let text = part.replacingOccurrences(of: "-", with: "+")
                    .replacingOccurrences(of: "_", with: "/")
                return Data(
                    base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
            }
            let header = try JSONDecoder().decode(
                [String: String].self, from: #require(parts[0]))
            #expect(header["alg"] == "ES256")
            #expect(header["kid"] == bench.accounts.keys.published.keys[0].kid)
            let claims = try JSONDecoder().decode(AccessClaims.self, from: #require(parts[1]))
            #expect(claims.sub == signedUp.customer.id)
            #expect(claims.roles == [.customer])
            #expect(claims.iss == "openvalet")
            #expect(claims.aud == "openvalet")
            #expect(claims.exp - claims.iat == 900)
            let sessions = try await bench.database.read { transaction in
                try transaction.rows("SELECT id FROM sessions")
                    .map { try $0.get("id", as: SessionID.self) }
            }
            #expect(sessions == [claims.sid])
        }
    }

    @Test func aWrongPasswordAndAnUnknownNumberGetTheSameAnswer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            let wrong = try await caller.signIn(phone, "not the password")
            let unknown = try await caller.signIn("+85265550000", "not the password")
            try wrong.refused(401, "account.credentials_mismatch")
            try unknown.refused(401, "account.credentials_mismatch")
            var (first, second) = (
                try Wire.decode(Problem.self, from: wrong.data),
                try Wire.decode(Problem.self, from: unknown.data)
            )
            (first.instance, second.instance) = (nil, nil)
            #expect(first == second)
            try await caller.signIn(phone, "").refused(401, "account.credentials_mismatch")
            let long = String(repeating: "x", count: 10_000)
            try await caller.signIn(phone, long).refused(401, "account.credentials_mismatch")
        }
    }

    @Test func afterTenFailuresANumberRestsKnownOrNot() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            for number in [phone, "+85265550000"] {
                for _ in 0..<10 {
                    try await caller.signIn(number, "not the password")
                        .refused(401, "account.credentials_mismatch")
                }
                let refused = try await caller.signIn(number)
                let problem = try refused.refused(429, "account.too_many_attempts")
                #expect(problem.retryAfterSeconds == 900)
                #expect(refused.headers[.retryAfter] == "900")
            }
            bench.clock.advance(by: 900)
            #expect(try await caller.signIn(phone).status == 201)
        }
    }

    @Test func aStrangersGuessesKeepNobodyElseOut() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            for _ in 0..<11 { _ = try await caller.signIn(phone, "a guess", at: "203.0.113.9") }
            try await caller.signIn(phone, at: "203.0.113.9")
                .refused(429, "account.too_many_attempts")
            #expect(try await caller.signIn(phone, at: "198.51.100.1").status == 201)
        }
    }

    @Test func allOfAnIPv6NetworkCountAsOne() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            for host in 1...10 {
                _ = try await caller.signIn(phone, "a guess", at: "2001:db8:0:1:0:0:0:\(host)")
            }
            try await caller.signIn(phone, at: "2001:db8:0:1:0:0:0:99")
                .refused(429, "account.too_many_attempts")
            #expect(try await caller.signIn(phone, at: "2001:db8:0:2:0:0:0:1").status == 201)
        }
    }

    @Test func guessesFromManyAddressesEndToo() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            #expect(try await caller.signIn(phone, at: "198.51.100.1").status == 201)
            for host in 1...99 {
                try await caller.signIn(phone, "a guess", at: "203.0.113.\(host)")
                    .refused(401, "account.credentials_mismatch")
            }
            try await caller.signIn(phone, at: "203.0.113.200")
                .refused(429, "account.too_many_attempts")
            // From where they were before they still come in.
            #expect(try await caller.signIn(phone, at: "198.51.100.1").status == 201)
            bench.clock.advance(by: 3_600)
            #expect(try await caller.signIn(phone, at: "203.0.113.200").status == 201)
        }
    }

    @Test func oneAddressLeavesOthersRoomToHash() async throws {
        let bench = try await Bench()
        let hasher = bench.accounts.hasher
        let (crowd, most) = (ClientAddress("203.0.113.9"), PasswordHasher.mostOfAddress)
        let door = Door()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            try await withThrowingTaskGroup { group in
                defer { door.open() }
                for _ in 0..<most {
                    group.addTask { try await hasher.run(for: crowd) { door.pass() } }
                }
                #expect(try await eventually { hasher.pendingCount == most })
                let refused = try await caller.signIn(phone, at: "203.0.113.9")
                try refused.refused(503, "service.unavailable")
                #expect(refused.headers[.retryAfter] != nil)
                async let other = caller.signIn(phone, at: "198.51.100.1")
                #expect(try await eventually { hasher.pendingCount == most + 1 })
                door.open()
                #expect(try await other.status == 201)
                try await group.waitForAll()
            }
        }
    }

    @Test func aSuccessTakesTheCountOfFailuresBack() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            for _ in 0..<3 {
                for _ in 0..<9 { _ = try await caller.signIn(phone, "not the password") }
                #expect(try await caller.signIn(phone).status == 201)
            }
        }
    }

    @Test func manyGuessesAtOnceGetNoFurtherThanManyInARow() async throws {
        let bench = try await Bench()
        let statuses = try await bench.run { caller in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<30 {
                    group.addTask { try await caller.signIn("+85265550000", "a guess").status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(statuses.count { $0 == 401 } == 10)
        #expect(statuses.count { $0 == 429 } == 20)
    }

    @Test func whoIsSentAwayByACrowdLosesNoAttempt() async throws {
        let bench = try await Bench()
        let hasher = bench.accounts.hasher
        let most = PasswordHasher.mostRunning + PasswordHasher.mostWaiting
        let door = Door()
        try await bench.run { caller in
            _ = try await caller.customer(phone)
            try await withThrowingTaskGroup { group in
                defer { door.open() }
                for _ in 0..<most { group.addTask { try await hasher.run { door.pass() } } }
                #expect(try await eventually { hasher.pendingCount == most })
                for _ in 0..<12 {
                    let answer = try await caller.signIn(phone)
                    try answer.refused(503, "service.unavailable")
                    #expect(answer.headers[.retryAfter] != nil)
                }
                door.open()
                try await group.waitForAll()
            }
            #expect(try await caller.signIn(phone).status == 201)
        }
    }

    @Test func aRefreshTokenGetsTheNextPair() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.customer(phone)
            bench.clock.advance(by: 901)
            try await caller.call(.get, "/v1/me", token: first.accessToken)
                .refused(401, "auth.token_invalid")
            let second = try await refresh(caller, first.refreshToken).expect(201, Tokens.self)
            #expect(second.refreshToken != first.refreshToken)
            #expect(second.expiresInSeconds == 900)
            #expect(
                try await caller.call(.get, "/v1/me", token: second.accessToken).status == 200)
            let third = try await refresh(caller, second.refreshToken).expect(201, Tokens.self)
            #expect(third.refreshToken != second.refreshToken)
        }
    }

    @Test func aRefreshTokenUsedTwiceEndsTheWholeFamily() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.customer(phone)
            let other = try await caller.signIn(phone).expect(201, SignedIn.self)
            let second = try await refresh(caller, first.refreshToken).expect(201, Tokens.self)
            try await refresh(caller, first.refreshToken).refused(401, "account.session_ended")
            try await refresh(caller, second.refreshToken).refused(401, "account.session_ended")
            #expect(try await refresh(caller, other.refreshToken).status == 201)
        }
    }

    @Test func aRefreshWhoseAnswerWasLostIsAnsweredAgainUntilItsTokenIsUsed() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.customer(phone)
            let lost = try await refresh(caller, first.refreshToken, key: "k1")
                .expect(201, Tokens.self)
            bench.clock.advance(by: 86_400)
            let second = try await refresh(caller, first.refreshToken, key: "k1")
                .expect(201, Tokens.self)
            #expect(second.refreshToken == lost.refreshToken)
            #expect(
                try await caller.call(.get, "/v1/me", token: second.accessToken).status == 200)
            let third = try await refresh(caller, second.refreshToken, key: "k1")
                .expect(201, Tokens.self)
            #expect(third.refreshToken != second.refreshToken)
            // From here on whoever comes with the first one has not got it from us.
            try await refresh(caller, first.refreshToken, key: "k1")
                .refused(401, "account.session_ended")
            try await refresh(caller, third.refreshToken).refused(401, "account.session_ended")
        }
    }

    @Test(arguments: [nil, "k2"])
    func aRefreshTokenUsedTwiceWithAnotherKeyEndsTheWholeFamily(_ key: String?) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.customer(phone)
            let second = try await refresh(caller, first.refreshToken, key: "k1")
                .expect(201, Tokens.self)
            try await refresh(caller, first.refreshToken, key: key)
                .refused(401, "account.session_ended")
            try await refresh(caller, second.refreshToken, key: "k1")
                .refused(401, "account.session_ended")
        }
    }

    @Test func aRefreshThatIsAskedForManyTimesAtOnceWithOneKeyHasOneAnswer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.customer(phone)
            let next = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await refresh(caller, first.refreshToken, key: "k1")
                            .expect(201, Tokens.self).refreshToken
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(next.count == 1)
            #expect(try await refresh(caller, #require(next.first)).status == 201)
        }
    }

    @Test func ofManyRefreshesAtOnceAtMostOneSucceeds() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.customer(phone)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await refresh(caller, first.refreshToken).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201] + Array(repeating: 401, count: 7))
        }
    }

    @Test(arguments: ["", "x", "' OR 1=1 --", String(repeating: "A", count: 43)])
    func anUnknownRefreshTokenIsRefused(token: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await refresh(caller, token).refused(401, "account.session_ended")
        }
    }

    @Test func aSessionEndsAfterSixtyDaysWithoutARefresh() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.customer(phone)
            bench.clock.advance(by: 59 * 86_400)
            let second = try await refresh(caller, first.refreshToken).expect(201, Tokens.self)
            bench.clock.advance(by: 60 * 86_400)
            try await refresh(caller, second.refreshToken).refused(401, "account.session_ended")
        }
    }

    @Test func signingOutEndsTheSessionAndNoOther() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.customer(phone)
            let other = try await caller.signIn(phone).expect(201, SignedIn.self)
            for _ in 0..<2 {
                let answer = try await caller.call(
                    .delete, "/v1/sessions/current", token: first.accessToken)
                #expect(answer.status == 204)
            }
            try await refresh(caller, first.refreshToken).refused(401, "account.session_ended")
            #expect(try await refresh(caller, other.refreshToken).status == 201)
        }
    }

    @Test func theTwentyFirstSessionEndsTheOldest() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.customer(phone)
            var later: [SignedIn] = []
            for _ in 0..<20 {
                bench.clock.advance(by: 1)
                later.append(try await caller.signIn(phone).expect(201, SignedIn.self))
            }
            try await refresh(caller, first.refreshToken).refused(401, "account.session_ended")
            for session in later {
                #expect(try await refresh(caller, session.refreshToken).status == 201)
            }
        }
    }

    @Test func onlyTheHashOfARefreshTokenIsStored() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).refreshToken
            #expect(token.count == 43)
            let hashes = try await bench.database.read { transaction in
                try transaction.rows("SELECT hash FROM refresh_tokens")
                    .map { try $0.get("hash", as: String.self) }
            }
            #expect(hashes == [RefreshToken(text: token).hash])
        }
    }

    @Test(arguments: [
        (HTTPMethod.get, "/v1/me"), (.patch, "/v1/me"), (.delete, "/v1/sessions/current"),
        (.get, "/v1/me/vehicles"), (.post, "/v1/me/vehicles"), (.get, "/v1/admin/valets"),
        (.post, "/v1/admin/valets"), (.patch, "/v1/admin/valets/\(ValetID.new())"),
        (.patch, "/v1/me/vehicles/\(VehicleID.new())"),
        (.delete, "/v1/me/vehicles/\(VehicleID.new())"),
    ])
    func withoutATokenNothingIsShown(method: HTTPMethod, path: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await caller.call(method, path).refused(401, "auth.token_missing")
            let foreign = try await Bench().run { try await $0.customer(phone).accessToken }
            try await caller.call(method, path, token: foreign).refused(401, "auth.token_invalid")
        }
    }
}
