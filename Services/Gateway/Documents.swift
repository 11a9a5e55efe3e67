import HTTPTypes
import Hummingbird
import NIOCore

/// A text that is the same for everybody.
struct StaticDocument: Sendable {
    /// How long a copy may be kept, in seconds.
    static let life = 300

    let type: String
    let body: ByteBuffer

    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .cacheControl: "public, max-age=\(Self.life)"],
            body: .init(byteBuffer: body))
    }
}

/// The documents of the API.
enum Documents {
    static let openAPI = StaticDocument(
        type: "application/yaml", body: ByteBuffer(bytes: PackageResources.openapi_yaml))
    static let asyncAPI = StaticDocument(
        type: "application/yaml", body: ByteBuffer(bytes: PackageResources.asyncapi_yaml))
}
