import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A text that is the same for all readers.
struct StaticDocument: Sendable {
    /// How long it may be cached, in seconds.
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
    static let openAPI = StaticDocument(type: "application/yaml", body: file("openapi.yaml"))
    static let asyncAPI = StaticDocument(type: "application/yaml", body: file("asyncapi.yaml"))

    /// Read from resources beside the program, since embedding them would take the compiler minutes.
    private static func file(_ name: String) -> ByteBuffer {
        let resources = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let data = try? Data(contentsOf: resources.appending(path: "Documents/\(name)"))
        precondition(data != nil, "The program was installed without its resources: \(name)")
        return ByteBuffer(bytes: data ?? Data())
    }
}
