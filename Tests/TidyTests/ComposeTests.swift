import Contracts
import Foundation
import ServiceKit
import Testing
import Yams

@testable import Accounts
@testable import Areas
@testable import Gateway
@testable import Location
@testable import Matching
@testable import Notifications
@testable import Orders
@testable import Payments
@testable import Plates
@testable import Ratings
@testable import Web

/// compose.yaml against what the executables really read.
struct ComposeTests {
    private struct Service: Decodable {
        var environment: [String: String]?
        var secrets: [String]?
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
        "payments": PaymentsConfig.self, "plates": PlatesConfig.self, "ratings": RatingsConfig.self,
        "web": WebConfig.self,
    ]

    /// Not a service of the house: it stands in for somebody else's.
    static let others: Set<String> = ["alpr-stub"]

    private func compose() throws -> Compose {
        let text = try Repository.text("compose/compose.yaml")
        return try YAMLDecoder().decode(Compose.self, from: text)
    }

    @Test func everyExecutableIsNamed() throws {
        let names = Set(allServices.map(\.name))
        #expect(Set(Self.configurations.keys) == names)
        let services = try compose().services
        for name in names.union(Self.others) {
            #expect(services[name] != nil, "\(name) is missing")
        }
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
                let secret = String(path.dropFirst("/run/secrets/".count))
                #expect(service.secrets?.contains(secret) == true, "\(name): \(secret)")
                #expect(compose.secrets[secret] != nil)
            }
        }
    }

    @Test func everyTopicIsMade() throws {
        let text = try Repository.text("compose/compose.yaml")
        let line = text.split(separator: "\n").first { $0.contains("for topic in") } ?? ""
        for topic in Topic.allCases { #expect(line.contains(topic.rawValue)) }
    }

    @Test func theImageDoesNotRunAsRootAndChecksItsHealth() throws {
        let dockerfile = try Repository.text("compose/Dockerfile")
        #expect(dockerfile.contains("\nUSER openvalet\n"))
        #expect(dockerfile.contains("HEALTHCHECK"))
        #expect(dockerfile.contains("ARG SERVICE"))
    }

    @Test func theImageHasTheWebAppsBesideTheExecutableAndLeaflet() throws {
        let dockerfile = try Repository.text("compose/Dockerfile")
        #expect(dockerfile.contains("'OpenValet_*.resources' -exec cp -R {} /out/"))
        #expect(dockerfile.contains("COPY --from=build /out/ /usr/local/bin/\n"))
        #expect(dockerfile.contains(#"ENTRYPOINT ["openvalet-service"]"#))
        #expect(dockerfile.contains(" libjs-leaflet "))
        #expect(try Repository.text(".ci/setup").contains("libjs-leaflet"))
    }
}
