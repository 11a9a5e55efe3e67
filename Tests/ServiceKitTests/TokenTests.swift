import Contracts
import Foundation
import JWTKit
import Support
import Synchronization
import Testing

@testable import ServiceKit

@Suite(.withoutDatabase) struct TokenTests {
    private let clock = TestClock()
    private let key = ES256PrivateKey()

    private func token(key: ES256PrivateKey? = nil, kid: String = "one") async throws -> String {
        let keys = await JWTKeyCollection().add(
            ecdsa: key ?? self.key, kid: JWKIdentifier(string: kid))
        let claims = AccessClaims(
            person: TestPerson.alice.id, roles: [.customer, .valet], session: .new(),
            issuedAt: clock.now)
        return try await keys.sign(claims, kid: JWKIdentifier(string: kid))
    }

    private func verifier(failing: @escaping @Sendable () -> Bool = { false }) -> TokenVerifier {
        let point = key.publicKey.parameters
        return TokenVerifier(clock: clock.serviceClock) {
            if failing() { throw URLError(.cannotConnectToHost) }
            return JWKS(keys: [
                .ecdsa(
                    .es256, identifier: "one", x: point?.x, y: point?.y, curve: .p256)
            ])
        }
    }

    @Test func aTokenOfOursNamesThePersonAndTheirRoles() async throws {
        let identity = try await verifier().verify(token())
        #expect(identity.person == TestPerson.alice.id)
        #expect(identity.roles == [.customer, .valet])
    }

    @Test func theKeysAreRequiredOnceAndThenEnoughWithoutAccounts() async throws {
        let isAway = Mutex(true)
        let verifier = verifier(failing: { isAway.withLock { $0 } })
        await #expect(throws: Refusal.self) { try await verifier.requireKeys() }
        isAway.withLock { $0 = false }
        try await verifier.requireKeys()
        isAway.withLock { $0 = true }
        try await verifier.requireKeys()
        let identity = try await verifier.verify(token())
        #expect(identity.person == TestPerson.alice.id)
    }

    @Test func aTokenEndsAlsoWhenItWasVerifiedBefore() async throws {
        let verifier = verifier()
        let token = try await token()
        _ = try await verifier.verify(token)
        clock.advance(by: Double(AccessClaims.life))
        await #expect(throws: Refusal.tokenInvalid) { try await verifier.verify(token) }
    }

    @Test func aTokenOfAnotherKeyIsRefused() async throws {
        let stranger = try await token(key: ES256PrivateKey())
        await #expect(throws: Refusal.tokenInvalid) {
            try await verifier().verify(stranger)
        }
    }

    @Test func aTokenWithoutSignatureIsRefused() async throws {
        let parts = try await token().split(separator: ".")
        let header = Data(#"{"alg":"none","kid":"one"}"#.utf8).base64EncodedString()
            .replacingOccurrences(of: "=", with: "")
        for forged in ["\(header).\(parts[1]).", "\(parts[0]).\(parts[1]).", "x.y.z", "", "é"] {
            await #expect(throws: Refusal.tokenInvalid) {
                try await verifier().verify(forged)
            }
        }
    }

    @Test func anUnknownKeyIsAskedForOnceInAWhile() async throws {
        let verifier = verifier()
        _ = try await verifier.verify(token())
        let other = try await token(key: ES256PrivateKey(), kid: "two")
        await #expect(throws: Refusal.tokenInvalid) { try await verifier.verify(other) }
        clock.advance(by: TokenVerifier.refetchInterval)
        await #expect(throws: Refusal.tokenInvalid) { try await verifier.verify(other) }
    }

    @Test func whileTheKeysAreAwayTheAnswerIsToTryAgain() async throws {
        let token = try await token()
        await #expect {
            try await verifier(failing: { true }).verify(token)
        } throws: { Refusal.unavailable ~= $0 }
    }

    @Test func aServiceTokenIsForOneAudienceOnly() async throws {
        let caller = ServiceTokens(
            service: "gateway", secret: ServiceEnvironment.testSecret, clock: clock.serviceClock)
        let location = ServiceTokens(
            service: "location", secret: ServiceEnvironment.testSecret, clock: clock.serviceClock)
        let orders = ServiceTokens(
            service: "orders", secret: ServiceEnvironment.testSecret, clock: clock.serviceClock)
        let token = try await caller.token(for: "location")
        #expect(try await location.verify(token) == "gateway")
        await #expect(throws: Refusal.tokenInvalid) { try await orders.verify(token) }
        clock.advance(by: 600)
        await #expect(throws: Refusal.tokenInvalid) { try await location.verify(token) }
    }

    @Test func aServiceTokenOfAnotherSecretIsRefused() async throws {
        let stranger = ServiceTokens(
            service: "gateway", secret: String(repeating: "x", count: 40),
            clock: clock.serviceClock)
        let location = ServiceTokens(
            service: "location", secret: ServiceEnvironment.testSecret, clock: clock.serviceClock)
        let token = try await stranger.token(for: "location")
        await #expect(throws: Refusal.tokenInvalid) { try await location.verify(token) }
    }

    @Test func whatWasSealedOpensWithTheSameSecretOnly() throws {
        let secret = CodeSecret(phone: "+85291234567", code: "123456")
        let sealed = try Sealer(secret: ServiceEnvironment.testSecret).seal(secret)
        #expect(!sealed.contains("123456"))
        #expect(
            try Sealer(secret: ServiceEnvironment.testSecret).open(CodeSecret.self, from: sealed)
                == secret)
        #expect(throws: (any Error).self) {
            try Sealer(secret: "another").open(CodeSecret.self, from: sealed)
        }
    }
}
