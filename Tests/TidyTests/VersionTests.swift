import Foundation
import Testing

/// CHANGELOG.md and `--version` agree.
struct VersionTests {
    @Test func theVersionIsTheNewestOfTheChangelogOrTheNextOne() throws {
        let headings = try Repository.lines("CHANGELOG.md").filter { $0.hasPrefix("## ") }
            .map { $0.dropFirst(3) }
        let released = try headings.filter { $0 != "Unreleased" }.map { heading in
            let match = try #require(
                heading.wholeMatch(of: /(\d+)\.(\d+)\.(\d+) - \d{4}-\d\d-\d\d/))
            return [match.1, match.2, match.3].compactMap { Int($0) }
        }
        let last = try #require(released.first)
        #expect(released == released.sorted { $1.lexicographicallyPrecedes($0) })
        let file = "Shared/Platform/ServiceKit/Operations/Version.swift"
        let version = try #require(
            try Repository.text(file).firstMatch(of: /static let version = "([^"]+)"/))
        let parts = version.1.split(separator: "-", maxSplits: 1)
        let number = parts[0].split(separator: ".").compactMap { Int($0) }
        #expect(number.count == 3)
        if headings.first == "Unreleased" {
            #expect(last.lexicographicallyPrecedes(number) && parts.dropFirst() == ["dev"])
        } else {
            #expect(number == last && parts.count == 1)
        }
    }

    @Test func eachReleaseNamesItsCommit() throws {
        let text = try Repository.text("CHANGELOG.md")
        let releases = text.matches(of: /\n## \d[^\n]*\n/).count
        #expect(releases > 0)
        #expect(text.matches(of: /\n## \d[^\n]*\n\nCommit: `[0-9a-f]{40}`\.\n/).count == releases)
    }
}
