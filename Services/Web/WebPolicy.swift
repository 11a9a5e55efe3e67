import HTTPTypes

/// Security headers of our pages and files.
struct WebPolicy: Sendable {
    /// For pages: they send their origin to the tile server, which needs it, and may use the phone's
    /// features that the apps need.
    let page: HTTPFields
    /// For files, including the service worker, whose policy is that of its own answer.
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
