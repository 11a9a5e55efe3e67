import ArgumentParser
import ServiceKit

@main
struct App: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openvalet",
        abstract:
            "Runs and maintains OpenValet: valet parking, car parks, spots, lifts and places.",
        discussion: """
            Start here:

              openvalet up            starts everything on this machine and prints the next steps
              openvalet up --help     lists the options
              openvalet map           makes maps from OpenStreetMap data
              openvalet simulate      fills a city with simulated people
              openvalet replay        publishes stored events again
              openvalet doctor        compares the services' copies of each other's data
              openvalet topics        makes the topics of a Kafka cluster
              openvalet backup        copies the data folder; openvalet restore uses the copy
              openvalet import        imports data from another system

            Each service lists its settings: openvalet service orders --help
            """,
        version: ServiceProgram.version,
        subcommands: [
            Up.self, MapCommand.self, Simulate.self, Replay.self, Doctor.self, TopicsCommand.self,
            Backup.self, Restore.self, Import.self,
        ] + ServiceCommand.all + [
            Broker.self, Guard.self, OpenAPI.self, AsyncAPI.self, Compose.self,
        ])
}
