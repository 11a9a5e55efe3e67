import Contracts
import Foundation
import ServiceKit

extension PaymentUseCases {
    /// Pays a bill at a past time, in our ledger and the stub provider's. Used by the demo only.
    func pay(_ bill: BillID, as past: PastPayment) async throws -> Payment {
        guard past.paidAt <= clock.now else {
            throw Refusal.invalid("paidAt", "Use a time in the past.")
        }
        if let tip = past.tip, !(1...Tip.most).contains(tip) { throw Refusal.tipInvalid }
        var then = self
        then.clock = ServiceClock { past.paidAt }
        then.provider = StubProvider(database: database, clock: then.clock)
        // The attempt's claim counts from now, not from the past time.
        then.patience.hold += clock.now.timeIntervalSince(past.paidAt)
        // The product sends no event for a past bill, so payments asks at once.
        then.patience.bill = .zero
        let source = PaymentSource.token(try PaymentToken(past.token))
        return try await then.pay(
            bill, with: PaymentDraft(source: source, tip: past.tip), by: past.payer, key: nil)
    }
}
