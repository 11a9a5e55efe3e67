import Contracts
import ServiceKit

extension Refusal {
    static let tipInvalid = Refusal.invalid("tip", "Use 1 to \(Tip.most).")
    static let refundLineInvalid = Refusal.invalid("line", "Use the index of a line with a payee.")
    static let dayInvalid = Refusal.invalid("day", "Use a past day, or today: 2026-11-21.")
    static let monthInvalid = Refusal.invalid("month", "Use a past month, or this one: 2026-11.")
    static let payoutAccountInvalid = Refusal.invalid(
        "account", "Use the name that the payment provider gave to the account.")

    /// An amount that no card can be charged, as `detail` says.
    static func tooSmall(_ amount: Money) -> Refusal {
        let least = Money(
            amount: Money.leastCharge(in: amount.currency), currency: amount.currency)
        guard amount.amount >= least.amount else {
            return .amountTooSmall.because("The least is \(least.text(in: .english)).")
        }
        let step = Money(amount: Money.chargeStep(in: amount.currency), currency: amount.currency)
        return .amountTooSmall.because("Use a multiple of \(step.text(in: .english)).")
    }
}
