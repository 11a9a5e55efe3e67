import Crypto
import Foundation
import NIOCore
import ServiceKit

/// The files of the web apps and of Leaflet, by their address. What is not in here can't be asked
/// for, whatever an address looks like.
struct WebFiles: Sendable {
    /// Of a folder, those below it counted.
    static let mostFiles = 400
    /// Bytes of one file.
    static let largestFile = 1_024 * 1_024
    static let indexAddress = "/apps/index.json"
    static let workerAddress = "/service-worker.js"
    /// At the root, since a service worker rules only what lies below its own address.
    private static let workerSource = "/apps/shared/service-worker.js"
    /// What the apps need of Leaflet.
    private static let leafletNeeds = ["/leaflet/leaflet.css", "/leaflet/leaflet.esm.js"]

    private let files: [String: WebFile]
    /// False: maps say that they can't be drawn, everything else works.
    let hasLeaflet: Bool

    /// Reads both folders whole. `page` is the template of the pages, which counts for the version;
    /// `compresses` takes a moment and pays when the files are sent often.
    init(apps: URL, leaflet: URL, page: [UInt8], compresses: Bool) throws {
        var files = try Self.read(apps, under: "/apps", compresses)
        let names = files.keys.map { String($0.dropFirst("/apps/".count)) }.sorted()
        guard !names.isEmpty else {
            throw ConfigError("\(apps.path) has no file of the web apps")
        }
        files[Self.workerAddress] = files[Self.workerSource]
        let maps = try Self.read(leaflet, under: "/leaflet", compresses)
        hasLeaflet = Self.leafletNeeds.allSatisfy { maps[$0] != nil }
        if hasLeaflet { files.merge(maps) { _, map in map } }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let index = Index(version: Self.version(files, page), files: names)
        files[Self.indexAddress] = WebFile(
            type: "application/json; charset=utf-8", try encoder.encode(index))
        self.files = files
    }

    subscript(_ address: String) -> WebFile? { files[address] }

    var addresses: [String] { files.keys.sorted() }

    /// `/apps/index.json`: what the service worker keeps, and when it has to fetch it anew.
    struct Index: Codable, Equatable {
        /// Another whenever any file, or the page around them, is another.
        let version: String
        /// All files of the apps as they lie in their folder, in order: `shared/tokens.css`.
        let files: [String]
    }

    private static func version(_ files: [String: WebFile], _ page: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(data: page)
        for (address, file) in files.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Data("\(address) \(file.tag)\n".utf8))
        }
        return String(hash.finalize().hex.prefix(16))
    }

    /// Plain files below a folder that are for browsers, by address; none when there is no such
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

    /// A name that stands in an address as it is, and is not hidden.
    private static func isPlain(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/)
            != nil
    }
}

/// Where the files come from.
enum WebSource: Sendable {
    /// Read once.
    case held(WebFiles)
    /// Read anew for each request, for those who work on them.
    case folders(apps: URL, leaflet: URL, page: [UInt8])

    /// The files as they are now.
    func files() throws -> WebFiles {
        switch self {
        case .held(let files): files
        case .folders(let apps, let leaflet, let page):
            try WebFiles(apps: apps, leaflet: leaflet, page: page, compresses: false)
        }
    }
}
