import Foundation
import Testing

/// Location, ratings, accounts and plates serve every product: they name no type that one of them owns.
struct EngagementPlatformTests {
    private static let services = ["Location", "Ratings", "Accounts", "Plates"]
    /// Folders of `Shared/Contracts` that belong to the valet product.
    private static let owners = ["Orders", "Matching"]

    /// Types that stand at the top level of a file.
    private func declared(in file: String) throws -> [String] {
        let declaration =
            /^public (?:struct|enum|protocol|typealias|final class) ([A-Z][A-Za-z]+)/
            .anchorsMatchLineEndings()
        return try Repository.text(file).matches(of: declaration).map { String($0.1) }
    }

    /// What the product's folders declare, and the ids of what they own.
    private func owned() throws -> Set<String> {
        let folders = Self.owners.map { "Shared/Contracts/\($0)" }
        let files = try Repository.swiftFiles("Shared/Contracts")
            .filter { file in folders.contains { file.hasPrefix("\($0)/") } }
        return Set(try files.flatMap(declared)).union(["OrderID", "OrderKind"])
    }

    /// Capitalised words of the code, without comments and literals of one line.
    private func words(of file: String) throws -> Set<String> {
        let code = try Repository.text(file).split(separator: "\n")
            .map { $0.replacing(/"(?:[^"\\]|\\.)*"/, with: "\"\"") }
            .map { $0.prefix(upTo: $0.firstRange(of: "//")?.lowerBound ?? $0.endIndex) }
            .joined(separator: "\n")
        return Set(code.matches(of: /\b[A-Z][A-Za-z]+\b/).map { String($0.0) })
    }

    @Test func theProductOwnsWhatItIsKnownFor() throws {
        let owned = try owned()
        for name in ["OrderSnapshot", "OrderStatus", "OrderLeg", "OrderEvent", "ValetMatched"] {
            #expect(owned.contains(name))
        }
        #expect(!owned.contains("Engagement"))
    }

    @Test(arguments: services)
    func aPlatformServiceNamesNoTypeOfAProduct(service: String) throws {
        let owned = try owned()
        let files = try Repository.swiftFiles("Services/\(service)")
        #expect(!files.isEmpty)
        for file in files {
            let named = try words(of: file).intersection(owned)
            #expect(named.isEmpty, "\(file): \(named.sorted().joined(separator: ", "))")
        }
    }
}
