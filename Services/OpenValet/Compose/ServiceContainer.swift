import Contracts
import Yams

/// What a service needs in a container: by its manifest, and by `x-<service>` of `compose.yaml`.
struct ServiceContainer {
    /// Where containers find their secrets.
    static let secretsFolder = "/run/secrets/"
    static let mapsFolder = "/maps"
    /// The port of every service in its container.
    static let port = 8080

    /// A secret by its name, and the file that the container sees.
    struct Secret: Comparable {
        var name, file: String

        static func < (one: Self, other: Self) -> Bool { one.name < other.name }
    }

    let service: ServiceManifest
    /// Settings that follow from the manifest.
    private(set) var settings: [String: String] = [:]
    /// Blocks of `compose.yaml` with further settings: `x-<name>`.
    private(set) var blocks: [String] = []
    private(set) var secrets = [
        Secret(name: "service-secret", file: "service-secret"),
        Secret(name: "metrics-token", file: "metrics-token"),
    ]
    /// Services that it calls.
    let asks: Set<String>
    /// Its own block of `compose.yaml`.
    private let own: Node?

    var name: String { service.name }

    /// - Parameter head: `compose.yaml`, as far as it is written by hand.
    init(_ service: ServiceManifest, _ head: Node) {
        self.service = service
        own = head["x-\(service.name)"]
        var asks: Set<String> = []
        settings = service.addresses { name in
            asks.insert(name)
            return "http://\(name):\(Self.port)"
        }
        self.asks = asks
        let parts = service.parts
        if parts.contains(.router) { blocks.append("router") }
        if parts.contains(.geocoder) { blocks.append("geocoder") }
        if parts.contains(.maps) { settings["OPENVALET_MAPS"] = Self.mapsFolder }
        if parts.contains(.database) { mount("database-address", as: "OPENVALET_DATABASE") }
        if parts.contains(.redis) { mount("redis-address", as: "OPENVALET_REDIS") }
        if let environment = own?["environment"]?.mapping {
            blocks.append(service.name)
            let files = environment.values.compactMap(\.string)
                .filter { $0.hasPrefix(Self.secretsFolder) }
                .map { String($0.dropFirst(Self.secretsFolder.count)) }
            secrets += files.map { Secret(name: $0, file: $0) }
        }
        if service.isOnBus {
            mount("kafka-\(service.name)", at: "kafka-user", as: "OPENVALET_KAFKA_SETTINGS")
        }
    }

    private mutating func mount(_ name: String, at file: String? = nil, as setting: String) {
        settings["\(setting)_FILE"] = Self.secretsFolder + (file ?? name)
        secrets.append(Secret(name: name, file: file ?? name))
    }

    /// The texts of a sequence in its own block.
    func texts(_ key: String) -> [String] { own?.texts(key) ?? [] }

    /// One of its ports belongs to the host, so there can't be two of it there.
    var hasHostPort: Bool { !texts("ports").isEmpty }
}

extension Node {
    /// The texts of the sequence under this key; none without it.
    func texts(_ key: String) -> [String] {
        self[key]?.sequence?.compactMap(\.string) ?? []
    }
}
