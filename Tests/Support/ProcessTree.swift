import Foundation

/// The processes of this machine, from /proc.
enum ProcessTree {
    /// All that a process has started, and what these have started, and so on; not itself.
    static func descendants(of root: Int32) throws -> [Int32] {
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(
            Int32.init)
        var children: [Int32: [Int32]] = [:]
        for id in all {
            guard let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
                let parent = stat.split(separator: ")").last?.split(separator: " ").dropFirst()
                    .first.flatMap({ Int32($0) })
            else { continue }
            children[parent, default: []].append(id)
        }
        var found: [Int32] = []
        var waiting = [root]
        while let next = waiting.popLast() {
            found += children[next] ?? []
            waiting += children[next] ?? []
        }
        return found
    }
}
