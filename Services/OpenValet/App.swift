import ArgumentParser
import ServiceKit

@main
struct App: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openvalet",
        abstract: "Runs and looks after OpenValet, the backend of on-demand valet parking.",
        discussion: """
            Start here:

              openvalet up            starts everything on this machine and says what to do next
              openvalet up --help     what can be set
              openvalet map           makes the house's own maps of OpenStreetMap's data
              openvalet simulate      fills a city with people who use it
              openvalet replay        publishes stored events again
              openvalet backup        copies the data folder, and openvalet restore brings it back
              openvalet import        takes over what another system has kept

            Each service lists its settings: openvalet service orders --help
            """,
        version: ServiceProgram.version,
        subcommands: [
            Up.self, MapCommand.self, Simulate.self, Replay.self, Backup.self, Restore.self,
            Import.self,
        ] + ServiceCommand.all + [
            Broker.self, Guard.self, OpenAPI.self, AsyncAPI.self, Compose.self,
        ])
}
