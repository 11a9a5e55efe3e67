/// The description of a service, used by `openvalet up`, the gateway and the documents.
public struct ServiceManifest: Sendable {
    /// A resource that a service has or needs.
    public enum Part: Sendable, Hashable {
        /// Verifies people's tokens with the keys that accounts publishes.
        case tokenKeys
        /// A database of its own, from which it can publish again what it has published.
        case database
        case redis
        /// Pictures in a folder or in S3.
        case blobs
        /// Asks a router for routes and travel times.
        case router
        case geocoder
        /// Reads the platform's maps.
        case maps
        /// Stores personal data: `InternalEndpoints.personalData` returns it for exports.
        case personalData
        /// Has bills for its products: `InternalEndpoints.bill`.
        case bills
        /// Has engagements, and knows what binds a person: `InternalEndpoints.engagement` and `.binding`.
        case engagements
        /// Asks the owners of bills or engagements for unknown ones.
        case asksBills, asksEngagements
        /// Asks the owners of what it has copies of, when these are not filled. Follows from `copies`.
        case asksState
        /// People look at their screens until it has handled what it hears. It asks a broker in memory, which doesn't
        /// answer when a record arrives, more often than others do.
        case interactive
    }

    public let name: String
    /// Heading of its endpoints in the document.
    public let tag: String
    public let endpoints: [AnyEndpoint]
    /// Events that only this service publishes.
    public let events: [any Event.Type]
    /// Events of other services that it reacts to.
    public let hears: [any Event.Type]
    /// Things that it owns and tells whole at any age.
    public let tells: [StateKind]
    /// Things of other services that it has copies of, in the order in which they are filled.
    public let copies: [StateKind]
    /// Further types for the document: those that clients get from a stream, a push or an event, or use in a
    /// query.
    public let types: [Any.Type]
    public let parts: Set<Part>
    /// Services that it calls by HTTP.
    public let peers: [String]
    /// Addresses that browsers may fetch beside the API: single ones, and folders with everything below them.
    public let pages, folders: [String]

    public init(
        _ name: String, tag: String? = nil, _ parts: Set<Part>, peers: [String] = [],
        endpoints: [AnyEndpoint] = [], events: [any Event.Type] = [], hears: [any Event.Type] = [],
        tells: [StateKind] = [], copies: [StateKind] = [], types: [Any.Type] = [],
        pages: [String] = [], folders: [String] = []
    ) {
        (self.name, self.tag, self.peers) = (name, tag ?? name, peers)
        (self.tells, self.copies) = (tells, copies)
        self.parts = copies.isEmpty ? parts : parts.union([.asksState])
        (self.endpoints, self.events, self.types) = (endpoints, events, types)
        (self.hears, self.pages, self.folders) = (hears, pages, folders)
    }
}

extension ServiceManifest {
    /// The addresses of the services that it calls, by the names of its settings.
    public func addresses(_ url: (_ service: String) -> String) -> [String: String] {
        func list(_ services: [ServiceManifest]) -> String {
            services.map { "\($0.name)=\(url($0.name))" }.joined(separator: ",")
        }
        func owners(of part: Part) -> String {
            list(allServices.filter { $0.parts.contains(part) })
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
        if parts.contains(.asksState) {
            addresses["OPENVALET_STATE_OWNERS"] = list(stateOwners)
        }
        // The gateway has every service behind it.
        let others = allServices.map(\.name).filter { $0 != name }
        for peer in self == .gateway ? others : peers {
            addresses["OPENVALET_\(peer.uppercased())_URL"] = url(peer)
        }
        return addresses
    }
}

extension ServiceManifest {
    /// The services that own what it has copies of.
    public var stateOwners: [ServiceManifest] {
        allServices.filter { $0 != self && !Set($0.tells).isDisjoint(with: copies) }
    }
}

extension ServiceManifest: Equatable {
    public static func == (one: Self, other: Self) -> Bool { one.name == other.name }
}

/// All services; `openvalet up` stops them last to first.
public let allServices: [ServiceManifest] = [
    .accounts, .areas, .places, .location, .orders, .matching, .plates, .payments, .ratings,
    .carparks,
    .spots, .carpool, .notifications, .web, .gateway, .getalift,
]
