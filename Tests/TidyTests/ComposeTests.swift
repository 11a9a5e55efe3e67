import Contracts
import Foundation
import Kafka
import ServiceKit
import Support
import Testing
import Yams

@testable import Accounts
@testable import Areas
@testable import CarParks
@testable import Carpool
@testable import Gateway
@testable import Getalift
@testable import Location
@testable import Matching
@testable import Notifications
@testable import Orders
@testable import Payments
@testable import Places
@testable import Plates
@testable import Ratings
@testable import Spots
@testable import Web

/// compose.yaml against what the executables really read.
struct ComposeTests {
    /// A service of compose.yaml.
    private struct Service: Decodable {
        /// A secret by its name, or under another one.
        struct Mount: Decodable {
            var source, target: String

            init(from decoder: any Decoder) throws {
                if let name = try? decoder.singleValueContainer().decode(String.self) {
                    (source, target) = (name, name)
                } else {
                    let fields = try decoder.singleValueContainer().decode([String: String].self)
                    (source, target) = (
                        fields["source", default: ""], fields["target", default: ""]
                    )
                }
            }
        }

        struct Deploy: Decodable {
            struct Resources: Decodable {
                struct Limits: Decodable { var cpus, memory: String }
                var limits: Limits
            }
            var replicas: Int?
            var resources: Resources
        }

        var environment: [String: String]?
        var image: String
        var command: [String]?
        var read_only: Bool?
        var user: String?
        var cap_drop: [String]?
        var deploy: Deploy
        var secrets: [Mount]?
        var networks: Set<String>
    }

    private struct Compose: Decodable {
        struct Secret: Decodable { var file: String }
        var services: [String: Service]
        var secrets: [String: Secret]
    }

    static let configurations: [String: any Config.Type] = [
        "accounts": AccountsConfig.self, "areas": AreasConfig.self, "gateway": GatewayConfig.self,
        "location": LocationConfig.self, "matching": MatchingConfig.self,
        "notifications": NotificationsConfig.self, "orders": OrdersConfig.self,
        "payments": PaymentsConfig.self, "places": PlacesConfig.self, "plates": PlatesConfig.self,
        "ratings": RatingsConfig.self,
        "carparks": CarParksConfig.self, "carpool": CarpoolConfig.self,
        "spots": SpotsConfig.self, "getalift": GetaliftConfig.self,
        "web": WebConfig.self,
    ]

    private func compose() throws -> Compose {
        let text = try Repository.text("compose/compose.yaml")
        return try YAMLDecoder().decode(Compose.self, from: text)
    }

    @Test func everyExecutableIsNamed() throws {
        let names = Set(allServices.map(\.name))
        #expect(Set(Self.configurations.keys) == names)
        let text = try Repository.text("Package.swift")
        let list = try #require(text.firstMatch(of: /let services = \[([^\]]*)\]/)).1
        let built = list.matches(of: /"(\w+)"/).map { $0.1.lowercased() }
        #expect(Set(built) == names)
    }

    @Test func everyRequiredKeyIsGivenAndEveryGivenKeyIsKnown() throws {
        let compose = try compose()
        for (name, config) in Self.configurations {
            let given = compose.services[name]?.environment ?? [:]
            for key in config.allKeys where key.standard == nil {
                let isGiven = given[key.name] != nil || given["\(key.name)_FILE"] != nil
                #expect(isGiven, "\(name) misses \(key.name)")
            }
            let known = Set(config.allKeys.map(\.name))
                .union(config.allKeys.filter(\.isSecret).map { "\($0.name)_FILE" })
            for key in given.keys { #expect(known.contains(key), "\(name) does not know \(key)") }
        }
    }

    @Test func everySecretFileThatIsReadIsMounted() throws {
        let compose = try compose()
        for (name, service) in compose.services {
            for (_, path) in service.environment ?? [:] where path.hasPrefix("/run/secrets/") {
                let target = String(path.dropFirst("/run/secrets/".count))
                let secret = service.secrets?.first { $0.target == target }?.source
                #expect(secret.flatMap { compose.secrets[$0] } != nil, "\(name): \(target)")
            }
        }
    }

    /// Of the services a test sees that the file follows from their manifests.
    @Test func whatIsNoServiceOfTheHouseGetsToItsOwnNetworkAlone() throws {
        let services = try compose().services
        #expect(services["alpr-stub"]?.networks == ["recogniser"])
        let others = [
            ("kafka", "bus"), ("topics", "bus"), ("rights", "bus"), ("redis", "cache"),
            ("postgres", "database"),
        ]
        for (name, network) in others {
            #expect(services[name]?.networks == [network])
        }
    }

    @Test func everySecretIsMadeAndStaysAndSaysWhatTheServicesUnderstand() async throws {
        let folder = try TestFolder("secrets")
        func make() throws -> [String: String] {
            try Repository.run("compose/make-secrets", folder.path)
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(into: [:]
            ) {
                $0[$1] = try String(contentsOfFile: "\(folder.path)/\($1)", encoding: .utf8)
            }
        }
        let made = try make()
        #expect(try make() == made)
        let compose = try compose()
        #expect(Set(compose.secrets.values.map(\.file)) == Set(made.keys.map { "./secrets/\($0)" }))
        for service in allServices.filter(\.isOnBus).map(\.name) {
            let file = "\(folder.path)/kafka-\(service)"
            let values = try ConfigValues(
                [
                    "OPENVALET_KAFKA": "kafka:9092", "OPENVALET_KAFKA_SETTINGS_FILE": file,
                    "OPENVALET_SERVICE_SECRET_FILE": "\(folder.path)/service-secret",
                    "OPENVALET_METRICS_TOKEN_FILE": "\(folder.path)/metrics-token",
                    "OPENVALET_DATABASE_FILE": "\(folder.path)/database-address",
                    "OPENVALET_REDIS_FILE": "\(folder.path)/redis-address",
                ], keys: CommonConfig.keys([.redis]))
            let common = try CommonConfig(values, parts: [.redis])
            #expect(common.postgres != nil)
            let settings = common.kafkaSettings
            #expect(settings["sasl.username"] == service)
            let password = try #require(settings["sasl.password"])
            let known = try #require(made["kafka-server"])
            #expect(known.contains(" user_\(service)=\"\(password)\""))
            // What librdkafka does not know it refuses here.
            var kafka = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: service)
            kafka.settings = settings
            _ = try KafkaProducer(kafka)
        }
        let maker = try CommonConfig.kafka(
            ConfigValues(
                [
                    "OPENVALET_KAFKA": "kafka:9092",
                    "OPENVALET_KAFKA_SETTINGS_FILE": "\(folder.path)/kafka-topics",
                ],
                keys: CommonConfig.keys([]).filter { $0.name.hasPrefix("OPENVALET_KAFKA") }),
            clientID: "openvalet")
        let admin = try #require(maker.settings["sasl.password"])
        #expect(made["kafka-server"]?.contains(" user_admin=\"\(admin)\"") == true)
        // Refuses what librdkafka does not know.
        _ = try KafkaAdmin(maker)
        for service in [ServiceManifest.accounts, .carparks] {
            let key = "OPENVALET_\(service.name.uppercased())_SIGNING_KEY_FILE"
            let values = try ConfigValues(
                [key: "\(folder.path)/\(service.name)-signing-key"],
                keys: SigningKeys.Settings.keys(service, "signs"))
            let settings = try SigningKeys.Settings(service, values)
            #expect(settings.current != nil)
            _ = try await SigningKeys(settings, folder: folder.path)
        }
        let password = try #require(made["database-password"]).trimmingCharacters(in: .newlines)
        #expect(made["database-address"]?.contains(":\(password)@postgres:5432/") == true)
    }

    /// What the script asks of Kafka's own tools.
    private func rights() throws -> [String] {
        let tools = try TestFolder("kafka-tools")
        let file = tools.url.appending(path: "kafka-acls.sh")
        try "#!/bin/sh\necho \"$*\"\n".write(to: file, atomically: true, encoding: .utf8)
        chmod(file.path, 0o700)
        return try Repository.run(
            "compose/kafka-setup", environment: ["KAFKA_TOOLS": tools.path]
        ).split(separator: "\n").map { " \($0) " }
    }

    @Test func theToolMakesTheTopics() throws {
        let topics = try #require(try compose().services["topics"])
        #expect(topics.image == "${OPENVALET_IMAGE:-openvalet}")
        #expect(topics.command == ["topics"])
    }

    @Test func everyServiceMayDoWhatItDoes() throws {
        let rights = try rights()
        func may(_ service: String, _ operation: String, _ topic: String) -> Bool {
            rights.contains {
                $0.contains(" User:\(service) ") && $0.contains(" --operation \(operation) ")
                    && $0.contains(" --topic \(topic) ")
            }
        }
        for service in allServices where service != .notifications {
            let (name, writes) = (service.name, service.saysIn)
            for topic in Topic.all {
                #expect(may(name, "Write", topic.rawValue) == writes.contains(topic))
                #expect(may(name, "Read", topic.rawValue) == service.hearsIn.contains(topic))
                let givesUp = service != .gateway && service.hearsIn.contains(topic)
                #expect(may(name, "Write", topic.dead) == givesUp)
                #expect(!may(name, "Read", topic.dead))
            }
        }
        for topic in Topic.all {
            #expect(may("notifications", "Read", topic.dead))
            #expect(may("notifications", "Write", topic.rawValue))
        }
    }

    @Test func everyServiceRunsTwiceWithLimitsAndWritesOnlyToItsVolumes() throws {
        let services = try compose().services
        for name in allServices.map(\.name) {
            let service = try #require(services[name])
            #expect(service.image == "${OPENVALET_IMAGE:-openvalet}")
            #expect(service.read_only == true)
            #expect(service.cap_drop == ["ALL"])
            let isAlone = ["gateway", "getalift"].contains(name)
            #expect(service.deploy.replicas == (isAlone ? 1 : 2), "\(name)")
        }
    }

    @Test func theImageDoesNotRunAsRootAndChecksItsHealth() throws {
        let dockerfile = try Repository.text("compose/Dockerfile")
        #expect(dockerfile.contains("\nUSER 10001:10001\n"))
        #expect(dockerfile.contains("HEALTHCHECK"))
    }

    @Test func theImageHasTheWebAppsBesideTheExecutableAndLeaflet() throws {
        let dockerfile = try Repository.text("compose/Dockerfile")
        #expect(dockerfile.contains("'OpenValet_*.resources' -exec cp -R {} /out/"))
        #expect(dockerfile.contains("COPY --from=program /out/ /usr/local/bin/\n"))
        #expect(dockerfile.contains(#"ENTRYPOINT ["openvalet"]"#))
        #expect(dockerfile.contains(" libjs-leaflet "))
        #expect(try Repository.text(".ci/setup").contains("libjs-leaflet"))
    }
}
