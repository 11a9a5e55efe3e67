import Foundation
import Gzipping

/// Where the tables of a feed are stored.
enum FeedSource {
    case archive(ZipReader)
    case folder(URL)
    case files([String: Data])

    /// Maximum size of a table, in bytes.
    static let mostFileBytes = 1 << 29

    /// An archive, or a folder.
    init(_ path: String) throws(FeedRefusal) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw FeedRefusal(reason: "There is no \(path).", report: .init())
        }
        if isFolder.boolValue {
            self = .folder(URL(filePath: path))
        } else if let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) {
            try self.init(archive: data)
        } else {
            throw FeedRefusal(reason: "\(path) can't be read.", report: .init())
        }
    }

    init(archive data: Data) throws(FeedRefusal) {
        do {
            self = .archive(try ZipReader(data, limits: .init(fileBytes: Self.mostFileBytes)))
        } catch {
            throw FeedRefusal(reason: "The feed can't be read: \(error)", report: .init())
        }
    }

    /// Nil if there is no such table.
    func bytes(_ name: String) throws(FeedRefusal) -> [UInt8]? {
        switch self {
        case .files(let files): return files[name].map { [UInt8]($0) }
        case .archive(let archive):
            do {
                return try archive.file(name).map { [UInt8]($0) }
            } catch {
                throw FeedRefusal(reason: "The feed can't be read: \(error)", report: .init())
            }
        case .folder(let folder):
            let url = folder.appending(path: name)
            guard FileManager.default.fileExists(atPath: url.path) else { return nil }
            let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
            guard size <= Self.mostFileBytes, let data = try? Data(contentsOf: url) else {
                throw FeedRefusal(
                    reason: "\(name) can't be read, or is too large.", report: .init())
            }
            return [UInt8](data)
        }
    }

    /// The folder within the archive that contains the tables which should be at its root.
    func folder(of name: String) -> String? {
        guard case .archive(let archive) = self else { return nil }
        return archive.names.first { $0.hasSuffix("/\(name)") }.map {
            String($0.dropLast(name.count + 1))
        }
    }
}
