import Foundation
import Testing

/// Services of the platform know no product: they name no type that a product's contracts declare.
struct PlatformTests {
    /// Folders of `Services` that serve every product alike.
    static let services = ["Payments"]
    /// Folders of `Shared/Contracts` whose owner is a product.
    static let products = ["Orders", "Matching"]
    /// Ids of things that a product owns; all ids are declared in one file.
    static let ids: Set<String> = ["OrderID", "ValetID"]

    /// Types that are declared at a file's outermost level.
    private func declared(in files: [String]) throws -> Set<String> {
        let pattern =
            /(?m)^(?:public )?(?:indirect )?(?:struct|enum|class|protocol|typealias) ([A-Z]\w*)/
        return Set(
            try files.flatMap { file in
                try Repository.text(file).matches(of: pattern).map { String($0.1) }
            })
    }

    private var owned: Set<String> {
        get throws {
            try declared(
                in: Self.products.flatMap { try Repository.swiftFiles("Shared/Contracts/\($0)") }
            ).union(Self.ids)
        }
    }

    /// Without comments and without what stands in string literals.
    private func code(_ line: Substring) -> String {
        let bare = String(line).replacing(/"(?:[^"\\]|\\.)*"/, with: "")
        return String(bare.prefix(upTo: bare.firstRange(of: "//")?.lowerBound ?? bare.endIndex))
    }

    @Test func theProductsTypesAreFound() throws {
        let owned = try owned
        for name in ["OrderSnapshot", "Quote", "OrderVehicle", "VehicleReturned", "ValetMatched"] {
            #expect(owned.contains(name), "\(name)")
        }
    }

    @Test(arguments: services)
    func noTypeOfAProductIsNamed(service: String) throws {
        let owned = try owned
        let files = try Repository.swiftFiles("Services/\(service)")
        #expect(!files.isEmpty)
        for file in files {
            let own = try declared(in: [file])
            for (number, line) in try Repository.text(file).split(
                separator: "\n", omittingEmptySubsequences: false
            ).enumerated() {
                let words = code(line).matches(of: /\b[A-Z]\w*/).map { String($0.output) }
                let found = Set(words).intersection(owned).subtracting(own)
                #expect(found.isEmpty, "\(file):\(number + 1): \(found.sorted())")
            }
        }
    }
}
