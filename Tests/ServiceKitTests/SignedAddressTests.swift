import Contracts
import Foundation
import Support
import Testing

@testable import ServiceKit

@Suite(.withoutDatabase) struct SignedAddressTests {
    private let addresses = SignedAddresses(secret: ServiceEnvironment.testSecret)
    private let now = Date(timeIntervalSince1970: 1_767_600_010)
    private let path = SignedAddresses.path(vehicle: .new())

    private func parts(_ address: String) -> (path: String, query: [String: String]) {
        let components = URLComponents(string: address)
        let items = components?.queryItems ?? []
        return (
            components?.path ?? "",
            Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
        )
    }

    private func verify(
        _ address: String, with other: SignedAddresses? = nil, at time: Date
    ) throws -> Int {
        let (path, query) = parts(address)
        return try (other ?? addresses).verify(
            path, expires: query["expires"].flatMap(Int.init), signature: query["signature"],
            at: time)
    }

    @Test func aByteIsTwoDigits() {
        #expect([0x00, 0x0F, 0xA0, 0xFF].hex == "000fa0ff")
        #expect([].hex.isEmpty)
    }

    @Test func anAddressOpensForTenToFifteenMinutes() throws {
        let address = addresses.sign(path, at: now)
        let left = try verify(address, at: now)
        #expect((600...900).contains(left))
        #expect(try verify(address, at: now.addingTimeInterval(Double(left) - 1)) == 1)
        #expect(throws: Refusal.pictureAddressExpired) {
            try verify(address, at: now.addingTimeInterval(Double(left)))
        }
    }

    @Test func anAddressStaysTheSameForAWhile() {
        #expect(
            addresses.sign(path, at: now) == addresses.sign(path, at: now.addingTimeInterval(100)))
        #expect(
            addresses.sign(path, at: now) != addresses.sign(path, at: now.addingTimeInterval(300)))
    }

    @Test func whatIsChangedDoesNotOpen() throws {
        let address = addresses.sign(path, at: now)
        let (_, query) = parts(address)
        let expires = try #require(query["expires"].flatMap(Int.init))
        let signature = try #require(query["signature"])
        let wrong: [(String, Int?, String?)] = [
            (SignedAddresses.path(vehicle: .new()), expires, signature),
            (path, expires + 300, signature), (path, nil, signature), (path, expires, nil),
            (path, expires, ""), (path, expires, String(signature.dropLast())),
            (path, expires, String(signature.dropLast()) + "g"),
            (path, expires, String(repeating: "0", count: 64)), (path, nil, nil),
        ]
        for (path, expires, signature) in wrong {
            #expect(throws: Refusal.pictureAddressInvalid) {
                try addresses.verify(path, expires: expires, signature: signature, at: now)
            }
        }
    }

    @Test func anotherSecretsAddressDoesNotOpen() {
        let other = SignedAddresses(secret: "another secret of tests, long enough for one")
        #expect(throws: Refusal.pictureAddressInvalid) {
            try verify(addresses.sign(path, at: now), with: other, at: now)
        }
    }

    @Test func aPersonsPictureAndAVehiclesAreApart() {
        let id = PictureID.new()
        #expect(SignedAddresses.path(person: id) != SignedAddresses.path(vehicle: id))
    }
}

@Suite(.withoutDatabase) struct BlobsConfigTests {
    private func config(_ environment: [String: String]) throws -> BlobsConfig {
        try BlobsConfig(ConfigValues(environment, keys: BlobsConfig.keys))
    }

    private static let whole = [
        "OPENVALET_BLOBS_S3_URL": "http://127.0.0.1:9000", "OPENVALET_BLOBS_S3_BUCKET": "pictures",
        "OPENVALET_BLOBS_S3_KEY_ID": "id", "OPENVALET_BLOBS_S3_SECRET": "secret",
    ]

    @Test func withoutAnAddressPicturesLieInAFolder() throws { #expect(try config([:]).s3 == nil) }

    @Test func aStoreIsReadWhole() throws {
        let s3 = try #require(try config(Self.whole).s3)
        #expect(s3.region == "us-east-1")
        #expect(s3.bucket == "pictures")
    }

    @Test(arguments: [
        "OPENVALET_BLOBS_S3_BUCKET", "OPENVALET_BLOBS_S3_KEY_ID", "OPENVALET_BLOBS_S3_SECRET",
    ])
    func aPartThatIsMissingStopsTheStart(_ name: String) {
        let environment = Self.whole.filter { $0.key != name }
        #expect(throws: ConfigError.self) { try config(environment) }
    }
}
