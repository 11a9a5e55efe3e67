import Contracts
import Foundation
import Support
import Testing

/// Every service twice, on PostgreSQL, a Redis Cluster of three and a broker that shares topics in groups, with
/// journeys of all products, while each part is killed, frozen and emptied in turn.
///
/// `make test-scale` goes through all parts, with nothing else beside it; otherwise one of each is killed.
@Suite(.serialized) struct ScaleTests {
    /// `whole`, or a part of the names of troubles, for example `PostgreSQL`: then only these happen.
    private static let form = ProcessInfo.processInfo.environment["OPENVALET_TEST_SCALE"]

    private static func chosen(of all: [Trouble]) -> [Trouble] {
        switch form {
        case nil: Trouble.oneKillOfEach(all)
        case "whole": all
        case let part?: all.filter { $0.name.contains(part) }
        }
    }

    @Test func noJourneyFailsAndNoStepWaitsLongerThanStated() async throws {
        let system = try await ReplicatedSystem.start(.scaled)
        let world = try await World(system)
        let travellers = try await Travellers.gather(in: world)
        let troubles = Self.chosen(of: try Trouble.all(of: system))
        #expect(!troubles.isEmpty)
        print("\n| Trouble | Journeys begun | Finished | Longest wait | Stated |")
        print("|---|--:|--:|--:|--:|")
        try await travellers.travel { diary in
            try await diary.goOn()
            for trouble in troubles {
                let (begun, before) = (ContinuousClock.now, diary.counts)
                try await trouble.happen()
                try await diary.goOn()
                let isReady = try await eventually { try await system.isReady() }
                #expect(isReady, "after: \(trouble.name)")
                let longest = diary.longest(since: begun)
                let seconds = longest?.seconds ?? 0
                func new(_ count: KeyPath<Diary.Count, Int>) -> Int {
                    diary.counts.values.reduce(0) { $0 + $1[keyPath: count] }
                        - before.values.reduce(0) { $0 + $1[keyPath: count] }
                }
                print(
                    "| \(trouble.name) | \(new(\.begun)) | \(new(\.finished))",
                    "\(String(format: "%.1f", seconds)) s (\(longest?.name ?? ""))",
                    "\(trouble.kind.statedSeconds) s |", separator: " | ")
                // Beside other tests everything takes longer.
                if Self.form != nil {
                    #expect(
                        seconds <= Double(trouble.kind.statedSeconds),
                        "\(trouble.name): \(longest?.name ?? "") took \(seconds) s")
                }
            }
        }
        let diary = travellers.diary
        #expect(diary.faults.isEmpty, "\(diary.faults.joined(separator: "\n"))")
        #expect(diary.counts.values.allSatisfy { $0.begun == $0.finished })
        let isQuiet = try await eventually(within: .seconds(120)) {
            try await insisting { try await world.boss(PaymentEndpoints.trialBalance()) }
                .lines.reduce(0) { $0 + $1.balance } == 0
        }
        #expect(isQuiet, "the ledger's sum is not zero")
        let letters = try await world.boss(NotificationEndpoints.deadLetters()).items
        #expect(letters.isEmpty, "\(letters.map(\.reason))")
        #expect(!system.log.contains("unexpected error"))
        // As long as the longest trouble, which may have been the last.
        let longest = Trouble.Kind.allCases.map(\.statedSeconds).max() ?? 0
        _ = try await system.services.becomeWhole(within: .seconds(longest))
    }
}

/// Something that happens to a part of the system and is over again.
struct Trouble: Sendable {
    /// Kinds of trouble. docs/operations.md#what-a-loss-costs has this table.
    enum Kind: CaseIterable {
        case serviceKilled, serviceFrozen
        case brokerEmptied, brokerFrozen
        case redisKilled, redisFrozen, redisEmptied
        case postgresKilled, postgresFrozen, postgresRestored

        /// The longest that a step of a journey waits, from its first try to its success, in seconds; the trouble
        /// itself is part of it. The machine is slow: two cores run all processes in debug builds.
        var statedSeconds: Int {
            switch self {
            case .serviceKilled: 40
            case .serviceFrozen: 45
            case .brokerEmptied: 180
            case .brokerFrozen: 60
            case .redisKilled, .redisFrozen, .redisEmptied: 60
            case .postgresKilled, .postgresFrozen: 45
            case .postgresRestored: 90
            }
        }
    }

    /// How long a killed part is away, and how long a frozen one says nothing.
    private static let killed: Duration = .seconds(2)
    private static let frozen: Duration = .seconds(8)

    let kind: Kind
    let name: String
    let happen: @Sendable () async throws -> Void

    static func all(of system: ReplicatedSystem) throws -> [Trouble] {
        var all: [Trouble] = []
        for service in allServices.map(\.name) {
            for replica in system.replicas(of: service) {
                all += [
                    Trouble(kind: .serviceKilled, name: "\(service) \(replica + 1) is killed") {
                        system.kill(service, replica)
                        try await Task.sleep(for: killed)
                        try system.start(service, replica)
                    },
                    Trouble(kind: .serviceFrozen, name: "\(service) \(replica + 1) is frozen") {
                        system.freeze(service, replica)
                        try await Task.sleep(for: frozen)
                        system.thaw(service, replica)
                    },
                ]
            }
        }
        all += broker(try #require(system.tansu))
        for (number, node) in try #require(system.redisCluster).masters.enumerated() {
            all += redis(node, "Redis \(number + 1)")
        }
        return all + postgres(system.postgres)
    }

    /// One that is killed of the services, the broker, Redis and PostgreSQL.
    static func oneKillOfEach(_ all: [Trouble]) -> [Trouble] {
        [Kind.serviceKilled, .redisKilled, .postgresKilled, .brokerEmptied].compactMap { kind in
            all.filter { $0.kind == kind }.randomElement()
        }
    }

    /// What it has is in memory, so a killed one comes back empty.
    private static func broker(_ tansu: TestTansu) -> [Trouble] {
        [
            Trouble(kind: .brokerFrozen, name: "the broker is frozen") {
                tansu.freeze()
                try await Task.sleep(for: frozen)
                tansu.thaw()
            },
            Trouble(kind: .brokerEmptied, name: "the broker is killed and comes back empty") {
                tansu.kill()
                try await Task.sleep(for: killed)
                try await tansu.start()
            },
        ]
    }

    /// Without a replica: a killed one comes back without its third of the keys.
    private static func redis(_ node: TestRedisNode, _ name: String) -> [Trouble] {
        [
            Trouble(kind: .redisKilled, name: "\(name) is killed and comes back empty") {
                await node.kill()
                try await Task.sleep(for: killed)
                try await node.start()
            },
            Trouble(kind: .redisFrozen, name: "\(name) is frozen") {
                node.freeze()
                try await Task.sleep(for: frozen)
                node.thaw()
            },
            Trouble(kind: .redisEmptied, name: "\(name) is emptied") { try await node.empty() },
        ]
    }

    /// Its databases are the truth, so it is never emptied for good: it comes back from a dump of its last moment.
    private static func postgres(_ postgres: TestPostgres) -> [Trouble] {
        [
            Trouble(kind: .postgresKilled, name: "PostgreSQL is killed") {
                postgres.kill()
                try await Task.sleep(for: killed)
                try postgres.restart()
            },
            Trouble(kind: .postgresFrozen, name: "PostgreSQL is frozen") {
                try postgres.freeze()
                try await Task.sleep(for: frozen)
                try postgres.thaw()
            },
            Trouble(kind: .postgresRestored, name: "PostgreSQL is emptied and restored") {
                try postgres.restoreFromDump()
            },
        ]
    }
}
