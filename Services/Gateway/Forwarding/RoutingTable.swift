import Contracts
import Foundation
import HTTPTypes

/// A service behind the gateway, by its name.
struct Target: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    static let accounts = Target(rawValue: ServiceManifest.accounts.name)
    static let location = Target(rawValue: ServiceManifest.location.name)
    static let notifications = Target(rawValue: ServiceManifest.notifications.name)

    static let services = manifests.map { Target(rawValue: $0.name) }
    /// Services that store personal data.
    static let withPersonalData = manifests.filter { $0.parts.contains(.personalData) }
        .map { Target(rawValue: $0.name) }

    private static let manifests = allServices.filter { $0 != .gateway }

    /// The setting of its address.
    var key: String { "OPENVALET_\(rawValue.uppercased())_URL" }
}

/// One line of the routing table.
struct Route: Sendable {
    let endpoint: AnyEndpoint
    /// The service that answers, unless the gateway does itself. If a product lists another service's
    /// endpoint under an address of its own, this is the service of the original endpoint.
    let target: Target
}

/// The public API: each address, the service that answers it, and who may call it. Only `pages` are public besides.
struct RoutingTable: Sendable {
    let routes: [Route]
    /// Pages and files for browsers, as paths of the router.
    let pages: [(path: String, target: Target)]
    /// Addresses with fewer ids first, as the router matches them.
    private let addresses: [AddressPattern]

    init(_ services: [ServiceManifest] = allServices) {
        let owners = Self.owners(services)
        routes = services.flatMap { service in
            service.endpoints.map { endpoint in
                Route(
                    endpoint: endpoint,
                    target: owners[endpoint.answered] ?? Target(rawValue: service.name))
            }
        }
        pages = services.flatMap { service in
            (service.pages + service.folders.map { "\($0)/**" }).map {
                ($0, Target(rawValue: service.name))
            }
        }
        let methods = Dictionary(grouping: routes.map(\.endpoint), by: \.path)
            .mapValues { $0.map(\.method.httpMethod) }
        addresses =
            (pages.map { AddressPattern($0.path, [.get, .head]) }
            + methods.map { AddressPattern($0.key, $0.value) })
            .sorted { $0.idCount < $1.idCount }
    }

    /// The service that answers each endpoint, by method and path at the service.
    private static func owners(_ services: [ServiceManifest]) -> [String: Target] {
        let own = services.flatMap { service in
            service.endpoints.filter { $0.answeredAt == nil }
                .map { ($0.answered, Target(rawValue: service.name)) }
        }
        return Dictionary(own) { first, _ in first }
    }

    /// The methods of an address, for `Allow`; nil if there is no such address.
    func methods(at path: String) -> [HTTPRequest.Method]? {
        let parts = path.split(separator: "/")
        return addresses.first { $0.holds(parts) }?.methods
    }
}

/// A path with ids, or a folder with all paths below it.
private struct AddressPattern: Sendable {
    let parts: [Substring]
    let methods: [HTTPRequest.Method]

    init(_ path: String, _ methods: [HTTPRequest.Method]) {
        (parts, self.methods) = (path.split(separator: "/"), methods)
    }

    var idCount: Int { parts.count { Self.isID($0) } }

    func holds(_ path: [Substring]) -> Bool {
        let isFolder = parts.last == "**"
        return (isFolder ? path.count >= parts.count : path.count == parts.count)
            && zip(parts, path).allSatisfy { $0 == $1 || $0 == "**" || Self.isID($0) }
    }

    private static func isID(_ part: Substring) -> Bool { part.hasPrefix("{") }
}

extension AnyEndpoint {
    /// The longest id in a path, in characters: a UUID or the name of a service area.
    private static let longestID = 64

    /// Method and path at the answering service.
    fileprivate var answered: String { "\(method.rawValue) \(answeredAt ?? path)" }

    /// The address at the service, built from the endpoint's own text; nil for an invalid id.
    ///
    /// Only letters, digits and hyphens of the client's text are used, so dots, slashes and escapes can't reach an
    /// address outside the table.
    func address(_ id: (String) -> String?) -> String? {
        var address = answeredAt ?? path
        for name in pathIDs {
            guard let id = id(name), (1...Self.longestID).contains(id.utf8.count),
                id.utf8.allSatisfy(\.isPlain)
            else { return nil }
            address = address.replacingOccurrences(of: "{\(name)}", with: id)
        }
        return address
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter, digit or hyphen.
    var isPlain: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
        default: false
        }
    }
}
