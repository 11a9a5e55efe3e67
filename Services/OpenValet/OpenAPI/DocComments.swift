import Contracts
import Foundation

/// Descriptions of the API's types: the first paragraph of each doc comment in Contracts, from the compiler's symbol
/// graph of a build.
struct DocComments {
    private static let module = "Contracts"

    /// By the lower-case name of the type and, for a field, of the property: `carpark.booked`, `carpark.booked.price`.
    /// A nested type and a property may have the same name.
    private var types: [String: String] = [:]
    private var fields: [String: String] = [:]

    /// The modules of the build that made the running program.
    static let ownModules = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "Modules")

    /// No descriptions.
    static let none = DocComments(types: [:], fields: [:])

    private init(types: [String: String], fields: [String: String]) {
        (self.types, self.fields) = (types, fields)
    }

    /// - Parameter modules: The folder of a build's modules; by default that of the running program.
    /// - Throws: ToolError without a Swift toolchain in `PATH`, or without modules.
    init(modules: URL = ownModules) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Without the file of source positions, which would take comments from sources that have changed since.
        for file in ["\(Self.module).swiftmodule", "\(Self.module).swiftdoc"] {
            try? FileManager.default.copyItem(
                at: modules.appending(path: file), to: folder.appending(path: file))
        }
        let extractor = Process()
        extractor.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        extractor.arguments = [
            "swift-symbolgraph-extract", "-module-name", Self.module, "-I", folder.path, "-I",
            modules.path,
            "-minimum-access-level", "public", "-output-dir", folder.path,
        ]
        try extractor.run()
        extractor.waitUntilExit()
        guard extractor.terminationStatus == 0 else {
            throw ToolError(
                "Can't read the doc comments: this needs a Swift toolchain in PATH and a debug build."
            )
        }
        let graph = try JSONDecoder().decode(
            SymbolGraph.self,
            from: Data(contentsOf: folder.appending(path: "\(Self.module).symbols.json")))
        for symbol in graph.symbols {
            switch symbol.kind.identifier {
            case "swift.struct", "swift.enum", "swift.class": types[symbol.name] = symbol.paragraph
            case "swift.property": fields[symbol.name] = symbol.paragraph
            default: break
            }
        }
    }

    /// The description of a type.
    subscript(type: any Decodable.Type) -> String? {
        names(of: type).lazy.compactMap { types[$0] }.first
    }

    /// The description of a field, from the property of the same name (ignoring case).
    subscript(type: any Decodable.Type, field: String) -> String? {
        names(of: type).lazy.compactMap { fields["\($0).\(field.lowercased())"] }.first
    }

    /// The type's name in the sources and in the documents, where another type may replace it.
    private func names(of type: any Decodable.Type) -> [String] {
        let name = String(reflecting: type).prefix { $0 != "<" }
        return [
            name.split(separator: ".").dropFirst().joined(separator: "."),
            String(schemaName(of: type).prefix { $0 != "<" }),
        ].map { $0.lowercased() }
    }
}

/// The part that we need of the compiler's format (github.com/swiftlang/swift-docc-symbolkit).
private struct SymbolGraph: Decodable {
    var symbols: [Symbol]

    struct Symbol: Decodable {
        struct Kind: Decodable { var identifier: String }
        struct Comment: Decodable { var lines: [Line] }
        struct Line: Decodable { var text: String }

        var kind: Kind
        var pathComponents: [String]
        var docComment: Comment?

        var name: String {
            pathComponents.joined(separator: ".").lowercased().replacing("`", with: "")
        }
        /// Up to the first empty line.
        var paragraph: String? {
            let lines = docComment?.lines.map(\.text).prefix { !$0.isEmpty }
            return lines.map { $0.joined(separator: " ") }
        }
    }
}
