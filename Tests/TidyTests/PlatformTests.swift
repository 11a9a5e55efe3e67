import Contracts
import Foundation
import Testing

/// Services that serve every product depend on none: they name no type that a product's contracts declare.
struct PlatformTests {
    /// Folders of `Shared/API/Contracts` whose types each of these services must not name.
    private static let foreign = [
        "Accounts": products, "Location": products, "Payments": products, "Plates": products,
        "Ratings": products,
        // It is told by whoever knows, the other services of the platform included.
        "Notifications": products + ["Location", "Payments", "Plates", "Ratings"],
    ]
    /// Services that are no product; each other one in the manifests is.
    private static let platform: Set<String> = [
        "Accounts", "Areas", "Gateway", "Location", "Notifications", "Payments", "Plates",
        "Ratings", "Web",
    ]
    /// As folders of `Shared/API/Contracts`.
    private static let products: [String] = {
        let names = Set(allServices.map(\.name))
        let folders = try? FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "Shared/API/Contracts").path)
        return (folders ?? []).sorted().filter {
            names.contains($0.lowercased()) && !platform.contains($0)
        }
    }()
    /// What the public API of valet orders, older than other products, has in answers of the platform.
    private static let valetAPI: [String: Set<String>] = [
        "Location": ["Track"], "Notifications": ["OrderBrief"], "Payments": ["OrderID", "Receipt"],
    ]
    /// Ids are declared in one file, whosever they are.
    private static let ids: Set<String> = ["OrderID"]

    private func types(of owners: [String]) throws -> Set<String> {
        let declaration =
            /^(?:public )?(?:indirect )?(?:struct|enum|protocol|typealias|(?:final )?class) ([A-Z]\w*)/
        return Set(
            try owners.flatMap { try Repository.swiftFiles("Shared/API/Contracts/\($0)") }
                .flatMap(Repository.code)
                .compactMap { $0.prefixMatch(of: declaration).map { String($0.1) } }
        ).union(Self.ids)
    }

    @Test func typesOfProductsAreFound() throws {
        #expect(Self.products.count + Self.platform.count == allServices.count)
        let types = try types(of: Self.products)
        for name in ["OrderSnapshot", "OrderEvent", "OrderLeg", "OrderVehicle", "ValetMatched"] {
            #expect(types.contains(name), "\(name)")
        }
        #expect(try self.types(of: ["Payments"]).contains("PaymentSucceeded"))
        #expect(!types.contains("Engagement"))
    }

    @Test(arguments: foreign)
    func noTypeOfAProductIsNamed(service: String, owners: [String]) throws {
        #expect(try names(of: try types(of: owners), in: "Services/\(service)") == [:])
    }

    @Test(arguments: foreign.keys)
    func neitherIsOneInWhatTheySayOfThemselves(service: String) throws {
        let found = try names(
            of: try types(of: Self.products), in: "Shared/API/Contracts/\(service)")
        #expect(Set(found.keys) == Self.valetAPI[service] ?? [], "\(found)")
    }

    /// Which of the types are named in a folder, and where.
    private func names(of types: Set<String>, in folder: String) throws -> [String: [String]] {
        let files = try Repository.swiftFiles(folder)
        #expect(!files.isEmpty)
        let name = /\b[A-Z]\w*/
        var found: [String: [String]] = [:]
        for file in files {
            for (number, line) in try Repository.code(file).enumerated() {
                for match in line.matches(of: name) where types.contains(String(match.output)) {
                    found[String(match.output), default: []].append("\(file):\(number + 1)")
                }
            }
        }
        return found
    }
}
