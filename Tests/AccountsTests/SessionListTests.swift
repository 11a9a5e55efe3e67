import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

@Suite struct SessionListTests {
    private let path = "/v1/me/sessions"
    private let phone = "+85261234567"

    private func sessions(_ caller: Caller, _ token: String) async throws -> [SessionRecord] {
        try await caller.call(.get, path, token: token).expect(200, Page<SessionRecord>.self).items
    }

    private func signIn(_ caller: Caller, from client: String?) async throws -> SignedIn {
        try await caller.call(
            .post, "/v1/sessions", SignInBody(phone: phone, password: Caller.password),
            from: client
        ).expect(201, SignedIn.self)
    }

    @Test func aPersonSeesWhereTheyAreSignedIn() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.customer(phone)
            let start = bench.clock.now
            bench.clock.advance(by: 60)
            let second = try await signIn(caller, from: "OpenValet/2 (iPhone)")
            bench.clock.advance(by: 60)
            _ = try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: first.refreshToken),
                from: "Watch/1")
            let listed = try await sessions(caller, second.accessToken)
            #expect(listed.map(\.userAgent) == ["OpenValet/2 (iPhone)", "Watch/1"])
            #expect(listed.map(\.isCurrent) == [true, false])
            #expect(listed.map(\.createdAt) == [start.addingTimeInterval(60), start])
            #expect(
                listed.map(\.lastUsedAt)
                    == [start.addingTimeInterval(60), start.addingTimeInterval(120)])
            let page = try await caller.call(
                .get, "\(path)?limit=1", token: second.accessToken
            ).expect(200, Page<SessionRecord>.self)
            #expect(page.items.map(\.id) == [listed[0].id])
            let next = try await caller.call(
                .get, "\(path)?limit=1&after=\(#require(page.next))", token: second.accessToken
            ).expect(200, Page<SessionRecord>.self)
            #expect(next.items.map(\.id) == [listed[1].id])
            #expect(next.next == nil)
        }
    }

    @Test(.withoutDatabase) func aClientsNameIsFreedOfTricksAndCut() throws {
        #expect(ClientName(nil) == nil)
        #expect(ClientName(" \u{1B}\u{7} ") == nil)
        #expect(ClientName("a\u{0}b\nc")?.description == "abc")
        #expect(ClientName(String(repeating: "x", count: 5_000))?.description.count == 200)
    }

    @Test func aSessionOfOnesOwnIsEnded() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let here = try await caller.customer(phone)
            let there = try await signIn(caller, from: nil)
            let other = try #require(
                try await sessions(caller, here.accessToken).first { !$0.isCurrent })
            let stranger = try await caller.customer("+85265550000").accessToken
            try await caller.call(.delete, "\(path)/\(other.id)", token: stranger)
                .refused(404, "account.session_unknown")
            let ended = try await caller.call(
                .delete, "\(path)/\(other.id)", token: here.accessToken)
            #expect(ended.status == 204)
            try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: there.refreshToken)
            ).refused(401, "account.session_ended")
            try await caller.call(.delete, "\(path)/\(other.id)", token: here.accessToken)
                .refused(404, "account.session_unknown")
            try await caller.call(.delete, "\(path)/nothing", token: here.accessToken)
                .refused(404, "request.not_found")
            #expect(try await sessions(caller, here.accessToken).count == 1)
            // The ended one lists nothing any more.
            try await caller.call(.get, path, token: there.accessToken)
                .refused(401, "account.session_ended")
        }
    }

    @Test func signingOutEverywhereEndsAllOfOnesOwn() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let here = try await caller.customer(phone)
            let there = try await signIn(caller, from: nil)
            let stranger = try await caller.customer("+85265550000")
            let answer = try await caller.call(.delete, path, token: here.accessToken)
            #expect(answer.status == 204)
            for token in [here.refreshToken, there.refreshToken] {
                try await caller.call(
                    .post, "/v1/sessions/refresh", RefreshBody(refreshToken: token)
                ).refused(401, "account.session_ended")
            }
            let others = try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: stranger.refreshToken))
            #expect(others.status == 201)
            #expect(try await caller.signIn(phone).status == 201)
        }
    }

    @Test func aBadPageIsNamed() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            try await caller.call(.get, "\(path)?after=x", token: token)
                .refused(422, "request.invalid", field: "after")
            try await caller.call(.get, "\(path)?limit=0", token: token)
                .refused(422, "request.invalid", field: "limit")
        }
    }

    @Test(arguments: [
        (HTTPMethod.get, "/v1/me/sessions"), (.delete, "/v1/me/sessions"),
        (.delete, "/v1/me/sessions/\(SessionID.new())"), (.post, "/v1/me/password"),
        (.post, "/v1/me/deletion"), (.put, "/v1/me/photo"), (.delete, "/v1/me/photo"),
        (.get, "/internal/people/\(PersonID.new())"),
    ])
    func withoutATokenNothingIsDone(method: HTTPMethod, path: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await caller.call(method, path).refused(401, "auth.token_missing")
        }
    }
}
