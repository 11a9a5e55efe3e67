import Foundation
import Support

/// From `openvalet up` to "ready", with a finished build and an empty data folder.
struct StartBench {
    static let rounds = 3
    let binaries: URL

    func run() async throws -> Sample {
        var times: [Double] = []
        for _ in 0..<Self.rounds {
            let begun = ContinuousClock.now
            let system = try await RunningSystem.measured(binaries)
            times.append((ContinuousClock.now - begun).inSeconds)
            system.stop()
        }
        return Sample(times)
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension RunningSystem {
    /// Proportional set size of every process of the system, shared pages counted once.
    func memory() throws -> (count: Int, megabytes: Int) {
        let processes = try everyProcess()
        let kilobytes = processes.reduce(0) { sum, id in
            let text = try? String(contentsOfFile: "/proc/\(id)/smaps_rollup", encoding: .utf8)
            let line = text?.split(separator: "\n").first { $0.hasPrefix("Pss:") }
            return sum + (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
        }
        return (processes.count, kilobytes / 1_024)
    }
}
