import Contracts
import EventBus

/// Reactions to other services' events: bills, notices about them, changed accounts and deleted accounts.
func paymentReactions(_ payments: PaymentUseCases) -> Reactions {
    Reactions {
        when(BillChanged.self) { event, delivery in
            try await payments.apply(event.bill, delivery)
        }
        when(BillNoticeIssued.self) { event, delivery in
            try await payments.announce(event, delivery)
        }
        when(AccountChanged.self) { event, delivery in
            try await payments.apply(event, delivery)
        }
        when(AccountDeleted.self) { event, delivery in
            try await payments.forget(event, delivery)
        }
    }
}
