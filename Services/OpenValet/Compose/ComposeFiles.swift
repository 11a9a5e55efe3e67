import ArgumentParser
import Contracts
import Foundation
import Yams

/// The generated parts of `compose.yaml` and `kafka-acls.txt`, from the services' manifests: containers with secrets
/// and volumes, and the rights of each service on the bus.
struct ComposeFiles {
    /// The line of `compose.yaml` above which everything is written by hand.
    private static let mark = "  # From here on written by `make documents`:"

    /// Texts of the files, by name.
    private(set) var texts: [String: String] = [:]
    /// The part of `compose.yaml` that is written by hand.
    private let head: Node
    private var secrets: Set<String> = []
    private var volumes: Set<String> = []

    init(_ folder: URL, services: [ServiceManifest] = allServices) throws {
        let file = folder.appending(path: "compose.yaml")
        let lines = try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard let mark = lines.firstIndex(where: { $0.hasPrefix(Self.mark) }),
            let head = try Yams.compose(yaml: lines[..<mark].joined(separator: "\n"))
        else { throw ToolError("compose.yaml has no line that begins with \(Self.mark)") }
        self.head = head
        for (_, other) in head["services"]?.mapping ?? [:] {
            secrets.formUnion(other.texts("secrets"))
            let named = other.texts("volumes").filter { !$0.hasPrefix(".") }
            volumes.formUnion(named.compactMap { $0.split(separator: ":").first.map(String.init) })
        }
        var written = lines[...mark].map(String.init)
        for service in services { written += [""] + container(of: service).map { "  \($0)" } }
        written += ["", "secrets:"]
        written += secrets.sorted().map { "  \($0): { file: ./secrets/\($0) }" }
        written += ["", "volumes:"] + volumes.sorted().map { "  \($0): {}" }
        texts["compose.yaml"] = written.joined(separator: "\n") + "\n"
        texts["kafka-acls.txt"] = Self.rights(services.filter(\.isOnBus))
    }

    private mutating func container(of service: ServiceManifest) -> [String] {
        let (name, parts, own) = (service.name, service.parts, head["x-\(service.name)"])
        var settings = service.addresses { "http://\($0):8080" }
        var bases = ["environment"]
        var (mounted, networks, kept) = (["service-secret"], ["inside"], [String]())
        for part in [ServiceManifest.Part.router, .geocoder] where parts.contains(part) {
            bases.append("\(part)")
        }
        if service.isOnBus {
            settings["OPENVALET_KAFKA_SETTINGS_FILE"] = "/run/secrets/kafka-user"
            networks.append("bus")
        }
        if parts.contains(.redis) {
            settings["OPENVALET_REDIS_FILE"] = "/run/secrets/redis-address"
            mounted.append("redis-address")
            networks.append("cache")
        }
        if !parts.isDisjoint(with: [.database, .blobs]) {
            kept.append("\(name):/data")
            volumes.insert(name)
        }
        if parts.contains(.maps) {
            settings["OPENVALET_MAPS"] = "/maps"
            kept.append("*maps")
        }
        if let environment = own?["environment"]?.mapping {
            bases.append(name)
            let values = environment.values.compactMap(\.string)
            mounted += values.filter { $0.hasPrefix("/run/secrets/") }
                .map { String($0.dropFirst("/run/secrets/".count)) }
        }
        networks += own?.texts("networks") ?? []
        secrets.formUnion(mounted)
        if service.isOnBus {
            secrets.insert("kafka-\(name)")
            mounted.append("{ source: kafka-\(name), target: kafka-user }")
        }
        let base = bases.count == 1 ? "*environment" : Self.list(bases.map { "*\($0)" })
        var lines = [
            "\(name):", "  <<: *service",
            "  build: { context: .., dockerfile: compose/Dockerfile, args: { SERVICE: \(name) } }",
            "  environment:", "    <<: \(base)",
        ]
        lines += settings.sorted { $0.key < $1.key }.map { "    \($0): \($1)" }
        lines.append("  networks: \(Self.list(networks))")
        lines.append("  secrets: \(Self.list(mounted))")
        if !kept.isEmpty { lines.append("  volumes: \(Self.list(kept))") }
        let ports = own?.texts("ports") ?? []
        if !ports.isEmpty { lines.append("  ports: \(Self.list(ports.map { "\"\($0)\"" }))") }
        return lines
    }

    private static func list(_ items: [String]) -> String {
        "[\(items.joined(separator: ", "))]"
    }

    private static func rights(_ services: [ServiceManifest]) -> String {
        func names(_ topics: Set<Topic>) -> String {
            topics.isEmpty ? "-" : topics.map(\.rawValue).sorted().joined(separator: ",")
        }
        let rows =
            [("# service", "writes", "reads")]
            + services.map { ($0.name, names($0.saysIn), names($0.hearsIn)) }
        let (first, second) = (
            rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0
        )
        let head = """
            # Written by `make documents` from the services' manifests: the topics that each service may write and
            # read. A service may also write the dead letters of the topics that it reads; notifications reads all
            # dead letters and sends them back to their topics.
            # compacted: \(names(Set(Topic.all.filter(\.isCompacted))))
            #

            """
        return rows.reduce(into: head) { text, row in
            text += row.0.padding(toLength: first + 2, withPad: " ", startingAt: 0)
            text += row.1.padding(toLength: second + 2, withPad: " ", startingAt: 0)
            text += row.2 + "\n"
        }
    }
}

extension Node {
    /// The texts of the sequence under this key; none without it.
    fileprivate func texts(_ key: String) -> [String] {
        self[key]?.sequence?.compactMap(\.string) ?? []
    }
}

struct Compose: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compose",
        abstract:
            "Writes the generated parts of the files for containers (make documents).",
        shouldDisplay: false)

    @Argument(help: "Folder with compose.yaml and kafka-acls.txt.") var folder = "compose"

    func run() throws {
        let folder = URL(fileURLWithPath: folder)
        for (name, text) in try ComposeFiles(folder).texts {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
    }
}
