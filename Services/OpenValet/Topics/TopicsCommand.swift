import ArgumentParser
import Foundation

/// `openvalet topics`: makes the topics of an outside Kafka cluster.
struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics", abstract: "Makes the topics that a Kafka cluster lacks.",
        discussion: """
            OPENVALET_KAFKA names the cluster, OPENVALET_KAFKA_SETTINGS (or OPENVALET_KAFKA_SETTINGS_FILE) the \
            login of a user that may create topics. Topics that exist are left as they are; a warning tells how \
            they differ. openvalet up does the same at its start if it uses an outside cluster.

              OPENVALET_KAFKA=kafka:9092 openvalet topics --partitions 24 --replication 3
            """)

    @Option(help: "Partitions of a new topic: as many replicas of a service can share the work.")
    var partitions = TopicPlan.standardPartitions

    @Option(
        help: """
            Brokers that store each record of a new topic (default \(TopicPlan.standardReplication), or as many as \
            there are).
            """)
    var replication: Int?

    func validate() throws {
        guard (1...10_000).contains(partitions), (1...100).contains(replication ?? 1) else {
            throw ValidationError(
                "--partitions is from 1 to 10000, --replication from 1 to 100.")
        }
    }

    func run() async throws {
        let kafka = try TopicPlan.kafka(ProcessInfo.processInfo.environment)
        let plan = TopicPlan(partitions: partitions, replication: replication)
        let report = try await plan.apply(to: kafka)
        let printer = LinePrinter(colours: false)
        for warning in report.warnings { printer.say("Differs: \(warning)") }
        for name in report.made.sorted() { printer.say(name) }
        printer.say("\(report.made.count) topics made.")
    }
}
