import Contracts
import Foundation
import Routing
import ServiceKit

/// Where the web apps come from, and what their maps show.
struct WebConfig: Config {
    static let service = ServiceManifest.web

    static let keys =
        [
            ConfigKey(
                "OPENVALET_WEB_APPS", default: "",
                "Folder of the web apps, read anew for each request; empty: those that are built in."
            ),
            ConfigKey(
                "OPENVALET_WEB_LEAFLET", default: "/usr/share/javascript/leaflet",
                "Folder of Leaflet, as Debian's libjs-leaflet has it; without it there are no maps."
            ),
            ConfigKey(
                "OPENVALET_WEB_TILES", default: "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
                mayBeEmpty: true,
                "Address of the maps' tiles with {z}, {x}, {y}; empty: none, and a plain ground."),
            ConfigKey(
                "OPENVALET_WEB_TILES_ATTRIBUTION", default: "© OpenStreetMap contributors",
                "What maps say of where their tiles come from."),
            ConfigKey(
                "OPENVALET_WEB_COMPANY", default: "",
                """
                Who runs this house, for a page of the customers' app: {"name", "text", "email", "phone", "link"}, of \
                which all but the name may be absent; empty: no such page.
                """),
            ConfigKey(
                "OPENVALET_WEB_DEMO", default: "", secret: true,
                """
                Makes this a demo, as openvalet up --demo does: whoever reaches it may be these people, \
                {"accounts": [{"app", "phone", "password"}]}.
                """),
        ] + MapsConfig.keys + GeocoderConfig.keys

    /// Nil: the apps that are built in.
    let apps: URL?
    let leaflet: URL
    let tiles: MapTiles
    let maps: MapsConfig
    /// Whether there is somebody to ask for places beyond the maps.
    let hasGeocoder: Bool
    /// Nil where nobody says who runs this house.
    let company: Company?
    /// Nil where this is no demo.
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
        company = try values.optional("OPENVALET_WEB_COMPANY").map(Company.init(setting:))
        demo = try values.optional("OPENVALET_WEB_DEMO").map { text in
            guard let demo = try? Wire.decode(DemoView.self, from: Data(text.utf8)),
                demo.accounts.allSatisfy({ WebApp(rawValue: $0.app) != nil })
            else { throw ConfigError("OPENVALET_WEB_DEMO has no accounts of the web apps") }
            return demo
        }
    }

    /// Reads the files once, also when they are read again later: what can't be read stops the
    /// start.
    func source(_ pages: WebPages) throws -> WebSource {
        // What a browser may do stands in its answers' headers, which are kept with the pages.
        let pages = pages.all + Data((WebPolicy(tiles).page[.contentSecurityPolicy] ?? "").utf8)
        let resources = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let builtIn = resources.appending(path: "Apps", directoryHint: .isDirectory)
        let files = try WebFiles(
            apps: apps ?? builtIn, leaflet: leaflet, pages: pages, compresses: apps == nil)
        guard let apps else { return .held(files) }
        return .folders(apps: apps, leaflet: leaflet, pages: pages)
    }
}
