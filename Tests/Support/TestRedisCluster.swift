import Redis

/// A Redis Cluster of real servers. The slots are spread evenly over the masters.
public final class TestRedisCluster: Sendable {
    private static let slots = 16_384
    /// After this many milliseconds of silence the others count a node as failed, and its replica takes over.
    private static let nodeTimeout = 2_000

    public let masters: [TestRedisNode]
    /// One for each master, in the same order, or none. They trade places in a failover.
    public let replicas: [TestRedisNode]

    public var nodes: [TestRedisNode] { masters + replicas }

    /// As `OPENVALET_REDIS` takes it.
    public var address: String {
        "redis+cluster://" + nodes.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    }

    /// With much time for each command.
    public var configuration: RedisConfiguration {
        get throws { try RedisConfiguration.patient(address) }
    }

    private init(masters: [TestRedisNode], replicas: [TestRedisNode]) {
        self.masters = masters
        self.replicas = replicas
    }

    /// Returns once the cluster is whole.
    public static func start(
        masters: Int = 3, withReplicas: Bool = false
    ) async throws -> TestRedisCluster {
        var nodes: [TestRedisNode] = []
        for index in 0..<(withReplicas ? 2 : 1) * masters {
            let bus = try FreePort.find()
            let node = try await TestRedisNode.start([
                "--cluster-enabled", "yes", "--cluster-port", "\(bus)",
                "--cluster-node-timeout", "\(nodeTimeout)", "--repl-diskless-sync-delay", "0",
            ])
            // Without an epoch of its own, each would have to agree on one with the others.
            try await node.ask("CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)")
            if index < masters {
                let (first, end) = (slots * index / masters, slots * (index + 1) / masters)
                try await node.ask("CLUSTER", "ADDSLOTSRANGE", "\(first)", "\(end - 1)")
            }
            if let known = nodes.first {
                try await known.ask(
                    "CLUSTER", "MEET", "127.0.0.1", "\(node.port)", "\(bus)")
            }
            nodes.append(node)
        }
        let cluster = TestRedisCluster(
            masters: Array(nodes[..<masters]), replicas: Array(nodes[masters...]))
        try await cluster.settle()
        for (master, replica) in zip(cluster.masters, cluster.replicas) {
            let id = try await master.ask("CLUSTER", "MYID").string ?? ""
            try await replica.ask("CLUSTER", "REPLICATE", id)
        }
        try await cluster.settle()
        return cluster
    }

    /// Returns once all nodes that are not killed agree on their masters, serve all slots, and the replicas among them
    /// have the data.
    public func settle() async throws {
        let isWhole = try await eventually {
            var views: Set<Set<String>> = []
            for node in nodes where node.isRunning {
                guard let view = await view(of: node) else { return false }
                views.insert(view)
            }
            return views.count == 1
        }
        guard isWhole else { throw TestRedis.DidNotStart(output: "The cluster is not whole") }
    }

    /// Each member with its master, as the node knows them; nil until the node is in order itself.
    private func view(of node: TestRedisNode) async -> Set<String>? {
        guard let state = try? await node.ask("CLUSTER", "INFO").string,
            let replication = try? await node.ask("INFO", "replication").string,
            let members = try? await node.ask("CLUSTER", "NODES").string,
            state.contains("cluster_state:ok"), !replication.contains("master_link_status:down")
        else { return nil }
        // Id, address, flags, and the id of the master.
        let view = members.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return "\(words[0]) \(words[3])"
        }
        return view.count == nodes.count ? Set(view) : nil
    }

    /// The node that serves the key's slot now.
    public func owner(of key: String) async throws -> TestRedisNode {
        for node in nodes where node.isRunning {
            let slot = try await node.ask("CLUSTER", "KEYSLOT", key).int ?? 0
            let ranges = try await node.ask("CLUSTER", "SLOTS").array ?? []
            let range = ranges.compactMap(\.array).first { range in
                (range[0].int ?? 0) <= slot && slot <= (range[1].int ?? -1)
            }
            let port = range?[2].array?[1].int
            if let owner = nodes.first(where: { $0.port == port }) { return owner }
        }
        throw TestRedis.DidNotStart(output: "Nobody serves \(key)")
    }
}
