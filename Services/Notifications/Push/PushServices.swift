import Contracts
import Foundation
import ServiceKit

/// The push services that may be called. A subscription's endpoint is an address from a client: only
/// these hosts are called, so that nobody can make us call into our own network.
struct PushServices: Sendable, Hashable {
    /// Longest endpoint, in characters.
    static let longestEndpoint = 1_000
    /// The push services of common browsers.
    static let standard =
        "fcm.googleapis.com,updates.push.services.mozilla.com,web.push.apple.com,"
        + "*.push.apple.com,*.notify.windows.com"

    private enum Entry: Sendable, Hashable {
        case host(String)
        /// With its leading dot.
        case below(String)
        /// A sink on this machine, for development and tests.
        case local(port: Int)
    }

    private let entries: [Entry]

    /// Comma-separated `host`, `*.host` or `http://127.0.0.1:PORT`; nil if an entry is none of these.
    init?(_ text: String) {
        var entries: [Entry] = []
        for part in text.split(separator: ",") {
            guard let entry = Self.entry(part.trimmingCharacters(in: .whitespaces)) else {
                return nil
            }
            entries.append(entry)
        }
        self.entries = entries
    }

    private static func entry(_ text: String) -> Entry? {
        let local = "http://127.0.0.1:"
        if text.hasPrefix(local) {
            guard let port = Int(text.dropFirst(local.count)), (1...65_535).contains(port) else {
                return nil
            }
            return .local(port: port)
        }
        let name = text.hasPrefix("*.") ? String(text.dropFirst(2)) : text
        guard isHostName(name) else { return nil }
        return text.hasPrefix("*.") ? .below(".\(name)") : .host(name)
    }

    /// Names in lower case with a dot in them, and no bare addresses.
    private static func isHostName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, text.utf8.count <= 253, Int(labels[labels.count - 1]) == nil
        else { return false }
        return labels.allSatisfy { label in
            label.wholeMatch(of: /[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?/) != nil
        }
    }

    /// An endpoint that may be called.
    func endpoint(_ text: String) throws -> PushEndpoint {
        guard !text.isEmpty, text.utf8.count <= Self.longestEndpoint else {
            throw Refusal.invalid(
                "endpoint", "Use an address of at most \(Self.longestEndpoint) characters.")
        }
        guard let endpoint = PushEndpoint(text) else {
            throw Refusal.invalid("endpoint", "Use https, without credentials or fragment.")
        }
        guard entries.contains(where: { Self.allows($0, endpoint) }) else {
            throw Refusal.invalid("endpoint", "This server does not call this push service.")
        }
        return endpoint
    }

    private static func allows(_ entry: Entry, _ endpoint: PushEndpoint) -> Bool {
        switch entry {
        case .host(let name): endpoint.isSecure && endpoint.host == name
        case .below(let name): endpoint.isSecure && endpoint.host.hasSuffix(name)
        case .local(let port):
            !endpoint.isSecure && endpoint.host == "127.0.0.1" && endpoint.port == port
        }
    }
}

/// A push resource (RFC 8030). Anybody who knows its address can push, so it is a secret.
struct PushEndpoint: Sendable, Hashable {
    let address: String
    let isSecure: Bool
    /// In lower case.
    let host: String
    fileprivate let port: Int?

    /// Nil unless it has only a scheme, a host, perhaps the standard port, a path and a query. Characters
    /// that two parsers could read differently are not allowed.
    fileprivate init?(_ text: String) {
        let shape =
            /(https?):\/\/([A-Za-z0-9.-]+)(?::([0-9]{1,5}))?(?:\/[A-Za-z0-9._~!$&'()*+,;=:@%\/-]*)(?:\?[A-Za-z0-9._~!$&'()*+,;=:@%\/?-]*)?/
        guard let match = text.wholeMatch(of: shape), URL(string: text)?.host != nil else {
            return nil
        }
        address = text
        isSecure = match.1 == "https"
        host = match.2.lowercased()
        port = match.3.flatMap { Int($0) }
        if isSecure, port != nil, port != 443 { return nil }
    }

    /// Origin (RFC 6454), the audience of signatures for this push service.
    var origin: String {
        isSecure ? "https://\(host)" : "http://\(host)" + (port.map { ":\($0)" } ?? "")
    }
}
