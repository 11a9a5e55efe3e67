import Contracts
import Foundation

/// The literal JSON of every event: its owner's tests produce it, its readers' tests read it.
enum Fixtures {
    static func data(_ type: any Event.Type) throws -> Data {
        let name = "Fixtures/\(type.topic.rawValue)/\(type.type)"
        guard let url = Bundle.module.url(forResource: name, withExtension: "json") else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
        }
        return try Data(contentsOf: url)
    }

    /// Paths below the folder, without the ending.
    static func all() throws -> Set<String> {
        guard let folder = Bundle.module.url(forResource: "Fixtures", withExtension: nil) else {
            return []
        }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Set(paths.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
    }
}
