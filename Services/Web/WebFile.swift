import Crypto
import Foundation
import Gzipping
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// A static file held in memory.
struct WebFile: Sendable {
    /// The same content in one encoding.
    private struct Form: Sendable {
        let body: ByteBuffer
        /// The `ETag`: quotes and the SHA-256 of the bytes.
        let tag: String

        init(_ data: Data) {
            body = ByteBuffer(bytes: data)
            tag = "\"\(SHA256.hash(data: data).hex)\""
        }
    }

    let type: String
    private let plain: Form
    /// Nil for files that are compressed already or too small.
    private let gzip: Form?

    var tag: String { plain.tag }
    var body: ByteBuffer { plain.body }

    init(type: String, _ data: Data, compresses: Bool = false) {
        self.type = type
        plain = Form(data)
        let isText = type.hasSuffix("utf-8") || type == "image/svg+xml"
        gzip = compresses && isText ? Gzip.compressed(data).map(Form.init) : nil
    }

    /// Media types by file extension; other files are not served.
    private static let types = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json; charset=utf-8",
        "webmanifest": "application/manifest+json; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "woff2": "font/woff2",
        "mp3": "audio/mpeg",
    ]

    /// Nil for a file that is not for browsers.
    static func type(of name: String) -> String? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return types[String(name[name.index(after: dot)...])]
    }

    /// Answers 200, or 304 if the client has it.
    func answer(_ request: Request, _ headers: HTTPFields) -> Response {
        var headers = headers
        var form = plain
        if let gzip {
            // Shared caches must store both forms.
            headers[values: .vary].append("accept-encoding")
            if Self.takesGzip(request) {
                form = gzip
                headers[.contentEncoding] = "gzip"
            }
        }
        headers[.eTag] = form.tag
        headers[.cacheControl] = "no-cache"
        if request.knows(form.tag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = type
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: form.body))
    }

    /// By `Accept-Encoding` (RFC 9110, 12.5.3): named, and not with a weight of 0.
    private static func takesGzip(_ request: Request) -> Bool {
        request.headers[values: .acceptEncoding].flatMap { $0.split(separator: ",") }.contains {
            let coding = $0.trimmingCharacters(in: .whitespaces)
            // A fast path for browsers, which name it without a weight.
            return coding == "gzip"
                || coding.hasPrefix("gzip")
                    && coding.wholeMatch(
                        of: /gzip\s*(?:;\s*q=(?:1(?:\.0*)?|0\.\d*[1-9]\d*)\s*)?/) != nil
        }
    }
}
