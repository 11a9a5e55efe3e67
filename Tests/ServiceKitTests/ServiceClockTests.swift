import Foundation
import Support
import Testing

@testable import ServiceKit

/// The clock of a running service, which a build of tests can move and a release build can not.
struct ServiceClockTests {
    private func clock(_ file: String?) throws -> ServiceClock {
        let key = try #require(ServiceClock.testKey)
        return try .configured { $0 == key.name ? file : nil }
    }

    @Test func itIsTheSystemsUnlessAFileIsNamed() throws {
        let before = Date()
        let now = try clock(nil).now
        #expect(before <= now && now <= Date())
    }

    @Test func aFileMovesItWhileItRuns() throws {
        let folder = try TestFolder("clock", ["ahead": ""])
        let clock = try clock(folder.url.appending(path: "ahead").path)
        #expect(clock.now <= Date())
        let file = try FileHandle(forWritingTo: folder.url.appending(path: "ahead"))
        for hours in [1, 48, -2] {
            var ahead = Int64(hours * 3_600) * 1_000_000
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(bytes: &ahead, count: MemoryLayout<Int64>.size))
            let before = Date()
            let now = clock.now.addingTimeInterval(TimeInterval(-hours * 3_600))
            #expect(before.timeIntervalSince(now) < 0.001 && now.timeIntervalSince(Date()) < 0.001)
        }
    }

    @Test func aFileThatIsNotThereStopsTheStart() {
        #expect(throws: ConfigError.self) { try clock("/nowhere/ahead") }
    }

    @Test func everyServiceKnowsTheSettingInABuildOfTests() throws {
        let key = try #require(ServiceClock.testKey)
        #expect(CommonConfig.keys([]).contains(key))
    }
}
