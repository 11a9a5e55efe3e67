import Contracts
import HTTPTypes
import HummingbirdTesting
import ServiceKit
import Testing

@testable import Web

/// Which origins a page may use for the provider's card form.
@Suite struct CardFormTests {
    private func config(_ settings: [String: String]) throws -> CardFormConfig {
        let environment = settings.map { ("OPENVALET_PAYMENTS_\($0.key)", $0.value) }
        return try WebConfig(
            ConfigValues(Dictionary(uniqueKeysWithValues: environment), keys: WebConfig.keys)
        ).cardForm
    }

    private func policy(_ settings: [String: String]) throws -> (content: String, features: String)
    {
        let page = WebPolicy(try MapTiles("", attribution: ""), try config(settings)).page
        return (page[.contentSecurityPolicy] ?? "", page[.permissionsPolicy] ?? "")
    }

    @Test func withTheStubNothingMoreIsAllowed() throws {
        for settings in [[:], ["PROVIDER": "stub"], ["STRIPE_JS": "https://js.stripe.com/v3/"]] {
            let (content, features) = try policy(settings)
            #expect(!content.contains("stripe") && !content.contains("frame-src"))
            #expect(content.contains("script-src 'self';"))
            #expect(content.contains("connect-src 'self';"))
            #expect(features == "geolocation=(self), camera=(self)")
        }
    }

    @Test func withStripeItsOriginsAreAllowedAndNoOthers() throws {
        let (content, features) = try policy(["PROVIDER": "stripe"])
        #expect(
            content
                == "default-src 'none'; script-src 'self' https://js.stripe.com"
                + " https://*.js.stripe.com; style-src 'self'; img-src 'self' data: blob:;"
                + " connect-src 'self' https://api.stripe.com; frame-src https://js.stripe.com"
                + " https://*.js.stripe.com https://hooks.stripe.com; manifest-src 'self';"
                + " worker-src 'self'; font-src 'self'; media-src 'self' blob:; base-uri 'none';"
                + " form-action 'self'; frame-ancestors 'none'")
        #expect(
            features
                == #"geolocation=(self), camera=(self), payment=(self "https://js.stripe.com")"#)
    }

    @Test func anotherScriptIsAllowedWithItsOriginAlone() throws {
        let (content, _) = try policy([
            "PROVIDER": "stripe", "STRIPE_JS": "http://127.0.0.1:9000/v3/",
        ])
        #expect(content.contains("script-src 'self' http://127.0.0.1:9000;"))
        #expect(content.contains("connect-src 'self' http://127.0.0.1:9000;"))
        #expect(content.contains("frame-src http://127.0.0.1:9000;"))
        #expect(!content.contains("stripe.com"))
    }

    @Test(arguments: [
        ["PROVIDER": "paypal"], ["PROVIDER": "stripe", "STRIPE_JS": "http://js.example/v3/"],
        ["PROVIDER": "stripe", "STRIPE_JS": "https://a;script-src/v3/"],
        ["PROVIDER": "stripe", "STRIPE_JS": "v3"],
    ])
    func whatIsNoAddressOfAScriptStopsTheStart(settings: [String: String]) {
        #expect(throws: ConfigError.self) { try config(settings) }
    }
}
