import Contracts
import Foundation
import Routing
import ServiceKit

/// The settings of web.
struct WebConfig: Config {
    static let service = ServiceManifest.web

    static let keys =
        [
            ConfigKey(
                "OPENVALET_WEB_APPS", default: "",
                "Folder of the web apps, read again for each request; empty: the built-in ones."),
            ConfigKey(
                "OPENVALET_WEB_LEAFLET", default: "/usr/share/javascript/leaflet",
                "Folder of Leaflet, as in Debian's libjs-leaflet; without it the apps have no maps."
            ),
            ConfigKey(
                "OPENVALET_WEB_TILES", default: "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
                mayBeEmpty: true,
                "Address of map tiles with {z}, {x} and {y}; empty: none, on a plain background."),
            ConfigKey(
                "OPENVALET_WEB_TILES_ATTRIBUTION", default: "© OpenStreetMap contributors",
                "Attribution of these tiles on the maps."),
            ConfigKey(
                "OPENVALET_WEB_COMPANY", default: "",
                """
                The company on the About page of the customers' app: {"name", "text", "email", "phone", "link"}, of \
                which only the name is required; empty: no such page.
                """),
            ConfigKey(
                "OPENVALET_WEB_DEMO", default: "", secret: true,
                """
                Makes this a demo, as openvalet up --demo does: everyone who reaches it can sign in with these \
                accounts, {"accounts": [{"app", "phone", "password"}]}.
                """),
        ] + MapsConfig.keys + GeocoderConfig.keys + CardFormConfig.keys

    /// Nil: the built-in apps.
    let apps: URL?
    let leaflet: URL
    let tiles: MapTiles
    let maps: MapsConfig
    /// Whether a geocoder finds places beyond the maps.
    let hasGeocoder: Bool
    let cardForm: CardFormConfig
    /// Nil: no About page.
    let company: Company?
    /// Nil if this is not a demo.
    let demo: DemoView?

    init(_ values: ConfigValues) throws {
        apps = try values.optional("OPENVALET_WEB_APPS").map {
            URL(fileURLWithPath: $0, isDirectory: true)
        }
        leaflet = URL(
            fileURLWithPath: try values.string("OPENVALET_WEB_LEAFLET"), isDirectory: true)
        tiles = try MapTiles(
            try values.optional("OPENVALET_WEB_TILES") ?? "",
            attribution: try values.string("OPENVALET_WEB_TILES_ATTRIBUTION"))
        maps = try MapsConfig(values)
        hasGeocoder = try GeocoderConfig(values).server != nil
        cardForm = try CardFormConfig(values)
        company = try values.optional("OPENVALET_WEB_COMPANY").map(Company.init(setting:))
        demo = try values.optional("OPENVALET_WEB_DEMO").map { text in
            guard let demo = try? Wire.decode(DemoView.self, from: Data(text.utf8)),
                demo.accounts.allSatisfy({ WebApp(rawValue: $0.app) != nil })
            else { throw ConfigError("OPENVALET_WEB_DEMO has no accounts of the web apps") }
            return demo
        }
    }

    /// Reads the files once, even if they are read again later: a file that can't be read stops the start.
    func source(_ pages: WebPages) throws -> WebSource {
        // The policy is a header of the answers, which browsers cache with the pages: it is part of the version.
        let policy = WebPolicy(tiles, cardForm).page[.contentSecurityPolicy] ?? ""
        let pages = pages.all + Data(policy.utf8)
        let resources = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let builtIn = resources.appending(path: "Apps", directoryHint: .isDirectory)
        let files = try WebFiles(
            apps: apps ?? builtIn, leaflet: leaflet, pages: pages, compresses: apps == nil)
        guard let apps else { return .held(files) }
        return .folders(apps: apps, leaflet: leaflet, pages: pages)
    }
}
