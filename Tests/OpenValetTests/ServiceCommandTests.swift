import Contracts
import Support
import Testing

@testable import OpenValet
@testable import ServiceKit

/// Every service is a command of the tool and an executable of its own, which are the same.
struct ServiceCommandTests {
    private func output(_ program: String, _ arguments: [String]) throws -> String {
        try Command.output(RunningSystem.debugBinaries.appending(path: program).path, arguments)
    }

    private func help(_ program: String, _ arguments: [String]) throws -> String {
        try output(program, arguments + ["--help"])
    }

    @Test func everyServiceIsACommand() {
        #expect(
            ServiceCommand.programs.map(\.service.name).sorted() == allServices.map(\.name).sorted()
        )
    }

    @Test(arguments: allServices.map(\.name))
    func aServiceListsTheSameSettingsEitherWay(service: String) throws {
        let help = try help("openvalet", ["service", service])
        #expect(help == (try self.help("openvalet-\(service)", [])))
        let program = try #require(
            ServiceCommand.programs.first { $0.service.name == service })
        #expect(help == Boot.help(service, program.keys))
    }

    @Test(arguments: allServices.map(\.name) + ["alpr-stub"])
    func everyExecutablePrintsTheVersion(service: String) throws {
        let expected = "\(ServiceProgram.version)\n"
        #expect(try output("openvalet-\(service)", ["--version"]) == expected)
    }

    @Test(arguments: [[String](), ["service", "orders"], ["alpr-stub"], ["up"]])
    func theToolPrintsTheVersion(command: [String]) throws {
        #expect(try output("openvalet", command + ["--version"]) == "\(ServiceProgram.version)\n")
    }

    @Test func theStubOfARecogniserIsBothToo() throws {
        #expect(try help("openvalet", ["alpr-stub"]).contains("/v3/recognize_bytes"))
        #expect(try help("openvalet-alpr-stub", []).contains("/v3/recognize_bytes"))
    }

    @Test func aServiceThatDoesNotExistIsRefused() {
        #expect(throws: (any Error).self) {
            try ServiceCommand.parse(["valets"])
        }
    }
}
