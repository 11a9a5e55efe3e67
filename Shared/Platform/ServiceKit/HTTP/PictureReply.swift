import Foundation
import HTTPTypes
import Hummingbird

/// Answers a picture so that no browser takes it for anything else.
public struct PictureReply: ResponseGenerator, Sendable {
    private static let policy = "default-src 'none'; sandbox"

    /// Seconds for which a picture that everybody may see is good without a look whether it is still shown.
    private static let publicSeconds = 86_400

    private let data: Data
    private let contentType: String
    private let cacheControl: String
    private let tag: String?

    /// The bytes may be cached as long as the address opens them.
    public init(_ data: Data, contentType: String, secondsLeft: Int) {
        (self.data, self.contentType) = (data, contentType)
        (cacheControl, tag) = ("private, max-age=\(secondsLeft)", nil)
    }

    /// Everybody may see it. `name` stands for these bytes alone.
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
