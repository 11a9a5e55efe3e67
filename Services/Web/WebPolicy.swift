import HTTPTypes
import ServiceKit

/// Security headers of our pages and files.
struct WebPolicy: Sendable {
    /// For pages: they send their origin to the tile server, which needs it, and may use the phone's
    /// features that the apps need.
    let page: HTTPFields
    /// For files, including the service worker, whose policy is that of its own answer.
    let file: HTTPFields

    init(_ tiles: MapTiles, _ cardForm: CardFormConfig = CardFormConfig(script: nil)) {
        let form = cardForm.origin.map(CardFormOrigins.init)
        let images = ["'self'", "data:", "blob:", tiles.origin].compactMap(\.self)
        let frames = form.map { ["frame-src \($0.frames.joined(separator: " "))"] } ?? []
        let policy =
            [
                "default-src 'none'", Self.list("script-src", form?.scripts),
                "style-src 'self'", "img-src \(images.joined(separator: " "))",
                Self.list("connect-src", form?.calls),
            ] + frames + [
                "manifest-src 'self'", "worker-src 'self'", "font-src 'self'",
                "media-src 'self' blob:", "base-uri 'none'", "form-action 'self'",
                "frame-ancestors 'none'",
            ]
        file = [.contentSecurityPolicy: policy.joined(separator: "; ")]
        page = [
            .contentSecurityPolicy: policy.joined(separator: "; "), .vary: "Accept-Language",
            .referrerPolicy: "strict-origin-when-cross-origin",
            .permissionsPolicy: "geolocation=(self), camera=(self)"
                + (form.map { ", payment=(self \"\($0.wallet)\")" } ?? ""),
        ]
    }

    private static func list(_ directive: String, _ more: [String]?) -> String {
        ([directive, "'self'"] + (more ?? [])).joined(separator: " ")
    }
}

/// The origins that a card form needs (Stripe, Integration security guide, "Content Security Policy").
private struct CardFormOrigins {
    let scripts, frames, calls: [String]
    /// The origin whose frame may ask the browser for Apple Pay and Google Pay.
    let wallet: String

    private static let stripe = "https://js.stripe.com"

    /// Origins of Stripe, or of another server that takes Stripe's place in tests.
    init(_ origin: String) {
        wallet = origin
        guard origin == Self.stripe else {
            (scripts, frames, calls) = ([origin], [origin], [origin])
            return
        }
        scripts = [Self.stripe, "https://*.js.stripe.com"]
        frames = scripts + ["https://hooks.stripe.com"]
        calls = ["https://api.stripe.com"]
    }
}

extension HTTPField.Name {
    static let permissionsPolicy = Self("Permissions-Policy")!
    static let referrerPolicy = Self("Referrer-Policy")!
}
