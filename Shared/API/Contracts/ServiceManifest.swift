/// What the house has to know of a service to run it: `openvalet up`, the gateway and the documents come from it.
public struct ServiceManifest: Sendable {
    /// What a service has, or needs to be given.
    public enum Part: Sendable, Hashable {
        /// Verifies people's tokens with the keys that accounts publishes.
        case tokenKeys
        /// A database of its own, from which it can publish again what it has published.
        case database
        case redis
        /// Pictures in a folder or in S3.
        case blobs
        /// Asks a router for ways and travel times.
        case router
        case geocoder
        /// Reads the maps of the house.
        case maps
        /// Holds data of people: `InternalEndpoints.personalData` has it for their export.
        case personalData
        /// Says what is owed for its products: `InternalEndpoints.bill`.
        case bills
        /// Says who has to do with whom in its products, and what somebody is bound by: `InternalEndpoints.engagement`
        /// and `.binding`.
        case engagements
        /// Asks those who say so what it has not heard of.
        case asksBills, asksEngagements
    }

    public let name: String
    /// Its endpoints' heading in the document.
    public let tag: String
    public let endpoints: [AnyEndpoint]
    /// That it alone says.
    public let events: [any Event.Type]
    /// What other services say, and it reacts to.
    public let hears: [any Event.Type]
    /// What the document has beside the types of endpoints: what clients get by a stream or a push, take from an
    /// event, or name in a query.
    public let types: [Any.Type]
    public let parts: Set<Part>
    /// Services that it asks by HTTP.
    public let peers: [String]
    /// What browsers may fetch beside the API: single addresses, and folders with all below them.
    public let pages, folders: [String]

    public init(
        _ name: String, tag: String? = nil, _ parts: Set<Part>, peers: [String] = [],
        endpoints: [AnyEndpoint] = [], events: [any Event.Type] = [], hears: [any Event.Type] = [],
        types: [Any.Type] = [], pages: [String] = [],
        folders: [String] = []
    ) {
        (self.name, self.tag, self.parts, self.peers) = (name, tag ?? name, parts, peers)
        (self.endpoints, self.events, self.types) = (endpoints, events, types)
        (self.hears, self.pages, self.folders) = (hears, pages, folders)
    }
}

extension ServiceManifest {
    /// Where it finds the others that it asks, by the names of its settings.
    public func addresses(_ url: (_ service: String) -> String) -> [String: String] {
        func owners(of part: Part) -> String {
            allServices.filter { $0.parts.contains(part) }.map { "\($0.name)=\(url($0.name))" }
                .joined(separator: ",")
        }
        var addresses: [String: String] = [:]
        if parts.contains(.tokenKeys) {
            addresses["OPENVALET_JWKS_URL"] = url("accounts") + "/.well-known/jwks.json"
        }
        if parts.contains(.asksBills) {
            addresses["OPENVALET_PAYMENTS_BILLERS"] = owners(of: .bills)
        }
        if parts.contains(.asksEngagements) {
            addresses["OPENVALET_ENGAGEMENT_OWNERS"] = owners(of: .engagements)
        }
        // The gateway has every service behind it.
        let others = allServices.map(\.name).filter { $0 != name }
        for peer in self == .gateway ? others : peers {
            addresses["OPENVALET_\(peer.uppercased())_URL"] = url(peer)
        }
        return addresses
    }
}

extension ServiceManifest: Equatable {
    public static func == (one: Self, other: Self) -> Bool { one.name == other.name }
}

/// The services of the house; `openvalet up` stops them last to first.
public let allServices: [ServiceManifest] = [
    .accounts, .areas, .places, .location, .orders, .matching, .plates, .payments, .ratings,
    .carparks,
    .spots, .carpool, .notifications, .web, .gateway, .getalift,
]
