import Contracts
import Foundation
import Maps

/// The facts of an OpenStreetMap extract in PBF, read before a map is made.
struct Extract {
    /// Every file of this format begins with the length of a head of this type
    /// (wiki.openstreetmap.org/wiki/PBF_Format).
    private static let head = Data("OSMHeader".utf8)
    private static let headBytes = 64

    /// The output of `osmium fileinfo --extended --json`.
    private struct Info: Decodable {
        struct Header: Decodable {
            let boxes: [[Double]]
            let option: [String: String]
        }

        struct Content: Decodable {
            struct Count: Decodable { let nodes, ways: Int }
            struct Times: Decodable { let last: String? }

            let bbox: [Double]?
            let timestamp: Times?
            let count: Count
        }

        let header: Header
        let data: Content
    }

    let bounds: MapFacts.Bounds
    let date: Date?

    /// Throws unless the file begins like an extract. Messages call it `name`.
    static func check(_ path: String, named name: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ToolError("There is no \(name). Check the path.")
        }
        guard !isFolder.boolValue, let file = FileHandle(forReadingAtPath: path) else {
            throw ToolError("\(name) can't be read.")
        }
        defer { try? file.close() }
        guard try file.read(upToCount: headBytes)?.range(of: head) != nil else {
            throw ToolError(
                "\(name) is not an OpenStreetMap extract (.osm.pbf), as from download.geofabrik.de."
            )
        }
    }

    /// Reads the whole file, so that a broken one is found now. Messages call it `name`.
    init(_ path: String, in folder: String, named name: String) async throws {
        let text: String
        do {
            text = try await MapPrograms.run(
                "osmium", ["fileinfo", "--extended", "--json", path], in: folder)
        } catch let failure as ProgramFailure {
            // osmium fails on an empty file, which has no bounds.
            let nodes = try? await MapPrograms.run(
                "osmium", ["fileinfo", "--extended", "--get=data.count.nodes", path], in: folder)
            if nodes?.trimmingCharacters(in: .whitespacesAndNewlines) == "0" {
                throw Self.empty(name)
            }
            throw ToolError("\(name) is broken or cut off: \(failure.reason)")
        }
        let info = try JSONDecoder().decode(Info.self, from: Data(text.utf8))
        let box = info.header.boxes.first ?? info.data.bbox ?? []
        guard info.data.count.nodes > 0, info.data.count.ways > 0, box.count == 4 else {
            throw Self.empty(name)
        }
        bounds = .init(south: box[1], west: box[0], north: box[3], east: box[2])
        let options = info.header.option
        date =
            [
                options["osmosis_replication_timestamp"], options["timestamp"],
                info.data.timestamp?.last,
            ].lazy.compactMap { $0.flatMap(Wire.date) }.first
    }

    private static func empty(_ name: String) -> ToolError {
        ToolError("\(name) is empty: it has no streets.")
    }
}
