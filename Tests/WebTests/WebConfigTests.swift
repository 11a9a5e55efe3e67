import ServiceKit
import Testing

@testable import Web

@Suite struct WebConfigTests {
    @Test func theDefaultsNeedNothing() throws {
        let config = try TestWeb.config()
        #expect(config.apps == nil)
        #expect(config.leaflet.path == "/usr/share/javascript/leaflet")
        #expect(config.tiles.template == "https://tile.openstreetmap.org/{z}/{x}/{y}.png")
        #expect(config.tiles.origin == "https://tile.openstreetmap.org")
        #expect(config.tiles.attribution == "© OpenStreetMap contributors")
    }

    @Test(arguments: [
        "tiles", "https://tiles.example.com/{z}/{x}.png", "/{z}/{x}/{y}.png",
        "ftp://tiles.example.com/{z}/{x}/{y}",
        "https://tiles.example.com; script-src */{z}/{x}/{y}.png",
        "https://{s}{s}.example.com/{z}/{x}/{y}.png",
    ])
    func whatIsNoAddressOfTilesStopsTheStart(template: String) {
        #expect(throws: ConfigError.self) { try TestWeb.config(["TILES": template]) }
    }

    @Test(arguments: [
        "Star Parking", "{}", #"{"name":""}"#, #"{"name":"Star","link":"javascript:alert(1)"}"#,
    ])
    func whatIsNoCompanyStopsTheStart(company: String) {
        #expect(throws: ConfigError.self) { try TestWeb.config(["COMPANY": company]) }
    }

    @Test func theCustomersPageSaysWhoRunsTheHouse() async throws {
        let company = #"{"name":"Star & Sons","link":"https://star.example"}"#
        try await TestWeb.run(settings: ["COMPANY": company]) { test in
            let page = try await test.send(.get, "/").text
            #expect(page.contains(#"<meta name="openvalet:company" content="{&quot;"#))
            #expect(page.contains("Star &amp; Sons"))
            let other = try await test.send(.get, "/valet").text
            #expect(!other.contains("openvalet:company"))
        }
        try await TestWeb.run { test in
            let page = try await test.send(.get, "/").text
            #expect(!page.contains("openvalet:company"))
        }
    }

    @Test(arguments: [
        ("https://tiles.example.com/{z}/{x}/{y}.png", "https://tiles.example.com"),
        ("http://127.0.0.1:9000/{z}/{x}/{y}{r}.png?key=1", "http://127.0.0.1:9000"),
        ("https://{s}.tile.example.com/{z}/{x}/{y}.png", "https://*.tile.example.com"), ("", nil),
    ])
    func theTilesSayWhichServerMayBeAsked(template: String, origin: String?) throws {
        let config = try TestWeb.config(["TILES": template])
        #expect(config.tiles.template == template)
        #expect(config.tiles.origin == origin)
        #expect(config.tiles.attribution.isEmpty == template.isEmpty)
    }
}
