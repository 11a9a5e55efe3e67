import Contracts
import Foundation
import Support
import Testing

@testable import Accounts

/// The events as accounts really publishes them, held against the files that readers decode.
@Suite struct FixtureTests {
    @Test func accountChangedIsAsItsFixture() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer("+85251234567").accessToken
            _ = try await caller.call(
                .patch, "/v1/me", ProfileChange(firstName: "Grace", lastName: "Chan"),
                token: token)
            let code = try await bench.code(for: "+85251234567")
            _ = try await caller.call(
                .post, "/v1/verifications/confirm",
                ConfirmCodeBody(phone: "+85251234567", code: code))
            _ = try await caller.put("/v1/me/photo", picture: TestPictures.png, token: token)
            let person = try await caller.call(.get, "/v1/me", token: token)
                .expect(200, Account.self)
            let boss = try await caller.operatorToken()
            _ = try await caller.call(.put, "/v1/admin/valets/\(person.id)", token: boss)
        }
        let expected = try EventFixtures.read(AccountChanged.self)
        let events = try await outboxEvents(of: AccountChanged.self, in: bench.database)
        var event = try #require(events.last)
        event.account.id = expected.account.id
        #expect(event.photo != nil)
        event.photo = expected.photo
        try EventFixtures.expect(event)
    }

    @Test func accountDeletedIsAsItsFixture() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer("+85251234567").accessToken
            _ = try await caller.call(
                .post, "/v1/me/deletion", DeletionBody(password: Caller.password), token: token)
        }
        let expected = try EventFixtures.read(AccountDeleted.self)
        let events = try await outboxEvents(of: AccountDeleted.self, in: bench.database)
        var event = try #require(events.last)
        event.account = expected.account
        try EventFixtures.expect(event)
    }

    @Test func sessionsEndedIsAsItsFixture() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer("+85251234567").accessToken
            _ = try await caller.call(.delete, "/v1/sessions/current", token: token)
        }
        let expected = try EventFixtures.read(SessionsEnded.self)
        let events = try await outboxEvents(of: SessionsEnded.self, in: bench.database)
        var event = try #require(events.last)
        #expect(event.sessions.count == 1)
        event.account = expected.account
        event.sessions = expected.sessions
        try EventFixtures.expect(event)
    }

    @Test func vehicleChangedIsAsItsFixture() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer("+85251234567").accessToken
            _ = try await caller.call(
                .post, "/v1/me/vehicles", VehicleDescription.tesla, token: token)
        }
        let expected = try EventFixtures.read(VehicleChanged.self)
        let events = try await outboxEvents(of: VehicleChanged.self, in: bench.database)
        var event = try #require(events.last)
        event.owner = expected.owner
        event.vehicle.id = expected.vehicle.id
        try EventFixtures.expect(event)
    }

    @Test func personBlockedIsAsItsFixture() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer("+85251234567").accessToken
            let other = try await caller.customer("+85251234568").customer.id
            _ = try await caller.call(.put, "/v1/me/blocks/\(other)", token: token)
        }
        let expected = try EventFixtures.read(PersonBlocked.self)
        let events = try await outboxEvents(of: PersonBlocked.self, in: bench.database)
        var event = try #require(events.last)
        event.by = expected.by
        event.person = expected.person
        try EventFixtures.expect(event)
    }

    @Test func codeRequestedIsAsItsFixture() async throws {
        let bench = try await Bench()
        try await bench.run { caller in _ = try await caller.customer("+85251234567") }
        let expected = try EventFixtures.read(CodeRequested.self)
        let events = try await outboxEvents(of: CodeRequested.self, in: bench.database)
        var event = try #require(events.last)
        let secret = try bench.environment.sealer.open(CodeSecret.self, from: event.sealed)
        #expect(secret.phone == "+85251234567")
        #expect(secret.code.count == 6)
        // Sealing is never the same twice: the fixture's was sealed under the tests' secret.
        let sealed = try bench.environment.sealer.open(CodeSecret.self, from: expected.sealed)
        #expect(sealed == CodeSecret(phone: "+85251234567", code: "048213"))
        event.account = expected.account
        event.sealed = expected.sealed
        try EventFixtures.expect(event)
    }
}
