import Contracts
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// A page to read and print, made from a template with its own style. All values are escaped, and the page may load
/// or run nothing.
public struct PrintedPage: Sendable {
    private let template: MustacheTemplate
    private let policy: String

    /// `showsPictures` admits pictures that are in the page itself, as `data:` addresses.
    public init(_ bytes: [UInt8], showsPictures: Bool = false) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        template = try .escaping(text)
        // The browser applies only this style, which is allowed by its hash.
        let style = text.firstMatch(of: /<style>([\s\S]*?)<\/style>/).map { String($0.1) } ?? ""
        let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        policy =
            "default-src 'none'; style-src 'sha256-\(hash)';\(showsPictures ? " img-src data:;" : "")"
            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    public func html(_ values: [String: any Sendable]) -> String { template.render(values) }

    public func response(_ values: [String: any Sendable], in language: Language) -> Response {
        let headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentLanguage: language.rawValue,
            .contentSecurityPolicy: policy,
            .vary: "Accept",
            .cacheControl: "private, no-store",
        ]
        return Response(
            status: .ok, headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: html(values))))
    }
}

extension MustacheTemplate {
    /// For `{{% CONTENT_TYPE:SCALARS}}`: the library escapes by character and lets `<` with an accent through.
    public static func escaping(_ text: String) throws -> MustacheTemplate {
        MustacheContentTypes.register(HTMLText(), named: HTMLText.name)
        return try MustacheTemplate(string: text)
    }
}

private struct HTMLText: MustacheContentType {
    static let name = "SCALARS"

    func escapeText(_ text: String) -> String { text.escapedForHTML }
}
