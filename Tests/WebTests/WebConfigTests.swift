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
