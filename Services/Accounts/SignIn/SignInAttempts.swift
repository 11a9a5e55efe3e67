import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit
import Store

/// The origin of a request for limits: an IPv4 address, or a /64 network of IPv6.
struct ClientAddress: Sendable {
    /// Nil if the gateway named none.
    let text: String?
    /// A program on this machine, such as the simulator.
    let isThisMachine: Bool

    /// The gateway writes IPv6 addresses in eight groups.
    init(_ address: String?) {
        text = address.map { $0.split(separator: ":").prefix(4).joined(separator: ":") }
        isThisMachine = address.map { $0.hasPrefix("127.") || $0 == Self.loopback } ?? false
    }

    /// IPv6's address of the machine itself, as the gateway writes it.
    private static let loopback = "0:0:0:0:0:0:0:1"
}

extension Request {
    var clientAddress: ClientAddress { ClientAddress(headers[.forwardedFor]) }
}

extension HTTPField.Name {
    static let forwardedFor = Self("X-Forwarded-For")!
}

/// Limits the passwords that can be tried for one number or address, known or not. The limit is low per client address,
/// so that a stranger's guesses lock nobody else out. A higher limit holds for all client addresses together, except
/// those that have signed in with it before.
///
/// An attempt is counted before its password is checked, so parallel attempts get no further than sequential ones. A
/// success resets the count of its client address.
struct SignInAttempts: Sendable {
    static let ofAddress = Quota(name: "sign-in of address", most: 10, seconds: 900)
    static let ofNumber = Quota(name: "sign-in", most: 100, seconds: 3_600)
    /// How long an address counts as known after a success.
    static let known = Quota(name: "sign-in known", most: 1, seconds: 60 * 86_400)

    let quotas: Quotas

    private func pair(_ contact: Contact, _ address: ClientAddress) -> String {
        "\(contact)\n\(address.text ?? "")"
    }

    /// Throws `account.too_many_attempts` if no attempt is left.
    func take(
        _ contact: Contact, from address: ClientAddress, in transaction: Transaction,
        at now: Date
    ) throws {
        let pair = pair(contact, address)
        var wait = try quotas.take([Self.ofAddress], of: pair, in: transaction, at: now)
        if wait == nil, try !quotas.isTaken(Self.known, of: pair, in: transaction, at: now) {
            wait = try quotas.take(
                [Self.ofNumber], of: contact.description, in: transaction, at: now)
        }
        if let wait { throw Refusal.tooManyAttempts.retrying(after: wait) }
    }

    /// Uncounts an attempt that ended before its password was checked.
    func giveBack(
        _ contact: Contact, from address: ClientAddress, in transaction: Transaction
    ) throws {
        try quotas.giveBack([Self.ofAddress], of: pair(contact, address), in: transaction)
        try quotas.giveBack([Self.ofNumber], of: contact.description, in: transaction)
    }

    /// Records a success: clears the attempts from this address, which counts as known from now on.
    func succeed(
        _ contact: Contact, from address: ClientAddress, in transaction: Transaction,
        at now: Date
    ) throws {
        let pair = pair(contact, address)
        try quotas.clear([Self.ofAddress, Self.known], of: pair, in: transaction)
        try quotas.count([Self.known], of: pair, in: transaction, at: now)
    }
}
