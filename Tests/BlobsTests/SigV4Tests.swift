import Foundation
import Testing

@testable import Blobs

/// The examples that AWS publishes: of Signature Version 4's test suite, and of S3's documentation
/// ("Signature Calculations for the Authorization Header").
@Suite struct SigV4Tests {
    private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private func signature(_ signer: SigV4, _ request: SigV4.Request, _ time: String) -> String {
        let text = signer.authorization(request, time: time)
        return String(text.suffix(64))
    }

    private static let suite = SigV4(
        keyID: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        region: "us-east-1", service: "service")

    @Test func getVanilla() {
        let request = SigV4.Request(
            method: "GET", path: "/",
            headers: [("host", "example.amazonaws.com"), ("x-amz-date", "20150830T123600Z")],
            bodyHash: Self.nothing)
        #expect(
            Self.suite.authorization(request, time: "20150830T123600Z")
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
                + "SignedHeaders=host;x-amz-date,"
                + "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
    }

    private static let s3 = SigV4(
        keyID: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        region: "us-east-1", service: "s3")
    private static let time = "20130524T000000Z"
    private static let host = (name: "host", value: "examplebucket.s3.amazonaws.com")

    @Test func getObject() {
        let request = SigV4.Request(
            method: "GET", path: "/test.txt",
            headers: [
                Self.host, ("range", "bytes=0-9"), ("x-amz-content-sha256", Self.nothing),
                ("x-amz-date", Self.time),
            ], bodyHash: Self.nothing)
        #expect(
            signature(Self.s3, request, Self.time)
                == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test func putObject() {
        let hash = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
        #expect(SigV4.hash(Data("Welcome to Amazon S3.".utf8)) == hash)
        let request = SigV4.Request(
            method: "PUT", path: "/test%24file.text",
            headers: [
                ("date", "Fri, 24 May 2013 00:00:00 GMT"), Self.host,
                ("x-amz-content-sha256", hash), ("x-amz-date", Self.time),
                ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ], bodyHash: hash)
        #expect(
            signature(Self.s3, request, Self.time)
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    @Test(arguments: [
        ("lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        (
            "max-keys=2&prefix=J",
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        ),
    ])
    func getOfABucket(_ query: String, _ expected: String) {
        let request = SigV4.Request(
            method: "GET", path: "/", query: query,
            headers: [
                Self.host, ("x-amz-content-sha256", Self.nothing), ("x-amz-date", Self.time),
            ], bodyHash: Self.nothing)
        #expect(signature(Self.s3, request, Self.time) == expected)
    }

    @Test func timesAreInUTCWithoutSeparators() {
        #expect(SigV4.time(Date(timeIntervalSince1970: 1_440_938_160)) == "20150830T123600Z")
    }
}
