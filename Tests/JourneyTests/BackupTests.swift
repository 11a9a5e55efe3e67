import Contracts
import Foundation
import Support
import Testing

/// The data folder is copied while everything runs, and another system goes on from the copy.
@Suite(.serialized, .enabled(if: !TestDatabases.arePostgres)) struct BackupTests {
    @Test func aRestoredSystemGoesOnWhereTheBackupWasTaken() async throws {
        let world = try await World(try await RunningSystem.start())
        let old = try await Pair.meet(in: world)
        let collected = try await old.collect()
        let place = try TestFolder("backup")
        let (copy, data) = ("\(place.path)/copy", "\(place.path)/data")
        _ = try await Tool.run("backup", copy, "--data", world.processes.folder.path)
        world.processes.stop()
        _ = try await Tool.run("restore", copy, "--data", data)

        let system = try await RunningSystem.start(folder: URL(fileURLWithPath: data))
        defer { system.stop() }
        let pair = Pair(
            town: old.town, customer: try await old.customer.moved(to: system),
            valet: try await old.valet.moved(to: system))
        #expect(
            try await pair.customer.client(OrderEndpoints.order(collected.id)).status == .parking)
        _ = try await pair.park(collected.id)
        let back = try await pair.handBack(try await pair.recall(collected.id))
        try await pair.customer.client.payWhenDue(back.id, PayBody(token: "pm_card_visa"))
        _ = try await pair.customer.order(back.id, reaches: .finished)
    }
}
