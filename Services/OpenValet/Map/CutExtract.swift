import Foundation

/// Repairs an extract that was cut along its edge: its ways refer to missing nodes, on which tilemaker fails. Extracts
/// of download.geofabrik.de are complete.
enum CutExtract {
    private static let bufferBytes = 1 << 20

    /// Removes references to missing nodes; a complete extract stays as it is.
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

    /// Reads objects as lines, nodes first (https://osmcode.org/opl-file-format).
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

    /// The line without missing nodes; nil for a way with fewer than two nodes left.
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
