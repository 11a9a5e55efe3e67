import Contracts

extension Refusal {
    static let tipInvalid = Refusal.invalid("tip", "Use 1 to \(Tip.most).")
    static let refundLineInvalid = Refusal.invalid("line", "Use the index of a line with a payee.")
    static let dayInvalid = Refusal.invalid("day", "Use a past UTC day, or today: 2026-11-21.")
    static let payoutAccountInvalid = Refusal.invalid(
        "account", "Use the name that the payment provider gave to the account.")
}
