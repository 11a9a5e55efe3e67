import Contracts
import Foundation
import ServiceKit

// Payouts: a transfer to the payee's own connected account, from which Stripe pays their bank.

extension StripeProvider {
    static let payoutKey = "payout"

    func payOut(_ attempt: PayoutAttempt) async throws -> PayoutOutcome {
        let (payout, api) = (attempt.payout, api.begun())
        guard let account = attempt.account else { return .failed("account_missing") }
        guard let amount = StripeAmount(payout.amount) else { return .failed(Self.unsayable) }
        if let found = try await transfer(of: payout.id, api) { return try found.outcome }
        // A completed payout is never sent again, whatever Stripe answers.
        guard payout.status == .processing else { return .pending }
        do {
            let made: StripeTransfer = try await api.post(
                "/v1/transfers",
                amount.fields + [
                    ("destination", account), ("transfer_group", payout.id.description),
                    ("metadata[\(Self.payoutKey)]", payout.id.description),
                ], key: "payout-\(payout.id)")
            return try made.outcome
        } catch let refusal as StripeRefusal {
            log(refusal, "Stripe refused a payout")
            return .failed(refusal.reason)
        }
    }

    /// The whole transfer is reversed: the account has the amount again that its bank refused.
    func takeBack(_ attempt: PayoutAttempt) async throws -> PayoutOutcome {
        let (payout, api) = (attempt.payout, api.begun())
        guard let transfer = try await transfer(of: payout.id, api) else { return .pending }
        guard transfer.reversed != true else { return try transfer.outcome }
        do {
            let _: StripeReversal = try await api.post(
                "/v1/transfers/\(transfer.id)/reversals",
                [("metadata[\(Self.payoutKey)]", payout.id.description)],
                key: "take-back-\(payout.id)")
        } catch let refusal as StripeRefusal {
            log(refusal, "Stripe refused to take a payout back")
        }
        return try await self.transfer(of: payout.id, api).map { try $0.outcome } ?? .pending
    }

    /// Stripe forgets a key after a day, but not the group's transfers.
    func transfer(of payout: PayoutID, _ api: StripeAPI) async throws -> StripeTransfer? {
        do {
            let list: StripeList<StripeTransfer> = try await api.get(
                "/v1/transfers", [("transfer_group", payout.description), ("limit", "1")])
            return list.data.first
        } catch let refusal as StripeRefusal {
            // The refusal doesn't tell whether anything was paid.
            log(refusal, "Stripe refused to show a payout")
            throw ProviderUnavailable(detail: "stripe: status \(refusal.status)")
        }
    }
}

struct StripeReversal: Decodable, Sendable {
    let id: String
}

struct StripeTransfer: Decodable, Sendable {
    let id: String
    /// In Stripe's units, as `amount_reversed`.
    let amount: Int
    let currency: String
    let reversed: Bool?
    let metadata: [String: String]?
    /// In Stripe's units; also set for partial reversals.
    let amount_reversed: Int?

    var outcome: PayoutOutcome {
        get throws {
            let returned = try StripeAmount(amount_reversed ?? 0, currency).money
            return reversed == true ? .failed("reversed") : .paid(returned: returned.amount)
        }
    }

    /// The amount that has left the platform's balance; nil once all of it has come back.
    var movement: Movement? {
        get throws {
            let left = amount - (amount_reversed ?? 0)
            guard left > 0 else { return nil }
            let payout = metadata?[StripeProvider.payoutKey].flatMap(PayoutID.init)
            return Movement(
                cause: payout.map { .payout($0) }, reference: id,
                amount: try StripeAmount(left, currency).money)
        }
    }
}
