import Foundation

/// Whether a map of an extract can be made here, by the extract's size; asked before anything of it is copied.
///
/// Measured with extracts of 0.5 to 4 MB (Helsinki, Monaco, Dublin, Malta), of which each step's largest program
/// counts: the files take 7 to 20 times the extract, 7 MB of them always; osmium takes 0.6 to 1.9 GB of memory,
/// whatever the size, for sets that are as wide as the ids. What grows is tilemaker, which has all of an extract in
/// memory: eight to nine bytes for each of its own (github.com/systemed/tilemaker/issues/57). The least of each is
/// asked for: what is refused here would fail; what is not may fail nevertheless, and then changes nothing either.
struct ResourceCheck: Sendable {
    private static let diskFactor = 7
    private static let memoryFactor = 8
    private static let leastMemory = 600_000_000

    private let place: String
    private let disk: Int
    /// Nil where the system does not say.
    private let memory: Int?

    /// Bytes that are free.
    init(_ place: String, disk: Int, memory: Int?) {
        (self.place, self.disk, self.memory) = (place, disk, memory)
    }

    /// As it is now on the disk of a folder.
    init(_ folder: String) {
        var facts = statvfs()
        let isKnown = statvfs(folder, &facts) == 0
        self.init(
            folder, disk: isKnown ? Int(facts.f_bavail) * Int(facts.f_frsize) : .max,
            memory: Self.freeMemory(
                (try? String(contentsOf: URL(filePath: "/proc/meminfo"), encoding: .utf8)) ?? ""))
    }

    /// What programs may take without those that run being stopped, and what can be swapped out; lines as in
    /// `MemAvailable:   23351234 kB`.
    static func freeMemory(_ facts: String) -> Int? {
        func bytes(_ name: String) -> Int? {
            let line = facts.split(separator: "\n").first { $0.hasPrefix("\(name):") }
            return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map {
                $0 * 1_024
            }
        }
        return bytes("MemAvailable").map { $0 + (bytes("SwapFree") ?? 0) }
    }

    /// Refuses an extract that is too large; `name` is what people know it by.
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
