import Foundation
import ServiceKit

/// The router for routes and travel times. Every service that uses one has the same keys.
public struct RouterConfig: Sendable, Hashable {
    public enum Router: Sendable, Hashable {
        case none
        case valhalla(URL)
        case osrm(URL)
        /// The platform's own Valhalla, used while the folder of maps has roads.
        case maps(URL, folder: String)
    }

    static let longestAttribution = 200
    /// A router nearby takes milliseconds; this bounds the wait for one that hangs.
    public static let standardLimit: Duration = .milliseconds(1_500)
    static let limits = 0.1...30.0

    public static let keys = [
        ConfigKey(
            "OPENVALET_ROUTER", default: "none",
            "Source of routes and travel times: none (straight lines), valhalla, osrm, or maps: "
                + "the platform's own router, while OPENVALET_MAPS has roads."),
        ConfigKey(
            "OPENVALET_ROUTER_URL", default: "",
            "Address of the router, for example http://valhalla:8002."),
        ConfigKey(
            "OPENVALET_ROUTER_ATTRIBUTION", default: "© OpenStreetMap contributors",
            "Attribution next to routes, as the licence of the router's data demands."),
        ConfigKey(
            "OPENVALET_ROUTER_SECONDS", default: "1.5",
            "Time limit of a router's whole answer, 0.1 to 30; after it, lines are straight."),
    ]

    public static let none = RouterConfig(router: .none, attribution: nil)

    public let router: Router
    public let attribution: String?
    /// Time limit of one request, up to the last byte of its answer.
    public let limit: Duration

    public init(
        router: Router, attribution: String?, limit: Duration = RouterConfig.standardLimit
    ) {
        self.router = router
        self.attribution = attribution
        self.limit = limit
    }

    public init(_ values: ConfigValues) throws {
        let name = try values.string("OPENVALET_ROUTER")
        guard try name == "none" || values.optional("OPENVALET_ROUTER_URL") != nil else {
            throw ConfigError("OPENVALET_ROUTER_URL is missing, and OPENVALET_ROUTER is given")
        }
        switch name {
        case "none": router = .none
        case "valhalla": router = .valhalla(try values.url("OPENVALET_ROUTER_URL"))
        case "osrm": router = .osrm(try values.url("OPENVALET_ROUTER_URL"))
        case "maps":
            guard let folder = try MapsConfig(values).folder else {
                throw ConfigError("OPENVALET_MAPS is missing, and OPENVALET_ROUTER is maps")
            }
            router = .maps(try values.url("OPENVALET_ROUTER_URL"), folder: folder)
        default: throw ConfigError("OPENVALET_ROUTER is none, valhalla, osrm or maps")
        }
        limit = try values.seconds("OPENVALET_ROUTER_SECONDS", in: Self.limits)
        attribution = try values.optional("OPENVALET_ROUTER_ATTRIBUTION")
        guard (attribution?.count ?? 0) <= Self.longestAttribution else {
            throw ConfigError(
                "OPENVALET_ROUTER_ATTRIBUTION has more than \(Self.longestAttribution) characters")
        }
    }
}

/// The geocoder for finding places.
public struct GeocoderConfig: Sendable, Hashable {
    public struct Server: Sendable, Hashable {
        public let url: URL
        /// Part of the User-Agent: whom the geocoder's operator can contact.
        public let contact: String
        public let perSecond: Double
        /// Time limit of one request, up to the last byte of its answer.
        public let limit: Duration

        public init(
            url: URL, contact: String, perSecond: Double,
            limit: Duration = GeocoderConfig.standardLimit
        ) {
            self.url = url
            self.contact = contact
            self.perSecond = perSecond
            self.limit = limit
        }
    }

    static let longestContact = 200
    public static let standardLimit: Duration = .seconds(3)
    static let limits = 0.1...30.0
    static let paces = 0.01...1_000.0

    public static let keys = [
        ConfigKey(
            "OPENVALET_GEOCODER_URL", default: "",
            "Nominatim-style geocoder, for example https://nominatim.openstreetmap.org; without it, "
                + "places beyond the maps are coordinates."),
        ConfigKey(
            "OPENVALET_GEOCODER_CONTACT", default: "",
            "Your e-mail address or page, sent to the geocoder as its usage policy demands; required "
                + "with a geocoder."),
        ConfigKey(
            "OPENVALET_GEOCODER_PER_SECOND", default: "1",
            "Requests to the geocoder per second and replica, 0.01 to 1000; public ones allow 1."),
        ConfigKey(
            "OPENVALET_GEOCODER_SECONDS", default: "3",
            "Time limit of a geocoder's whole answer, 0.1 to 30; after it, places are coordinates."),
    ]

    public static let none = GeocoderConfig(server: nil)

    /// Nil if there is no geocoder.
    public let server: Server?

    public init(server: Server?) { self.server = server }

    public init(_ values: ConfigValues) throws {
        let perSecond = try values.double("OPENVALET_GEOCODER_PER_SECOND", in: Self.paces)
        let limit = try values.seconds("OPENVALET_GEOCODER_SECONDS", in: Self.limits)
        guard try values.optional("OPENVALET_GEOCODER_URL") != nil else {
            server = nil
            return
        }
        guard let contact = try values.optional("OPENVALET_GEOCODER_CONTACT") else {
            throw ConfigError(
                "OPENVALET_GEOCODER_CONTACT is missing, and OPENVALET_GEOCODER_URL is given")
        }
        // It becomes a header value: RFC 9110 §5.5.
        let isPlain = contact.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
        guard isPlain, contact.utf8.count <= Self.longestContact else {
            throw ConfigError(
                "OPENVALET_GEOCODER_CONTACT is not a line of ASCII, \(Self.longestContact) at most")
        }
        server = Server(
            url: try values.url("OPENVALET_GEOCODER_URL"), contact: contact, perSecond: perSecond,
            limit: limit)
    }
}
