import Foundation
import HTTPTypes
import Hummingbird

/// Answers with a picture, so that no browser takes it for another type.
public struct PictureReply: ResponseGenerator, Sendable {
    private static let policy = "default-src 'none'; sandbox"

    /// Seconds for which a public picture is cached without checking that it is still shown.
    private static let publicSeconds = 86_400

    private let data: Data
    private let contentType: String
    private let cacheControl: String
    private let tag: String?

    /// The bytes may be cached while the address is valid.
    public init(_ data: Data, contentType: String, secondsLeft: Int) {
        (self.data, self.contentType) = (data, contentType)
        (cacheControl, tag) = ("private, max-age=\(secondsLeft)", nil)
    }

    /// A public picture. `name` must identify these bytes.
    public init(_ data: Data, contentType: String, publicAs name: String) {
        (self.data, self.contentType) = (data, contentType)
        (cacheControl, tag) = ("public, max-age=\(Self.publicSeconds)", "\"\(name)\"")
    }

    public func response(from request: Request, context: some RequestContext) -> Response {
        var headers: HTTPFields = [
            .cacheControl: cacheControl,
            .xContentTypeOptions: "nosniff",
            .contentDisposition: "inline",
            .contentSecurityPolicy: Self.policy,
        ]
        if let tag {
            headers[.eTag] = tag
            if request.knows(tag) { return Response(status: .notModified, headers: headers) }
        }
        headers[.contentType] = contentType
        return Response(
            status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }
}
