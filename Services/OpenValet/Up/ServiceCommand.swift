import Accounts
import AlprStub
import Areas
import ArgumentParser
import CarParks
import Carpool
import Contracts
import Gateway
import Getalift
import Location
import Matching
import Notifications
import Orders
import Payments
import Places
import Plates
import Ratings
import ServiceKit
import Spots
import Web

/// `openvalet service`: runs one service. `up` starts each service this way, as a process of its own.
struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service", abstract: "Runs one service by itself.",
        discussion: """
            openvalet up starts each service this way, as a process of its own. Settings are environment \
            variables; openvalet service orders --help lists those of orders.

            Services: \(allServices.map(\.name).sorted().joined(separator: ", ")).
            """)

    /// The commands with which `up` starts its child processes.
    static let all: [any ParsableCommand.Type] = [ServiceCommand.self, StubCommand.self]

    static let programs: [ServiceProgram] = [
        Accounts.program, Areas.program, CarParks.program, Carpool.program,
        Gateway.program, Getalift.program, Location.program, Matching.program,
        Notifications.program, Orders.program, Payments.program, Places.program,
        Plates.program, Ratings.program, Spots.program, Web.program,
    ]

    @Argument(help: "Name of the service, for example orders.")
    var name: String

    @Argument(parsing: .captureForPassthrough, help: "--help, --health or --version.")
    var arguments: [String] = []

    func validate() throws {
        guard Self.programs.contains(where: { $0.service.name == name }) else {
            throw ValidationError("There is no service \(name). See openvalet service --help.")
        }
    }

    func run() async throws {
        let program = Self.programs.first { $0.service.name == name }
        await program?.run(arguments)
    }
}
