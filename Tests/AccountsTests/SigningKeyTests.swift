import Contracts
import Crypto
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

@Suite struct SigningKeyTests {
    private func config(_ environment: [String: String] = [:]) throws -> SigningKeys.Settings {
        try AccountsConfig(ConfigValues(environment, keys: AccountsConfig.keys)).signing
    }

    private func verify(_ token: String, by keys: SigningKeys) async throws -> Identity {
        try await keys.verifier(clock: .system).verify(token)
    }

    private func token(_ keys: SigningKeys) async throws -> String {
        try await keys.sign(
            AccessClaims(
                person: TestPerson.alice.id, roles: [.customer], session: .new(), issuedAt: Date()))
    }

    @Test func theKeysArePublishedForEverybody() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let answer = try await caller.call(.get, "/.well-known/jwks.json")
            let published = try answer.expect(200, PublishedKeys.self)
            #expect(published == bench.accounts.keys.published)
            #expect(answer.headers[.cacheControl] == "public, max-age=300")
            let key = try #require(published.keys.first)
            #expect(key.kty == "EC")
            #expect(key.crv == "P-256")
            #expect(key.alg == "ES256")
            #expect(key.use == "sig")
            #expect(key.x.count == 43)
            #expect(key.y.count == 43)
            #expect(!answer.text.contains("\"d\""))
        }
    }

    @Test(.withoutDatabase) func aKeyIsNamedByItsThumbprint() {
        let key = P256.Signing.PrivateKey().publicKey
        #expect(PublishedKeys.Key(key) == PublishedKeys.Key(key))
        #expect(PublishedKeys.Key(key).kid.count == 43)
        let other = P256.Signing.PrivateKey().publicKey
        #expect(PublishedKeys.Key(key).kid != PublishedKeys.Key(other).kid)
    }

    @Test(.withoutDatabase) func theKeyOfTheDataFolderIsMadeOnceAndOnlyForItsOwner() async throws {
        try await withFolder { folder in
            let nested = "\(folder)/data"
            let first = try await SigningKeys(config(), folder: nested)
            let second = try await SigningKeys(config(), folder: nested)
            #expect(first.published == second.published)
            let path = "\(nested)/accounts-signing-key.pem"
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: nested).count == 1)
            let token = try await token(first)
            #expect(try await verify(token, by: second).person == TestPerson.alice.id)
        }
    }

    @Test(.withoutDatabase) func aFileThatHoldsNoKeyStopsTheStart() async throws {
        try await withFolder { folder in
            try Data("nothing".utf8).write(
                to: URL(filePath: "\(folder)/accounts-signing-key.pem"))
            await #expect(throws: ConfigError.self) {
                try await SigningKeys(config(), folder: folder)
            }
        }
    }

    @Test(.withoutDatabase) func theKeyMayBeGivenAndThenNoFileIsMade() async throws {
        try await withFolder { folder in
            let key = P256.Signing.PrivateKey()
            let given = try config(["OPENVALET_ACCOUNTS_SIGNING_KEY": key.pemRepresentation])
            let keys = try await SigningKeys(given, folder: folder)
            #expect(keys.published.keys == [PublishedKeys.Key(key.publicKey)])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test(.withoutDatabase) func tokensOfThePreviousKeyAreStillGood() async throws {
        let old = P256.Signing.PrivateKey()
        let token = try await token(SigningKeys(current: old))
        let keys = try await SigningKeys(
            config([
                "OPENVALET_ACCOUNTS_SIGNING_KEY": P256.Signing.PrivateKey().pemRepresentation,
                "OPENVALET_ACCOUNTS_PREVIOUS_KEY": old.publicKey.pemRepresentation,
            ]), folder: "/nowhere")
        #expect(keys.published.keys.count == 2)
        #expect(try await verify(token, by: keys).person == TestPerson.alice.id)
        let without = try await SigningKeys(current: P256.Signing.PrivateKey())
        await #expect(throws: Refusal.tokenInvalid) { try await verify(token, by: without) }
    }

    @Test(
        .withoutDatabase,
        arguments: ["OPENVALET_ACCOUNTS_SIGNING_KEY", "OPENVALET_ACCOUNTS_PREVIOUS_KEY"])
    func whatIsNoKeyStopsTheStart(name: String) async throws {
        try await withFolder { folder in
            await #expect(throws: ConfigError.self) {
                try await SigningKeys(config([name: "nothing"]), folder: folder)
            }
        }
    }
}

@Suite struct RestartTests {
    @Test func aRestartKeepsKeyPeopleAndSessions() async throws {
        try await withFolder { folder in
            let clock = TestClock()
            let before = try await Bench(folder: folder, clock: clock)
            let signedUp = try await before.run { try await $0.customer() }
            try await before.database.close()
            let after = try await Bench(folder: folder, clock: clock)
            try await after.run { caller in
                let me = try await caller.call(.get, "/v1/me", token: signedUp.accessToken)
                #expect(try me.expect(200, Account.self) == signedUp.customer)
                let refreshed = try await caller.call(
                    .post, "/v1/sessions/refresh",
                    RefreshBody(refreshToken: signedUp.refreshToken))
                #expect(refreshed.status == 201)
                #expect(try await caller.signIn(signedUp.customer.phone).status == 201)
            }
            try await after.database.close()
        }
    }
}

@Suite struct BuildTests {
    @Test func whatIsBuiltHasTheOperatorOfTheConfiguration() async throws {
        try await withFolder { folder in
            let values = try ConfigValues(
                [
                    "OPENVALET_OPERATOR_PHONE": "+85298765432",
                    "OPENVALET_OPERATOR_PASSWORD": Caller.password,
                ], keys: AccountsConfig.keys)
            let environment = try ServiceEnvironment.test("accounts", folder: folder)
            #expect(try await !build(AccountsConfig(values), environment).isEmpty)
            let database = try ServiceEnvironment.test("accounts", folder: folder).database(
                accountMigrations)
            let changed = try await outboxEvents(of: AccountChanged.self, in: database)
            #expect(changed.map(\.account.phone) == ["+85298765432"])
        }
    }
}

@Suite struct SweepTests {
    @Test func whatHasRunOutIsRemovedAndTheRestStays() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let signedUp = try await caller.customer()
            _ = try await caller.signIn("+85265550000", "not the password")
            #expect(try await bench.accounts.sweep() == 0)
            bench.clock.advance(by: 3_601)
            // The code; what was asked, sent and tried at once and in an hour.
            #expect(try await bench.accounts.sweep() == 7)
            let refreshed = try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: signedUp.refreshToken))
            #expect(refreshed.status == 201)
            bench.clock.advance(by: 60 * 86_400 + 1)
            // Two refresh tokens and their session; what was asked and sent in a day.
            #expect(try await bench.accounts.sweep() == 5)
            #expect(try await bench.accounts.sweep() == 0)
            #expect(try await caller.signIn(signedUp.customer.phone).status == 201)
        }
    }
}
