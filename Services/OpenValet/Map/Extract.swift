import Contracts
import Foundation
import Maps

/// An OpenStreetMap extract in PBF, looked at before anything is made of it.
struct Extract {
    /// Every file of that format begins with the length of a head of this type
    /// (wiki.openstreetmap.org/wiki/PBF_Format).
    private static let head = Data("OSMHeader".utf8)
    private static let headBytes = 64

    /// What `osmium fileinfo --extended --json` says.
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

    /// Refuses what is no such file, by its beginning. `name` is what people know it by.
    static func check(_ path: String, named name: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ToolError("There is no \(name).")
        }
        guard !isFolder.boolValue, let file = FileHandle(forReadingAtPath: path) else {
            throw ToolError("\(name) can't be read.")
        }
        defer { try? file.close() }
        guard try file.read(upToCount: headBytes)?.range(of: head) != nil else {
            throw ToolError(
                "\(name) is no OpenStreetMap extract in PBF, as download.geofabrik.de has them (.osm.pbf)."
            )
        }
    }

    /// Reads all of it, so that what is cut off or broken is found now. `name` is what people know the file by.
    init(_ path: String, in folder: String, named name: String) async throws {
        let text: String
        do {
            text = try await MapPrograms.run(
                "osmium", ["fileinfo", "--extended", "--json", path], in: folder)
        } catch let failure as ProgramFailure {
            // Of nothing there are no bounds, at which it stumbles.
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
