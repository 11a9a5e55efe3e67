import Foundation
import Support
import Testing

@testable import Kafka

struct KafkaClientTests {
    #if os(Linux)
    /// In nanoseconds, by the name of librdkafka's threads in this process.
    private func timerSlacks() throws -> [String: Set<Int>] {
        var slacks: [String: Set<Int>] = [:]
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            // A thread may have ended meanwhile.
            guard let name = try? line(of: "/proc/self/task/\(thread)/comm"),
                let slack = try? Int(line(of: "/proc/\(thread)/timerslack_ns"))
            else { continue }
            slacks[name, default: []].insert(slack)
        }
        return slacks
    }

    private func line(of file: String) throws -> String {
        try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    @Test func librdkafkasMainThreadSleepsUntilItsTimerIsDue() async throws {
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
