import ArgumentParser
import Contracts
import Foundation
import Kafka

struct Broker: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the default message broker by itself: Kafka's protocol, in memory.",
        discussion: """
            For development and small installations; openvalet up runs one. The first line that it prints has \
            its bootstrap servers. It loses all records when it stops; the services' databases still have them.
            """)

    /// First line of the output, before the bootstrap servers.
    static let announcement = "bootstrap servers: "

    @Option(
        help: """
            Partitions of each topic: at least as many as processes of one service. Each takes processor time of every \
            reader.
            """)
    var partitions = 1

    func validate() throws {
        guard (1...100).contains(partitions) else {
            throw ValidationError("--partitions is from 1 to 100.")
        }
    }

    func run() async throws {
        let cluster = try MockCluster(topics: Topic.names, partitions: partitions)
        let line = Data("\(Self.announcement)\(cluster.bootstrapServers)\n".utf8)
        FileHandle.standardOutput.write(line)
        await Stop.requested()
        cluster.stop()
    }
}

/// Waits for the end of standard input, or for SIGINT or SIGTERM.
enum Stop {
    static func requested() async {
        let stream = AsyncStream<Void>.makeStream()
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { stream.continuation.finish() }
            source.resume()
            return source
        }
        let thread = Thread {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            stream.continuation.finish()
        }
        thread.start()
        for await _ in stream.stream {}
        sources.forEach { $0.cancel() }
    }
}
