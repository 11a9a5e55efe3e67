import Foundation

/// An extract that was cut straight along its edge: ways lead to nodes that it does not have, at which tilemaker gives
/// up. Those of download.geofabrik.de are whole.
enum CutExtract {
    private static let bufferBytes = 1 << 20

    /// Leaves out of the ways what is not there; does nothing to a whole extract.
    static func mend(_ path: String, in folder: String) async throws {
        do {
            _ = try await MapPrograms.run(
                "osmium", ["check-refs", "--no-progress", path], in: folder)
        } catch is ProgramFailure {
            let (all, kept, whole) = (
                "\(folder)/all.opl", "\(folder)/kept.opl", "\(folder)/whole.osm.pbf"
            )
            _ = try await MapPrograms.run("osmium", ["cat", path, "--output", all], in: folder)
            try keepWhatIsThere(of: all, in: kept)
            _ = try await MapPrograms.run("osmium", ["cat", kept, "--output", whole], in: folder)
            let files = FileManager.default
            for path in [all, kept, path] { try files.removeItem(atPath: path) }
            try files.moveItem(atPath: whole, toPath: path)
        }
    }

    /// Objects as lines, nodes first (https://osmcode.org/opl-file-format).
    private static func keepWhatIsThere(of all: String, in kept: String) throws {
        guard FileManager.default.createFile(atPath: kept, contents: nil),
            let file = FileHandle(forWritingAtPath: kept)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? file.close() }
        var nodes: Set<Int> = []
        var written = Data()
        let data = try Data(contentsOf: URL(filePath: all), options: .mappedIfSafe)
        for line in data.split(separator: UInt8(ascii: "\n")) {
            guard let line = mended(String(decoding: line, as: UTF8.self)[...], &nodes) else {
                continue
            }
            written.append(contentsOf: "\(line)\n".utf8)
            guard written.count >= bufferBytes else { continue }
            try file.write(contentsOf: written)
            written.removeAll(keepingCapacity: true)
        }
        try file.write(contentsOf: written)
    }

    /// Nil for a way of which less than a line is left.
    private static func mended(_ line: Substring, _ nodes: inout Set<Int>) -> Substring? {
        let end = line.firstIndex(of: " ") ?? line.endIndex
        if line.hasPrefix("n"), let id = Int(line[..<end].dropFirst()) { nodes.insert(id) }
        guard line.hasPrefix("w"), let start = line.range(of: " N", options: .backwards) else {
            return line
        }
        let refs = line[start.upperBound...].split(separator: ",").filter { ref in
            Int(ref.dropFirst().prefix { $0.isNumber || $0 == "-" }).map(nodes.contains) ?? false
        }
        guard refs.count > 1 else { return nil }
        return line[..<start.upperBound] + refs.joined(separator: ",")
    }
}
