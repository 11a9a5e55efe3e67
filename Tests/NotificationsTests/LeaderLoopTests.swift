import Store
import Support
import Testing

@testable import Notifications

struct LeaderLoopTests {
    @Test func ofTwoProcessesTheOneThatLeadsWorksAndThenTheOther() async throws {
        let location = try TestPostgres.shared.get().newLocation()
        let databases = try (0..<2).map { _ in try Database(location, migrations: []) }
        #expect(try await eventually { databases[0].leads })
        let done = databases.map { _ in Recorder<Void>() }
        let rounds = zip(databases, done).map { database, done in
            Task {
                await LeaderLoop(database: database, clock: .system, signal: "work").run {
                    done.add(())
                    return nil
                }
            }
        }
        for count in 1...3 {
            #expect(try await eventually { done[0].count >= count })
            try await databases[1].write { $0.signal("work") }
        }
        #expect(done[1].count == 0)
        rounds[0].cancel()
        await rounds[0].value
        try await databases[0].close()
        #expect(try await eventually { done[1].count > 0 })
        rounds[1].cancel()
        await rounds[1].value
        try await databases[1].close()
    }
}
