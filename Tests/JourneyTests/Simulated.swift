import Contracts
import Foundation
import Support
import Testing

/// What `openvalet simulate` has printed, and how it ended.
struct Simulated {
    let output: String
    let status: Int32

    /// Runs the real executable to its end.
    static func run(_ arguments: [String]) async throws -> Simulated {
        let process = Process()
        let tool = RunningSystem.debugBinaries.appending(path: "openvalet")
        process.executableURL = tool
        // It ends with the tests, however they end.
        process.arguments = ["guard", tool.path, "simulate"] + arguments
        let folder = try TestFolder("simulate", ["output": ""])
        let output = folder.url.appending(path: "output")
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        try ChildProcess.starting {
            process.standardInput = Pipe()
            try process.run()
        }
        defer { process.terminate() }
        let hasEnded = try await eventually(within: .seconds(900)) { !process.isRunning }
        let text = try String(contentsOf: output, encoding: .utf8)
        try #require(hasEnded, "it goes on and on: \(text.suffix(2_000))")
        return Simulated(output: text, status: process.terminationStatus)
    }

    static let allWell =
        "All well: no errors, and every order, booking, stay, spot and ride at its end."

    /// A kilometre and a half wide: nobody is far from anybody.
    static let village = square(
        "village", "HKD", south: 0.5, west: -160.5, degrees: 0.014)

    static func square(
        _ name: String, _ currency: String, south: Double, west: Double, degrees: Double
    ) -> ServiceAreaFeature {
        let (north, east) = (south + degrees, west + degrees)
        let ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
        let id = ServiceAreaID(name)!
        var tariff = Tariff.usual
        tariff.currency = currency
        let center = Place(latitude: (south + north) / 2, longitude: (west + east) / 2)
        return ServiceAreaFeature(
            id: id,
            properties: .init(
                id: id, name: name.capitalized, servicePoint: center, currency: currency,
                tariff: tariff),
            geometry: .polygon([ring]))
    }
}
