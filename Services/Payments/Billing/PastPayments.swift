import Contracts
import Foundation
import ServiceKit

extension PaymentUseCases {
    /// Pays a bill as if it were then: our books and the stub's say when. In a demo only.
    func pay(_ bill: BillID, as past: PastPayment) async throws -> Payment {
        guard past.paidAt <= clock.now else {
            throw Refusal.invalid("paidAt", "Not in the future.")
        }
        if let tip = past.tip, !(1...Tip.most).contains(tip) { throw Refusal.tipInvalid }
        var then = self
        then.clock = ServiceClock { past.paidAt }
        then.provider = StubProvider(database: database, clock: then.clock)
        // It is now that nobody else may bring it to its end.
        then.patience.hold += clock.now.timeIntervalSince(past.paidAt)
        // The product does not send it: it is asked.
        then.patience.bill = .zero
        let source = PaymentSource.token(try PaymentToken(past.token))
        return try await then.pay(
            bill, with: PaymentDraft(source: source, tip: past.tip), by: past.payer, key: nil)
    }
}
