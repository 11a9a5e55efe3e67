import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A text that is the same for everybody.
struct StaticPage: Sendable {
    /// How long a copy may be kept, in seconds.
    static let life = 300

    let type: String
    let body: ByteBuffer
    var policy: String?

    var response: Response {
        var headers: HTTPFields = [
            .contentType: type, .cacheControl: "public, max-age=\(Self.life)",
        ]
        headers[.contentSecurityPolicy] = policy
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
    }
}

/// The few pages that the gateway has of its own.
enum Pages {
    static let openAPI = StaticPage(
        type: "application/yaml", body: ByteBuffer(bytes: PackageResources.openapi_yaml))
    static let asyncAPI = StaticPage(
        type: "application/yaml", body: ByteBuffer(bytes: PackageResources.asyncapi_yaml))

    static let landing = StaticPage(
        type: "text/html; charset=utf-8", body: ByteBuffer(string: html),
        policy: "default-src 'none'; style-src 'sha256-\(styleHash)'; frame-ancestors 'none';"
            + " base-uri 'none'; form-action 'none'")

    private static let styleHash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()

    private static let style = """
        body { font: 18px/1.6 system-ui, sans-serif; max-width: 34em; margin: 15vh auto; \
        padding: 0 1em; color: #1c2733; background: #f7f8fa; }
        h1 { margin-bottom: 0; } p.lead { margin-top: 0; color: #566573; } a { color: #0b63c4; }
        """

    private static let html = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>OpenValet</title>
        <style>\(style)</style>
        </head>
        <body>
        <main>
        <h1>OpenValet</h1>
        <p class="lead">On-demand valet parking, open and self-hosted.</p>
        <p>This is the gateway: apps talk to it, and it is up.</p>
        <ul>
        <li><a href="/openapi.yaml">The HTTP API</a> (OpenAPI 3.1)</li>
        <li><a href="/asyncapi.yaml">The events</a> (AsyncAPI 3)</li>
        <li><a href="/health/ready">Health</a></li>
        </ul>
        </main>
        </body>
        </html>

        """
}
