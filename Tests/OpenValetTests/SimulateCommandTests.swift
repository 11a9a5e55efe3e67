import ArgumentParser
import Foundation
import Support
import Testing

@testable import OpenValet
@testable import Simulator

struct SimulateCommandTests {
    @Test func theLineOfTheReadmeIsUnderstood() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")
        let lines = try String(contentsOf: readme, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix(".build/release/openvalet simulate ") }
        #expect(!lines.isEmpty)
        for line in lines {
            let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            _ = try Simulate.parse(Array(words.dropFirst(2)))
        }
    }

    @Test(arguments: [
        ["--valets", "0"], ["--valets", "401"], ["--customers", "601"], ["--speed", "0.5"],
        ["--speed", "61"], ["--seed", "59"], ["--seed=-1"], ["--minutes=-1"], ["--progress", "0"],
        ["--companion-phone", "+17905550101"],
    ])
    func whatCannotBeIsRefused(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try Simulate.parse(arguments) }
    }

    // MARK: The demo

    @Test func aDemoRaisesTheLimitUnlessOneIsGiven() throws {
        let name = "OPENVALET_GATEWAY_STRICT_PER_MINUTE"
        func limit(_ environment: [String: String], isDemo: Bool) throws -> String? {
            try UpSettings(environment, port: nil, data: nil, logLevel: "info", isDemo: isDemo)
                .perService["gateway"]?[name]
        }
        #expect(try limit([:], isDemo: false) == nil)
        #expect(try limit([:], isDemo: true) == "600")
        #expect(try limit([name: "7"], isDemo: true) == "7")
    }

    @Test func aDemosSimulationIsOneThatTheCommandUnderstands() throws {
        let place = try TestFolder("demo")
        let folder = try DataFolder(place.path)
        let port = try #require(try FreePorts.take(1).first)
        let environment = ["OPENVALET_OPERATOR_PASSWORD": "of my own choice"]
        let plan = try UpPlan(
            settings: try UpSettings(
                environment, port: port, data: nil, logLevel: "info", isDemo: true),
            folder: folder, secrets: try UpSecrets(folder, environment))
        let demo = try #require(plan.demo)
        let arguments = try demo.arguments(plan)
        #expect(arguments.first == "simulate")
        let command = try Simulate.parse(Array(arguments.dropFirst()))
        #expect(command.minutes == 0)
        let file = try #require(command.operatorPasswordFile)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "of my own choice\n")
        // Nobody has to be told the passwords anew after a restart.
        let again = try Demo(folder)
        #expect(again.customer == demo.customer && again.valet == demo.valet)
        let cast = Set(
            (0..<Persona.mostCustomers).map { Persona(.customer, $0, seed: 58).phone })
        #expect(!cast.contains(demo.customer.phone) && !cast.contains(demo.valet.phone))
    }
}
