import HTTPTypes

/// What a browser may do with our pages and files.
struct WebPolicy: Sendable {
    /// Of pages: they say their origin to the tile server, which asks for it, and may use what the
    /// apps need of a phone.
    let page: HTTPFields
    /// Of files, a service worker among them: it is bound by the policy that came with it.
    let file: HTTPFields

    init(_ tiles: MapTiles) {
        let images = ["'self'", "data:", "blob:", tiles.origin].compactMap(\.self)
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'",
            "img-src \(images.joined(separator: " "))", "connect-src 'self'",
            "manifest-src 'self'", "worker-src 'self'", "font-src 'self'",
            "media-src 'self' blob:", "base-uri 'none'", "form-action 'self'",
            "frame-ancestors 'none'",
        ].joined(separator: "; ")
        file = [.contentSecurityPolicy: policy]
        page = [
            .contentSecurityPolicy: policy, .vary: "Accept-Language",
            .referrerPolicy: "strict-origin-when-cross-origin",
            .permissionsPolicy: "geolocation=(self), camera=(self)",
        ]
    }
}

extension HTTPField.Name {
    static let permissionsPolicy = Self("Permissions-Policy")!
    static let referrerPolicy = Self("Referrer-Policy")!
}
