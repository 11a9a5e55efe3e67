import Foundation
import Testing

/// Notifications is a platform: products say who is told what, and it knows none of them.
struct NoticePlatformTests {
    private static let products = [
        "Orders", "Matching", "Location", "Payments", "Plates", "Ratings",
    ]

    /// Names of the types that the contracts of these services declare.
    private func types(of owners: [String]) throws -> Set<String> {
        let files = try Repository.swiftFiles("Shared/Contracts").filter { file in
            owners.contains { file.hasPrefix("Shared/Contracts/\($0)/") }
        }
        return Set(
            try files.flatMap { file in
                try Repository.text(file).split(separator: "\n").compactMap { line in
                    line.prefixMatch(of: /public (?:struct|enum|protocol|typealias) (\w+)/)
                        .map { String($0.1) }
                }
            })
    }

    private func words(of file: String) throws -> Set<String> {
        Set(
            try Repository.text(file).split(separator: "\n")
                .flatMap { line in
                    line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
                        .matches(of: /\b[A-Z]\w+/).map { String($0.0) }
                })
    }

    @Test func notificationsNameNoTypeOfAProduct() throws {
        let foreign = try types(of: Self.products)
        #expect(foreign.isSuperset(of: ["OrderSnapshot", "PaymentSucceeded", "PartyArrived"]))
        for file in try Repository.swiftFiles("Services/Notifications") {
            #expect(try words(of: file).intersection(foreign) == [], "\(file)")
        }
    }

    @Test func theirContractsNameNoneEither() throws {
        let foreign = try types(of: ["Matching", "Payments", "Plates", "Ratings"])
        for file in ["Notice", "NotificationEvents", "Push"] {
            let path = "Shared/Contracts/Notifications/\(file).swift"
            #expect(try words(of: path).intersection(foreign) == [], "\(file)")
        }
    }

    /// Whoever says something to people says it in the same languages, and says all that is written down.
    @Test func theWordsOfEveryServiceAreInTheSameLanguagesAndAreSaid() throws {
        let folders = try FileManager.default.subpathsOfDirectory(
            atPath: Repository.root.path + "/Services"
        ).filter { $0.hasSuffix("/Words") }
        #expect(folders.count >= 5)
        for folder in folders {
            let path = "Services/\(folder)"
            let files = try FileManager.default.contentsOfDirectory(
                atPath: Repository.root.appending(path: path).path)
            #expect(Set(files) == ["en.json", "zh-Hant.json"], "\(path)")
            let service = folder.split(separator: "/")[0]
            let source = try Repository.swiftFiles("Services/\(service)")
                .map { try Repository.text($0) }.joined()
            let object = try JSONSerialization.jsonObject(
                with: Data(Repository.text("\(path)/en.json").utf8))
            for key in try #require(object as? [String: Any]).keys {
                let isSaid = source.contains("\"\(key)\"") || source.contains("\"\(key).")
                #expect(isSaid, "\(service) never says \(key)")
            }
        }
    }
}
