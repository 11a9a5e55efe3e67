import Foundation
import Subprocess
import SystemPackage

/// The programs that make and serve maps. None of them is linked to: each runs as a process of its own.
struct MapPrograms: Sendable {
    /// Where the extracts of a Debian package's examples lie.
    private static let examples = "/usr/share/doc/tilemaker/examples"
    static let tileConfig = "\(examples)/config-openmaptiles.json"
    static let tileScript = "\(examples)/process-openmaptiles.lua"
    /// Squares are made from this zoom on. Of each coarser one tilemaker looks up every fine square that it could have:
    /// seconds, for a world in which a city is a dot.
    private static let leastTileZoom = 3
    /// Bytes of what a program says that are kept: the last ones.
    private static let mostOutput = 64 * 1_024

    let valhalla: ValhallaPrograms

    /// Says what to install where something is missing, before anything is made.
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

    /// The example's configuration with our least zoom. It stays a text: tilemaker goes by the order of its layers.
    static func tileSettings() throws -> String {
        let example = try String(contentsOfFile: tileConfig, encoding: .utf8)
        let least = /("settings"\s*:\s*\{[^{}]*"minzoom"\s*:\s*)\d+/
        return example.replacing(least) { "\($0.1)\(leastTileZoom)" }
    }

    /// Runs a program, which ends with us however we end, and returns what it says.
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

/// A program that did not do what it was asked for.
struct ProgramFailure: Error {
    let program: String
    let output: String

    /// The last thing that it said.
    var reason: String {
        let lines = output.split(whereSeparator: \.isNewline).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        return lines.last { !$0.isEmpty } ?? "no reason given"
    }
}

/// Valhalla, as PyPI's `pyvalhalla` has it: native programs that need no Python.
struct ValhallaPrograms: Sendable {
    static let advice = "In the project's folder: .ci/setup --also maps"
    /// Where `.ci/setup --also maps` unpacks it.
    static let standardFolder = "/opt/openvalet/routers"
    /// Elsewhere by this variable.
    static let key = "OPENVALET_VALHALLA"

    private let folder: String

    /// Nil where it is not.
    init?(_ environment: [String: String]) {
        folder = "\(environment[Self.key] ?? Self.standardFolder)/valhalla"
        guard FileManager.default.isExecutableFile(atPath: service) else { return nil }
    }

    var service: String { program("valhalla_service") }
    var configScript: String { "\(folder)/valhalla_build_config.py" }

    func program(_ name: String) -> String { "\(folder)/bin/\(name)" }
}
