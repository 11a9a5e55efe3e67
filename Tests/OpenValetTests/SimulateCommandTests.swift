import ArgumentParser
import Contracts
import Foundation
import Support
import Testing

@testable import OpenValet
@testable import Simulator

struct SimulateCommandTests {
    @Test func theLineOfTheDocumentIsUnderstood() throws {
        let document = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/operations.md")
        let lines = try String(contentsOf: document, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix(".build/release/openvalet simulate ") }
        #expect(!lines.isEmpty)
        for line in lines {
            let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            _ = try Simulate.parse(Array(words.dropFirst(2)))
        }
    }

    @Test(arguments: [
        ["--valets", "0"], ["--valets", "401"], ["--customers", "601"], ["--drivers", "301"],
        ["--drivers=-1"], ["--commuters", "301"],
        ["--speed", "0.5"],
        ["--speed", "61"], ["--seed", "59"], ["--seed=-1"], ["--minutes=-1"], ["--progress", "0"],
        ["--area", ""],
    ])
    func whatCannotBeIsRefused(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try Simulate.parse(arguments).settings() }
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
        #expect(command.minutes == 0 && command.drivers > 0)
        let file = try #require(command.operatorPasswordFile)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "of my own choice\n")
        // Nobody has to be told the passwords anew after a restart.
        let again = try Demo(folder, plan.secrets)
        #expect(again.customer == demo.customer && again.valet == demo.valet)
        #expect(command.area == nil)
        let words = arguments.joined(separator: " ")
        #expect(!words.contains(demo.customer.password) && !words.contains("of my own choice"))

        // Web alone shows them, from a file for the owner's eyes.
        let shown = plan.environment(of: .web, kafka: "")["OPENVALET_WEB_DEMO_FILE"]
        let path = try #require(shown)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let view: DemoView = try Wire.decode(from: Data(contentsOf: URL(filePath: path)))
        #expect(view.accounts.map(\.app) == ["customer", "valet", "operator"])
        #expect(view.accounts.last?.password == "of my own choice")
        for service in allServices where service != .web {
            #expect(plan.environment(of: service, kafka: "")["OPENVALET_WEB_DEMO_FILE"] == nil)
        }
        // The past is taken in a demo alone, and by those who have one.
        let plain = try UpPlan(
            settings: try UpSettings(environment, port: port, data: nil, logLevel: "info"),
            folder: folder, secrets: plan.secrets)
        for service in allServices {
            let name = "OPENVALET_\(service.name.uppercased())_HISTORY"
            let isTaken = [.orders, .payments].contains(service)
            #expect(plan.environment(of: service, kafka: "")[name] == (isTaken ? "yes" : nil))
            #expect(plain.environment(of: service, kafka: "")[name] == nil)
        }
        let cast = Set(
            (0..<Persona.mostCustomers).map { Persona(.customer, $0, seed: 58).phone }
                + (0..<Persona.mostDrivers).map { Persona(.driver, $0, seed: 0).phone })
        #expect(!cast.contains(demo.customer.phone) && !cast.contains(demo.valet.phone))
    }
}
