import Contracts
import Foundation

/// What `compose/kafka-acls.txt` lets a service do on the bus.
public struct BusRights: Sendable, Equatable {
    public var writes: Set<Topic>
    public var reads: Set<Topic>

    /// By service.
    public static func listed() throws -> [String: BusRights] {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "compose/kafka-acls.txt")
        var rights: [String: BusRights] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard !line.hasPrefix("#"), words.count == 3 else { continue }
            rights[words[0]] = BusRights(writes: topics(words[1]), reads: topics(words[2]))
        }
        return rights
    }

    private static func topics(_ text: String) -> Set<Topic> {
        Set(text.split(separator: ",").compactMap { Topic(rawValue: String($0)) })
    }
}
