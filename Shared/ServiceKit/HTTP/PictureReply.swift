import Foundation
import HTTPTypes
import Hummingbird

/// Answers a picture so that no browser takes it for anything else.
public struct PictureReply: ResponseGenerator, Sendable {
    private static let policy = "default-src 'none'; sandbox"

    private let data: Data
    private let contentType: String
    private let secondsLeft: Int

    /// The bytes may be cached as long as the address opens them.
    public init(_ data: Data, contentType: String, secondsLeft: Int) {
        self.data = data
        self.contentType = contentType
        self.secondsLeft = secondsLeft
    }

    public func response(from request: Request, context: some RequestContext) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: contentType,
                .cacheControl: "private, max-age=\(secondsLeft)",
                .xContentTypeOptions: "nosniff",
                .contentDisposition: "inline",
                .contentSecurityPolicy: Self.policy,
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }
}
