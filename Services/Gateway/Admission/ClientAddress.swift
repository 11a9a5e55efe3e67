import Foundation

/// An IPv4 or IPv6 address. IPv4 is stored in its IPv6 form `::ffff:a.b.c.d`, so that both compare equal.
struct IPAddress: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    private static let mappedPrefix: UInt64 = 0xFFFF << 32

    /// Nil unless the text is a plain address, without brackets, port or zone.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            high = 0
            low = Self.mappedPrefix | bytes[..<4].reduce(0) { $0 << 8 | UInt64($1) }
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
        } else {
            return nil
        }
    }

    private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The unit for limits: one host of IPv4, or one /64 network of IPv6, which is what one subscriber gets.
    var network: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

    /// In hexadecimal, for keys.
    var key: String { String(high, radix: 16) + ":" + String(low, radix: 16) }

    func prefix(_ bits: Int) -> IPAddress {
        IPAddress(
            high: bits >= 64 ? high : high & ~(UInt64.max >> UInt64(bits)),
            low: bits >= 128 ? low : low & ~(UInt64.max >> UInt64(max(0, bits - 64))))
    }
}

/// A network, as in `10.0.0.0/8`, `fd00::/8` or a single address.
struct Network: Hashable, Sendable {
    private let address: IPAddress
    private let bits: Int

    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = IPAddress(parts[0]) else { return nil }
        let most = address.isIPv4 ? 32 : 128
        guard let bits = parts.count == 2 ? Int(parts[1]) : most, (0...most).contains(bits) else {
            return nil
        }
        self.bits = address.isIPv4 ? bits + 96 : bits
        self.address = address.prefix(self.bits)
    }

    func contains(_ other: IPAddress) -> Bool { other.prefix(bits) == address }
}

/// Finds the address from which a request comes. Forwarding headers count only if our own proxy has added them.
struct ClientAddress: Sendable {
    /// The most entries of `X-Forwarded-For` that are read, from the right.
    static let mostHops = 16

    let trusted: [Network]

    /// The address nearest to us that is not one of our proxies.
    func find(peer: String?, forwardedFor: [String]) -> IPAddress? {
        guard var address = peer.flatMap(IPAddress.init) else { return nil }
        guard !trusted.isEmpty, isTrusted(address) else { return address }
        let hops = forwardedFor.joined(separator: ",").split(separator: ",").suffix(Self.mostHops)
        for hop in hops.reversed() {
            guard let next = IPAddress(hop.trimmingCharacters(in: .whitespaces)) else {
                return address
            }
            address = next
            if !isTrusted(address) { return address }
        }
        return address
    }

    /// Whether our own proxy received the request over TLS.
    func cameByTLS(peer: String?, forwardedProto: String?) -> Bool {
        guard let peer = peer.flatMap(IPAddress.init), isTrusted(peer) else { return false }
        return forwardedProto?.lowercased() == "https"
    }

    /// The key for connection limits; nil for our proxies, which carry everybody's connections.
    func network(_ peer: String) -> String? {
        guard let address = IPAddress(peer), !isTrusted(address) else { return nil }
        return address.network.key
    }

    private func isTrusted(_ address: IPAddress) -> Bool {
        trusted.contains { $0.contains(address) }
    }
}

extension IPAddress: CustomStringConvertible {
    var description: String {
        if isIPv4 {
            return [24, 16, 8, 0].map { String(low >> UInt64($0) & 0xFF) }.joined(separator: ".")
        }
        return [high, low].flatMap { half in
            [48, 32, 16, 0].map { String(half >> UInt64($0) & 0xFFFF, radix: 16) }
        }.joined(separator: ":")
    }
}
