import ArgumentParser
import Foundation
import Store

/// `openvalet backup`: copies the data folder while everything runs.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the data folder to a new one while everything runs.",
        discussion: """
            The copy has Redis' log, all databases as they are at one moment (writers wait for it), pictures, \
            keys and secrets. Keep it as safe as the folder itself. The next openvalet up publishes the \
            broker's events again. Back up databases on PostgreSQL with PostgreSQL's own tools.

              openvalet backup /safe/monday
              openvalet restore /safe/monday --data .openvalet
            """)

    @Argument(help: "Folder of the copy, which must not exist yet.")
    var folder: String

    @Option(help: "Folder to copy (or OPENVALET_DATA; default .openvalet).")
    var data: String?

    func run() throws {
        try Self.copy(Replay.folder(data), to: folder)
        LinePrinter(colours: false).say("The backup is in \(folder).")
    }

    private static let databaseSuffix = ".sqlite"
    private static let mostTries = 10
    private static let redisLog = "redis/appendonlydir"
    /// Files of a running system, or that the next start creates: without the checkpoint, it publishes all
    /// stored events again.
    private static let passing: Set = [
        "up.lock", "up.json", "bus-checkpoint", "redis", "redis.conf", "router",
    ]

    static func copy(_ data: String, to folder: String) throws {
        let names = try names(in: data)
        try make(folder)
        // Before the databases: their events, published again, bring what the log lacks.
        if names.contains("redis") { try copyRedisLog(data, to: folder) }
        let databases = names.filter { $0.hasSuffix(databaseSuffix) }
        try SQLiteFiles.copy(databases.map { ("\(data)/\($0)", "\(folder)/\($0)") })
        for name in databases { chmod("\(folder)/\(name)", 0o600) }
        for name in names {
            let isOfDatabase = databases.contains { name.hasPrefix($0) }
            guard !isOfDatabase, !passing.contains(name), !name.hasPrefix(".") else { continue }
            try FileManager.default.copyItem(
                atPath: "\(data)/\(name)", toPath: "\(folder)/\(name)")
        }
    }

    /// The log only grows, until Redis rewrites it: a copy made meanwhile is discarded.
    private static func copyRedisLog(_ data: String, to folder: String) throws {
        let (from, to) = ("\(data)/\(redisLog)", "\(folder)/\(redisLog)")
        let manifest = {
            try? String(contentsOfFile: "\(from)/appendonly.aof.manifest", encoding: .utf8)
        }
        try make("\(folder)/redis")
        for _ in 0..<mostTries {
            guard let before = manifest() else { return }
            try? FileManager.default.removeItem(atPath: to)
            let isCopied = (try? FileManager.default.copyItem(atPath: from, toPath: to)) != nil
            if isCopied, manifest() == before { return }
        }
        throw ToolError("Redis keeps rewriting its log. Try again.")
    }

    static func restore(_ folder: String, to data: String) throws {
        let names = try names(in: folder)
        try make(data)
        for name in names {
            try FileManager.default.copyItem(
                atPath: "\(folder)/\(name)", toPath: "\(data)/\(name)")
        }
    }

    /// Throws if the folder has no data of OpenValet.
    private static func names(in folder: String) throws -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard names.contains(where: { $0.hasSuffix(databaseSuffix) || $0 == "service-secret" })
        else { throw ToolError("\(folder) has no data of openvalet up.") }
        return names
    }

    private static func make(_ folder: String) throws {
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw ToolError(
                "\(folder) already exists, and nothing is overwritten. Name another folder.")
        }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }
}

/// `openvalet restore`: makes a data folder from a backup.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a data folder from a backup.",
        discussion:
            "Overwrites nothing: move an old data folder away first, and run openvalet up afterwards."
    )

    @Argument(help: "Folder that openvalet backup has made.")
    var folder: String

    @Option(help: "Folder to make (or OPENVALET_DATA; default .openvalet).")
    var data: String?

    func run() throws {
        let data = Replay.folder(data)
        try Backup.restore(folder, to: data)
        LinePrinter(colours: false).say("Restored to \(data). Start it with: openvalet up")
    }
}
