import Contracts
import Crypto
import Foundation
import ServiceKit

/// Verifies the signatures of Stripe's webhooks; their contents are not trusted.
struct StripeWebhooks: Sendable {
    /// Largest age of a signature in either direction, in seconds.
    static let tolerance: TimeInterval = 300
    /// The most signatures checked per header: while a secret is rotated, there are two.
    static let mostSignatures = 8

    let secret: String
    /// The secret of the endpoint for events of connected accounts, which Stripe signs with one of its own.
    var connectSecret: String?
    let store: StripeStore

    enum Subject: Sendable, Hashable {
        case payment(PaymentID)
        case refund(RefundID)
        case payout(PayoutID)
        /// Refunds of a payment, whoever made them.
        case refunds(PaymentID)
        /// By Stripe's id.
        case dispute(String)
        /// A failed payout to the platform's own bank, by Stripe's id.
        case bankPayout(String)
        /// A saved card, by its reference.
        case card(String)
        /// A person's account.
        case account(String)
        /// A transfer from a person's account to their bank.
        case bankTransfer(String, account: String)
    }

    /// The event if its signature is valid; throws 400 otherwise, or if it can't be parsed.
    func open(_ body: Data, signature: String?, at now: Date) throws -> StripeEvent {
        guard let signature, isSigned(body, signature, at: now) else {
            throw Refusal.webhookSignatureInvalid
        }
        do {
            return try JSONDecoder().decode(StripeEvent.self, from: body)
        } catch {
            throw Refusal.malformed(nil, "The body is not an event of Stripe.")
        }
    }

    /// `t=1700000000,v1=…,v1=…,v0=…`: HMAC-SHA256 of time, dot and body, in hexadecimal.
    private func isSigned(_ body: Data, _ header: String, at now: Date) -> Bool {
        var time: String?
        var signatures: [Data] = []
        for part in header.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            switch pair[0].trimmingCharacters(in: .whitespaces) {
            case "t": time = String(pair[1])
            case "v1": Data(hexadecimal: pair[1]).map { signatures.append($0) }
            default: break
            }
        }
        guard let time, let seconds = TimeInterval(time),
            abs(now.timeIntervalSince1970 - seconds) <= Self.tolerance
        else { return false }
        let signed = Data("\(time).".utf8) + body
        let keys = [secret, connectSecret].compactMap { $0 }.map {
            SymmetricKey(data: Data($0.utf8))
        }
        // The comparison takes constant time.
        return signatures.prefix(Self.mostSignatures).contains { signature in
            keys.contains { key in
                HMAC<SHA256>.isValidAuthenticationCode(
                    signature, authenticating: signed, using: key)
            }
        }
    }

    /// The payment, refund, payout or account of the event; nil if it is none of ours.
    func subject(of event: StripeEvent) async throws -> Subject? {
        let object = event.data.object
        if let account = event.account { return subject(object, of: account) }
        guard let id = object.id else { return nil }
        switch object.object {
        case "payment_intent":
            let known = try await store.payment(id)
            let named = object.metadata?[StripeProvider.paymentKey].flatMap(PaymentID.init)
            return (known ?? named).map { .payment($0) }
        case "charge" where event.type == "charge.refunded":
            return try await payment(of: object).map { .refunds($0) }
        case "dispute":
            guard object.payment_intent != nil else { return .dispute(id) }
            return try await payment(of: object).map { _ in .dispute(id) }
        case "payout":
            return event.type == "payout.failed" ? .bankPayout(id) : nil
        case "refund":
            if let payment = try await payment(of: object) { return .refunds(payment) }
            let known = try await store.refund(id)
            let named = object.metadata?[StripeProvider.refundKey].flatMap(RefundID.init)
            return (known ?? named).map { .refund($0) }
        case "payment_method": return .card(id)
        case "transfer":
            let named = object.metadata?[StripeProvider.payoutKey].flatMap(PayoutID.init)
            return named.map { .payout($0) }
        case "account": return .account(id)
        default: return nil
        }
    }

    private func payment(of object: StripeEvent.Subject) async throws -> PaymentID? {
        guard let intent = object.payment_intent else { return nil }
        return try await store.payment(intent)
    }

    private func subject(_ object: StripeEvent.Subject, of account: String) -> Subject? {
        switch object.object {
        case "account", "application", "bank_account", "capability", "card", "person":
            .account(account)
        case "payout": object.id.map { .bankTransfer($0, account: account) }
        default: nil
        }
    }
}

extension Data {
    /// Nil unless the text consists of pairs of hexadecimal digits.
    fileprivate init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self.init(
            stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        )
    }
}
