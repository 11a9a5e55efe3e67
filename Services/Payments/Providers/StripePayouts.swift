import Contracts
import Foundation
import ServiceKit

// Payouts: a transfer to the payee's own connected account, from which Stripe pays their bank.

extension StripeProvider {
    static let payoutKey = "payout"

    var needsPayoutAccount: Bool { true }

    /// For example `acct_1032D82eZvKYlo2C`.
    func isPayoutAccount(_ account: String) -> Bool {
        account.utf8.count <= Payouts.longestAccount
            && account.wholeMatch(of: /acct_[A-Za-z0-9]+/) != nil
    }

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

    /// Stripe forgets a key after a day, but not the group's transfers.
    private func transfer(of payout: PayoutID, _ api: StripeAPI) async throws -> StripeTransfer? {
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

struct StripeTransfer: Decodable, Sendable {
    let id: String
    let currency: String
    let reversed: Bool?
    /// In Stripe's units; also set for partial reversals.
    let amount_reversed: Int?

    var outcome: PayoutOutcome {
        get throws {
            let returned = try StripeAmount(amount_reversed ?? 0, currency).money
            return reversed == true ? .failed("reversed") : .paid(returned: returned.amount)
        }
    }
}
