import Foundation

/// Whether this machine has enough disk and memory for the map of an extract, checked before it is copied.
///
/// Measured with extracts of 0.5 to 4 MB (Helsinki, Monaco, Dublin, Malta), by the largest program of each step: the
/// files take 7 to 20 times the extract, at least 7 MB. osmium takes 0.6 to 1.9 GB of memory at any size, for sets as
/// wide as the ids. tilemaker has the whole extract in memory and takes eight to nine bytes for each byte of it
/// (github.com/systemed/tilemaker/issues/57). The check demands the lowest of each, so it refuses only extracts that
/// would fail; others may still fail, which changes nothing either.
struct ResourceCheck: Sendable {
    private static let diskFactor = 7
    private static let memoryFactor = 8
    private static let leastMemory = 600_000_000

    private let place: String
    private let disk: Int
    /// Nil if the system doesn't report it.
    private let memory: Int?

    /// Free bytes of disk and memory.
    init(_ place: String, disk: Int, memory: Int?) {
        (self.place, self.disk, self.memory) = (place, disk, memory)
    }

    /// The free space on a folder's disk, and the free memory, now.
    init(_ folder: String) {
        var facts = statvfs()
        let isKnown = statvfs(folder, &facts) == 0
        self.init(
            folder, disk: isKnown ? Int(facts.f_bavail) * Int(facts.f_frsize) : .max,
            memory: Self.freeMemory(
                (try? String(contentsOf: URL(filePath: "/proc/meminfo"), encoding: .utf8)) ?? ""))
    }

    /// Memory that programs can take, with free swap, in bytes; lines look like `MemAvailable:   23351234 kB`.
    static func freeMemory(_ facts: String) -> Int? {
        func bytes(_ name: String) -> Int? {
            let line = facts.split(separator: "\n").first { $0.hasPrefix("\(name):") }
            return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map {
                $0 * 1_024
            }
        }
        return bytes("MemAvailable").map { $0 + (bytes("SwapFree") ?? 0) }
    }

    /// Throws if an extract is too large; the message calls it `name`.
    func require(_ bytes: Int, of name: String) throws(ToolError) {
        let size = Double(max(0, bytes))
        let (needsDisk, needsMemory) = (
            size * Double(Self.diskFactor),
            size * Double(Self.memoryFactor) + Double(Self.leastMemory)
        )
        guard needsDisk <= Double(disk) else {
            throw Self.tooLarge(name, size, "\(Self.text(needsDisk)) on the disk of \(place)", disk)
        }
        guard let memory, needsMemory > Double(memory) else { return }
        throw Self.tooLarge(name, size, "\(Self.text(needsMemory)) of memory", memory)
    }

    private static func tooLarge(
        _ name: String, _ size: Double, _ need: String, _ free: Int
    ) -> ToolError {
        ToolError(
            "\(name) has \(text(size)): a map of it needs about \(need), of which \(text(Double(free))) are free. "
                + "Nothing was changed. A smaller extract may do (osmium extract).")
    }

    private static func text(_ bytes: Double) -> String {
        bytes < 1e9
            ? String(format: "%.1f MB", bytes / 1e6) : String(format: "%.1f GB", bytes / 1e9)
    }
}
