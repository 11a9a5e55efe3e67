import ArgumentParser
import Contracts
import Foundation
import Yams

/// The generated files for containers, from the services' manifests: parts of `compose.yaml`, what Kubernetes runs, the
/// addresses that Prometheus asks, and the rights of each service on the bus.
struct ComposeFiles {
    /// The line of `compose.yaml` above which everything is written by hand.
    private static let mark = "  # From here on written by `make documents`:"

    /// Texts of the files, by path in the folder.
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
        let containers = services.map { ServiceContainer($0, head) }
        var written = lines[...mark].map(String.init)
        for container in containers {
            written += [""] + text(of: container).map { "  \($0)" }
        }
        written += ["", "secrets:"]
        written += secrets.sorted().map { "  \($0): { file: ./secrets/\($0) }" }
        written += ["", "volumes:"] + volumes.sorted().map { "  \($0): {}" }
        texts["compose.yaml"] = written.joined(separator: "\n") + "\n"
        texts["kafka-acls.txt"] = Self.rights(services.filter(\.isOnBus))
        texts["prometheus/prometheus.yaml"] = Self.scrapes(services.map(\.name))
        texts.merge(KubernetesFiles(containers, head).texts) { $1 }
    }

    private mutating func text(of container: ServiceContainer) -> [String] {
        let (name, parts) = (container.name, container.service.parts)
        var (networks, kept) = (["inside"], [String]())
        if container.service.isOnBus { networks.append("bus") }
        if parts.contains(.redis) { networks.append("cache") }
        if parts.contains(.database) { networks.append("database") }
        networks += container.texts("networks")
        if parts.contains(.blobs) {
            kept.append("\(name):/data")
            volumes.insert(name)
        }
        if parts.contains(.maps) { kept.append("*maps") }
        secrets.formUnion(container.secrets.map(\.name))
        let mounted = container.secrets.map { secret in
            secret.name == secret.file
                ? secret.name : "{ source: \(secret.name), target: \(secret.file) }"
        }
        let blocks = ["environment"] + container.blocks
        let base = blocks.count == 1 ? "*environment" : Self.list(blocks.map { "*\($0)" })
        var lines = [
            "\(name):", "  <<: *service", "  command: [service, \(name)]",
            "  environment:", "    <<: \(base)",
        ]
        lines += container.settings.sorted { $0.key < $1.key }.map { "    \($0): \($1)" }
        lines.append("  networks: \(Self.list(networks))")
        lines.append("  secrets: \(Self.list(mounted))")
        if !kept.isEmpty { lines.append("  volumes: \(Self.list(kept))") }
        if container.hasHostPort {
            let ports = container.texts("ports").map { "\"\($0)\"" }
            lines += ["  ports: \(Self.list(ports))", "  deploy: *single"]
        }
        return lines
    }

    private static func list(_ items: [String]) -> String {
        "[\(items.joined(separator: ", "))]"
    }

    /// Every replica of each service, found by the name of the service.
    private static func scrapes(_ services: [String]) -> String {
        """
        # Written by `make documents` from the services' manifests.
        global:
          scrape_interval: 15s
          evaluation_interval: 15s

        rule_files: [alerts*.yaml]

        scrape_configs:
          - job_name: openvalet
            authorization: { credentials_file: /run/secrets/metrics-token }
            dns_sd_configs:
              - type: A
                port: \(ServiceContainer.port)
                refresh_interval: 15s
                names:
        \(services.map { "          - \($0)" }.joined(separator: "\n"))
            relabel_configs:
              - { source_labels: [__meta_dns_name], target_label: service }

        """
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
            #

            """
        return rows.reduce(into: head) { text, row in
            text += row.0.padding(toLength: first + 2, withPad: " ", startingAt: 0)
            text += row.1.padding(toLength: second + 2, withPad: " ", startingAt: 0)
            text += row.2 + "\n"
        }
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
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
    }
}
