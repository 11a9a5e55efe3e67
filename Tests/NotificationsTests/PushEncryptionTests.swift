import Contracts
import Crypto
import Foundation
import ServiceKit
import Support
import Testing

@testable import Notifications

/// The example of RFC 8291, section 5, with the values of its appendix A.
enum PushExample {
    static let p256dh =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
    static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
    static let serverKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    static let plain = "When I grow up, I want to be a watermelon"
    static let sealed =
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        + "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        + "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
}

@Suite(.withoutDatabase) struct PushEncryptionTests {
    @Test func theExampleOfTheStandardIsReproduced() throws {
        let secrets = try PushSecrets(p256dh: PushExample.p256dh, auth: PushExample.auth)
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: #require(Data(base64URL: PushExample.serverKey)))
        let sealed = try PushEncryption.seal(
            Data(PushExample.plain.utf8), for: secrets, key: key,
            salt: #require(Data(base64URL: PushExample.salt)))
        #expect(sealed.base64URL == PushExample.sealed)
    }

    @Test func noTwoMessagesAreSealedAlike() throws {
        let secrets = try PushSecrets(p256dh: PushExample.p256dh, auth: PushExample.auth)
        let sealed = try (0..<3).map { _ in try PushEncryption.seal(Data("a".utf8), for: secrets) }
        #expect(Set(sealed.map { $0.prefix(16) }).count == 3, "the salts")
        #expect(Set(sealed.map { $0.dropFirst(21).prefix(65) }).count == 3, "the keys")
    }

    @Test func aMessageFillsARecordAndNoMore() throws {
        let secrets = try PushSecrets(p256dh: PushExample.p256dh, auth: PushExample.auth)
        #expect(PushEncryption.mostPlain == 3_993)
        let full = try PushEncryption.seal(Data(count: PushEncryption.mostPlain), for: secrets)
        #expect(full.count == PushEncryption.recordSize)
        #expect(throws: PushEncryption.TooLong.self) {
            try PushEncryption.seal(Data(count: PushEncryption.mostPlain + 1), for: secrets)
        }
    }

    @Test(arguments: [
        // Not on the curve; a compressed point; too short; too long; the point at infinity; no base64url.
        "BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE",
        "AiVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx",
        String(PushExample.p256dh.dropLast(2)), PushExample.p256dh + "AA", "AA", "", "?",
        PushExample.p256dh.replacingOccurrences(of: "_", with: "/"),
    ])
    func whatIsNoKeyIsRefused(p256dh: String) {
        #expect {
            try PushSecrets(p256dh: p256dh, auth: PushExample.auth)
        } throws: {
            Refusal.invalid ~= $0 && ($0 as? Refusal)?.problem.field == "keys.p256dh"
        }
    }

    @Test(arguments: [
        "", "BTBZMqHH6r4Tts7J_aSI", "BTBZMqHH6r4Tts7J_aSIggAA", "BTBZ MqHH6r4Tts7J_aSIgg",
    ])
    func whatIsNoAuthenticationSecretIsRefused(auth: String) {
        #expect {
            try PushSecrets(p256dh: PushExample.p256dh, auth: auth)
        } throws: {
            Refusal.invalid ~= $0 && ($0 as? Refusal)?.problem.field == "keys.auth"
        }
    }

    @Test func paddingIsNoFault() throws {
        _ = try PushSecrets(p256dh: PushExample.p256dh + "=", auth: PushExample.auth + "==")
    }

    @Test(arguments: ["a", "é", "車", "👨‍👩‍👧‍👦", "\"", "\u{1}"])
    func wordsThatAreTooLongAreCutAtACharacter(character: String) throws {
        let body = String(repeating: character, count: 5_000)
        let subject = FeedSubject(product: "laundry", kind: .basket, id: "b")
        let message = PushMessage(
            title: "t", body: body, number: 7, kind: "k", subject: subject, language: "en", url: "/"
        )
        let data = try message.payload()
        #expect(data.count <= PushEncryption.mostPlain)
        #expect(data.count > PushEncryption.mostPlain - 40, "no more is cut than has to be")
        let cut = try Wire.decode(PushMessage.self, from: data)
        #expect(cut.body.hasSuffix("…"))
        #expect(body.hasPrefix(cut.body.dropLast()))
        #expect(cut.body.dropLast().allSatisfy { String($0) == character }, "a broken character")
        #expect((cut.title, cut.number, cut.subject) == ("t", 7, message.subject))
    }

    @Test func whatFitsStaysAsItIs() throws {
        let message = PushMessage(
            title: "t", body: "b", number: 1, kind: "k", subject: nil, language: "zh-Hant",
            url: "/valet")
        #expect(try Wire.decode(PushMessage.self, from: message.payload()) == message)
        var endless = message
        endless.title = String(repeating: "t", count: 5_000)
        #expect(throws: PushEncryption.TooLong.self) { try endless.payload() }
    }
}

@Suite(.withoutDatabase) struct VapidTests {
    private let key = P256.Signing.PrivateKey()

    @Test func aSignatureIsForOneOriginAndHalfADay() async throws {
        let now = Date(timeIntervalSince1970: 1_767_600_000)
        let vapid = Vapid(key: key, subject: "mailto:push@example.net")
        let value = try await vapid.authorization(for: "https://push.example.net", at: now)
        let match = try #require(
            value.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/))
        #expect(match.4 == vapid.publicKey)
        #expect(Data(base64URL: vapid.publicKey)?.count == 65)
        let header = try #require(Data(base64URL: String(match.1)))
        #expect(
            try Wire.decode(JSONValue.self, from: header)
                == .object(["alg": "ES256", "typ": "JWT"]))
        let claims = try #require(Data(base64URL: String(match.2)))
        #expect(
            try Wire.decode(JSONValue.self, from: claims)
                == .object([
                    "aud": "https://push.example.net", "exp": 1_767_643_200,
                    "sub": "mailto:push@example.net",
                ]))
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: #require(Data(base64URL: String(match.3))))
        #expect(
            key.publicKey.isValidSignature(signature, for: Data("\(match.1).\(match.2)".utf8)))
    }

    @Test func aKeyIsReadAsPEMOrAsToolsPrintIt() {
        let raw = key.rawRepresentation
        #expect(Vapid.privateKey(key.pemRepresentation)?.rawRepresentation == raw)
        #expect(Vapid.privateKey(raw.base64URL)?.rawRepresentation == raw)
        for text in ["", "x", Data(count: 32).base64URL, Data(count: 31).base64URL] {
            #expect(Vapid.privateKey(text) == nil)
        }
    }
}

@Suite struct PushServicesTests {
    private let standard = PushServices(PushServices.standard)!

    @Test(
        .withoutDatabase,
        arguments: [
            ("https://fcm.googleapis.com/fcm/send/abc:DEF_-", "https://fcm.googleapis.com"),
            (
                "https://updates.push.services.mozilla.com/wpush/v2/gAAA=",
                "https://updates.push.services.mozilla.com"
            ),
            ("https://web.push.apple.com:443/Q?a=%20b", "https://web.push.apple.com"),
            ("https://api.PUSH.apple.com/x", "https://api.push.apple.com"),
            (
                "https://wns2-sg2p.notify.windows.com/w/?token=a",
                "https://wns2-sg2p.notify.windows.com"
            ),
        ])
    func theServicesOfBrowsersAreCalled(endpoint: String, origin: String) throws {
        #expect(try standard.endpoint(endpoint).origin == origin)
    }

    @Test(
        .withoutDatabase,
        arguments: [
            "", "x", "https://", "/push", "https://fcm.googleapis.com",
            "http://fcm.googleapis.com/x", "ftp://fcm.googleapis.com/x",
            "https://fcm.googleapis.com:8443/x", "https://fcm.googleapis.com:0443/x ",
            "https://push.apple.com/x", "https://evilpush.apple.com/x",
            "https://fcm.googleapis.com.evil.example/x", "https://fcm.googleapis.com./x",
            "https://evil.example/fcm.googleapis.com", "https://evil.example#fcm.googleapis.com/x",
            "https://fcm.googleapis.com@evil.example/x", "https://a:b@fcm.googleapis.com/x",
            "https://evil.example\\@fcm.googleapis.com/x", "https://fcm.googleapis.com/x#y",
            "https://fcm.googleapis.com/ x", "https://fcm.googleapis.com/x\r\nHost: a",
            "https://fcm。googleapis.com/x", "https://fcm.googleapis.com/ü",
            "https://127.0.0.1/x", "http://127.0.0.1/x", "http://127.0.0.1:8080/x",
            "http://[::1]/x", "https://localhost/x", "http://169.254.169.254/latest/meta-data",
        ])
    func nothingElseIsEverCalled(endpoint: String) {
        #expect {
            try standard.endpoint(endpoint)
        } throws: {
            Refusal.invalid ~= $0 && ($0 as? Refusal)?.problem.field == "endpoint"
        }
    }

    @Test(.withoutDatabase) func anEndpointHasALongestLength() throws {
        let start = "https://fcm.googleapis.com/"
        let longest = start + String(repeating: "x", count: 1_000 - start.count)
        _ = try standard.endpoint(longest)
        #expect { try standard.endpoint(longest + "x") } throws: { Refusal.invalid ~= $0 }
    }

    @Test(.withoutDatabase) func aSinkOfThisMachineIsAllowedByItsPortAlone() throws {
        let services = try #require(PushServices("push.example.net, http://127.0.0.1:8125"))
        let endpoint = try services.endpoint("http://127.0.0.1:8125/a/b")
        #expect(endpoint.origin == "http://127.0.0.1:8125")
        _ = try services.endpoint("https://push.example.net/x")
        for other in [
            "http://127.0.0.1:8126/a", "https://127.0.0.1:8125/a", "http://localhost:8125/a",
            "http://push.example.net:8125/a", "https://fcm.googleapis.com/x",
        ] {
            #expect("\(other)") { try services.endpoint(other) } throws: { Refusal.invalid ~= $0 }
        }
    }

    @Test(arguments: [
        "*", "*.", "*.*.com", "push", "127.0.0.1", "http://10.0.0.1:80", "http://127.0.0.1",
        "http://127.0.0.1:0", "http://127.0.0.1:99999", "https://push.example.net", "a..b", "a_b.c",
        "Push.example.net", "-a.example", "*.com.", "a.b/c",
    ])
    func aListThatIsNoneStopsTheStart(text: String) {
        #expect(PushServices(text) == nil)
        #expect(throws: ConfigError.self) {
            try Bench(["OPENVALET_NOTIFICATIONS_PUSH_SERVICES": text])
        }
    }
}
