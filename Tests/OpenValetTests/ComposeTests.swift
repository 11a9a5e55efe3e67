import Contracts
import Foundation
import Testing

@testable import OpenValet

struct ComposeTests {
    private let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "compose")

    @Test func theFilesAreWhatTheManifestsSay() throws {
        let files = try ComposeFiles(folder).texts
        #expect(files.count == 3)
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
                    secrets: [service-secret, metrics-token, database-address, redis-address, { source: kafka-large, target: kafka-user }]
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
}
