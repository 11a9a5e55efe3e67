import Foundation
import Maps
import Transit

extension MapWorkshop {
    /// Number of years for which made-up times are valid, including this one.
    private static let madeUpYears = 20

    /// The source of a map's timetable.
    enum TransitResult {
        case given(Feed, FeedReport)
        case madeUp(lines: Int)
        case none
    }

    /// Writes the map's timetable: the given one, the one of the map that is replaced, or made-up times if the extract
    /// has lines of public transport.
    func makeTransit(_ map: InstalledMap, given feed: String?) async throws -> TransitResult {
        if let feed {
            let (read, report) = try Self.readTransit(feed)
            try FileManager.default.copyItem(atPath: feed, toPath: map.transit)
            return .given(read, report)
        }
        if let kept = givenBefore(map.name) {
            try FileManager.default.copyItem(atPath: kept, toPath: map.transit)
            let (read, report) = try Self.readTransit(kept)
            return .given(read, report)
        }
        let lines = try await transitLines(of: map)
        let year = Calendar(identifier: .gregorian).component(.year, from: Date())
        guard let first = ServiceDay(year: year, month: 1, day: 1),
            let last = ServiceDay(year: year + Self.madeUpYears - 1, month: 12, day: 31),
            let madeUp = MadeUpFeed(lines, timeZone: Self.zone(of: lines), days: first...last)
        else { return .none }
        try madeUp.archive.write(to: URL(filePath: map.transit))
        return .madeUp(lines: lines.count)
    }

    /// The time zone of most stops: an extract near a border has stops on both sides, and its middle may be on either.
    static func zone(of lines: [MadeUpLine]) -> TimeZone {
        let names = lines.flatMap(\.stops).compactMap { TimeZones.zone(at: $0.at)?.name }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        let most = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
        return most.flatMap(TimeZone.init(identifier:)) ?? .gmt
    }

    /// Reads a feed; throws with the reasons if nothing of it can be used.
    static func readTransit(_ path: String) throws -> (Feed, FeedReport) {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
        {
            throw ToolError("\(path) is a folder. Give the feed as a .zip archive of its tables.")
        }
        do {
            return try Feed.read(path)
        } catch {
            let problems = lines(of: error.report)
            throw ToolError(
                (["\(path): \(error.reason) Nothing was changed."] + problems).joined(
                    separator: "\n"))
        }
    }

    /// How many problems of a feed are listed.
    private static let mostProblems = 20

    static func lines(of report: FeedReport) -> [String] {
        let worst =
            report.problems.filter { $0.severity == .error }
            + report.problems.filter { $0.severity == .warning }
        let listed = worst.prefix(mostProblems).map { "  \($0)" }
        let more = report.errorCount + report.warningCount - listed.count
        return listed + (more > 0 ? ["  and \(more) more"] : [])
    }

    /// The given timetable of the map that is replaced: an update of the streets keeps it.
    private func givenBefore(_ name: String) -> String? {
        guard let old = folder.maps().first(where: { $0.name == name }),
            let (feed, _) = try? Feed.read(old.transit), !feed.isMadeUp
        else { return nil }
        return old.transit
    }

    private func transitLines(of map: InstalledMap) async throws -> [MadeUpLine] {
        let (filtered, objects) = ("filtered.osm.pbf", "routes.opl")
        _ = try await MapPrograms.run(
            "osmium", ["tags-filter", map.extract, TransitLines.filter, "--output", filtered],
            in: map.folder)
        _ = try await MapPrograms.run(
            "osmium", ["cat", filtered, "--output", objects], in: map.folder)
        let lines = try TransitLines(opl: URL(filePath: "\(map.folder)/\(objects)")).lines
        for name in [filtered, objects] {
            try FileManager.default.removeItem(atPath: "\(map.folder)/\(name)")
        }
        return lines
    }
}
