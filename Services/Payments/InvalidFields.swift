import Contracts

extension Refusal {
    static let tipInvalid = Refusal.invalid("tip", "1 to \(Tip.most)")
    static let refundLineInvalid = Refusal.invalid("line", "the index of a line that has a payee")
    static let dayInvalid = Refusal.invalid("day", "a UTC day that has begun, as in 2026-11-21")
    static let payoutAccountInvalid = Refusal.invalid(
        "account", "a name that the payment provider gave to an account")
}
