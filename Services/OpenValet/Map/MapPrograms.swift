import Foundation
import Subprocess
import SystemPackage

/// The programs that make and serve maps. Each runs as a process of its own; none is linked.
struct MapPrograms: Sendable {
    /// Folder of the examples in Debian's package tilemaker.
    private static let examples = "/usr/share/doc/tilemaker/examples"
    static let tileConfig = "\(examples)/config-openmaptiles.json"
    static let tileScript = "\(examples)/process-openmaptiles.lua"
    /// Lowest zoom of tiles. For coarser ones tilemaker would look up every fine tile that they could have, which takes
    /// seconds and shows a city as a dot.
    private static let leastTileZoom = 3
    /// How many bytes of a program's output are kept: the last ones.
    private static let mostOutput = 64 * 1_024

    let valhalla: ValhallaPrograms

    /// Throws with what to install if a program is missing.
    init(_ environment: [String: String]) throws {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        var missing = ["osmium", "tilemaker", "python3"].filter { name in
            !folders.contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
            }
        }
        missing += [Self.tileConfig, Self.tileScript].filter {
            !FileManager.default.isReadableFile(atPath: $0)
        }
        let valhalla = ValhallaPrograms(environment)
        if valhalla == nil { missing.append("Valhalla") }
        guard let valhalla, missing.isEmpty else {
            throw ToolError(
                "\(missing.joined(separator: ", ")): not installed. \(ValhallaPrograms.advice)")
        }
        self.valhalla = valhalla
    }

    /// The example's configuration with our lowest zoom. It stays text, because the order of its layers matters.
    static func tileSettings() throws -> String {
        let example = try String(contentsOfFile: tileConfig, encoding: .utf8)
        let least = /("settings"\s*:\s*\{[^{}]*"minzoom"\s*:\s*)\d+/
        return example.replacing(least) { "\($0.1)\(leastTileZoom)" }
    }

    /// Runs a program, which ends with this process at the latest, and returns its output.
    static func run(
        _ program: String, _ arguments: [String], in folder: String,
        _ variables: [String: String] = [:]
    ) async throws -> String {
        var values = UpPlan.inherited()
        values.merge(variables) { _, new in new }
        let result = try await Subprocess.run(
            .path(FilePath("\(UpPlan.programs)/openvalet")),
            arguments: Arguments(["guard", program] + arguments),
            environment: .custom(
                Dictionary(
                    uniqueKeysWithValues: values.map {
                        (Environment.Key(stringLiteral: $0), $1)
                    })),
            workingDirectory: FilePath(folder), input: .inputWriter, output: .sequence,
            error: .combinedWithOutput
        ) { execution in
            var text = ""
            for try await line in execution.standardOutput.strings() {
                text += line
                if text.utf8.count > 2 * mostOutput { text = String(text.suffix(mostOutput)) }
            }
            return text
        }
        guard result.terminationStatus == .exited(0) else {
            throw ProgramFailure(program: program, output: result.closureResult)
        }
        return result.closureResult
    }
}

/// A program that failed.
struct ProgramFailure: Error {
    let program: String
    let output: String

    /// The last line of its output.
    var reason: String {
        let lines = output.split(whereSeparator: \.isNewline).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        return lines.last { !$0.isEmpty } ?? "no reason given"
    }
}

/// Valhalla from PyPI's `pyvalhalla`: native programs that need no Python.
struct ValhallaPrograms: Sendable {
    static let advice = "To install: .ci/setup --also maps (in the project's folder)"
    /// Folder to which `.ci/setup --also maps` unpacks it.
    static let standardFolder = "/opt/openvalet/routers"
    /// The variable that names another folder.
    static let key = "OPENVALET_VALHALLA"

    private let folder: String

    /// Nil if it is not installed.
    init?(_ environment: [String: String]) {
        folder = "\(environment[Self.key] ?? Self.standardFolder)/valhalla"
        guard FileManager.default.isExecutableFile(atPath: service) else { return nil }
    }

    var service: String { program("valhalla_service") }
    var configScript: String { "\(folder)/valhalla_build_config.py" }

    func program(_ name: String) -> String { "\(folder)/bin/\(name)" }
}
