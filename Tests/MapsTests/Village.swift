import Foundation
import Maps
import Support
import Testing

@testable import OpenValet

/// What the tests here need beside the project's own programs.
enum MapTools {
    static let routers = (try? ChildProcess.installed("routers")) ?? ""
    static let environment = ProcessInfo.processInfo.environment.merging(
        [ValhallaPrograms.key: routers]
    ) { $1 }
    static let areThere = (try? MapPrograms(environment)) != nil
    static let absence: Comment =
        "What makes maps is missing (see `make test`): .ci/setup --also maps, and make .venv/installed."
}

/// A data folder, extracts that are drawn here, and the tool that makes maps of them.
struct Village {
    let folder: TestFolder

    init() throws { folder = try TestFolder("village") }

    var data: String { "\(folder.path)/data" }
    var maps: MapFolder { MapFolder("\(data)/maps") }

    /// Whether somebody has made or removed a map here, as `make up` asks.
    var isChosen: Bool { FileManager.default.fileExists(atPath: "\(maps.path)/.chosen") }

    /// Versions of all that is in `made`.
    var made: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: maps.madeFolder)) ?? [])
    }

    /// An extract of the drawn village, with some of its words replaced.
    func extract(_ name: String = "carob", _ changes: [String: String] = [:]) throws -> String {
        let drawn = try #require(
            Bundle.module.url(forResource: "carob", withExtension: "osm", subdirectory: "Villages"))
        var text = try String(contentsOf: drawn, encoding: .utf8)
        for (old, new) in changes { text = text.replacing(old, with: new) }
        try folder.write(text, to: "\(name).osm")
        let file = "\(folder.path)/\(name).osm.pbf"
        let result = try Self.run(
            "/usr/bin/osmium", ["cat", "\(folder.path)/\(name).osm", "-o", file, "--overwrite"])
        #expect(result.status == 0, "\(result.output)")
        return file
    }

    struct Result {
        let status: Int32
        let output: String
    }

    /// `openvalet map …` as somebody calls it.
    func map(_ arguments: String..., variables: [String: String] = [:]) throws -> Result {
        try Self.run(
            Self.tool, ["map"] + arguments + ["--data", data],
            MapTools.environment.merging(variables) { $1 })
    }

    static let tool = "\(UpPlan.programs)/openvalet"

    static func run(
        _ program: String, _ arguments: [String],
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Result {
        let (process, output) = try start(program, arguments, environment)
        let data = try output.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }

    static func start(
        _ program: String, _ arguments: [String], _ environment: [String: String]
    ) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        let output = try ChildProcess.starting {
            let pipe = Pipe()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            process.environment = environment
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            return pipe.fileHandleForReading
        }
        return (process, output)
    }
}

/// A vector tile, as far as tests read one (github.com/mapbox/vector-tile-spec 2.1).
struct VectorTile {
    /// Texts of each layer: keys and values.
    var layers: [String: [String]] = [:]
    /// What is said of each feature of a layer, where it is text.
    var features: [String: [[String: String]]] = [:]

    init(gzipped bytes: Data) throws {
        let folder = try TestFolder("tile")
        let file = folder.url.appending(path: "tile.gz")
        try bytes.write(to: file)
        let (process, output) = try Village.start("/bin/gzip", ["-dc", file.path], [:])
        let plain = try output.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        for layer in Self.fields(plain, 3) {
            let name = Self.fields(layer, 1).first.map { String(decoding: $0, as: UTF8.self) }
            let text = { (data: Data) in String(decoding: data, as: UTF8.self) }
            let keys = Self.fields(layer, 3).map(text)
            let values = Self.fields(layer, 4).map { Self.fields($0, 1).first.map(text) }
            layers[name ?? "", default: []] += keys + values.compactMap(\.self)
            features[name ?? "", default: []] += Self.fields(layer, 2).map { feature in
                // Numbers below 128 alone: a byte each.
                let tags = Self.fields(feature, 2).first.map(Array.init) ?? []
                return stride(from: 0, to: tags.count - 1, by: 2).reduce(into: [:]) { said, index in
                    said[keys[Int(tags[index])]] = values[Int(tags[index + 1])]
                }
            }
        }
    }

    /// The length-delimited fields of one number (protobuf.dev/programming-guides/encoding).
    private static func fields(_ message: Data, _ number: UInt64) -> [Data] {
        var rest = message[...]
        var found: [Data] = []
        func integer() -> UInt64 {
            var (value, shift) = (UInt64(0), UInt64(0))
            while let byte = rest.popFirst() {
                value |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            return value
        }
        while !rest.isEmpty {
            let key = integer()
            switch key & 7 {
            case 0: _ = integer()
            case 1: rest = rest.dropFirst(8)
            case 5: rest = rest.dropFirst(4)
            default:
                let length = Int(integer())
                if key >> 3 == number { found.append(Data(rest.prefix(length))) }
                rest = rest.dropFirst(length)
            }
        }
        return found
    }
}
