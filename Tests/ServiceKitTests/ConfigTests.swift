import Foundation
import Support
import Testing

@testable import ServiceKit

@Suite(.withoutDatabase) struct ConfigTests {
    private let keys = [
        ConfigKey("OPENVALET_PLACE", "Where."),
        ConfigKey("OPENVALET_COUNT", default: "3", "How many."),
        ConfigKey("OPENVALET_PASS", default: "", secret: true, "Hidden."),
    ]

    @Test func defaultsStandWhereTheEnvironmentIsSilent() throws {
        let values = try ConfigValues(["OPENVALET_PLACE": "here", "PATH": "/bin"], keys: keys)
        #expect(try values.string("OPENVALET_PLACE") == "here")
        #expect(try values.int("OPENVALET_COUNT", in: 1...5) == 3)
        #expect(try values.optional("OPENVALET_PASS") == nil)
    }

    @Test func anEmptyValueStandsForTheDefaultUnlessItIsAValue() throws {
        let keys = [
            ConfigKey("OPENVALET_COUNT", default: "3", "How many."),
            ConfigKey("OPENVALET_TILES", default: "some", mayBeEmpty: true, "Which."),
        ]
        let given = try ConfigValues(["OPENVALET_COUNT": "", "OPENVALET_TILES": ""], keys: keys)
        #expect(try given.string("OPENVALET_COUNT") == "3")
        #expect(try given.optional("OPENVALET_TILES") == nil)
        let silent = try ConfigValues([:], keys: keys)
        #expect(try silent.optional("OPENVALET_TILES") == "some")
    }

    @Test func aMissingKeyStopsTheStartAndSaysWhatItMeans() {
        #expect(throws: ConfigError("OPENVALET_PLACE is missing: Where.")) {
            try ConfigValues([:], keys: keys)
        }
    }

    @Test func anUnknownKeyStopsTheStart() {
        #expect(throws: ConfigError.self) {
            try ConfigValues(["OPENVALET_PLACE": "here", "OPENVALET_PLAEC": "x"], keys: keys)
        }
    }

    @Test func aSecretMayComeFromAFileAndOthersMayNot() throws {
        let folder = try TestFolder("config", ["secret": "hush\n"])
        let file = folder.url.appending(path: "secret")
        let values = try ConfigValues(
            ["OPENVALET_PLACE": "here", "OPENVALET_PASS_FILE": file.path], keys: keys)
        #expect(try values.optional("OPENVALET_PASS") == "hush")
        #expect(throws: ConfigError.self) {
            try ConfigValues(["OPENVALET_PLACE_FILE": file.path], keys: keys)
        }
    }

    @Test(arguments: ["0", "6", "three", "1e9999", "NaN"])
    func aNumberOutsideItsRangeStopsTheStart(_ text: String) throws {
        let values = try ConfigValues(
            ["OPENVALET_PLACE": "here", "OPENVALET_COUNT": text], keys: keys)
        #expect(throws: ConfigError.self) { try values.int("OPENVALET_COUNT", in: 1...5) }
    }

    @Test func aShortServiceSecretStopsTheStart() throws {
        let environment = ["OPENVALET_KAFKA": "k:1", "OPENVALET_SERVICE_SECRET": "short"]
        let values = try ConfigValues(environment, keys: CommonConfig.keys([]))
        #expect(throws: ConfigError.self) { try CommonConfig(values, parts: []) }
    }

    @Test func replicasOfOneMachineHaveNamesOfTheirOwnThatTheyKeep() {
        let first = ServiceEnvironment.kafkaInstance(of: "orders", at: 8_080)
        #expect(first == ServiceEnvironment.kafkaInstance(of: "orders", at: 8_080))
        #expect(first != ServiceEnvironment.kafkaInstance(of: "orders", at: 8_081))
        #expect(first != ServiceEnvironment.kafkaInstance(of: "payments", at: 8_080))
        #expect(ServiceEnvironment.kafkaInstance(of: "orders", at: 0) == nil)
    }

    private func kafkaSettings(_ text: String) throws -> [String: String] {
        let secret = String(repeating: "s", count: CommonConfig.shortestSecret)
        let environment = [
            "OPENVALET_KAFKA": "k:1", "OPENVALET_SERVICE_SECRET": secret,
            "OPENVALET_KAFKA_SETTINGS": text,
        ]
        let values = try ConfigValues(environment, keys: CommonConfig.keys([]))
        return try CommonConfig(values, parts: []).kafkaSettings
    }

    @Test func kafkaSettingsAreSeparatedByCommas() throws {
        #expect(try kafkaSettings("").isEmpty)
        #expect(
            try kafkaSettings("security.protocol=ssl, fetch.wait.max.ms = 500")
                == ["security.protocol": "ssl", "fetch.wait.max.ms": "500"])
        #expect(try kafkaSettings("sasl.password=a=b==") == ["sasl.password": "a=b=="])
        #expect(
            try kafkaSettings("group.instance.id=,client.rack=r")
                == ["group.instance.id": "", "client.rack": "r"])
    }

    @Test func aCommaThatNoNameFollowsBelongsToTheValue() throws {
        #expect(
            try kafkaSettings("ssl.cipher.suites=A,B,sasl.password=p,q,client.rack=r")
                == ["ssl.cipher.suites": "A,B", "sasl.password": "p,q", "client.rack": "r"])
    }

    @Test func withALineEachCommasAreOfTheValue() throws {
        #expect(
            try kafkaSettings("sasl.oauthbearer.config=a=1,b=2\r\nclient.rack=r\n")
                == ["sasl.oauthbearer.config": "a=1,b=2", "client.rack": "r"])
    }

    @Test(arguments: ["security.protocol", "=ssl", "a=1\nb"])
    func kafkaSettingsWithoutANameOrValueStopTheStart(text: String) {
        #expect(throws: ConfigError.self) { try kafkaSettings(text) }
    }

    @Test func helpNamesEveryKeyWithItsMeaning() {
        let help = Boot.help("test", keys)
        for key in keys {
            #expect(help.contains(key.name))
            #expect(help.contains(key.meaning))
        }
        #expect(help.contains("OPENVALET_PASS_FILE"))
    }
}
