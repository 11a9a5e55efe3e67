import ServiceKit
import Support
import Testing

@testable import OpenValet

struct ConnectionBudgetTests {
    private func budget(_ environment: [String: String]) throws -> ConnectionBudget? {
        try ConnectionBudget.check(
            UpSettings(environment, port: nil, data: nil, logLevel: "warning"))
    }

    @Test func onSQLiteThereIsNothingToCount() throws {
        #expect(try budget([:]) == nil)
    }

    /// The tests' server allows 397.
    @Test func theSumOfAllServicesIsComparedWithTheServersLimit() throws {
        let server = try TestPostgres.shared.get()
        let budget = try #require(try budget(["OPENVALET_DATABASE": server.address]))
        #expect(budget.services == 12)
        #expect(budget.most == 48)
        #expect(budget.allowed == 397)
        #expect(budget.text.contains("127.0.0.1:\(server.port): up to 48 connections"))
        let few = try self.budget([
            "OPENVALET_DATABASE": server.address, "OPENVALET_DATABASE_CONNECTIONS": "33",
        ])
        #expect(few?.most == 396)
        let error = #expect(throws: ToolError.self) {
            try self.budget([
                "OPENVALET_DATABASE": server.address, "OPENVALET_DATABASE_CONNECTIONS": "34",
            ])
        }
        #expect(
            error?.description.contains("up to 408 connections (12 services × 34) of 397") == true)
    }

    @Test func aServerThatIsAwayIsNamedWithoutItsPassword() throws {
        let folder = try TestFolder("database", ["address": "postgres://me:s3cret@127.0.0.1:1/\n"])
        let file = folder.url.appending(path: "address").path
        let error = #expect(throws: ToolError.self) {
            try budget(["OPENVALET_DATABASE_FILE": file])
        }
        #expect(error?.description.hasPrefix("PostgreSQL at 127.0.0.1:1 can't be used") == true)
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test(arguments: ["1", "many"])
    func aNumberThatCannotWorkIsRefused(_ text: String) {
        #expect(throws: ConfigError.self) {
            try budget([
                "OPENVALET_DATABASE": "postgres://127.0.0.1:1/",
                "OPENVALET_DATABASE_CONNECTIONS": text,
            ])
        }
    }
}
