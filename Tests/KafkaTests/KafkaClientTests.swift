import Foundation
import Support
import Testing

@testable import Kafka

struct KafkaClientTests {
    #if os(Linux)
    /// Linux shows it of another thread to those only who have `CAP_SYS_NICE`, such as root.
    private static let isShown = (try? line(of: "/proc/1/timerslack_ns")) != nil

    private static func line(of file: String) throws -> String {
        try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// In nanoseconds, by the names of this process's threads.
    private func timerSlacks() throws -> [String: Set<Int>] {
        var slacks: [String: Set<Int>] = [:]
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            // A thread may have ended meanwhile.
            guard let name = try? Self.line(of: "/proc/self/task/\(thread)/comm"),
                let slack = try? Int(Self.line(of: "/proc/\(thread)/timerslack_ns"))
            else { continue }
            slacks[name, default: []].insert(slack)
        }
        return slacks
    }

    @Test(.enabled(if: isShown, "the timer slack of other threads can't be read"))
    func librdkafkasMainThreadSleepsUntilItsTimerIsDue() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.send(bench.record("k", "v"))
            let sleeps = try await eventually {
                let slacks = try timerSlacks()
                return slacks["rdk:main"] == [1_000_000] && slacks["rdk:broker1"] == [50_000]
            }
            #expect(sleeps)
        }
    }
    #endif
}
