import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit
import Store

/// Where a request came from, as far as limits count it: one address of IPv4, or a /64 network of IPv6.
struct ClientAddress: Sendable {
    /// Nil where the gateway named none.
    let text: String?

    /// The gateway writes IPv6 in eight groups.
    init(_ address: String?) {
        text = address.map { $0.split(separator: ":").prefix(4).joined(separator: ":") }
    }
}

extension Request {
    var clientAddress: ClientAddress { ClientAddress(headers[.forwardedFor]) }
}

extension HTTPField.Name {
    static let forwardedFor = Self("X-Forwarded-For")!
}

/// Bounds how many passwords can be tried for one number or address, known or not: few from one address, so that a
/// stranger's guesses keep nobody else out, and somewhat more from all addresses together, but for those from
/// which somebody has signed in with it before.
///
/// An attempt is counted before its password is looked at, so that many at once get no further than
/// many in a row; a success takes the count back.
struct SignInAttempts: Sendable {
    static let ofAddress = Quota(name: "sign-in of address", most: 10, seconds: 900)
    static let ofNumber = Quota(name: "sign-in", most: 100, seconds: 3_600)
    /// How long an address counts as known after a success.
    static let known = Quota(name: "sign-in known", most: 1, seconds: 60 * 86_400)

    let quotas: Quotas

    private func pair(_ contact: Contact, _ address: ClientAddress) -> String {
        "\(contact)\n\(address.text ?? "")"
    }

    /// Throws `account.too_many_attempts` when there is none left.
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

    /// For an attempt that ended before its password was looked at.
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
