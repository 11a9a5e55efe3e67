import Contracts
import Foundation
import Testing
import Yams

@testable import OpenValet

struct ComposeTests {
    private let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "compose")

    @Test func theFilesAreWhatTheManifestsSay() throws {
        let files = try ComposeFiles(folder).texts
        // compose.yaml, the rights on the bus, Prometheus, the list for kustomize, and a file for each service.
        #expect(files.count == 4 + allServices.count)
        for (name, text) in files {
            let kept = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            #expect(text == kept, "run make documents")
        }
    }

    @Test func aServiceIsGivenWhatItsManifestAsksForAndNoMore() throws {
        let small = ServiceManifest("small", [])
        let large = ServiceManifest(
            "large", [.tokenKeys, .database, .redis, .router, .maps, .bills, .asksEngagements],
            peers: ["accounts"], hears: [NoticeIssued.self])
        let texts = try ComposeFiles(folder, services: [small, large]).texts
        let compose = try #require(texts["compose.yaml"])
        #expect(
            compose.contains(
                """

                  small:
                    <<: *service
                    command: [service, small]
                    environment:
                      <<: *environment
                    networks: [inside]
                    secrets: [service-secret, metrics-token]

                  large:
                    <<: *service
                    command: [service, large]
                    environment:
                      <<: [*environment, *router]
                      OPENVALET_ACCOUNTS_URL: http://accounts:8080
                      OPENVALET_DATABASE_FILE: /run/secrets/database-address
                      OPENVALET_ENGAGEMENT_OWNERS: orders=http://orders:8080,carparks=http://carparks:8080,spots=http://spots:8080,carpool=http://carpool:8080
                      OPENVALET_JWKS_URL: http://accounts:8080/.well-known/jwks.json
                      OPENVALET_KAFKA_SETTINGS_FILE: /run/secrets/kafka-user
                      OPENVALET_MAPS: /maps
                      OPENVALET_REDIS_FILE: /run/secrets/redis-address
                    networks: [inside, bus, cache, database]
                    secrets: [service-secret, metrics-token, database-address, redis-address, \
                { source: kafka-large, target: kafka-user }]
                    volumes: [*maps]

                """))
        #expect(compose.contains("\n  kafka-large: { file: ./secrets/kafka-large }\n"))
        #expect(!compose.contains("kafka-small"))
        let rights = try #require(texts["kafka-acls.txt"]).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
        #expect(rights == ["large      audit,bills,notices  notices"])
    }

    @Test func pictureFoldersAreKeptAndAServiceWithAPortOfTheHostIsAlone() throws {
        let pictures = ServiceManifest("pictures", [.blobs])
        let texts = try ComposeFiles(folder, services: [pictures, .gateway]).texts
        let compose = try #require(texts["compose.yaml"])
        #expect(compose.contains("\n    volumes: [pictures:/data]\n"))
        #expect(compose.contains("\n  pictures: {}\n"))
        #expect(compose.contains("\n    ports: [\"127.0.0.1:8080:8080\"]\n    deploy: *single\n"))
        let scrapes = try #require(texts["prometheus/prometheus.yaml"])
        #expect(scrapes.contains("          - pictures\n          - gateway\n"))
    }

    private struct Policy: Decodable, Equatable {
        struct Rule: Decodable, Equatable {
            struct Peer: Decodable, Equatable { var podSelector: Labels }
            struct Labels: Decodable, Equatable { var matchLabels: [String: String] }
            struct Port: Decodable, Equatable { var port: String }
            var from, to: [Peer]?
            var ports: [Port]
        }
        struct Spec: Decodable, Equatable { var ingress, egress: [Rule]? }
        var kind: String
        var spec: Spec
    }

    /// Names of those who may ask a service, those whom it may ask, and its ports to the outside.
    private func policy(of service: String, _ texts: [String: String]) throws
        -> (from: [String], to: [String], ports: [String])
    {
        let text = try #require(texts["kubernetes/services/\(service).yaml"])
        let last = try #require(text.components(separatedBy: "\n---\n").last)
        let policy = try YAMLDecoder().decode(Policy.self, from: last)
        #expect(policy.kind == "NetworkPolicy")
        func names(_ peers: [Policy.Rule.Peer]?) -> [String] {
            (peers ?? []).compactMap { $0.podSelector.matchLabels["app.kubernetes.io/name"] }
        }
        let egress = policy.spec.egress ?? []
        return (
            (policy.spec.ingress ?? []).flatMap { names($0.from) }, egress.flatMap { names($0.to) },
            egress.filter { $0.to == nil }.flatMap { $0.ports.map(\.port) }
        )
    }

    @Test func aServiceIsReachedOnlyByItsAskersAndReachesOnlyWhatItNeeds() throws {
        let asked = ServiceManifest("asked", [])
        let asker = ServiceManifest(
            "asker", [.database, .redis], peers: ["asked"], hears: [NoticeIssued.self])
        let texts = try ComposeFiles(folder, services: [asked, asker]).texts
        let (one, other) = (try policy(of: "asked", texts), try policy(of: "asker", texts))
        #expect(one.from == ["asker", "prometheus"])
        #expect(one.to == [])
        #expect(one.ports == ["53", "53"])
        #expect(other.from == ["prometheus"])
        #expect(other.to == ["asked"])
        #expect(other.ports == ["53", "53", "9092", "5432", "6379", "26379"])
    }

    @Test func aPodHasTheSettingsOfItsServiceAndItsPicturesInAStore() throws {
        let pictures = ServiceManifest("pictures", [.database, .blobs, .router])
        let texts = try ComposeFiles(folder, services: [pictures]).texts
        let pod = try #require(texts["kubernetes/services/pictures.yaml"])
        #expect(pod.contains("{ name: OPENVALET_ROUTER, value: \"none\" }"))
        #expect(!pod.contains("OPENVALET_ROUTER_URL"), "an empty setting isn't given")
        #expect(pod.contains("configMapKeyRef: { name: settings, key: OPENVALET_BLOBS_S3_URL }"))
        #expect(pod.contains("{ key: database-address, path: database-address }"))
        #expect(pod.contains("{ key: blobs-secret, path: blobs-secret }"))
        let list = try #require(texts["kustomization.yaml"])
        #expect(list.contains("  - kubernetes/services/pictures.yaml\n"))
        #expect(list.contains("      - secrets/database-address\n"))
    }
}
