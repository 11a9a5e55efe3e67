import Contracts
import Foundation
import Logging

/// Caches open files of each installed map while its version is in use. A look-up costs a few system calls.
struct OpenMapCache<Book> {
    struct Entry {
        let map: InstalledMap
        let facts: MapFacts
        let book: Book
    }

    private let folder: MapFolder
    private let open: (InstalledMap) throws -> Book
    /// Nil for a map that can't be read, which is logged once.
    private var entries: [String: Entry?] = [:]

    init(_ folder: MapFolder, open: @escaping (InstalledMap) throws -> Book) {
        (self.folder, self.open) = (folder, open)
    }

    /// The maps that are installed now, by name.
    mutating func current() -> [Entry] {
        let maps = folder.maps()
        let versions = Set(maps.map(\.version))
        entries = entries.filter { versions.contains($0.key) }
        return maps.compactMap { map in
            if let known = entries[map.version] { return known }
            let entry = entry(of: map)
            entries.updateValue(entry, forKey: map.version)
            return entry
        }
    }

    private func entry(of map: InstalledMap) -> Entry? {
        do {
            let facts = try Wire.decode(
                MapFacts.self, from: Data(contentsOf: URL(filePath: map.facts)))
            return Entry(map: map, facts: facts, book: try open(map))
        } catch {
            Logger(label: "maps").error(
                "a map can't be read", metadata: ["map": "\(map.name)", "error": "\(error)"])
            return nil
        }
    }
}
