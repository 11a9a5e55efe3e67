import Foundation
import Testing

/// Services that serve every product alike know none of them: they name no type that a product's contracts declare.
struct PlatformTests {
    /// Whose types each of them must not name, as folders of `Shared/Contracts`.
    private static let foreign = [
        "Accounts": products, "Location": products, "Payments": products, "Plates": products,
        "Ratings": products,
        // It is told by whoever knows, the other services of the platform included.
        "Notifications": products + ["Location", "Payments", "Plates", "Ratings"],
    ]
    private static let products = ["Matching", "Orders"]
    /// Ids are declared in one file, whosever they are.
    private static let ids: Set<String> = ["OrderID"]

    private func types(of owners: [String]) throws -> Set<String> {
        let declaration =
            /^(?:public )?(?:indirect )?(?:struct|enum|protocol|typealias|(?:final )?class) ([A-Z]\w*)/
        return Set(
            try owners.flatMap { try Repository.swiftFiles("Shared/Contracts/\($0)") }
                .flatMap(Repository.code)
                .compactMap { $0.prefixMatch(of: declaration).map { String($0.1) } }
        ).union(Self.ids)
    }

    @Test func typesOfProductsAreFound() throws {
        let types = try types(of: Self.products)
        for name in ["OrderSnapshot", "OrderEvent", "OrderLeg", "OrderVehicle", "ValetMatched"] {
            #expect(types.contains(name), "\(name)")
        }
        #expect(try self.types(of: ["Payments"]).contains("PaymentSucceeded"))
        #expect(!types.contains("Engagement"))
    }

    @Test(arguments: foreign)
    func noTypeOfAProductIsNamed(service: String, owners: [String]) throws {
        let foreign = try types(of: owners)
        let files = try Repository.swiftFiles("Services/\(service)")
        #expect(!files.isEmpty)
        let name = /\b[A-Z]\w*/
        for file in files {
            for (number, line) in try Repository.code(file).enumerated() {
                let found = line.matches(of: name).map { String($0.output) }
                    .filter(foreign.contains)
                #expect(found == [], "\(file):\(number + 1)")
            }
        }
    }
}
