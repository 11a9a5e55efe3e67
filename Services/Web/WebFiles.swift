import Crypto
import Foundation
import NIOCore
import ServiceKit

/// The files of the web apps and of Leaflet, by path. Nothing else is served, whatever the path.
struct WebFiles: Sendable {
    /// The most files in a folder, including subfolders.
    static let mostFiles = 400
    /// Bytes of one file.
    static let largestFile = 1_024 * 1_024
    static let indexAddress = "/apps/index.json"
    static let workerAddress = "/service-worker.js"
    /// Served at the root, since a service worker controls only paths below its own. It begins
    /// with the version and the files to store, so that a browser recognises a new one.
    private static let workerSource = "/apps/shared/service-worker.js"
    /// The files that the apps use of Leaflet.
    private static let leafletNeeds = ["/leaflet/leaflet.css", "/leaflet/leaflet.esm.min.js"]

    private let files: [String: WebFile]
    /// Changes with any file and any page.
    let version: String
    /// If false, maps say that they can't be drawn; everything else works.
    let hasLeaflet: Bool

    /// Reads both folders completely. `pages` is the content of the pages, which is part of the
    /// version; `compresses` takes a moment and pays off if the files are sent often.
    init(apps: URL, leaflet: URL, pages: Data, compresses: Bool) throws {
        var files = try Self.read(apps, under: "/apps", compresses)
        let names = files.keys.map { String($0.dropFirst("/apps/".count)) }.sorted()
        guard !names.isEmpty else {
            throw ConfigError("\(apps.path) has no file of the web apps")
        }
        let maps = try Self.read(leaflet, under: "/leaflet", compresses)
        hasLeaflet = Self.leafletNeeds.allSatisfy { maps[$0] != nil }
        if hasLeaflet { files.merge(maps) { _, map in map } }
        version = Self.version(files, pages)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let index = Index(version: version, files: names)
        files[Self.indexAddress] = WebFile(
            type: "application/json; charset=utf-8", try encoder.encode(index))
        if let source = files[Self.workerSource] {
            let kept =
                WebApp.allCases.map(\.address) + names.map { "/apps/\($0)" }
                + (hasLeaflet ? Self.leafletNeeds : [])
            let head = "const VERSION = '\(version)';\nconst FILES = "
            let list = try encoder.encode(kept)
            files[Self.workerAddress] = WebFile(
                type: source.type,
                Data(head.utf8) + list + Data(";\n".utf8) + Data(source.body.readableBytesView),
                compresses: compresses)
        }
        self.files = files
    }

    subscript(_ address: String) -> WebFile? { files[address] }

    var addresses: [String] { files.keys.sorted() }

    /// `/apps/index.json`: tells clients the present version.
    struct Index: Codable, Equatable {
        let version: String
        /// All files of the apps by their paths in the folder, sorted: `shared/tokens.css`.
        let files: [String]
    }

    private static func version(_ files: [String: WebFile], _ pages: Data) -> String {
        var hash = SHA256()
        hash.update(data: pages)
        for (address, file) in files.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Data("\(address) \(file.tag)\n".utf8))
        }
        return String(hash.finalize().hex.prefix(16))
    }

    /// The files below a folder that are for browsers, by path; none if there is no such
    /// folder. Links are not followed.
    private static func read(
        _ folder: URL, under prefix: String, _ compresses: Bool
    ) throws -> [String: WebFile] {
        guard let walk = FileManager.default.enumerator(atPath: folder.path) else { return [:] }
        var files: [String: WebFile] = [:]
        for case let name as String in walk {
            guard walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular,
                isPlain(name), let type = WebFile.type(of: name)
            else { continue }
            let file = folder.appending(path: name)
            guard files.count < mostFiles else {
                throw ConfigError("\(folder.path) has more than \(mostFiles) files")
            }
            let size = (walk.fileAttributes?[.size] as? NSNumber)?.intValue ?? .max
            guard size <= largestFile else {
                throw ConfigError("\(file.path) is larger than \(largestFile) bytes")
            }
            files["\(prefix)/\(name)"] = WebFile(
                type: type, try Data(contentsOf: file), compresses: compresses)
        }
        return files
    }

    /// Whether a name needs no escaping in a URL, and is not hidden.
    private static func isPlain(_ name: String) -> Bool {
        name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.first != "."
                && part.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0))
                }
        }
    }
}

/// The source of the files.
enum WebSource: Sendable {
    /// Read once.
    case held(WebFiles)
    /// Read again for each request, for development.
    case folders(apps: URL, leaflet: URL, pages: Data)

    /// The files as they are now.
    func files() throws -> WebFiles {
        switch self {
        case .held(let files): files
        case .folders(let apps, let leaflet, let pages):
            try WebFiles(apps: apps, leaflet: leaflet, pages: pages, compresses: false)
        }
    }
}
