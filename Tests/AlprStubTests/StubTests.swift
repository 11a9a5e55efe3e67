import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import Support
import Testing

@testable import AlprStub

@Suite struct StubTests {
    private let stub = AlprStub(key: "secret")
    private static let address =
        "/v3/recognize_bytes?secret_key=secret&country=gb&recognize_vehicle=1&topn=10"

    private func ask(
        _ body: String, _ address: String = StubTests.address
    ) async throws -> (status: Int, json: NSDictionary) {
        try await Application(router: stubRouter(stub)).test(.router) { client in
            let response = try await client.execute(
                uri: address, method: .post, body: ByteBuffer(string: body))
            let data = Data(response.body.readableBytesView)
            let json = try #require(
                JSONSerialization.jsonObject(with: data) as? NSDictionary)
            return (response.status.code, json)
        }
    }

    private func ask(_ picture: Data) async throws -> (status: Int, json: NSDictionary) {
        try await ask(picture.base64EncodedString())
    }

    private func results(_ json: NSDictionary) -> [NSDictionary] {
        json["results"] as? [NSDictionary] ?? []
    }

    @Test(arguments: [
        "plate=AB1234;confidence=93.5;make=toyota;model=camry;colour=red;candidates=A81234:61",
        """
        {"plate": "AB1234", "confidence": 93.5, "make": "toyota", "model": "camry",
         "colour": "red", "candidates": "A81234:61"}
        """,
    ])
    func itSaysWhatTheCommentSays(_ comment: String) async throws {
        let (status, json) = try await ask(TestPicture.jpeg(comment: comment))
        #expect(status == 200)
        #expect(json["stub"] as? Bool == true)
        #expect(json["data_type"] as? String == "alpr_results")
        #expect(json["img_width"] as? Int == 8)
        let result = try #require(results(json).first)
        #expect(result["plate"] as? String == "AB1234")
        #expect(result["confidence"] as? Double == 93.5)
        let candidates = result["candidates"] as? [NSDictionary] ?? []
        #expect(candidates.compactMap { $0["plate"] as? String } == ["AB1234", "A81234"])
        let vehicle = try #require(result["vehicle"] as? NSDictionary)
        func first(_ name: String) -> String? {
            (vehicle[name] as? [NSDictionary])?.first?["name"] as? String
        }
        #expect(first("make") == "toyota")
        #expect(first("make_model") == "toyota_camry")
        #expect(first("color") == "red")
        #expect(first("year") == nil)
    }

    @Test func aPNGsCommentIsReadToo() async throws {
        let (_, json) = try await ask(TestPicture.pngWithMetadata)
        #expect(results(json).first?["plate"] as? String == "AB1234")
    }

    @Test(arguments: [nil, "", "Created with GIMP", "make=toyota", "plate=", "{", "[1]"])
    func otherwiseItFindsNothing(_ comment: String?) async throws {
        let (status, json) = try await ask(TestPicture.jpeg(comment: comment))
        #expect(status == 200)
        #expect(results(json).isEmpty)
        #expect(json["stub"] as? Bool == true)
    }

    @Test func vehiclesAreSaidWhenAskedFor() async throws {
        let picture = TestPicture.jpeg(comment: "plate=A;make=bmw").base64EncodedString()
        let (_, json) = try await ask(
            picture, "/v3/recognize_bytes?secret_key=secret&country=gb&topn=1")
        #expect(results(json).first?["vehicle"] == nil)
        #expect((results(json).first?["candidates"] as? [Any])?.count == 1)
    }

    @Test(arguments: [
        ("/v3/recognize_bytes?country=gb", 401),
        ("/v3/recognize_bytes?secret_key=wrong&country=gb", 401),
        ("/v3/recognize_bytes?secret_key=secret", 400),
        ("/v3/recognize_bytes?secret_key=secret&country=gb&topn=0", 400),
    ])
    func whatTheAPIRefusesItRefuses(_ address: String, _ expected: Int) async throws {
        let (status, json) = try await ask(
            TestPicture.jpeg().base64EncodedString(), address)
        #expect(status == expected)
        #expect(json["error"] as? String != nil)
        #expect(json["stub"] as? Bool == true)
    }

    @Test(arguments: ["", "not base64!", "bm8gcGljdHVyZQ=="])
    func whatIsNoPictureIsRefused(_ body: String) async throws {
        #expect(try await ask(body).status == 400)
    }

    @Test func aCommentCanAskForAnError() async throws {
        #expect(try await ask(TestPicture.jpeg(comment: "status=503")).status == 503)
        #expect(try await ask(TestPicture.jpeg(comment: "status=402")).status == 402)
        #expect(try await ask(TestPicture.jpeg(comment: "status=200;plate=A")).status == 200)
    }

    @Test(arguments: [
        (#"{"mode": "failing"}"#, 503), (#"{"mode": "rateLimited"}"#, 403),
        (#"{"mode": "noCredits"}"#, 402), (#"{"mode": "badKey"}"#, 401),
        (#"{"mode": "slow", "seconds": 0}"#, 200), (#"{"mode": "normal"}"#, 200),
    ])
    func aMoodIsEverybodys(_ mood: String, _ expected: Int) async throws {
        #expect(try await ask(mood, "/control").status == 200)
        for _ in 0..<2 { #expect(try await ask(TestPicture.jpeg()).status == expected) }
        #expect(try await ask(#"{"mode": "normal"}"#, "/control").status == 200)
        #expect(try await ask(TestPicture.jpeg()).status == 200)
    }

    @Test func aMoodOfSoManyTimesPasses() async throws {
        _ = try await ask(#"{"mode": "failing", "times": 2}"#, "/control")
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await ask(TestPicture.jpeg()).status) }
        #expect(statuses == [503, 503, 200])
        #expect(stub.asked == 3)
    }

    @Test(arguments: [
        "", "{}", #"{"mode": "angry"}"#, #"{"mode": "slow", "seconds": 61}"#,
        #"{"mode": "slow", "seconds": -1}"#, #"{"mode": "failing", "times": 0}"#,
    ])
    func aMoodThatCanNotBeChangesNothing(_ mood: String) async throws {
        #expect(try await ask(mood, "/control").status == 400)
        #expect(stub.mood == .normal)
    }

    @Test func helpTeachesTheFormAndTheMoods() {
        let help = StubCommand.helpMessage(columns: 100)
        for word in ["plate=AB1234", "/control", "noCredits", "--port", "OPENVALET_ALPR_STUB_KEY"] {
            #expect(help.contains(word), "\(word)")
        }
    }
}
