import ArgumentParser
import Foundation
import Hummingbird
import Logging
import Support

/// Measures what README claims. Nothing is asserted: figures stand beside a baseline of the same run.
@main
struct App: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures a whole system on this machine, and prints README's table.",
        subcommands: [Everything.self, Bare.self], defaultSubcommand: Everything.self)
}

/// The baseline of requests/s: a route that does nothing, in a process of its own.
struct Bare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serves a bare route.")

    @Option var port: Int

    func run() async throws {
        let router = Router()
        router.put("/v1/me/location") { request, _ -> HTTPResponse.Status in
            _ = try await request.body.collect(upTo: 1_024)
            return .noContent
        }
        var logger = Logger(label: "bare")
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
            logger: logger)
        try await application.runService()
    }
}

struct Everything: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures everything.")

    @Option(help: "Seconds of each load.")
    var seconds = 10

    @Option(help: "Orders whose way to both sides is timed.")
    var taps = 200

    @Option(help: "Folder of the executables; this one's otherwise.")
    var binaries: String?

    func run() async throws {
        let binaries =
            binaries.map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let starts = try await StartBench(binaries: binaries).run()
        let system = try await RunningSystem.start(
            binaries: binaries,
            environment: ["OPENVALET_GATEWAY_POSITIONS_PER_SECOND": "1000000"])
        defer { system.stop() }
        let memory = try system.memory()
        let tap = try await TapBench(system: system, taps: taps).run()
        let journeys = try await JourneyBench(system: system, seconds: seconds).run()
        let positions = try await PositionBench(
            system: system, binaries: binaries, seconds: seconds
        ).run()
        print(
            """

            | what | measured | beside |
            |---|---|---|
            | start to ready, median of \(starts.count) | \(seconds1(starts.median)) s | – |
            | idle memory of all \(memory.count) processes | \(memory.megabytes) MB | – |
            | tap to both sides informed, p50 | \(milliseconds(tap.both.p50)) ms | \
            a `GET /v1/me` in the same run: \(milliseconds(tap.bare.p50)) ms |
            | tap to both sides informed, p99 | \(milliseconds(tap.both.p99)) ms | \
            \(milliseconds(tap.bare.p99)) ms |
            | `PUT /v1/me/location` through the gateway | \(Int(positions.gateway)) requests/s | \
            a bare route: \(Int(positions.bare)) requests/s, so \
            \(String(format: "%.2f", positions.gateway / positions.bare)) of it |
            | whole journeys, tap to paid | \(String(format: "%.1f", journeys)) a second | – |

            """)
    }

    private func seconds1(_ value: Double) -> String { String(format: "%.1f", value) }
    private func milliseconds(_ value: Double) -> String { String(format: "%.1f", value * 1_000) }
}

/// Times in seconds.
struct Sample {
    let sorted: [Double]
    init(_ values: [Double]) { sorted = values.sorted() }

    var count: Int { sorted.count }
    var median: Double { p50 }
    var p50: Double { at(0.5) }
    var p99: Double { at(0.99) }

    /// Nearest rank.
    private func at(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }
}
