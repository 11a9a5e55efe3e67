import Client
import Contracts
import Crypto
import Foundation
import Support
import Testing

/// Two-factor sign-in in all its ways, through the gateway.
@Suite(.serialized) struct SecondFactorJourneyTests {
    /// What an authenticator app shows (RFC 6238), so many half minutes from now.
    private func code(of secret: String, steps: Int = 0) throws -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = try secret.map { letter in
            let text = String(try #require(alphabet.firstIndex(of: letter)), radix: 2)
            return String(repeating: "0", count: 5 - text.count) + text
        }.joined()
        let bytes = stride(from: 0, to: bits.count, by: 8).compactMap {
            UInt8(bits.dropFirst($0).prefix(8), radix: 2)
        }
        let counter = UInt64(Int(Date().timeIntervalSince1970) / 30 + steps).bigEndian
        let hash = Data(
            HMAC<Insecure.SHA1>.authenticationCode(
                for: withUnsafeBytes(of: counter) { Data($0) }, using: SymmetricKey(data: bytes)))
        let start = Int(hash[hash.count - 1] & 0x0F)
        let number = hash[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return String(format: "%06d", (number & 0x7FFF_FFFF) % 1_000_000)
    }

    /// Signs in with the password, which is not enough.
    private func challenge(_ person: Someone, _ client: OpenValetClient) async throws -> Problem {
        let problem = try await refused("account.second_factor_required") {
            try await client.signIn(phone: person.account.phone, password: person.password)
        }
        return try #require(problem)
    }

    /// The newest code for the sign-in that came by text message.
    private func message(to person: Someone, _ world: World) async throws
        -> String
    {
        var found: String?
        let isSent = try await eventually {
            let text = try await world.boss(
                NotificationEndpoints.messages(
                    asks: MessagesQuery().with(\.phone, person.account.phone))
            ).items
                .first { $0.text.contains("sign-in") }?.text
            found = text?.split { !$0.isASCII || !$0.isNumber }.map(String.init)
                .first { $0.count == 6 }
            return found != nil
        }
        #expect(isSent)
        return try #require(found)
    }

    @Test func anAppsCodeAndARecoveryCodeSignIn() async throws {
        let world = try await City.shared.world()
        let ada = try await Someone.customer(of: world.system)
        let setup = try await ada.client(
            AccountEndpoints.beginTOTP(body: PasswordBody(password: ada.password)))
        let codes = try await ada.client(
            AccountEndpoints.confirmTOTP(body: SecondFactorCodeBody(code: code(of: setup.secret)))
        ).recoveryCodes
        #expect(codes.count == 10)

        let client = world.system.client()
        let first = try await challenge(ada, client)
        #expect(first.methods == [.known(.totp), .known(.recoveryCode)])
        let token = try #require(first.challenge)
        try await refused("account.wrong_code") {
            try await client.answerChallenge(
                SecondFactorBody(
                    challenge: token, method: .totp, code: code(of: setup.secret, steps: 99)))
        }
        let next = try code(of: setup.secret, steps: 1)
        try await client.answerChallenge(
            SecondFactorBody(challenge: token, method: .totp, code: next))
        #expect(try await client(AccountEndpoints.me()).id == ada.account.id)

        let again = try #require(try await challenge(ada, world.system.client()).challenge)
        try await refused("account.wrong_code") {
            try await world.system.client().answerChallenge(
                SecondFactorBody(challenge: again, method: .totp, code: next))
        }
        try await client.answerChallenge(
            SecondFactorBody(challenge: again, method: .recoveryCode, code: codes[3]))
        #expect(try await client(AccountEndpoints.secondFactors()).recoveryCodesLeft == 9)

        try await refused("account.wrong_password") {
            try await client(
                AccountEndpoints.removeSecondFactor(
                    body: SecondFactorRemovalBody(method: .totp, password: "not my password")))
        }
        try await client(
            AccountEndpoints.removeSecondFactor(
                body: SecondFactorRemovalBody(method: .totp, password: ada.password)))
        try await world.system.client().signIn(phone: ada.account.phone, password: ada.password)
    }

    @Test func aTextMessageSignsInAndAnOperatorHelpsWhoLostThePhone() async throws {
        let world = try await City.shared.world()
        let ada = try await Someone.customer(of: world.system)
        try await ada.client(AccountEndpoints.beginSMS(body: PasswordBody(password: ada.password)))
        let code = try await message(to: ada, world)
        #expect(
            try await ada.client(
                AccountEndpoints.confirmSMS(body: SecondFactorCodeBody(code: code))
            ).recoveryCodes.count == 10)

        let problem = try await challenge(ada, world.system.client())
        #expect(problem.methods == [.known(.sms), .known(.recoveryCode)])
        let token = try #require(problem.challenge)
        // One was sent a moment ago.
        try await refused("account.code_too_soon") {
            try await world.system.client()(
                AccountEndpoints.sendChallengeMessage(body: ChallengeBody(challenge: token)))
        }
        try await refused("account.wrong_code") {
            try await world.system.client().answerChallenge(
                SecondFactorBody(challenge: token, method: .sms, code: code))
        }

        let id = ada.account.id
        try await world.boss(AccountEndpoints.removeSecondFactors(id))
        try await world.system.client().signIn(phone: ada.account.phone, password: ada.password)
        let isTold = try await eventually {
            try await world.boss(
                NotificationEndpoints.audit(
                    asks: AuditQuery().with(\.action, "accounts.remove-second-factors"))
            ).items
                .contains { $0.subject == id.description }
        }
        #expect(isTold)
    }
}
