import ArgumentParser
import Foundation
import Testing

@testable import OpenValet

struct UpTests {
    private func folder() throws -> DataFolder {
        try DataFolder(FileManager.default.temporaryDirectory.appending(path: "up-\(UUID())").path)
    }

    private func settings(_ environment: [String: String]) throws -> UpSettings {
        try UpSettings(environment, port: nil, data: nil, logLevel: "warning")
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    @Test func aServicesSettingGoesToThatServiceAlone() throws {
        let settings = try settings(["OPENVALET_MATCHING_PATIENCE_SECONDS": "0"])
        #expect(settings.perService["matching"] == ["OPENVALET_MATCHING_PATIENCE_SECONDS": "0"])
        #expect(settings.perService["orders"] == nil)
    }

    @Test func othersServicesMayBeAnywhere() throws {
        let settings = try settings(["OPENVALET_PAYMENTS_STRIPE_URL": "http://127.0.0.1:1"])
        #expect(
            settings.perService == [
                "payments": ["OPENVALET_PAYMENTS_STRIPE_URL": "http://127.0.0.1:1"]
            ])
    }

    @Test(arguments: [
        "OPENVALET_NONSENSE", "OPENVALET_ORDERS_URL", "OPENVALET_KAFKA", "OPENVALET_SUPERVISED",
    ])
    func whatUpDecidesItselfOrDoesNotKnowIsRefused(_ name: String) {
        #expect(throws: ValidationError.self) { try settings([name: "x"]) }
    }

    @Test(arguments: ["0", "65536", "http", "-1"])
    func aPortThatIsNoneIsRefused(_ port: String) {
        #expect(throws: ValidationError.self) { try settings(["OPENVALET_PORT": port]) }
    }

    @Test func secretsAreMadeOnceForTheOwnersEyes() throws {
        let folder = try folder()
        let first = try UpSecrets(folder, [:])
        let second = try UpSecrets(folder, [:])
        #expect(first.serviceSecret == second.serviceSecret)
        #expect(first.operatorPassword == second.operatorPassword)
        #expect(first.serviceSecret.count >= 32)
        #expect(try mode(folder.path) == 0o700)
        #expect(try mode(folder.file("service-secret")) == 0o600)
        #expect(try mode(folder.file("operator-password")) == 0o600)
    }

    @Test func aGivenPasswordIsNotWrittenDown() throws {
        let folder = try folder()
        let secrets = try UpSecrets(folder, ["OPENVALET_OPERATOR_PASSWORD": "of my own choice"])
        #expect(secrets.operatorPassword == "of my own choice")
        #expect(secrets.passwordFile == nil)
        #expect(folder.read("operator-password") == nil)
    }

    @Test func aFolderIsHeldByOneUpAtATime() throws {
        let folder = try folder()
        #expect(throws: ValidationError.self) { try DataFolder(folder.path) }
    }

    @Test func aServiceGetsItsOwnEnvironmentOnly() throws {
        let folder = try folder()
        let port = try #require(try FreePorts.take(1).first)
        let plan = try UpPlan(
            settings: try settings(["OPENVALET_PORT": String(port)]), folder: folder,
            secrets: try UpSecrets(folder, [:]))
        for service in UpSettings.services {
            let values = plan.environment(of: service, kafka: "127.0.0.1:1")
            let isAccounts = service == "accounts"
            #expect((values["OPENVALET_OPERATOR_PASSWORD"] != nil) == isAccounts, "\(service)")
            #expect((values["OPENVALET_JWKS_URL"] == nil) == isAccounts, "\(service)")
            #expect(values["OPENVALET_KAFKA"] == "127.0.0.1:1")
        }
        #expect(plan.environment(of: "gateway", kafka: "")["OPENVALET_PORT"] == String(port))
        #expect(plan.url("gateway") == "http://127.0.0.1:\(port)")
    }

    @Test func freePortsAreDifferent() throws {
        let ports = try FreePorts.take(20)
        #expect(Set(ports).count == 20)
        #expect(ports.allSatisfy(FreePorts.isFree))
    }
}

struct WiringTests {
    @Test func whoWaitsForTheBrokerHearsOfIt() async throws {
        let wiring = Wiring()
        async let first = wiring.kafka()
        wiring.announce(kafka: "127.0.0.1:1")
        #expect(try await first.servers == "127.0.0.1:1")
        let generation = wiring.generation
        async let next = wiring.kafka(after: generation)
        wiring.announce(kafka: "127.0.0.1:2")
        #expect(try await next.servers == "127.0.0.1:2")
    }

    @Test func waitingEndsWhenItIsCancelled() async {
        let wiring = Wiring()
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await wiring.kafka()) == nil }
            group.cancelAll()
            #expect(await group.next() == true)
        }
    }
}
